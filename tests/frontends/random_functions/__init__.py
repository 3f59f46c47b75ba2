"""Random PySpark programs for the test that what is read has the value that Python computes."""
