"""What holds for all tests."""

import os

from hypothesis import settings

# The many processes that tests start would compile the sources anew if they might not be kept.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A machine that is busy is no fault of the code.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
