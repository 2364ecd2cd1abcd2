"""Choice of an algorithm on the user's own data: candidates, and a race of them."""
