"""Certificates of claims about SQL queries."""
