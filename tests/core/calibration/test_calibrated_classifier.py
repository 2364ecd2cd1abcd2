import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from core import CalibratedPUClassifier, load, make_text_classifier, save
from core.calibration import calibrated_classifier as module
from core.calibration.calibrate import calibrate
from core.classifiers import KNNDensity, NaiveLogisticRegression, Prototype
from core.datasets import make_pu_data
from core.evaluation import hide_positives
from core.kernels.graphs.conductance import Neighbors
from core.kernels.graphs.knn_graph import knn_graph
from core.kernels.rows.unit_rows import unit_rows
from core.kernels.scores.left_out_ranks import left_out_ranks
from tests.core.texts_with_copies import texts_with_copies

X, Y, Y_TRUE = make_pu_data(300, 40, class_prior=0.3, random_state=0)
IS_POSITIVE = Y == 1
FLOODS = [f"{a} {b} in the street" for a in ("flood", "river", "rain") for b in ("water", "mud")]
SPORTS = [
    f"{a} {b} of the team" for a in ("goal", "match", "cup", "league") for b in ("won", "lost")
]


@parametrize_with_checks(
    [CalibratedPUClassifier(Prototype())],
    expected_failed_checks=lambda _: {
        "check_classifiers_train": "the cut is not where the probability is one half"
    },
)
def test_sklearn_contract(estimator, check):
    check(estimator)


def test_it_is_what_its_parts_make():
    model = CalibratedPUClassifier(Prototype(), random_state=3).fit(X, Y)
    seed = np.random.RandomState(3).randint(2**31)
    classifier = Prototype().fit(X, Y)
    graph = knn_graph(unit_rows(X), 10)
    found = calibrate(
        classifier,
        classifier.training_scores(X),
        IS_POSITIVE,
        outcome=hide_positives(classifier, X, IS_POSITIVE, random_state=seed),
        left_out=left_out_ranks(X, IS_POSITIVE, graph=graph, random_state=seed),
        neighbors=Neighbors(graph),
        random_state=seed,
    )
    assert model.calibrated_.class_prior == found.class_prior
    assert model.calibrated_.cuts == found.cuts
    assert model.estimator_.offset_ == found.cuts["f1"].offset
    assert model.cut_rule_ == "f1"
    own = CalibratedPUClassifier(Prototype(), cut="own").fit(X, Y)
    assert own.predict(X).tolist() == classifier.predict(X).tolist()


def test_a_cut_that_accepts_few_is_replaced():
    """All unlabeled samples are negatives of the naive regression, so that its own cut is high."""
    unlabeled, truth = X[~IS_POSITIVE], Y_TRUE[~IS_POSITIVE]
    own = NaiveLogisticRegression().fit(X, Y).predict(unlabeled)
    model = CalibratedPUClassifier(NaiveLogisticRegression()).fit(X, Y)
    accepted = model.predict(unlabeled)
    assert accepted.sum() == model.expected_figures().n_accepted
    assert f1_score(truth, accepted) > 2 * f1_score(truth, own)
    assert model.recut("budget:7").predict(unlabeled).sum() == 7


def test_probabilities_add_up_to_the_class_prior():
    model = CalibratedPUClassifier(Prototype(), class_prior=0.25).fit(X, Y)
    told = model.predict_proba(X)
    assert told.sum(axis=1) == pytest.approx(1)
    assert told[~IS_POSITIVE, 1].mean() == pytest.approx(0.25, rel=0.1)
    assert model.calibrated_.class_prior.value == 0.25


def test_a_class_prior_that_is_given_is_not_estimated(monkeypatch):
    ranked = []
    monkeypatch.setattr(module, "left_out_ranks", lambda *_, **__: ranked.append(1))
    CalibratedPUClassifier(Prototype(), class_prior=0.25).fit(X, Y)
    assert not ranked


def test_texts_go_through_a_pipeline():
    texts, y = FLOODS + SPORTS, [1] * 4 + [0] * (len(FLOODS) - 4 + len(SPORTS))
    model = CalibratedPUClassifier(make_text_classifier("prototype")).fit(texts, y)
    new = ["mud and water", "the cup is won"]
    assert model.predict(new).tolist() == [1, 0]
    first, second = model.predict_proba(new)[:, 1]
    assert first > second
    assert model.decision_function(new)[0] == pytest.approx(
        model.score_samples(new)[0] - model.estimator_["classifier"].offset_
    )


def test_numbers_go_through_a_pipeline():
    draw = np.random.default_rng(0)
    rows = np.vstack([draw.normal(2, 1, (60, 5)), draw.normal(0, 1, (140, 5))])
    y = (np.arange(200) < 20).astype(int)
    model = CalibratedPUClassifier(make_pipeline(StandardScaler(), KNNDensity())).fit(rows, y)
    prior = model.calibrated_.class_prior
    assert prior.low <= 40 / 180 <= prior.high
    assert model.n_features_in_ == 5


