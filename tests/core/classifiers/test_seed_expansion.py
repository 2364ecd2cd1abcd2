from itertools import permutations
from random import Random

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from sklearn.metrics import average_precision_score

from core.class_prior.expanded_share import GivenShare
from core.class_prior.prior_shift import shifted_prior
from core.classifiers import seed_expansion as module
from core.classifiers.seed_expansion import SeedExpansion
from core.datasets import make_pu_data
from core.kernels.graphs.conductance import candidate_conductance, least_conductance_share
from core.kernels.graphs.knn_graph import knn_graph
from core.kernels.linear.expansion import Expansion
from core.kernels.linear.wide_rows import wide_rows
from core.kernels.rows.unit_rows import unit_rows
from core.pipeline import make_text_classifier
from core.progress import listening
from core.shared_work import sharing
from core.validation import canonical_csr

X, Y, TRUTH = make_pu_data(300, 80, class_prior=0.3, random_state=0)


def fit(**parameters):
    return SeedExpansion(random_state=0, **parameters).fit(X, Y)


def test_scores_are_the_sum_of_what_terms_add():
    classifier = fit()
    contributions = classifier.explain(X).sum(axis=1)
    has_terms = np.diff(canonical_csr(X).indptr) > 0
    expected = classifier.score_samples(X)[has_terms]
    assert_allclose(contributions[has_terms] + classifier.intercept_, expected, atol=1e-5)


@pytest.mark.parametrize("class_prior", [0.1, 0.4])
def test_a_given_prior_is_the_share_that_is_accepted(class_prior):
    classifier = fit(class_prior=class_prior)
    assert_allclose(classifier.predict(X)[Y == 0].mean(), class_prior, atol=0.01)
    report = classifier.report_
    assert (report["class_prior"], report["class_prior_source"]) == (class_prior, "given")


@pytest.mark.parametrize(
    ("n_positive", "n_neighbors", "source"),
    [
        (1, 10, "log_odds, conductance"),
        (1, 0, "log_odds"),
        (2, 10, "log_odds, left_out_ranks"),
        (2, 0, "log_odds, left_out_ranks"),
    ],
)
def test_the_share_comes_from_what_there_is(n_positive, n_neighbors, source):
    few = np.isin(np.arange(len(Y)), np.flatnonzero(Y)[:n_positive]).astype(int)
    classifier = SeedExpansion(n_neighbors=n_neighbors, random_state=0).fit(X, few)
    assert classifier.report_["share_accepted_source"] == source
    assert "class_prior" not in classifier.report_  # nobody estimated one
    accepted = classifier.predict(X)[few == 0].mean()
    assert_allclose(accepted, classifier.report_["share_accepted"], atol=0.01)


def test_from_one_positive_few_edges_leave_near_one_and_a_half_times_the_share_of_the_log_odds():
    one = np.isin(np.arange(len(Y)), np.flatnonzero(Y)[:1])
    alone, on_graph = (
        SeedExpansion(n_neighbors=k, n_components=0, random_state=0).fit(X, one.astype(int))
        for k in (0, 10)
    )
    near = [1.5 * shifted_prior(16 * each.score_samples(X[~one])) for each in (alone, on_graph)]
    # The share that is accepted is one of whole samples.
    assert alone.class_prior_ == pytest.approx(near[0], abs=1 / len(Y))
    graph, scores = knn_graph(unit_rows(canonical_csr(X)), 10), on_graph.score_samples(X)
    conductance = candidate_conductance(graph, scores, one, ~one)
    share = least_conductance_share(conductance, near[1])
    assert on_graph.class_prior_ == pytest.approx(share, abs=1 / len(Y))


def test_few_samples_are_expanded_in_a_small_pile():
    one = np.isin(np.arange(30), np.flatnonzero(Y)[:1]).astype(int)
    classifier = SeedExpansion(random_state=0).fit(X[:30], one)
    assert max(classifier.report_["n_expanded"]) == 29 // 5


