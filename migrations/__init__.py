"""Alembic's folder: the history of the database's schema."""
