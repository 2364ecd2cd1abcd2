"""What the findings of the doctor mean to the user of a project."""

from core.calibration.prior_of_scores import FOUND_BY_READING
from core.doctor.finding import FINE, Finding

_OF_A_REVIEW = (
    "{n_found:,} of {n_positive:,} positives were found by reading, so they are no random draw. "
    "Class prior, probabilities and expected figures of a cut rest on the others; what was found "
    "is subtracted. GET /projects/{project_id}/review tells how the review goes and when to stop."
)
_MOSTLY_FOUND = (
    "{n_found:,} of {n_positive:,} positives were found by reading, so they are no random draw. "
    "{rests_on}GET /projects/{project_id}/review tells how the review goes and when to stop."
)
_BY_JUDGEMENTS = (
    "Probabilities and expected figures of a cut rest on how often documents of a score were "
    "judged positive, and on the class prior"
)
#: What the probabilities of a review rest on, as its class prior is estimated or given.
ESTIMATED = (
    f"{_BY_JUDGEMENTS}. That is estimated from the other positives, less what was found, and from "
    "the order in which positives were found. "
)
GIVEN = f"{_BY_JUDGEMENTS} that was given. "
_NOTHING_HIDDEN = (
    "Most positives were found by reading, so where hidden positives rank tells nothing."
)
_GO_BY_REVIEW = (
    "Most positives were found by reading: GET /projects/{project_id}/review tells how many may be "
    "left, and when to stop."
)
_NOTHING_LIKE = (
    "No document that is left shares a word with the positives, so nothing like those found is "
    "left to read. GET /projects/{project_id}/review tells when to stop. To find documents of the "
    "kind in other words, add positives in these words."
)
_TIED = (
    "The model accepts more documents than should be positive by the upper end of the class prior, "
    "so many of them are not. The cut prior accepts no fewer, because no cut separates documents "
    "with equal scores. Read the ranking from the top, or train again with the cut budget:N, where "
    "N is how many you can read."
)


def message(
    finding: Finding,
    project_id: str,
    *,
    is_tied: bool = False,
    is_review: bool = False,
    is_mostly_found: bool = False,
    rests_on: str = "",
) -> str:
    """Return what a finding means, and what to do next where something is to be done.

    ``is_tied``: the cut by the class prior accepts too many as well. ``is_review``: some positives
    were found by reading, ``is_mostly_found``: most were; then probabilities go by what
    ``rests_on`` says, if there are any.
    """
    if finding.code == "nothing_shared" and is_review:
        return _NOTHING_LIKE.format(project_id=project_id)
    if finding.reason == "nothing_hidden" and is_mostly_found:
        return _NOTHING_HIDDEN
    if finding.reason == FOUND_BY_READING:
        return _GO_BY_REVIEW.format(project_id=project_id)
    if finding.level is not None:
        if finding.code == "accepts_too_many" and finding.level != FINE and is_tied:
            return _TIED
        if finding.code == "random_labeling" and "n_found" in finding.numbers:
            words = _MOSTLY_FOUND if is_mostly_found else _OF_A_REVIEW
            return words.format(project_id=project_id, rests_on=rests_on, **finding.numbers)
    told: str = finding.message
    return told
