"""Certificates: evidence that formulas are valid, the kernel of rules, the file format, the auditor."""
