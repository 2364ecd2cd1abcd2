"""Documents of a project, their texts, labels and judgements."""
