"""Pure code as functions that terms apply by name."""
