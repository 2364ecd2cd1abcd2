"""Numerical kernels shared by the algorithms."""
