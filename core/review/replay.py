"""Reviews replayed on labeled collections: train, read what comes first, judge, train again."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.auto.likeness import find_likeness
from core.calibration.prior_of_scores import expected_positives
from core.class_prior.consensus import consensus_of_ranks
from core.errors import TooFewPositives
from core.pipeline import make_text_classifier
from core.registry import USUAL
from core.review.choice import Learner, next_documents, review_learner
from core.review.copies import copied_ones, unread_around
from core.review.expected import Expected
from core.vectorizer import with_language

#: A batch is at least this share of what was read: late in a review a training changes little.
GROWTH = 0.02
#: The learner until enough is judged. It has no graph, which would take most of the time.
FIRST = Learner(USUAL, {"n_neighbors": 0}, with_language("english"), "")


class Round(NamedTuple):
    """A round of a review: what it read, in order, and the algorithm whose ranking it read.

    ``alike`` got the labels of what was read without being read.
    """

    algorithm: str
    read: NDArray[np.intp]
    alike: NDArray[np.intp]


class Replay:
    """A review of texts whose labels are known; faster inside :func:`core.shared_work.sharing`.

    Parameters
    ----------
    texts : list of str
        Texts.
    is_relevant : ndarray of bool of shape (n_texts,)
        What judging them would tell.
    seeds : ndarray of int of shape (n_seeds,)
        Which of the relevant ones are known from the start.
    algorithm : str, default="auto"
        Which to train each time; "auto" starts with "seed_expansion" and changes as
        :func:`core.review.choice.review_learner` says.
    strategy : {"mixed", "relevance", "uncertainty"}, default="mixed"
        Which documents are read next.
    batch : int in [1, inf), default=10
        Documents read between two trainings, more where they are less than a 50th of those read.
    judges_alike : bool, default=False
        Whether what says nearly the same as a document that is read, and ranks near it, gets its
        label, right or wrong.
    random_state : int, default=0
        Handed to the classifiers.

    Attributes
    ----------
    told : ndarray of bool of shape (n_texts,)
        ``is_relevant``, but for the labels that are wrong.

    Examples
    --------
    >>> import numpy as np
    >>> from core.review.replay import Replay
    >>> texts = ["flooded river", "river water", "a goal", "the water rises", "a late goal"]
    >>> is_relevant = np.array([True, True, False, True, False])
    >>> rounds = Replay(texts, is_relevant, np.array([0]), algorithm="prototype", batch=2).rounds()
    >>> next(rounds).read.tolist()
    [1, 2]
    """

    def __init__(
        self,
        texts: list[str],
        is_relevant: NDArray[np.bool_],
        seeds: NDArray[np.intp],
        *,
        algorithm: str = "auto",
        strategy: str = "mixed",
        batch: int = 10,
        judges_alike: bool = False,
        random_state: int = 0,
    ) -> None:
        self.texts = texts
        self.is_relevant = is_relevant
        self.told = is_relevant.copy()
        self.algorithm = algorithm
        self.strategy = strategy
        self.batch = batch
        self.judges_alike = judges_alike
        self.random_state = random_state
        self.is_seed = np.isin(np.arange(len(texts)), seeds)
        self.is_judged = self.is_seed.copy()
        self._weighted: dict[str, Any] = {}

    def rounds(self) -> Iterator[Round]:
        """Yield the rounds until all is read."""
        n_read = 0
        while not self.is_judged.all():
            learner = self._learner()
            scores, cut = self._rank(learner)
            order = np.argsort(-scores, kind="stable")
            positions, _ = next_documents(
                scores[order],
                self.is_judged[order],
                cut,
                max(self.batch, int(n_read * GROWTH)),
                strategy=self.strategy,
            )
            read, alike = self._read(order, positions)
            n_read += len(read)
            yield Round(learner.algorithm, read, alike)

    def _read(
        self, order: NDArray[np.intp], positions: NDArray[np.intp]
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return what is read of some places of a ranking, and what gets the same labels."""
        if not self.judges_alike:
            self.is_judged[order[positions]] = True
            return order[positions], np.empty(0, np.intp)
        read: list[int] = []
        alike: list[int] = []
        for position in positions:
            document = order[position]
            if self.is_judged[document]:
                continue
            around = order[unread_around(self.is_judged[order], [position])]
            others = around[around != document].tolist()
            found = copied_ones([self.texts[document]], [self.texts[i] for i in others])
            same = [one for one, place in zip(others, found, strict=True) if place == 0]
            self.is_judged[[document, *same]] = True
            self.told[same] = self.is_relevant[document]
            read.append(document)
            alike += same
        return np.array(read, np.intp), np.array(alike, np.intp)

    def expected(self) -> Expected | None:
        """Return how many positives the seeds tell of in the pile; None where they tell nothing."""
        if self.is_seed.sum() < 2:
            return None
        counter = make_text_classifier(FIRST.algorithm, vectorizer=FIRST.vectorizer)["counts"]
        alike = find_likeness(
            counter.fit_transform(self.texts),
            self.is_seed,
            vectorizer=FIRST.vectorizer,
            random_state=self.random_state,
        )
        nothing = np.zeros_like(self.is_seed)
        try:
            ranks = alike.left_out_ranks(self.is_seed, nothing, random_state=self.random_state)
        except TooFewPositives:  # all seeds are the same
            return None
        prior = consensus_of_ranks(ranks, random_state=self.random_state)
        found: Expected | None = expected_positives(prior, int((~self.is_seed).sum()), ranks)
        return found

    def _learner(self) -> Learner:
        if self.algorithm != "auto":
            params = FIRST.params if self.algorithm == FIRST.algorithm else {}
            return Learner(self.algorithm, params, FIRST.vectorizer, "")
        n_negative = int((self.is_judged & ~self.told).sum())
        return review_learner(n_negative, len(self.texts)) or FIRST

    def _rank(self, learner: Learner) -> tuple[NDArray[np.float64], float]:
        """Return scores of all texts, and the cut, of the learner trained on what is judged."""
        pipeline = make_text_classifier(
            learner.algorithm,
            learner.params,
            vectorizer=FIRST.vectorizer | learner.vectorizer,
            pos_label=1,
            random_state=self.random_state,
        )
        if learner.algorithm not in self._weighted:
            self._weighted = {learner.algorithm: pipeline[:-1].fit_transform(self.texts)}
        X, classifier = self._weighted[learner.algorithm], pipeline["classifier"]
        is_positive = self.is_judged & self.told
        is_negative = self.is_judged & ~self.told
        classifier.fit(X, is_positive.astype(int), is_negative=is_negative)
        return classifier.training_scores(X), classifier.offset_
