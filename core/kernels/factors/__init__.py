"""Factorisations and latent directions."""
