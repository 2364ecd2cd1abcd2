"""The second step of two-step methods: SVMs that turn what they reject into negatives."""

from sklearn.utils.class_weight import compute_sample_weight

from core.kernels.linear.squared_hinge_svm import fit_svm
from core.kernels.rows.row_blocks import has_entries, row_products
from core.progress import report


def iterative_svm(
    Z,
    is_positive,
    is_negative,
    *,
    C=1.0,
    balanced=True,
    max_iter=20,
    max_loss=0.05,
):
    """Fit SVMs on a growing set of negatives; keep the last one, or the first.

    Each round adds the undecided rows that its SVM rejects to the negatives, until none is
    rejected.

    Parameters
    ----------
    Z : sparse array of shape (n_samples, n_features)
        Unit rows in CSR format; empty ones are never undecided.
    is_positive : ndarray of bool of shape (n_samples,)
        The positives.
    is_negative : ndarray of bool of shape (n_samples,)
        The reliable negatives, at least one.
    C : float in (0, inf), default=1.0
        As in :func:`core.kernels.linear.squared_hinge_svm.fit_svm`.
    balanced : bool, default=True
        Whether both classes get the same total weight.
    max_iter : int in [1, inf), default=20
        Most SVMs.
    max_loss : float in [0, 1] or None, default=0.05
        The first SVM is returned where the last one rejects more than this share of the
        positives; None means never.

    Returns
    -------
    coef : ndarray of shape (n_features,)
        Weights of the chosen SVM.
    intercept : float
        ``Z @ coef + intercept`` is not negative where a row is accepted.
    facts : dict
        ``n_reliable_negatives``, ``n_final_negatives`` (after the last round), ``n_iter`` (SVMs
        fitted), ``converged`` (the last one rejects no undecided row), ``chosen`` ("first" or
        "last") and ``lost`` (share of the positives that the last one rejects).
    """
    is_taken = is_negative.copy()
    is_undecided = ~(is_positive | is_taken) & has_entries(Z)
    first = last = None
    for n_iter in range(1, max_iter + 1):
        last = fit_two_class_svm(Z, is_positive, is_taken, C=C, balanced=balanced, start=last)
        first = first or last
        scores = row_products(Z, last[0]) + last[1]
        is_rejected = is_undecided & (scores < 0)
        report("iterate", n_iter / max_iter)
        if not is_rejected.any():
            break
        is_taken |= is_rejected
        is_undecided &= ~is_rejected

    lost = float((scores[is_positive] < 0).mean())
    is_first = max_loss is not None and lost > max_loss
    facts = {
        "n_reliable_negatives": int(is_negative.sum()),
        "n_final_negatives": int(is_taken.sum()),
        "n_iter": n_iter,
        "converged": not is_rejected.any(),
        "chosen": "first" if is_first else "last",
        "lost": lost,
    }
    return *(first if is_first else last), facts


def fit_two_class_svm(Z, is_positive, is_negative, *, C, balanced, start=None):
    """Fit :func:`~core.kernels.linear.squared_hinge_svm.fit_svm` on the rows of two masks alone."""
    is_used = is_positive | is_negative
    weights = is_used.astype(float)
    if balanced:
        weights[is_used] = compute_sample_weight("balanced", is_positive[is_used])
    return fit_svm(Z, is_positive, weights, C=C, start=start)
