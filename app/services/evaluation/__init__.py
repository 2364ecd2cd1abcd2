"""How good a model is, by hidden positives or by documents whose labels are known."""
