"""Reviews: what to judge next, how far one is, when to stop."""
