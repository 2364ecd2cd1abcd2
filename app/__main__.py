"""The command ``seedbed``, as it starts."""

import sys
from importlib import import_module


def main() -> None:
    """Run the command; Ctrl-C ends it without a traceback while it loads, too."""
    try:
        import_module("app.cli").app()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