def test_columns_of_a_data_frame_may_have_names():
    rows = X.toarray()
    frame = pa.table({f"term {i}": rows[:, i] for i in range(rows.shape[1])})
    model = CalibratedPUClassifier(Prototype()).fit(frame, Y)
    assert model.feature_names_in_.tolist() == frame.column_names
    expected = CalibratedPUClassifier(Prototype()).fit(rows, Y)
    assert not hasattr(expected, "feature_names_in_")
    assert model.predict_proba(frame).tolist() == expected.predict_proba(rows).tolist()


def test_a_pipeline_may_have_a_memory_or_a_single_step(tmp_path):
    expected = CalibratedPUClassifier(make_pipeline(StandardScaler(with_mean=False), Prototype()))
    kept = make_pipeline(StandardScaler(with_mean=False), Prototype(), memory=str(tmp_path))
    told = CalibratedPUClassifier(kept).fit(X, Y).predict_proba(X)
    assert told.tolist() == expected.fit(X, Y).predict_proba(X).tolist()
    alone = CalibratedPUClassifier(make_pipeline(Prototype())).fit(X, Y).predict_proba(X)
    assert alone.tolist() == CalibratedPUClassifier(Prototype()).fit(X, Y).predict_proba(X).tolist()


def test_judged_negatives_count_as_such():
    is_negative = (Y_TRUE == 0) & (np.arange(300) % 3 == 0)
    model = CalibratedPUClassifier(Prototype()).fit(X, Y, is_negative=is_negative)
    assert model.estimator_.report_["n_negative"] == is_negative.sum()
    n_unlabeled = (~IS_POSITIVE & ~is_negative).sum()
    assert len(model.calibrated_.candidates) == n_unlabeled


def test_a_single_positive_has_a_cut_and_no_probability():
    y = (np.arange(300) == np.flatnonzero(Y)[0]).astype(int)
    model = CalibratedPUClassifier(Prototype()).fit(X, y)
    assert (model.cut_rule_, model.calibrated_.reason) == ("own", "too_few_positives")
    assert model.hidden_ is None
    assert set(model.predict(X)) <= {0, 1}
    with pytest.raises(ValueError, match=r"too_few_positives.+label more positives"):
        model.predict_proba(X)


def test_two_unlabeled_samples_are_too_few_to_tell_anything():
    model = CalibratedPUClassifier(Prototype()).fit(X[:8], [1] * 6 + [0] * 2)
    with pytest.raises(ValueError, match=r"too_few_unlabeled.+add unlabeled"):
        model.predict_proba(X)


def test_copies_of_a_positive_are_no_further_draw():
    first = np.flatnonzero(Y)[:1]
    rows, y = sp.vstack([X, X[first]], format="csr"), np.append(Y, 1)
    model = CalibratedPUClassifier(Prototype()).fit(rows, y)
    assert sum(model.hidden_.n_hidden) == IS_POSITIVE.sum()


def test_near_copies_of_a_positive_are_no_further_draws(monkeypatch):
    n_positive = []

    def counted(X, is_positive, **options):
        n_positive.append(is_positive.sum())
        return left_out_ranks(X, is_positive, **options)

    monkeypatch.setattr(module, "left_out_ranks", counted)
    rows, is_positive = texts_with_copies(100, 6, 5)
    CalibratedPUClassifier(Prototype()).fit(rows, is_positive)
    assert n_positive == [6]


def test_without_a_graph_there_is_no_cut_by_it():
    model = CalibratedPUClassifier(Prototype(), n_neighbors=0).fit(X, Y)
    assert model.calibrated_.cuts["conductance"].offset is None
    assert model.calibrated_.cuts["f1"].offset is not None


def test_the_same_seed_gives_the_same():
    one, other = (CalibratedPUClassifier(Prototype()).fit(X, Y) for _ in range(2))
    assert one.calibrated_.class_prior == other.calibrated_.class_prior
    assert one.predict_proba(X).tolist() == other.predict_proba(X).tolist()


def test_the_estimator_given_is_left_as_it_is(tmp_path):
    classifier = Prototype()
    model = CalibratedPUClassifier(classifier).fit(X, Y)
    assert not hasattr(classifier, "offset_")
    assert clone(model).estimator is not classifier
    with pytest.raises(ValueError, match="save its estimator_"):
        save(model, tmp_path / "model")
    save(model.estimator_, tmp_path / "model")
    again = load(tmp_path / "model")
    assert again.predict_proba(X).tolist() == model.predict_proba(X).tolist()


def test_what_is_no_algorithm_is_refused():
    with pytest.raises(TypeError, match="LogisticRegression, the last step"):
        CalibratedPUClassifier(make_pipeline(LogisticRegression())).fit(X, Y)
    with pytest.raises(ValueError, match="'estimator' parameter"):
        CalibratedPUClassifier(LogisticRegression()).fit(X, Y)
    with pytest.raises(ValueError, match="more than the 255"):
        CalibratedPUClassifier(Prototype(), cut="budget:1000").fit(X, Y)


def test_without_unlabeled_samples_nothing_can_be_told():
    model = CalibratedPUClassifier(Prototype(pos_label=1)).fit(X, np.ones(300, dtype=int))
    assert (model.cut_rule_, model.calibrated_.reason) == ("own", "no_unlabeled")
    with pytest.raises(ValueError, match="labeled or judged"):
        model.predict_proba(X)
