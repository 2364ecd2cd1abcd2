"""How well ``cluster_assumption`` tells tables whose positives cluster from others.

Artificial tables of the FSCPU paper (K. Uchikoshi and Y. Akimoto, GECCO 2025, section 5.1): the
numbers of clusters of negatives and positives vary, "none" has no clusters. With labels drawn
anew, so that nothing depends on them, a share of about 0.05 of the p-values may be up to 0.05.
All numbers are ours; the paper leaves such a test open.
"""

import argparse

import numpy as np

from core.datasets import make_clustered_pu_data
from core.feature_selection.cluster_assumption import (
    LEVEL,
    MIN_RATIO,
    ClusterAssumption,
    cluster_assumption,
)

SETTINGS = (8, 1), (8, 2), (1, 1), (1, 2), None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frequencies", type=float, nargs="+", default=[0.5, 0.1, 0.02])
    parser.add_argument("--permutations", type=int, default=199)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--random-tables", type=int, default=100, help="of 400 rows, for the level")
    arguments = parser.parse_args()

    print(f"| clusters | labeled | ratio, least | mean | most | p <= {LEVEL} | met |")
    print("|---|---|---|---|---|---|---|")
    for frequency in arguments.frequencies:
        for n_clusters in SETTINGS:
            answers = [
                answer(n_clusters, frequency, seed, arguments.permutations)
                for seed in range(arguments.seeds)
            ]
            print_row(n_clusters or "none", frequency, answers)
    drawn = [level_answer(seed, arguments.permutations) for seed in range(arguments.random_tables)]
    print_row("labels drawn anew", "20 of 400", drawn)
    print(f"\nMet: p <= {LEVEL} and a ratio of at least {MIN_RATIO}.")


def answer(
    n_clusters: tuple[int, int] | None, frequency: float, seed: int, n_permutations: int
) -> ClusterAssumption:
    X, y, _, _ = make_clustered_pu_data(n_clusters, label_frequency=frequency, random_state=seed)
    return cluster_assumption(X, y == 1, n_permutations=n_permutations, random_state=seed)


def level_answer(seed: int, n_permutations: int) -> ClusterAssumption:
    X, _, _, _ = make_clustered_pu_data(
        n_samples=400, n_positive=60, n_relevant=4, n_irrelevant=4, n_copies=0, random_state=seed
    )
    labels = np.random.default_rng(seed).permutation(400) < 20
    return cluster_assumption(X, labels, n_permutations=n_permutations, random_state=seed)


def print_row(name: object, labeled: object, answers: list[ClusterAssumption]) -> None:
    ratios = [one.ratio for one in answers]
    significant = np.mean([one.p_value <= LEVEL for one in answers])
    print(
        f"| {name} | {labeled} | {min(ratios):.2f} | {np.mean(ratios):.2f} | {max(ratios):.2f} "
        f"| {significant:.2f} | {np.mean([one.is_met for one in answers]):.2f} |",
        flush=True,
    )


if __name__ == "__main__":
    main()
