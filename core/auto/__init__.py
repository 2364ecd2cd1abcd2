"""The button ``auto``: candidates, and a race of them on the user's own data."""
