"""Published numbers: tables 1 and 3 of the FSCPU paper.

Uchikoshi and Akimoto, "Feature selection based on cluster assumption in PU learning", GECCO 2025,
arXiv:2504.12651. The headers of table 1 are lost in the copy that we have. The order of the columns
is inferred from what its text says of them; the higher share of labels is taken to be 50 %, the one
that our own runs agree with about best.
"""

from typing import NamedTuple


class Published(NamedTuple):
    """One row of a table."""

    name: str
    means: list[float]
    deviations: list[float]


class Setting(NamedTuple):
    """One column of table 1."""

    #: Clusters of the negatives and of the positives, None for data without clusters.
    n_clusters: tuple[int, int] | None
    label_frequency: float

    @property
    def name(self) -> str:
        clusters = "none" if self.n_clusters is None else "{}+{}".format(*self.n_clusters)
        return f"{clusters} {self.label_frequency:.0%}"


CLUSTERS = [(8, 1), (8, 2), (1, 1), (1, 2)]
SETTINGS = [
    *(Setting(n_clusters, 0.5) for n_clusters in CLUSTERS),
    *(Setting(n_clusters, 0.1) for n_clusters in CLUSTERS),
    Setting(None, 0.5),
    Setting(None, 0.1),
]

#: Name in the registry -> share of the relevant features that are selected, mean and standard
#: deviation of five runs, for each of SETTINGS.
TABLE_1 = {
    "k_best": Published(
        "K-Best",
        [0.82, 0.78, 0.87, 0.86, 0.67, 0.66, 0.79, 0.76, 0.42, 0.35],
        [0.10, 0.05, 0.04, 0.08, 0.08, 0.06, 0.07, 0.06, 0.05, 0.03],
    ),
    "lasso": Published(
        "Lasso",
        [0.86, 0.86, 0.83, 0.84, 0.78, 0.78, 0.75, 0.76, 0.66, 0.62],
        [0.05, 0.05, 0.03, 0.05, 0.07, 0.02, 0.05, 0.06, 0.07, 0.05],
    ),
    "mrmr": Published(
        "mRMR",
        [0.10, 0.12, 0.17, 0.19, 0.10, 0.10, 0.10, 0.10, 0.26, 0.11],
        [0.02, 0.03, 0.04, 0.08, 0.02, 0.02, 0.04, 0.05, 0.09, 0.04],
    ),
    "dt_rfe": Published(
        "DT-RFE",
        [0.74, 0.83, 0.78, 0.80, 0.54, 0.59, 0.62, 0.63, 1.00, 0.89],
        [0.07, 0.06, 0.07, 0.04, 0.05, 0.07, 0.07, 0.03, 0.00, 0.03],
    ),
    "es_mcrfs": Published(
        "ES-MCRFS",
        [0.43, 0.49, 0.56, 0.44, 0.50, 0.50, 0.48, 0.54, 0.41, 0.52],
        [0.16, 0.08, 0.09, 0.06, 0.05, 0.10, 0.03, 0.05, 0.17, 0.10],
    ),
    "mrmr_ufs2": Published(
        "MRMR-UFS",
        [0.59, 0.59, 0.61, 0.60, 0.59, 0.59, 0.61, 0.60, 0.60, 0.60],
        [0.02, 0.03, 0.02, 0.00, 0.02, 0.03, 0.02, 0.00, 0.00, 0.00],
    ),
    "sselect": Published(
        "sSelect",
        [0.34, 0.36, 0.42, 0.45, 0.34, 0.35, 0.42, 0.45, 0.35, 0.35],
        [0.06, 0.04, 0.07, 0.07, 0.06, 0.05, 0.07, 0.07, 0.10, 0.10],
    ),
    "jsfs": Published(
        "JSFS",
        [0.43, 0.51, 0.42, 0.49, 0.46, 0.44, 0.42, 0.49, 0.42, 0.46],
        [0.07, 0.03, 0.05, 0.05, 0.10, 0.05, 0.05, 0.03, 0.07, 0.07],
    ),
    "semi_jmi": Published(
        "semi-JMI",
        [0.97, 0.98, 0.89, 0.94, 0.70, 0.69, 0.71, 0.79, 0.93, 0.57],
        [0.03, 0.02, 0.05, 0.05, 0.12, 0.08, 0.10, 0.03, 0.02, 0.08],
    ),
    "fscpu": Published(
        "FSCPU",
        [0.91, 0.90, 0.75, 0.82, 0.92, 0.89, 0.78, 0.78, 0.56, 0.51],
        [0.07, 0.08, 0.09, 0.06, 0.06, 0.07, 0.09, 0.07, 0.09, 0.10],
    ),
    "fscpu_mi": Published(
        "FSCPU-MI",
        [0.90, 0.79, 0.74, 0.82, 0.87, 0.86, 0.76, 0.81, 0.59, 0.54],
        [0.06, 0.09, 0.06, 0.06, 0.06, 0.06, 0.14, 0.03, 0.10, 0.08],
    ),
}

#: Columns of table 3: spam, radar echoes, traffic of things.
OPEN_TABLES = ["spambase", "ionosphere", "rt-iot2022"]

#: Name in the registry -> area under the ROC curve on test samples, mean and standard deviation of
#: three splits, for each of OPEN_TABLES.
TABLE_3 = {
    "k_best": Published("K-Best", [0.866, 0.832, 0.945], [0.011, 0.030, 0.018]),
    "lasso": Published("Lasso", [0.869, 0.834, 0.983], [0.019, 0.040, 0.002]),
    "mrmr": Published("mRMR", [0.809, 0.864, 0.898], [0.011, 0.036, 0.022]),
    "dt_rfe": Published("DT-RFE", [0.841, 0.787, 0.921], [0.017, 0.068, 0.010]),
    "es_mcrfs": Published("ES-MCRFS", [0.671, 0.779, 0.894], [0.037, 0.050, 0.017]),
    "lgbm_opt": Published("LGBM-OPT", [0.856, 0.822, 0.946], [0.040, 0.041, 0.018]),
    "mrmr_ufs2": Published("MRMR-UFS", [0.840, 0.847, 0.873], [0.035, 0.041, 0.013]),
    "sselect": Published("sSelect", [0.839, 0.829, 0.911], [0.031, 0.026, 0.035]),
    "jsfs": Published("JSFS", [0.855, 0.825, 0.915], [0.013, 0.053, 0.026]),
    "semi_jmi": Published("semi-JMI", [0.757, 0.821, 0.922], [0.096, 0.022, 0.019]),
    "fscpu": Published("FSCPU", [0.844, 0.797, 0.910], [0.019, 0.091, 0.017]),
    "fscpu_mi": Published("FSCPU-MI", [0.874, 0.749, 0.916], [0.013, 0.070, 0.020]),
}