def test_the_only_one_left_ranks_first_among_texts_of_a_template():
    kind = [
        "the river burst its banks and water stands in the streets",
        "heavy rain: cellars under water, families leave their houses",
        "firemen pump water out of flooded cellars after the rain",
    ]
    names = ["anna", "ben", "carl", "dora", "emil", "finn", "gina", "hans"]
    games = [
        f"{one} scored {goals} goals in the match against {other}"
        for goals, (one, other) in enumerate(permutations(names, 2))
    ]
    pipeline = make_text_classifier("seed_expansion", random_state=0)
    scores = pipeline.fit(kind + games, [1, 1] + [0] * 57).score_samples(kind + games)
    assert scores[2] > scores[3:].max()
    assert max(pipeline["classifier"].report_["n_expanded"]) < 10


@pytest.mark.parametrize("seed", range(3))
def test_few_hidden_ones_rank_before_many_that_resemble_one_positive(seed):
    random = np.random.default_rng(seed)
    n_words, n_shared, n_other = 6, 8, 300
    X = np.zeros((400, n_words + n_shared + n_other))
    for row in X:
        row[n_words + n_shared + random.choice(n_other, 8, replace=False)] = 1
    for row in X[:8]:
        row[random.choice(n_words, 4, replace=False)] = 1
    X[0, n_words : n_words + n_shared] = 1
    for row in X[8:68]:
        row[n_words + random.choice(n_shared, 7, replace=False)] = 1
    is_labeled = np.arange(len(X)) < 5
    scores = SeedExpansion(random_state=0).fit(X, is_labeled).score_samples(X)
    assert scores[5:8].min() > scores[8:].max()


@pytest.mark.parametrize("n", [400, 600])
def test_a_pile_without_a_word_of_the_positives_is_told(n):
    kind = [f"the river floods town {i}" for i in range(10, 20)]
    pile = [f"match {i} ends" for i in range(100, 100 + n)]
    pipeline = make_text_classifier("seed_expansion", random_state=0)
    pipeline.fit(kind + pile, [1] * 10 + [0] * n)
    assert "nothing_shared" in pipeline["classifier"].report_["flags"]


def test_that_copies_of_positives_find_each_other_limits_nothing():
    y = np.isin(np.arange(len(Y)), np.flatnonzero(Y)[:2]).astype(int)
    X_twice, y_twice = sp.vstack([X, X[y == 1]]).tocsr(), np.append(y, [1, 1])
    classifier = SeedExpansion(random_state=0).fit(X_twice, y_twice)
    assert classifier.report_["n_expanded"][:2] == [10, 20]


def test_without_latent_directions_scores_are_linear():
    classifier = fit(n_components=0)
    rows = unit_rows(canonical_csr(X))
    expected = rows @ classifier.coef_ + classifier.intercept_
    has_terms = np.diff(rows.indptr) > 0
    assert_allclose(classifier.score_samples(X)[has_terms], expected[has_terms])


@pytest.mark.parametrize("parameters", [{}, {"n_neighbors": 0, "n_components": 0}])
def test_hidden_positives_of_a_mixture_are_found(parameters):
    classifier = fit(**parameters)
    hidden = TRUTH[Y == 0].astype(bool)
    accepted = classifier.predict(X)[Y == 0] == 1
    assert (accepted == hidden).mean() > 0.9


@pytest.mark.parametrize("parameters", [{}, {"n_neighbors": 0, "n_components": 0}])
def test_a_draw_of_all_is_all(parameters):
    everything = fit(max_unlabeled=int((Y == 0).sum()), **parameters)
    assert_allclose(everything.score_samples(X), fit(**parameters).score_samples(X))


def rare(seed=0):
    """Return counts of 6,000 samples of which 60 are of a kind, labels of ten, and the truth."""
    rows, _, truth = make_pu_data(6000, 500, class_prior=0.01, n_words=12, random_state=seed)
    y = np.zeros(6000, dtype=int)
    y[np.flatnonzero(truth)[:10]] = 1
    return rows, y, truth[y == 0]


