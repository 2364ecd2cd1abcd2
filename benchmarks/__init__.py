"""Speed and quality, each a command that prints a table: ``python -m benchmarks.NAME --help``."""
