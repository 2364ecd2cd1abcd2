"""Every query, one statement a method."""
