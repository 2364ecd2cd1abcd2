import numpy as np
import scipy.sparse as sp

from core.feature_selection.all_features import AllFeatures

X = sp.csr_array([[1.0, 5, 0, 2], [0, 5, 1, 3], [1, 5, 1, 2]])


def test_every_feature_is_kept_whatever_is_asked_for():
    selector = AllFeatures(1).fit(X, [1, 0, 0])
    assert selector.get_support().all()
    assert selector.scores_.tolist() == [0] * 4
    assert np.array_equal(selector.transform(X).toarray(), X.toarray())


def test_constant_features_are_ranked_last_and_never_too_many():
    selector = AllFeatures(1).fit(X, [1, 0, 0])
    assert selector.feature_order_.tolist() == [0, 2, 3, 1]
    assert selector.report_["flags"] == []
