"""Every query; a method is one statement, or the few that answer one question."""
