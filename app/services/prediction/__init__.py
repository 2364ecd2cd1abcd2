"""Predictions on new texts: single, batches, streams."""
