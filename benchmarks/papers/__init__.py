"""The experiments of the papers that the algorithms come from, each a command."""
