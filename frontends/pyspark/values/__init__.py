"""What an expression of the source can stand for while it is read."""
