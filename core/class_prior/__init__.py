"""Estimators of the share of positives among the unlabeled samples."""
