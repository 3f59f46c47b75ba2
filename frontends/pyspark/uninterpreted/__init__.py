"""Pure Python that the reader does not take apart: its types, its canonical text, and its values."""
