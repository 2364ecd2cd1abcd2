"""Speed of the feature selectors: CPU seconds beside those of a named peer in the same run.

"met" says whether the figures reach the aim. BLAS has one thread; seconds are those of all threads
of a process. What compiles is warmed up first. ``--paper-steps`` and ``--runs`` shorten a run.

- FSCPU on artificial data, 25 of 50 features relevant, 10 % labels, 500 steps, beside
  ``mode="paper"``: scikit-learn's mixture of all rows. Means over the runs. With fewer steps of the
  peer its time is taken times 500 over their number, and its recall is not known.
- FSCPU with default parameters on spambase and rt-iot2022, the training samples of
  ``benchmarks.papers.fscpu_open``: the peer's time is that of 50 of its fits, times the number of
  ours over 50. The paper tells of over two hours on spambase. The job is the whole of rt-iot2022
  through HTTP: the upload as CSV, the selection and its result, in seconds of the clock.
- semi-JMI: 50,000 documents of a million terms with Zipf's frequencies, 2 % of them labeled, 200
  terms of 5,000. Memory is what the fit takes at most beside its data; 5,000 dense terms take
  1,907 MiB. The peer counts the pairs of 1,000 dense terms with two products; beside it semi-JMI on
  these alone.
- mRMR: 50 of 2,000 features, 20,000 samples. feature-engine's MIQ estimates mutual information by
  nearest neighbors, of one feature after the other; its time is that of the first two features,
  their difference times 49 added. FCQ and mrmr-selection take F-statistics and correlations.
- DT-RFE, forests of 100 trees on two cores, beside scikit-learn's RFE, which drops one feature at a
  time; artificial data as above. Means over the runs.

The peers of mRMR are used where they can be imported: ``pip install --no-deps --target PEER
mrmr-selection==0.2.8 feature-engine==1.9.4 pandas polars category_encoders statsmodels patsy
jinja2 markupsafe python-dateutil six tqdm``, then ``PYTHONPATH=PEER``.
"""

import argparse
import os
from pathlib import Path

import numpy as np
from joblib import parallel_config
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import RFE

from benchmarks import feature_selection_information, feature_selection_job
from benchmarks.papers.fscpu_open import TABLES, split
from benchmarks.speed import tables
from benchmarks.timing import cpu_seconds
from core.datasets import make_clustered_pu_data
from core.feature_selection.dt_rfe import DTRFE
from core.feature_selection.fscpu import FSCPU

N_RELEVANT = 25
N_STEPS = 500
#: Steps of the peer where it is not run in full; each is two fits.
MEASURED_STEPS = 25
ARTIFICIAL_RATIO = 60
#: Table -> least ratio, most seconds.
OPEN_AIMS = {"spambase": (40, 15), "rt-iot2022": (80, 20)}
FOREST_RATIO = 10
FOREST_LOSS = 0.02


def main() -> None:
    arguments = _arguments()
    load = os.getloadavg()[0]
    print(f"Load average {load:.2f}, {os.cpu_count()} cores.", flush=True)
    for name in arguments.methods:
        METHODS[name](arguments)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of the tables")
    parser.add_argument("--runs", type=int, default=3, help="seeds of artificial data")
    parser.add_argument("--paper-steps", type=int, default=N_STEPS, help="on artificial data")
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    return parser.parse_args()


def fscpu_artificial(arguments: argparse.Namespace) -> None:
    tables.header(
        "FSCPU, artificial", "s", "paper's s", "ratio", "recall", "paper's recall", "aim", "met"
    )
    is_full = arguments.paper_steps >= N_STEPS
    aim = f">= {ARTIFICIAL_RATIO}, recall not lower"
    for n_clusters in [(8, 1), (8, 2)]:
        runs = [_artificial(n_clusters, seed, arguments) for seed in range(arguments.runs)]
        ours, theirs, recall, their_recall = np.mean(runs, axis=0).tolist()
        is_met: bool | str = theirs >= ARTIFICIAL_RATIO * ours
        if is_full:
            is_met = bool(is_met and recall >= their_recall)
        elif is_met:
            is_met = "recall unknown"
        shown = their_recall if is_full else "-"
        name = f"{n_clusters}, {N_STEPS} steps"
        tables.row(name, ours, theirs, theirs / ours, recall, shown, aim, is_met)


