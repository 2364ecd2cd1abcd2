"""The commands of `seedbed`, and what they share."""
