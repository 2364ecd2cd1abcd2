"""How commands end that cannot do what was asked for."""


class CommandFailed(Exception):
    """A command could not do what was asked for; the message says what to do."""
