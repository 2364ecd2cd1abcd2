from copy import deepcopy

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.linalg import block_diag

from core.calibration.calibrate import calibrate
from core.calibration.cuts import RULES, Cut, lee_liu_cut
from core.calibration.prior_of_scores import Review, expected_positives
from core.class_prior import hidden_positives
from core.class_prior.consensus import consensus_of_ranks
from core.class_prior.judged_pile import Pile, where_few_edges_leave
from core.class_prior.largest_admissible import largest_admissible_prior
from core.datasets import make_pu_data
from core.evaluation.hide_judgements import hide_judgements
from core.evaluation.hide_positives import HiddenPositives, hide_positives
from core.kernels.graphs.conductance import Neighbors
from core.kernels.graphs.knn_graph import knn_graph
from core.kernels.rows.unit_rows import unit_rows
from core.kernels.scores.left_out_ranks import left_out_ranks
from core.registry import ALGORITHMS
from core.review.expected import Expected
from core.review.reading import Reading
from core.review.remaining import remaining_positives
from core.validation import canonical_csr

X, Y, TRUTH = make_pu_data(500, 40, class_prior=0.3, random_state=0)
NOBODY = np.zeros(len(Y), dtype=bool)


@pytest.fixture(scope="module")
def trained():
    classifier = ALGORITHMS["seed_expansion"](random_state=0).fit(X, Y)
    outcome = hide_positives(classifier, X, Y == 1, NOBODY, random_state=0)
    return classifier, outcome


def found(trained, **options):
    classifier, outcome = trained
    left_out = left_out_ranks(X, Y == 1, random_state=0)
    usual = {"is_negative": NOBODY, "outcome": outcome, "left_out": left_out, "random_state": 0}
    return calibrate(classifier, classifier.score_samples(X), Y == 1, **(usual | options))


def test_probabilities_add_up_to_what_the_class_prior_may_be_and_its_ends(trained):
    calibrated = found(trained)
    prior, asked = calibrated.class_prior, trained[0].score_samples(X)[Y == 0]
    value, *ends = (curve.predict(asked).mean() for curve in calibrated.curves[:3])
    assert value == pytest.approx(prior.value, rel=0.1)
    assert ends == pytest.approx([prior.low, prior.high], abs=1e-3)
    assert prior.low < TRUTH[Y == 0].mean() < prior.high
    assert calibrated.cuts["lee_liu"] == lee_liu_cut(asked, calibrated.positive_ranks)


@pytest.mark.parametrize("is_given", [False, True])
def test_ends_are_those_of_how_sharply_scores_tell_too(trained, is_given):
    given = {"class_prior": 0.25, "left_out": None} if is_given else {}
    calibrated = found(trained, **given)
    best, *_, flat, steep = curves = calibrated.curves
    # A given class prior has no ends. Nine of ten slopes are between the ends.
    quantiles = [None] * (1 if is_given else 3)
    assert [curve.slope_quantile for curve in curves] == [*quantiles, 0.05, 0.95]
    asked = trained[0].score_samples(X)[Y == 0]
    for curve in (flat, steep):
        mean = calibrated.class_prior.value
        assert curve.predict(asked).mean() == pytest.approx(mean, abs=1e-3)
    assert flat.slope_ < best.slope_ < steep.slope_
    top = asked >= np.quantile(asked, 0.75)
    precisions = [curve.predict(asked)[top].mean() for curve in (flat, steep)]
    assert precisions == sorted(precisions)


@pytest.mark.parametrize("n_found", [1, 10])
def test_positives_found_by_reading_are_subtracted_from_what_the_others_tell(trained, n_found):
    left_out = left_out_ranks(X, Y == 1, random_state=0)
    of_pile = consensus_of_ranks(left_out, random_state=0)
    n_left = int((Y == 0).sum())
    # Empty samples are left, too.
    is_empty = np.isin(np.arange(len(Y)), np.flatnonzero(Y == 0)[:50])
    prior = found(trained, left_out=left_out, review=Review(n_found), is_empty=is_empty).class_prior
    expected = (of_pile.value * (n_left + n_found) - n_found) / n_left
    assert prior.value == pytest.approx(expected)


