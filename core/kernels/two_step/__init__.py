"""What two-step methods share: prototypes, reliable negatives, repeated SVMs."""
