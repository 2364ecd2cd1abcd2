"""What the findings of the doctor mean to the user of a project."""

from core.doctor.finding import FINE, Finding

_OF_A_REVIEW = (
    "{n_found:,} of {n_positive:,} positives were found by reading, so they are no random draw. "
    "Class prior, probabilities and what is expected of a cut rest on the others, and what was "
    "found is subtracted. GET /projects/{project_id}/review tells how the review goes and when to "
    "stop."
)
_TIED = (
    "The model accepts more documents than should be positive by the upper end of the class prior, "
    "so many of them are not, and the cut prior accepts no fewer: documents with equal scores "
    "cannot be parted. Read the ranking from the top, or train again with the cut budget:N, N as "
    "many as you can read."
)


def message(finding: Finding, project_id: str, *, is_tied: bool = False) -> str:
    """Return what a finding means, and what to do next where something is to be done.

    ``is_tied``: the cut by the class prior accepts too many as well.
    """
    if finding.level is not None:
        if finding.code == "accepts_too_many" and finding.level != FINE and is_tied:
            return _TIED
        if finding.code == "random_labeling" and "n_found" in finding.numbers:
            return _OF_A_REVIEW.format(project_id=project_id, **finding.numbers)
    told: str = finding.message
    return told