def test_where_most_was_found_by_reading_the_cut_is_where_so_many_are_found_and_left(trained):
    reading = Reading([True] * 8 + [False] * 20 + [True] * 2, 60)
    calibrated = found(trained, review=Review(10, reading))
    left_out = left_out_ranks(X, Y == 1, random_state=0)
    of_pile = consensus_of_ranks(left_out, random_state=0)
    n_left = int((Y == 0).sum())
    of_seeds = expected_positives(of_pile, n_left + 10, left_out)
    expected = remaining_positives(*reading, expected=of_seeds).value / n_left
    assert calibrated.expected == of_seeds
    assert calibrated.class_prior.value == pytest.approx(expected)
    assert (calibrated.curves, calibrated.reason) == (None, "found_by_reading")
    assert {calibrated.cuts[rule].reason for rule in ("f1", "lee_liu")} == {"found_by_reading"}
    scores = trained[0].score_samples(X)
    n_accepted = (scores >= calibrated.cuts["prior"].offset).sum()
    assert n_accepted == pytest.approx((Y == 1).sum() + expected * n_left, abs=1)
    assert {calibrated.cut_by(rule)[0] for rule in ("f1", "lee_liu")} == {"prior"}


@pytest.mark.parametrize("reading", [None, Reading([True] * 8 + [False] * 20 + [True] * 2, 60)])
def test_in_a_review_what_the_others_told_before_is_not_asked_again(trained, reading):
    n_left, expected = int((Y == 0).sum()), Expected(60.0, 40.0, 90.0)
    calibrated = found(trained, left_out=None, review=Review(10, reading, None, expected))
    left = 60 - 10 if reading is None else remaining_positives(*reading, expected=expected).value
    assert calibrated.class_prior.value == pytest.approx(left / n_left)
    assert calibrated.expected == expected


@pytest.mark.parametrize("is_from_top", [True, False])
@pytest.mark.parametrize("n_found", [10, 0])
def test_what_was_judged_of_the_top_tells_how_many_the_seeds_meant(trained, n_found, is_from_top):
    expected = Expected(60.0, 40.0, 90.0, ranks=(0.95,) * 9 + (0.5,))
    is_negative = np.zeros(len(Y), dtype=bool)
    is_negative[np.flatnonzero(Y == 0)[:20]] = True
    n_rest = int((Y == 0).sum()) - 20
    review = Review(n_found, None, None, expected, is_from_top)
    calibrated = found(trained, review=review, is_negative=is_negative)
    if not (n_found or is_from_top):
        # Hidden positives tell of what is left, as if nothing were known of the judged.
        assert calibrated.expected.value == pytest.approx(calibrated.class_prior.value * n_rest)
        return
    seen = expected.after(np.arange(20 + n_found) < n_found, n_rest) if is_from_top else expected
    assert calibrated.class_prior.value == pytest.approx((seen.value - n_found) / n_rest)
    # What they told before anything was read goes on to the next model.
    assert calibrated.expected == expected


@pytest.mark.parametrize("reading", [None, Reading([True] * 8 + [False] * 20 + [True] * 2, 60)])
def test_in_a_review_the_class_prior_is_where_few_edges_leave(trained, reading):
    neighbors = Neighbors(knn_graph(unit_rows(canonical_csr(X)), 10))
    n_left, scores = int((Y == 0).sum()), trained[0].score_samples(X)
    review = Review(10, reading, None, Expected(60.0, 40.0, 90.0))
    alone = found(trained, left_out=None, review=review).class_prior
    conductance = neighbors.conductance(scores, Y == 1, Y == 0)
    expected = where_few_edges_leave(alone, conductance, Pile(n_left + 10, 10, n_left))
    prior = found(trained, left_out=None, review=review, neighbors=neighbors).class_prior
    assert prior == expected
    assert prior.value != alone.value


