"""The nodes of refutation trees that are about rows and binders, one file each (trusted; THEORY-SQL section 3)."""