def test_a_draw_finds_a_rare_kind_as_all_samples_do():
    precisions = []
    for seed in range(3):
        rows, y, truth = rare(seed)
        # A tenth of the pile has five of the kind.
        tenth = np.random.default_rng(0).choice(np.flatnonzero(y == 0), 600, replace=False)
        of_tenth = np.sort(np.append(np.flatnonzero(y), tenth))
        for most, used in ((None, slice(None)), (600, slice(None)), (None, of_tenth)):
            options = {"n_neighbors": 0, "n_components": 0, "max_unlabeled": most}
            classifier = SeedExpansion(**options, random_state=0).fit(rows[used], y[used])
            scores = classifier.score_samples(rows[y == 0])
            precisions.append(average_precision_score(truth, scores))
    by_all, by_draw, by_tenth = np.reshape(precisions, (3, 3)).mean(axis=0)
    assert by_draw > by_all - 0.05
    assert by_draw > by_tenth + 0.3


def test_a_given_prior_is_a_share_of_the_whole_pile_whatever_was_drawn():
    rows, y, _ = rare()
    options = {"n_neighbors": 0, "n_components": 0, "random_state": 0}
    few = SeedExpansion(max_unlabeled=600, class_prior=0.02, **options).fit(rows, y)
    assert few.predict(rows)[y == 0].mean() == pytest.approx(0.02, abs=0.005)


def test_a_given_prior_may_be_less_than_one_of_those_drawn_at_random():
    rows, y, _ = rare()
    options = {"n_neighbors": 0, "n_components": 0, "random_state": 0}
    # 12 of the pile; one of the 300 that are drawn at random stands for about 20.
    few = SeedExpansion(max_unlabeled=600, class_prior=0.002, **options).fit(rows, y)
    assert few.report_["class_prior"] == 0.002
    assert "prior_clamped" not in few.report_["flags"]
    assert few.predict(rows)[y == 0].mean() == pytest.approx(0.002, abs=0.0002)


def retweets(texts, n_copies, random):
    """Return texts, each with another name before it."""
    return [f"rt user{random.randrange(10**6)} {text}" for text in texts for _ in range(n_copies)]


def test_a_positive_that_is_copied_many_times_ranks_where_it_did():
    random = Random(0)
    words = {kind: [f"{kind}{i}" for i in range(40)] for kind in ("flood", "other", "any")}

    def text(kind):
        return " ".join(random.choices(words[kind], k=6) + random.choices(words["any"], k=8))

    seeds, found = [text("flood") for _ in range(10)], [text("flood") for _ in range(60)]
    copies = retweets([text("flood")], 300, random)
    others = [text("other") for _ in range(600)]
    texts, n_positive = [*seeds, *found, *copies, *others], 370
    y = (np.arange(len(texts)) < 10).astype(int)
    pipeline = make_text_classifier("seed_expansion", random_state=0).fit(texts, y)
    scores = pipeline.score_samples(texts)
    # Not all pairs are compared.
    assert 295 <= pipeline["classifier"].report_["n_near_copies"] <= 299
    of_copies, of_others = scores[70:n_positive], scores[n_positive:]
    assert of_copies.min() > of_others.max()
    # The share that is told counts each of them.
    accepted = pipeline.predict(texts) == 1
    assert accepted[70:n_positive].all()
    share = pipeline["classifier"].report_["share_accepted"]
    assert share == pytest.approx(accepted[10:].mean(), abs=0.01)


