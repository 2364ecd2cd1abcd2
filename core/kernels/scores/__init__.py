"""Ranks and densities of scores."""
