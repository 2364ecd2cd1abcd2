"""The version of the distribution that the packages are installed from."""

from importlib.metadata import PackageNotFoundError, version

try:
    #: As ``pyproject.toml`` has it.
    __version__ = version("seedbed")
except PackageNotFoundError:  # A folder on the path that was never installed.
    __version__ = "0+unknown"
