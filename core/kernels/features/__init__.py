"""What feature selectors search and count."""
