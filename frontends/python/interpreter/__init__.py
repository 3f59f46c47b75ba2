"""What Core Python means, on values."""
