import numpy as np
import pytest
import scipy.sparse as sp
from jsonschema import Draft202012Validator
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import average_precision_score
from threadpoolctl import threadpool_limits

from core.classifier_bases.network_classifier import _singular_features
from core.classifiers.dist_pu import DistPU
from core.classifiers.nnpu import NNPU
from core.classifiers.vpu import VPU
from core.datasets import make_pu_data
from core.errors import BadParameter
from core.parameter_schema import parameter_schema
from core.persistence import load, save
from core.progress import listening

X, Y, Y_TRUE = make_pu_data(300, 80, class_prior=0.6, random_state=0)
METHODS = [DistPU, NNPU, VPU]


def network(method, **parameters):
    options = {"hidden_layer_sizes": [8, 4], "n_components": 10, "random_state": 0, **parameters}
    return method(**options)


@pytest.mark.parametrize("method", METHODS)
def test_networks_rank_hidden_positives_first(method):
    scores = network(method).fit(X[:200], Y[:200]).score_samples(X[200:])
    assert average_precision_score(Y_TRUE[200:], scores) > 0.9


@pytest.mark.parametrize("method", METHODS)
def test_the_number_of_threads_is_irrelevant(method):
    """Rounding errors of the first steps grow: scores differed in the first digit."""
    many, labels, _ = make_pu_data(1000, 1500, random_state=0)
    classifier = network(method, hidden_layer_sizes=[50], n_components=100, n_epochs=5)
    with threadpool_limits(1):
        expected = classifier.fit(many, labels).coef_
    with threadpool_limits(2):
        assert_array_equal(classifier.fit(many, labels).coef_, expected)


@pytest.mark.parametrize("method", METHODS)
def test_networks_are_saved_explained_and_weighed_by_feature(method, tmp_path):
    classifier = network(method).fit(X, Y)
    assert [W.shape for W in classifier.weights_] == [(80, 8), (8, 4), (4, 1)]
    assert not hasattr(classifier, "intercept_")
    save(classifier, tmp_path / "model")
    loaded = load(tmp_path / "model")
    assert_array_equal(loaded.score_samples(X), classifier.score_samples(X))
    contributions = loaded.explain(X)
    assert contributions.shape == X.shape
    assert_array_equal(contributions.indptr, X.indptr)
    weights = loaded.feature_weights()
    assert weights[16:24].mean() > weights[8:16].mean()  # topic of the positives, of the others


@pytest.mark.parametrize("method", METHODS)
def test_networks_repeat_themselves(method):
    first, second = (network(method, n_epochs=3).fit(X, Y).score_samples(X) for _ in range(2))
    assert_array_equal(first, second)


@pytest.mark.parametrize(
    "hidden_layer_sizes", [[0], [2.5], ["a"], [True], [10_001], [2**62], [10**400], [1] * 11]
)
def test_layers_without_a_number_of_units_in_range_are_refused(hidden_layer_sizes):
    schema = parameter_schema(NNPU)["properties"]["hidden_layer_sizes"]
    assert not Draft202012Validator(schema).is_valid(hidden_layer_sizes)
    with pytest.raises(BadParameter, match="at most 10 whole numbers of units, each of 1 to"):
        NNPU(hidden_layer_sizes=hidden_layer_sizes).fit(X, Y)


def test_singular_features_keep_distances_up_to_one_factor():
    Z = sp.csr_array(X[:, :5])
    features, basis = _singular_features(Z, 100, np.random.RandomState(0))
    assert_allclose(features, Z @ basis, atol=1e-9)
    assert_allclose(np.mean(features**2), 1)
    ratio = (features @ features.T) / np.maximum((Z @ Z.T).toarray(), 1e-300)
    assert_allclose(ratio[(Z @ Z.T).toarray() > 0], ratio[0, 0])


def test_training_reports_progress():
    reports = []
    with listening(lambda *report: reports.append(report)):
        NNPU(class_prior=0.4, n_epochs=4, random_state=0).fit(X, Y)
    assert reports == [("train", fraction) for fraction in (0.25, 0.5, 0.75, 1.0)]
