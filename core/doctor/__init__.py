"""What positives and unlabeled samples alone tell of whether a model can be trusted."""
