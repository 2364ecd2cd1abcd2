"""Rows of sparse matrices: blocks, lengths, hashes, columns."""
