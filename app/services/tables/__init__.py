"""Tables of numbers: received, checked, kept."""
