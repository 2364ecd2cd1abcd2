"""Small feed-forward networks."""