def test_a_judged_negative_is_learned_from_beside_a_positive_that_says_nearly_the_same():
    random = Random(3)
    words = [f"w{i}" for i in range(400)]
    others = [" ".join(random.sample(words, 12)) for _ in range(300)]
    seeds = [" ".join(random.sample(words, 12)) for _ in range(9)]
    template = " ".join(f"template{i}" for i in range(12))
    of_template = [f"{template} {random.choice(words)}" for _ in range(141)]
    texts = [*seeds, *of_template, *others]
    y = (np.arange(len(texts)) < 10).astype(int)
    is_negative = (np.arange(len(texts)) >= 10) & (np.arange(len(texts)) < 50)
    pipeline = make_text_classifier("seed_expansion", random_state=0)
    pipeline.fit(texts, y, classifier__is_negative=is_negative)
    assert not pipeline.predict(texts)[10:150].any()


@pytest.mark.parametrize("max_unlabeled", [None, 20])
def test_a_pile_of_copies_of_the_positives_is_learned_from_as_it_is(max_unlabeled):
    random = Random(4)
    seeds = [" ".join(random.sample([f"w{i}" for i in range(400)], 12)) for _ in range(12)]
    texts = [*seeds, *seeds] if max_unlabeled is None else [*seeds, *seeds[:1] * 500]
    y = (np.arange(len(texts)) < 12).astype(int)
    params = {"max_unlabeled": max_unlabeled}
    pipeline = make_text_classifier("seed_expansion", params, random_state=0).fit(texts, y)
    assert np.isfinite(pipeline.score_samples(texts)).all()
    assert pipeline["classifier"].report_["n_near_copies"] == 0


@pytest.mark.parametrize(("n_positive", "n_neighbors"), [(1, 10), (10, 0), (10, 10)])
def test_a_random_draw_of_copies_of_a_judged_negative_leaves_what_ranks_first(
    n_positive, n_neighbors
):
    random = np.random.default_rng(0)
    kind = np.column_stack([random.random((30, 8)) < 0.6, random.random((30, 992)) < 0.02])
    template = random.random((1, 1000)) < 0.02
    rows = sp.csr_array(np.vstack([kind, np.repeat(template, 2000, axis=0)]).astype(float))
    number = np.arange(2030)
    classifier = SeedExpansion(n_neighbors=n_neighbors, max_unlabeled=40, random_state=0)
    classifier.fit(rows, (number < n_positive).astype(int), is_negative=number == 30)
    # All 20 of the random draw, which are learned from as the judged one.
    assert classifier.report_["n_near_copies"] == 20
    accepted = classifier.predict(rows) == 1
    assert accepted[n_positive:30].any()
    assert not accepted[30:].any()


def test_near_copies_score_alike_wherever_they_stand():
    random = Random(2)
    texts = [" ".join(f"w{random.randrange(300)}" for _ in range(12)) for _ in range(200)]
    many = [*texts, *retweets(texts[:3] + texts[50:60], 7, random)]
    y = (np.arange(len(many)) < 8).astype(int)
    expected = make_text_classifier("seed_expansion", random_state=0).fit(many, y)
    rows = np.random.RandomState(0).permutation(len(many))
    shuffled = make_text_classifier("seed_expansion", random_state=0)
    shuffled.fit([many[row] for row in rows], y[rows])
    assert_allclose(shuffled.score_samples(many), expected.score_samples(many), atol=1e-6)


def test_unlabeled_near_copies_of_a_labeled_sample_have_its_label():
    random = Random(1)
    texts = [" ".join(f"w{random.randrange(300)}" for _ in range(12)) for _ in range(200)]
    many = [*texts, *retweets(texts[:1], 100, random)]
    y = (np.arange(len(many)) < 8).astype(int)
    pipeline = make_text_classifier("seed_expansion", random_state=0).fit(many, y)
    assert pipeline["classifier"].report_["n_near_copies"] >= 98
    assert (pipeline.predict(many)[200:] == pipeline.predict(many)[0]).all()
    assert pipeline.score_samples(many)[200:].min() > np.median(pipeline.score_samples(many)[8:200])


