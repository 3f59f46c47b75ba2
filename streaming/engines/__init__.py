"""The engines that run a subject on test cases: local, DStreams on Spark, Structured Streaming."""
