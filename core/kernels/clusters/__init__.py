"""Clusters and mixtures."""
