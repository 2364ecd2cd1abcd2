"""The grids of the LP-PUL study, whole, and thinned out to a few points spread over each."""

from collections.abc import Sequence
from itertools import product
from typing import Any

from benchmarks.papers.nmfpul_scores import Configuration

#: Method of the study -> algorithm.
ALGORITHM_OF = {
    "LP-PUL": "lp_pul",
    "PU-LP": "pu_lp",
    "RC-SVM": "roc_svm",
    "k-Means": "one_class_kmeans",
    "kNND": "knn_density",
    "PE-PUC": "pe_puc",
}

NEIGHBORS = range(3, 32, 4)
CLUSTERS = range(1, 20, 2)
EPSILONS = [i / 100 for i in range(10, 46, 5)]
CUTS = [i / 100 for i in range(5, 96, 5)]


def grid(method: str, *, is_full: bool) -> list[Configuration]:
    """Return the configurations of a method."""
    parameters = (FULL if is_full else REDUCED)[method]
    return [Configuration(ALGORITHM_OF[method], values) for values in parameters]


def _grid(**values: Sequence[Any]) -> list[dict[str, Any]]:
    points = product(*values.values())
    return [dict(zip(values, point, strict=True)) for point in points]


def _graphs(
    neighbors: Sequence[int], epsilons: Sequence[float], kinds: Sequence[str]
) -> list[dict[str, Any]]:
    nearest = _grid(graph=kinds, n_neighbors=neighbors)
    return nearest + _grid(graph=["epsilon"], epsilon=epsilons)


def _lp_pul(
    graphs: list[dict[str, Any]], n_negatives: Sequence[int], alphas: Sequence[float]
) -> list[dict[str, Any]]:
    spreads = [{"propagation": "gfhf"}, *_grid(propagation=["llgc"], alpha=alphas)]
    return [
        {**graph, **negatives, **spread}
        for graph, negatives, spread in product(graphs, _grid(n_negatives=n_negatives), spreads)
    ]


def _roc_svm(costs: Sequence[float]) -> list[dict[str, Any]]:
    # 0.2 is 0.8 and 0.4 is 0.6: exchanging alpha and beta changes nothing.
    return [
        {"alpha": alpha, "beta": 1 - alpha, **rest}
        for alpha, rest in product(
            (0.6, 0.8, 1.0), _grid(C=costs, balanced=[False], n_clusters=[None])
        )
    ]


def _cuts(fixed: Sequence[float], deviations: Sequence[int]) -> list[dict[str, Any]]:
    rules = [{"threshold": "min"}, *_grid(threshold=["mean"], n_deviations=deviations)]
    return rules + _grid(threshold=fixed)


def _one_class(name: str, sizes: Sequence[int], cuts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: size, **cut} for size, cut in product(sizes, cuts)]


FULL = {
    "LP-PUL": _lp_pul(
        _graphs(NEIGHBORS, EPSILONS, ["knn", "mutual_knn"]),
        [1, 2, 5, 10],
        [0.1, 0.3, 0.5, 0.7, 0.9],
    ),
    "PU-LP": _grid(
        n_neighbors=NEIGHBORS,
        katz_factor=[0.02, 0.04, 0.06, 0.08, 0.1],
        expansion=[0.2, 0.6, 0.8, 1, 1.2, 1.4, 2],
        n_rounds=[1, 2, 3],
        katz=["closed_form"],
    ),
    "RC-SVM": _roc_svm([0.1, 1, 10, 100, 1000]),
    "k-Means": _one_class("n_clusters", CLUSTERS, _cuts(CUTS, range(-3, 4))),
    "kNND": _one_class("n_neighbors", CLUSTERS, _cuts(CUTS, range(-3, 4))),
    "PE-PUC": _grid(
        expansion=[0.6, 0.7, 0.8],
        n_rounds=[1, 2, 3],
        unlabeled_weight=[0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9],
    ),
}

REDUCED = {
    "LP-PUL": _lp_pul(_graphs([7, 15, 31], [0.1, 0.2], ["knn"]), [2, 5, 10], [0.9]),
    "PU-LP": _grid(
        n_neighbors=[7, 15, 31],
        katz_factor=[0.02, 0.1],
        expansion=[0.2, 0.6, 2],
        n_rounds=[1],
        katz=["closed_form"],
    ),
    "RC-SVM": _roc_svm([0.1, 1, 10]),
    "k-Means": _one_class("n_clusters", [1, 3, 9], _cuts([0.05, 0.1, 0.15, 0.2, 0.3], [-1])),
    "kNND": _one_class("n_neighbors", [1, 3, 9], _cuts([0.05, 0.1, 0.15, 0.2, 0.3], [-1])),
    "PE-PUC": _grid(expansion=[0.7], n_rounds=[1, 3], unlabeled_weight=[0.0, 0.1, 0.5, 0.9]),
}
