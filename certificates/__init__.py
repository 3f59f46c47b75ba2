"""Certificates: evidence that formulas are valid, the kernel of inference rules, the file format, the auditor."""
