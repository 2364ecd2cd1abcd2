"""Graphs of similar rows, and what spreads over them."""
