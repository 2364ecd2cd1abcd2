"""Texts as counts of terms, kept for all that look at them."""
