"""What holds for all tests."""

from hypothesis import settings

# A machine that is busy is no fault of the code.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
