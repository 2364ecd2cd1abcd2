"""What a check of the doctor came to."""

from dataclasses import dataclass, field

from core.doctor.words import words_of

#: Levels: all is well, look before you rely on it, do not rely on it.
FINE, CAUTION, WARNING = "fine", "caution", "warning"
#: Rows that a finding lists; ``n_found`` says how many there are.
MAX_ROWS = 100


@dataclass(frozen=True)
class Finding:
    """What a check came to.

    Attributes
    ----------
    code : str
        The check, such as "repeated_positives".
    level : {"fine", "caution", "warning"} or None
        "fine" where the check was passed, None where it could not be made: neither asks for
        anything to be done.
    numbers : dict
        The plain numbers behind it, by name.
    rows : list of int
        Of the samples that it is about, the most telling first.
    reason : str or None
        Why the check could not be made: a code.

    Examples
    --------
    >>> from core.doctor.finding import Finding
    >>> Finding("odd_positives", None, reason="too_few_positives").message
    'There are too few positives for this check. Label more.'
    """

    code: str
    level: str | None
    numbers: dict = field(default_factory=dict)
    rows: list = field(default_factory=list)
    reason: str | None = None

    @property
    def needs_eyes(self):
        """Whether something is to be looked at: a caution or a warning.

        Examples
        --------
        >>> from core.doctor.finding import Finding
        >>> [Finding("few_positives", level).needs_eyes for level in ("fine", "caution", None)]
        [False, True, False]
        """
        return self.level in (CAUTION, WARNING)

    @property
    def message(self):
        """What it means, and what to do next where something is to be done."""
        return words_of(self)