def test_what_was_judged_tells_probabilities_and_where_new_samples_are_cut(trained):
    # The seventy likeliest were judged; forty were positives from the start.
    scores = trained[0].score_samples(X)
    judged = np.isin(np.arange(len(Y)), np.argsort(np.where(Y == 1, -np.inf, -scores))[40:110])
    is_positive, is_negative = (Y == 1) | (judged & (TRUTH == 1)), judged & (TRUTH == 0)
    is_left = ~(is_positive | is_negative)
    classifier = ALGORITHMS["seed_expansion"](random_state=0)
    classifier.fit(X, is_positive, is_negative=is_negative)
    scores = classifier.score_samples(X)
    hidden = hide_judgements(classifier, X, is_positive, is_negative, judged, random_state=0)
    reading = Reading(TRUTH[judged] == 1, int(is_left.sum()))
    calibrated = calibrate(
        classifier,
        scores,
        is_positive,
        is_negative,
        left_out=left_out_ranks(X, Y == 1, random_state=0),
        review=Review(int((is_positive & judged).sum()), reading, hidden),
        random_state=0,
    )

    prior, asked = calibrated.class_prior, scores[is_left]
    means = [curve.predict(asked).mean() for curve in calibrated.curves]
    ends = [prior.value, prior.low, prior.high, prior.value, prior.value]
    assert means == pytest.approx(ends, abs=2e-3)
    assert calibrated.reason is None
    assert {calibrated.cuts[rule].reason for rule in ("f1", "lee_liu")} == {"found_by_reading"}
    rule, cut = calibrated.cut_by("f1")
    assert rule == "prior"
    pool = np.concatenate([asked, hidden.beside(asked).scores])
    n_expected = (judged & is_positive).sum() + prior.value * is_left.sum()
    assert (pool >= cut.offset).sum() == pytest.approx(n_expected, abs=1)


@pytest.mark.parametrize("given", [0.02, 0.95])
def test_a_given_class_prior_is_held_against_what_a_review_allows(trained, given):
    reading = Reading([True] * 8 + [False] * 20 + [True] * 2, int((Y == 0).sum()))
    estimated = found(trained, review=Review(10, reading)).class_prior
    assert 0.02 < estimated.high < 0.95 / 1.5
    prior = found(trained, review=Review(10, reading), class_prior=given).class_prior
    assert (prior.value, prior.largest_admissible) == (given, estimated.high)
    assert prior.flags == (("above_admissible",) if given > 0.9 else ())


def test_the_cuts_own_estimate_counts_only_where_it_is_one(trained):
    assert "accepted" in found(trained).class_prior.details
    prototype = ALGORITHMS["prototype"]().fit(X, Y)
    assert "accepted" not in found((prototype, trained[1])).class_prior.details


def test_the_share_that_the_cut_accepts_is_that_of_the_unlabeled_alone(trained):
    scores = np.append([9.0, 8.0], np.arange(8))
    outcome = HiddenPositives([scores], [scores > 7.5], [2])
    assert found(trained, outcome=outcome).class_prior.details["accepted"] == 0


def test_empty_samples_leave_the_cut_by_a_mixture_as_it_is(trained):
    # Two heaps, parted at (1 + 4) / 2; so many empty ones would be a heap of their own.
    scores = np.concatenate([np.linspace(-1, 1, 50), np.linspace(4, 6, 20), np.zeros(1000)])
    is_empty, nobody = np.arange(1070) >= 70, np.zeros(1070, dtype=bool)
    calibrated = calibrate(trained[0], scores, nobody, nobody, is_empty=is_empty, random_state=0)
    assert calibrated.cuts["mixture"].offset == pytest.approx(2.5)


def test_a_given_class_prior_is_taken_as_it_is(trained):
    calibrated = found(trained, class_prior=0.25, left_out=None)
    assert calibrated.class_prior[:3] == (0.25, 0.25, 0.25)
    accepted = trained[0].score_samples(X)[Y == 0] >= calibrated.cuts["prior"].offset
    assert accepted.mean() == pytest.approx(0.25, abs=0.003)


