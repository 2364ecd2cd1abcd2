"""Classifiers learned from positives and unlabeled samples: one file each."""
