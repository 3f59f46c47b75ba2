"""The commands, one module each; `tallystick.cli` loads them by name."""
