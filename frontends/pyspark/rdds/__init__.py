"""The methods of RDDs and of what they return, one small function each."""
