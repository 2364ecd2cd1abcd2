"""Models: which answers, their cuts, rankings brought up to date, explanations."""