def _artificial(
    n_clusters: tuple[int, int], seed: int, arguments: argparse.Namespace
) -> tuple[float, float, float, float]:
    """Return our seconds and the paper's, our recall and the paper's."""
    X, y, _, is_relevant = make_clustered_pu_data(n_clusters, random_state=seed)
    seconds, recalls = [], []
    FSCPU(N_RELEVANT, max_iter=2, random_state=seed).fit(X, y)
    for mode, n_steps in {"fast": N_STEPS, "paper": min(N_STEPS, arguments.paper_steps)}.items():
        selector = FSCPU(N_RELEVANT, mode=mode, max_iter=n_steps, random_state=seed)
        spent, _ = cpu_seconds(selector.fit, X, y)
        # A search that converges early needs no further steps.
        n_missing = N_STEPS - n_steps if selector.n_iter_ == n_steps else 0
        seconds.append(spent * (1 + n_missing / n_steps))
        recalls.append(_recall(selector.support_, is_relevant))
    return seconds[0], seconds[1], recalls[0], recalls[1]


def _recall(support: NDArray[np.bool_], is_relevant: NDArray[np.bool_]) -> float:
    return float(is_relevant[support].sum() / is_relevant.sum())


def fscpu_open(arguments: argparse.Namespace) -> None:
    tables.header("FSCPU, open", "steps", "s", "paper's s", "ratio", "aim", "met")
    for name, (aim_ratio, aim_seconds) in OPEN_AIMS.items():
        samples = split(TABLES[name](arguments.data), 0)
        n_selected = -(-samples.X.shape[1] // 2)
        FSCPU(n_selected, max_iter=2, random_state=0).fit(samples.X, samples.y)
        ours, theirs = (
            FSCPU(n_selected, mode=mode, max_iter=n_steps, random_state=0)
            for mode, n_steps in {"fast": 1000, "paper": MEASURED_STEPS}.items()
        )
        seconds, _ = cpu_seconds(ours.fit, samples.X, samples.y)
        measured, _ = cpu_seconds(theirs.fit, samples.X, samples.y)
        extrapolated = measured / theirs.n_iter_ * ours.n_iter_
        is_met = extrapolated >= aim_ratio * seconds and seconds < aim_seconds
        cells = ours.n_iter_, seconds, extrapolated, extrapolated / seconds
        tables.row(name, *cells, f">= {aim_ratio}, < {aim_seconds} s", is_met)


def job(arguments: argparse.Namespace) -> None:
    feature_selection_job.run(TABLES["rt-iot2022"](arguments.data))


def semi_jmi(arguments: argparse.Namespace) -> None:
    feature_selection_information.semi_jmi()


def mrmr(arguments: argparse.Namespace) -> None:
    feature_selection_information.mrmr()


def dt_rfe(arguments: argparse.Namespace) -> None:
    tables.header("DT-RFE", "s", "RFE's s", "ratio", "recall", "RFE's recall", "aim", "met")
    for n_clusters in [(8, 1), (8, 2)]:
        runs = [_forests(n_clusters, seed) for seed in range(arguments.runs)]
        ours, theirs, recall, their_recall = np.mean(runs, axis=0).tolist()
        is_met = theirs >= FOREST_RATIO * ours and recall >= their_recall - FOREST_LOSS
        aim = f">= {FOREST_RATIO}, recall >= - {FOREST_LOSS}"
        tables.row(f"{n_clusters}", ours, theirs, theirs / ours, recall, their_recall, aim, is_met)


def _forests(n_clusters: tuple[int, int], seed: int) -> tuple[float, float, float, float]:
    X, y, _, is_relevant = make_clustered_pu_data(n_clusters, random_state=seed)
    selectors = [
        DTRFE(N_RELEVANT, random_state=seed),
        RFE(RandomForestClassifier(random_state=seed), n_features_to_select=N_RELEVANT),
    ]
    seconds, recalls = [], []
    for selector in selectors:
        with parallel_config("threading", n_jobs=2):
            seconds.append(cpu_seconds(selector.fit, X, y)[0])
        recalls.append(_recall(selector.support_, is_relevant))
    return seconds[0], seconds[1], recalls[0], recalls[1]


METHODS = {
    "fscpu_artificial": fscpu_artificial,
    "fscpu_open": fscpu_open,
    "job": job,
    "semi_jmi": semi_jmi,
    "mrmr": mrmr,
    "dt_rfe": dt_rfe,
}


if __name__ == "__main__":
    main()