def of_two_unlabeled(class_prior):
    kept = np.concatenate([np.flatnonzero(Y == 1)[:6], np.flatnonzero(Y == 0)[:2]])
    classifier = ALGORITHMS["prototype"]().fit(X[kept], Y[kept])
    scores, marks = classifier.score_samples(X[kept]), Y[kept] == 1
    outcome = hide_positives(classifier, X[kept], marks, random_state=0)
    left_out = left_out_ranks(X[kept], marks, random_state=0)
    options = {"left_out": left_out, "class_prior": class_prior, "random_state": 0}
    return calibrate(classifier, scores, marks, outcome=outcome, **options)


def test_a_given_class_prior_is_known_of_two_unlabeled_samples_as_well():
    calibrated = of_two_unlabeled(0.5)
    assert (calibrated.class_prior.value, calibrated.class_prior.reason) == (0.5, None)
    assert (calibrated.candidates >= calibrated.cuts["prior"].offset).sum() == 1
    assert calibrated.curves[0].predict(calibrated.candidates).sum() == pytest.approx(1, abs=0.01)


def test_without_one_two_unlabeled_samples_are_why_there_is_no_cut_by_it():
    calibrated = of_two_unlabeled(None)
    assert calibrated.class_prior.reason == "too_few_unlabeled"
    assert {calibrated.cuts[rule].reason for rule in ("f1", "prior")} == {"too_few_unlabeled"}


def test_a_given_class_prior_that_hidden_positives_do_not_allow_is_flagged(trained):
    prior = found(trained, class_prior=0.95, left_out=None).class_prior
    assert prior.flags == ("above_admissible",)
    assert prior.largest_admissible < 0.95
    assert found(trained, class_prior=0.15, left_out=None).class_prior.flags == ()


def test_what_was_found_by_reading_counts_in_what_the_others_allow(trained):
    left_out = left_out_ranks(X, Y == 1, random_state=0)
    n_left = (Y == 0).sum()
    most = largest_admissible_prior(left_out.positive, left_out.unlabeled) * (n_left + 3) - 3
    prior = found(trained, class_prior=0.95, review=Review(3), left_out=left_out).class_prior
    assert prior.largest_admissible == pytest.approx(most / n_left)
    assert prior.flags == ("above_admissible",)
    assert (
        found(trained, class_prior=0.15, review=Review(3), left_out=left_out).class_prior.flags
        == ()
    )
    unknown = found(trained, class_prior=0.95, review=Review(3), left_out=None).class_prior
    assert (unknown.largest_admissible, unknown.flags) == (None, ())


def test_a_given_class_prior_far_above_what_hidden_positives_allow_has_no_figures(trained):
    largest = found(trained, class_prior=0.95, left_out=None).class_prior.largest_admissible
    assert 1.55 * largest < 0.99
    calibrated = found(trained, class_prior=1.55 * largest, left_out=None)
    assert (calibrated.curves, calibrated.reason) == (None, "class_prior_too_large")
    assert calibrated.cuts["f1"] == (None, "class_prior_too_large")
    # What is asked for is done: so many are accepted.
    accepted = trained[0].score_samples(X)[Y == 0] >= calibrated.cut_by("f1")[1].offset
    assert accepted.mean() == pytest.approx(1.55 * largest, abs=0.003)
    near = found(trained, class_prior=1.45 * largest, left_out=None)
    assert (near.curves is None, near.reason) == (False, None)
    assert near.class_prior.flags == ("above_admissible",)


def test_a_given_class_prior_that_leaves_too_few_negatives_has_no_figures(trained):
    # Spread over the upper 78 % of the ranking, positives allow more than two thirds.
    scores = np.concatenate([np.linspace(220, 1000, 400), np.arange(1000)])
    outcome = HiddenPositives([scores], [scores > 500], [400])
    largest = found(trained, outcome=outcome, class_prior=0.99).class_prior.largest_admissible
    assert 2 / 3 < largest < 0.85
    far, near = (
        found(trained, outcome=outcome, class_prior=1 - (1 - largest) / ratio)
        for ratio in (1.6, 1.4)
    )
    assert (far.curves, far.reason) == (None, "class_prior_too_large")
    assert (near.curves is None, near.reason) == (False, None)