def many_and_few():
    """Return counts of 1,500 samples, and the truth: half, or 60, are of the kind."""
    for class_prior in (0.5, 0.04):
        X, _, truth = make_pu_data(1500, 80, class_prior=class_prior, random_state=0)
        y = np.zeros(len(truth), dtype=int)
        y[np.flatnonzero(truth)[:5]] = 1
        yield X, y


def test_what_is_learned_from_grows_where_the_kind_is_frequent():
    (X_many, y_many), (X_few, y_few) = many_and_few()
    many = SeedExpansion(random_state=0).fit(X_many, y_many).report_["n_expanded"]
    few = SeedExpansion(random_state=0).fit(X_few, y_few).report_["n_expanded"]
    assert many[:4] == few == [10, 20, 40, 40]
    assert min(many[4:]) >= 2 * (40 + 5)
    assert len(many) == 4 + 3


def test_half_of_a_given_prior_is_learned_from():
    (X_many, y_many), _ = many_and_few()
    classifier = SeedExpansion(class_prior=0.4, random_state=0).fit(X_many, y_many)
    n_candidates = int((y_many[np.diff(canonical_csr(X_many).indptr) > 0] == 0).sum())
    n_candidates -= classifier.report_["n_near_copies"]
    assert classifier.report_["n_expanded"][4:] == [round(0.2 * n_candidates)] * 3


def test_the_score_is_the_mean_with_a_model_of_terms_alone(monkeypatch):
    monkeypatch.setattr(module, "with_contrast", lambda model, *_: model)
    has_terms = np.diff(canonical_csr(X).indptr) > 0
    rows, is_positive = unit_rows(canonical_csr(X))[has_terms], Y[has_terms] == 1
    share = GivenShare(0.3)
    everything = np.ones(len(is_positive), dtype=bool)
    features = wide_rows(rows)
    model, sizes = Expansion(
        features, knn_graph(rows, 10), is_positive, ~everything, everything, 1.0
    ).grown_model(share, 20, 3)
    alone = SeedExpansion(n_neighbors=0, n_components=0, class_prior=0.3)
    both = SeedExpansion(n_components=0, class_prior=0.3)
    for classifier in (alone, both):
        classifier.fit(X[has_terms], Y[has_terms])
    expected = (model[:-1] + alone.coef_) / 2
    assert_allclose(both.coef_, expected, atol=1e-2 * np.abs(expected).max())
    assert both.report_["n_expanded"] == sizes
    assert both.report_["n_expanded_by_terms"] == alone.report_["n_expanded"]
    assert "n_expanded_by_terms" not in alone.report_


def test_growth_brings_the_share_of_a_frequent_kind_nearer():
    (X, y), _ = many_and_few()
    still, grown = (
        SeedExpansion(n_rounds=n, random_state=0).fit(X, y).class_prior_ for n in (0, 3)
    )
    assert still < grown < 0.55


def told(**parameters):
    """Return the shares of a fit that are told to be done."""
    shares = []
    with listening(lambda _, share, **facts: shares.append(share)):
        fit(**parameters)
    return shares


def test_the_graph_is_a_part_of_the_progress():
    shares = told()
    assert shares == sorted(shares)
    assert module.LATENT < shares[0] <= module.GRAPH
    assert module.GRAPH in shares
    assert shares[-1] == 1


def test_a_graph_that_is_there_takes_no_part_of_the_progress():
    # A step of seven, of the four fifths that are learned with the graph.
    first_step = 0.8 / 7
    with sharing():
        told()
        assert next(filter(None, told())) == pytest.approx(first_step)
    assert told(n_neighbors=0)[0] == pytest.approx(first_step)


@pytest.mark.parametrize("factor", [1e-200, 1e200])
@pytest.mark.parametrize("n_components", [0, 5])
def test_the_length_of_a_sample_does_not_matter_however_far_from_one(factor, n_components):
    classifier = fit(n_components=n_components)
    assert_allclose(classifier.score_samples(X * factor), classifier.score_samples(X))
