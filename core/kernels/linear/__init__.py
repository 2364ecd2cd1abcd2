"""Linear scores that minimise a risk."""
