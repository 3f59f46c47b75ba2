"""Constructs of source languages written out in the core: once for SQL, plans and dataflows, one file a construct."""
