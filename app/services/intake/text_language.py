"""In which language the texts of an upload are: function words tell."""

import re
from collections import Counter

from core.text.stop_words import STOP_WORDS

_WORD = re.compile(r"[^\W\d_]{2,}")
#: Of so many first words, at least and at most, and of so much of each text.
MIN_WORDS, MAX_WORDS, MAX_CHARACTERS = 100, 5_000, 1_000
#: In seven languages .28 to .49 of the words of a text are function words of its own, and at most
#: .6 times as many of another one.
MIN_SHARE, MAX_OTHER = 0.25, 0.65


class TextLanguage:
    """Counts the function words of each language in the first texts of an upload.

    Parameters
    ----------
    expected : str
        The language whose function words trainings leave out; of "other" nothing is told.
    """

    def __init__(self, expected: str) -> None:
        self._expected = expected
        self._n_words = 0
        self._found: Counter[str] = Counter()

    def look_at(self, text: str) -> None:
        """Count the words of a text, unless enough were counted."""
        if self._expected not in STOP_WORDS or self._n_words >= MAX_WORDS:
            return
        words = _WORD.findall(text[:MAX_CHARACTERS].lower())
        self._n_words += len(words)
        for language, stop_words in STOP_WORDS.items():
            self._found[language] += sum(word in stop_words for word in words)

    def warning(self, project_id: str) -> str | None:
        """Return a warning if the texts are in another language for sure."""
        if self._n_words < MIN_WORDS:
            return None
        expected = self._expected
        likely, n = self._found.most_common(1)[0]
        if n < MIN_SHARE * self._n_words or self._found[expected] > MAX_OTHER * n:
            return None
        return (
            f"The texts look {likely.title()}: {n / self._n_words:.0%} of their words are function "
            f"words of it, and {self._found[expected] / self._n_words:.0%} of {expected.title()}, "
            "the language of the project, whose function words trainings leave out. If so, send "
            f"language={likely} with PATCH /projects/{project_id}; for the command, seedbed change "
            f"{project_id} --language {likely}."
        )
