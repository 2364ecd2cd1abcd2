"""How good a classifier is, without negatives."""
