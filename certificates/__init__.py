"""Certificates: the kernel that makes theorems, the evidence that it checks, the format and the auditor."""
