"""The text of a program: files, names and what they are bound to, annotations."""
