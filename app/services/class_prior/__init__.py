"""How many positives a pile holds."""
