"""Feature selections, and the test of the assumption that some of them make."""
