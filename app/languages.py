"""Languages of projects, by their names or their codes."""

#: ISO 639-1 code -> name.
NAMES = {
    "nl": "dutch",
    "en": "english",
    "fr": "french",
    "de": "german",
    "it": "italian",
    "pt": "portuguese",
    "es": "spanish",
}


def language_name(given: str) -> str:
    """Return the name of a language that is given by name or code; what is neither stays."""
    return NAMES.get(given, given)