@pytest.mark.parametrize("class_prior", [0, 1e-12])
def test_a_given_class_prior_that_leaves_no_positive_is_flagged(trained, class_prior):
    prior = found(trained, class_prior=class_prior, left_out=None).class_prior
    assert (prior.value, prior.flags) == (1 / (Y == 0).sum(), ("at_bound",))


def test_without_hidden_positives_nothing_is_made_up(trained):
    calibrated = found(trained, outcome=None, left_out=None)
    assert calibrated.class_prior.value is None
    assert calibrated.class_prior.reason == "too_few_positives"
    assert calibrated.curves is None
    reasons = {name: cut.reason for name, cut in calibrated.cuts.items()}
    assert reasons == {
        "own": None,
        "f1": "too_few_positives",
        "prior": "too_few_positives",
        "lee_liu": "too_few_positives",
        "conductance": "no_graph",
        "mixture": None,
    }


@pytest.mark.parametrize("class_prior", [None, 0.25])
def test_scores_that_are_equal_but_for_empty_samples_tell_nothing(trained, class_prior):
    classifier, outcome = trained
    is_empty = np.arange(len(Y)) >= len(Y) - 2
    scores = np.where(is_empty, 0.0, 1.0)
    options = {"outcome": outcome, "is_empty": is_empty, "class_prior": class_prior}
    calibrated = calibrate(classifier, scores, Y == 1, NOBODY, random_state=0, **options)
    assert calibrated.reason == "equal_scores"
    assert calibrated.curves is None
    assert calibrated.class_prior.value == class_prior
    assert {calibrated.cuts[rule].reason for rule in ("f1", "lee_liu")} == {"equal_scores"}


@pytest.mark.parametrize("class_prior", [None, 0.25])
def test_positives_that_share_no_feature_with_the_others_tell_nothing(class_prior):
    rows = sp.csr_array(np.kron(np.eye(2), np.random.default_rng(0).random((20, 5)) + 0.1))
    y, nobody = np.repeat([1, 0], 20), np.zeros(40, dtype=bool)
    classifier = ALGORITHMS["prototype"]().fit(rows, y)
    calibrated = calibrate(
        classifier,
        classifier.score_samples(rows) + np.arange(40) / 100,
        y == 1,
        nobody,
        outcome=hide_positives(classifier, rows, y == 1, nobody, random_state=0),
        left_out=left_out_ranks(rows, y == 1, random_state=0),
        class_prior=class_prior,
        random_state=0,
    )
    assert (calibrated.reason, calibrated.curves) == ("nothing_shared", None)
    assert calibrated.class_prior.value == class_prior
    assert {calibrated.cuts[rule].reason for rule in ("f1", "lee_liu")} == {"nothing_shared"}


def test_empty_samples_of_the_training_are_scored_as_others_even_where_the_cut_stays(trained):
    classifier = deepcopy(trained[0])
    is_empty = np.arange(len(Y)) == Y.argmin()
    scores = np.where(
        is_empty, np.nextafter(classifier.offset_, -np.inf), classifier.score_samples(X)
    )
    _, _, actual = found(trained).apply("own", classifier, scores, Y == 1, NOBODY, is_empty)
    assert actual[is_empty] == classifier.score_samples(sp.csr_array((1, X.shape[1])))
    assert np.array_equal(actual[~is_empty], scores[~is_empty])


def test_where_all_are_labeled_only_the_cut_of_the_method_is_left(trained):
    calibrated = calibrate(trained[0], np.ones(len(Y)), Y == 1, Y == 0, reason="too_few_positives")
    assert tuple(calibrated.cuts) == RULES
    assert {cut.reason for cut in calibrated.cuts.values()} == {None, "no_unlabeled"}
    for rule in ("own", "prior", "budget:3"):
        assert calibrated.cut_by(rule) == ("own", calibrated.cuts["own"])


