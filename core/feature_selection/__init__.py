"""Feature selectors for positives and unlabeled samples: one file each."""
