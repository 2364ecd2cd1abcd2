"""Positive-unlabeled learning on text: a library in the manner of scikit-learn."""
