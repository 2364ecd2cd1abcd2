"""From scores to probabilities, expected figures and cuts."""
