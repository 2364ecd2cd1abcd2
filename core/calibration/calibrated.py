"""What is known of a trained classifier without negatives: class prior, probabilities, cuts."""

from typing import NamedTuple

import numpy as np

from core.calibration.cuts import Cut, budget_cut, budget_of
from core.calibration.score_calibration import ScoreCalibration
from core.class_prior.prior_estimate import PriorEstimate
from core.review.expected import Expected

#: Rules that ask hidden positives; where these tell nothing, the class prior may.
BY_HIDDEN = ("f1", "lee_liu")


class Calibrated(NamedTuple):
    """What can be said of the scores of a classifier without negatives.

    Attributes
    ----------
    class_prior : PriorEstimate
        Share of positives among the unlabeled samples. A given one is its own interval, flagged
        ``above_admissible`` where the hidden positives allow no such share, and ``at_bound`` where
        it had to be moved to leave a positive and a negative.
    curves : list of ScoreCalibration, or None
        Probabilities over what the class prior may be, at its lower and upper end, if it is not
        given, and at the ends of how sharply the scores tell positives from negatives. By hidden
        positives, or in a review by what was judged; None where these tell nothing.
    cuts : dict of Cut
        By the rules ``core.calibration.cuts.RULES``.
    candidates : ndarray of shape (n_candidates,)
        Scores of the unlabeled samples that are not empty.
    reason : str or None
        Why hidden positives tell nothing: the reason that was given, ``no_features`` where no
        unlabeled sample has a feature, ``nothing_shared`` where none has a feature of a positive
        one, ``equal_scores``, or ``class_prior_too_large`` where they contradict the class prior
        that is given.
    positive_ranks : ndarray of shape (n_hidden,), default=None
        Shares of the unlabeled samples that rank below each hidden positive, whatever they tell.
    expected : Expected or None, default=None
        How many positives there were before any was found by reading, those given as such aside;
        None where the class prior is given or unknown.
    """

    class_prior: PriorEstimate
    curves: list[ScoreCalibration] | None
    cuts: dict[str, Cut]
    candidates: np.ndarray
    reason: str | None = None
    positive_ranks: np.ndarray | None = None
    expected: Expected | None = None

    def cut_by(self, rule):
        """Return the cut by a rule, the next best where there is none by it.

        Parameters
        ----------
        rule : str
            One of ``core.calibration.cuts.RULES``, or "budget:N" for N samples.

        Returns
        -------
        rule : str
            The rule of the cut. "f1" and "lee_liu", which ask hidden positives, fall back to
            "prior", and every rule to "own".
        Cut

        Examples
        --------
        >>> import numpy as np
        >>> from core.calibration.calibrated import Calibrated
        >>> from core.class_prior.prior_estimate import PriorEstimate
        >>> from core.calibration.cuts import Cut
        >>> cuts = {"own": Cut(0.5), "f1": Cut(None, "accepts_all"), "prior": Cut(0.2)}
        >>> scores = np.array([0.1, 0.3, 0.7])
        >>> found = Calibrated(PriorEstimate(0.4, 0.1, 0.7), None, cuts, scores)
        >>> found.cut_by("f1")
        ('prior', Cut(offset=0.2, reason=None))
        >>> found.cut_by("budget:1")
        ('budget:1', Cut(offset=0.5, reason=None))
        """
        if not len(self.candidates):
            return "own", self.cuts["own"]
        if (budget := budget_of(rule)) is not None:
            return rule, budget_cut(self.candidates, budget)
        # A cut at the lowest score accepts all, as one may where scores are equal: it is of no use.
        least = self.candidates.min() if rule == "f1" and len(self.candidates) > 1 else -np.inf
        for name in (rule, "prior") if rule in BY_HIDDEN else (rule,):
            offset = self.cuts[name].offset
            if offset is not None and offset > least:
                return name, self.cuts[name]
        return "own", self.cuts["own"]

    def apply(self, rule, classifier, scores, is_positive, is_negative=None, is_empty=None):
        """Give the classifier the maps to probabilities, and the cut by a rule.

        Parameters
        ----------
        rule : str
            As of :meth:`cut_by`.
        classifier, scores, is_positive, is_negative, is_empty
            Those that this was made of by :func:`calibrate`.

        Returns
        -------
        rule : str
            The rule of the cut.
        cut : Cut
        scores : ndarray of shape (n_samples,)
            The same but for empty samples, which stay below the cut.
        """
        if self.curves is not None:
            classifier.calibration_, *classifier.calibration_ends_ = self.curves
        rule, cut = self.cut_by(rule)
        if cut.offset != classifier.offset_ or (is_empty is not None and is_empty.any()):
            scores = classifier.recut(cut.offset, scores, is_positive, is_negative, is_empty)
        return rule, cut, scores
