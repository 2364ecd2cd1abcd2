"""Reading a ranking from the top: what is left to find, and what to judge next."""

from core.review.choice import Learner, next_documents, review_learner
from core.review.expected import Expected, Remaining
from core.review.reading import Reading
from core.review.remaining import remaining_positives
from core.review.stopping import Progress, Recall, documents_until_stop, progress, recall_test

__all__ = [
    "Expected",
    "Learner",
    "Progress",
    "Reading",
    "Recall",
    "Remaining",
    "documents_until_stop",
    "next_documents",
    "progress",
    "recall_test",
    "remaining_positives",
    "review_learner",
]