def test_where_all_unlabeled_samples_are_empty_it_is_said(trained):
    calibrated = calibrate(trained[0], np.ones(len(Y)), Y == 1, is_empty=Y == 0)
    assert calibrated.reason == calibrated.class_prior.reason == "no_features"
    assert {cut.reason for cut in calibrated.cuts.values()} == {None, "no_features"}


def test_a_cut_of_largest_f1_that_accepts_all_gives_way_to_the_next(trained):
    scores = np.array([1.0, 2, 3])
    cuts = {"own": Cut(1.5), "f1": Cut(0.5), "prior": Cut(2.5)}
    calibrated = found(trained, outcome=None)._replace(cuts=cuts, candidates=scores)
    assert calibrated.cut_by("f1")[0] == "prior"
    calibrated.cuts["prior"] = Cut(0.5)
    assert calibrated.cut_by("f1")[0] == "own"
    assert calibrated.cut_by("prior")[0] == "prior"


def test_a_graph_gives_the_cut_by_conductance(trained):
    graph = knn_graph(unit_rows(canonical_csr(X)), 10)
    assert found(trained, neighbors=Neighbors(graph)).cuts["conductance"].offset is not None


@pytest.mark.parametrize("algorithm", ["seed_expansion", "roc_svm"])
def test_empty_samples_take_no_place_of_others(algorithm):
    n_empty, n_hidden, n_others = 60, 75, int((Y == 0).sum())
    with_empty = sp.vstack([sp.csr_array(X), sp.csr_array((n_empty, X.shape[1]))], format="csr")
    y = np.append(Y, np.zeros(n_empty, dtype=int))
    is_empty, nobody = np.diff(with_empty.indptr) == 0, np.zeros(len(y), dtype=bool)
    classifier = ALGORITHMS[algorithm](random_state=0).fit(with_empty, y)
    scores = classifier.training_scores(with_empty)
    calibrated = calibrate(
        classifier,
        scores,
        y == 1,
        nobody,
        outcome=hide_positives(classifier, with_empty, y == 1, nobody, random_state=0),
        is_empty=is_empty,
        class_prior=n_hidden / (n_others + n_empty),
        random_state=0,
    )
    classifier.calibration_ = calibrated.curves[0]
    for rule, expected in (("prior", n_hidden), ("budget:100", 100), ("budget:999", n_others)):
        offset = calibrated.cut_by(rule)[1].offset
        scores = classifier.recut(offset, scores, y == 1, nobody, is_empty)
        assert (scores[y == 0] >= classifier.offset_).sum() == expected
        assert scores[is_empty].max() < scores[~is_empty].min()
        assert classifier.calibration_.predict(scores[is_empty]).max() < 0.01


def test_the_class_prior_is_the_share_near_the_estimates_that_no_edge_leaves(monkeypatch, trained):
    # In a small pile ranks would count besides.
    monkeypatch.setattr(hidden_positives, "SMALL_PILE", 0)
    scores = trained[0].score_samples(X)
    plain = found(trained).class_prior
    # Two groups: the positives with the tenth more than estimated that rank first, and the rest.
    n_first = round(1.1 * plain.value * (Y == 0).sum())
    ranked = np.flatnonzero(Y == 0)[np.argsort(-scores[Y == 0], kind="stable")]
    groups = np.concatenate([np.flatnonzero(Y == 1), ranked[:n_first]]), ranked[n_first:]
    rows = np.concatenate(groups)
    blocks = block_diag(*(np.ones((len(g), len(g))) - np.eye(len(g)) for g in groups))
    place = np.argsort(rows)
    graph = sp.csr_array(blocks[np.ix_(place, place)])
    prior = found(trained, neighbors=Neighbors(graph)).class_prior
    assert prior.value == pytest.approx(n_first / (Y == 0).sum())
    assert prior.low < prior.value < prior.high
    assert prior.details == plain.details
