"""Rankings as files, read by pages and exported."""
