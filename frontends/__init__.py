"""Front-ends: source languages read into core programs. They are siblings, and none imports another."""
