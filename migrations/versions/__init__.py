"""One file a change, oldest first by number."""
