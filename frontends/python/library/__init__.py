"""What Core Python may call, and the classes of Spark."""
