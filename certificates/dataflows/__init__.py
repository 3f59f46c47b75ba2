"""Certificates of claims about two versions of a workflow."""
