"""Compiled counting of the terms of texts."""
