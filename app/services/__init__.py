"""What the service does: plain functions, without HTTP."""
