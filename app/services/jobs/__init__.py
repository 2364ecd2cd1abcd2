"""What all jobs share: one attempt, its stages, its limits, its publication."""
