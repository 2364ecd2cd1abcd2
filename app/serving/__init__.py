"""Processes that serve: the API, one or several, and the whole service on one machine."""
