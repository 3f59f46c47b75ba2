"""The playground: a page on this machine that compares two programs while they are typed."""
