"""Reading a ranking from the top: what is left to find, and what to judge next."""
