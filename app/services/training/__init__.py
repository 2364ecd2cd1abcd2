"""Trainings, from the request to what is told of the model."""
