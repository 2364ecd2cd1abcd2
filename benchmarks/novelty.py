"""How well the end of a ranking shows what does not belong in a batch.

    python -m benchmarks.novelty --data DIR
    python -m benchmarks.novelty --data DIR --known 500 --collections "newsgroups 5"

Protocol: documents of some kinds are known, up to 3,000 of them (``--known``), and are the
positives. A batch of 500 others of these kinds (of small collections a third of them) and 15 of
any other kind is unlabeled. A method learns from both and ranks the batch. Measured: the average
precision of the 15, the last rank first (by chance 0.03 where there are 500 others), and how many
of the 15 are among the last 50. Means over random draws. Terms are counts of words without English
stop words unless ``--stop-words`` says otherwise. ``auto`` is told a class prior of 0.97 and cuts
by it.

- newsgroups 2, 5, 10 and 19: so many of the 20 newsgroups are known, drawn anew each time;
- reuters: the two largest topics are known, documents with a single topic are odd; reuters 8: the
  eight largest;
- oh0, oh15, wap, syskillwebert: half of the kinds are known, drawn anew each time;
- messages: messages that are no spam are known, and spam is odd.

All figures are ours.
"""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import average_precision_score

from benchmarks.collections import load
from core.auto.text_classifier import AutoTextClassifier
from core.pipeline import make_text_classifier
from core.registry import ALGORITHMS
from core.vectorizer import with_language

N_KNOWN, N_BATCH, N_ODD, N_READ = 3000, 500, 15, 50
METHODS = ["knn_density", "lgn", "one_class_nb", "one_class_svm", "prototype", "auto"]
N_GROUPS = 2, 5, 10, 19
SMALL = "oh0", "oh15", "wap", "syskillwebert"
COLLECTIONS = [*(f"newsgroups {n}" for n in N_GROUPS), "reuters", "reuters 8", "messages", *SMALL]
Random = np.random.Generator


class Collection(NamedTuple):
    """Texts with their classes, and what draws those that are known."""

    texts: list[str]
    classes: NDArray[np.str_]
    draw_known: Callable[[Random], NDArray[np.str_]]


class Draw(NamedTuple):
    """Texts, how many of them are known, and which of the others are odd."""

    texts: list[str]
    n_known: int
    is_odd: NDArray[np.bool_]


def main() -> None:
    arguments = _arguments()
    vectorizer = with_language(None if arguments.stop_words == "none" else arguments.stop_words)
    print("| known | method | average precision | of 15 among the last 50 |\n|---|---|---|---|")
    for title, collection in collections(arguments.data).items():
        if title not in arguments.collections:
            continue
        draws = [
            draw(collection, np.random.default_rng(seed), arguments.known)
            for seed in range(arguments.draws)
        ]
        for name in arguments.methods:
            means = np.mean([figures(name, drawn, vectorizer) for drawn in draws], axis=0)
            print(f"| {title} | `{name}` | {means[0]:.2f} | {means[1]:.1f} |", flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of the collections")
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--known", type=int, default=N_KNOWN, help="documents, at most")
    parser.add_argument("--collections", nargs="+", choices=COLLECTIONS, default=COLLECTIONS)
    parser.add_argument("--methods", nargs="+", choices=["auto", *ALGORITHMS], default=METHODS)
    parser.add_argument("--stop-words", default="english", help="a language, or none")
    return parser.parse_args()


def collections(data: Path) -> dict[str, Collection]:
    found = {}
    texts, classes = _labeled("20newsgroups", data)
    groups = np.unique(classes)
    for n_groups in N_GROUPS:
        known = _some(groups, n_groups)
        found[f"newsgroups {n_groups}"] = Collection(texts, classes, known)
    texts, classes = _labeled("reuters21578", data)
    is_single = np.char.find(classes, "|") < 0
    single = [text for text, is_one in zip(texts, is_single, strict=True) if is_one]
    known = _always("earn", "acq")
    found["reuters"] = Collection(single, classes[is_single], known)
    topics, counts = np.unique(classes[is_single], return_counts=True)
    largest = _always(*topics[np.argsort(-counts, kind="stable")[:8]])
    found["reuters 8"] = Collection(single, classes[is_single], largest)
    found["messages"] = Collection(*_labeled("sms-spam", data), _always("ham"))
    for name in SMALL:
        texts, classes = _labeled(name, data)
        kinds = np.unique(classes)
        found[name] = Collection(texts, classes, _some(kinds, len(kinds) // 2))
    return found


def _labeled(name: str, data: Path) -> tuple[list[str], NDArray[np.str_]]:
    _, texts, labels = load(name, data)
    return texts, np.array(labels)


def _some(classes: NDArray[np.str_], n: int) -> Callable[[Random], NDArray[np.str_]]:
    return lambda random: random.permutation(classes)[:n]


def _always(*classes: str) -> Callable[[Random], NDArray[np.str_]]:
    return lambda _: np.array(classes)


def draw(collection: Collection, random: Random, n_known: int) -> Draw:
    """Return known documents first, then the batch."""
    is_known = np.isin(collection.classes, collection.draw_known(random))
    known = random.permutation(np.flatnonzero(is_known))
    n_batch = min(N_BATCH, len(known) // 3)
    known = known[: n_known + n_batch]
    odd = random.permutation(np.flatnonzero(~is_known))[:N_ODD]
    texts = [collection.texts[row] for row in (*known, *odd)]
    is_odd = np.arange(n_batch + N_ODD) >= n_batch
    return Draw(texts, len(known) - n_batch, is_odd)


def figures(name: str, drawn: Draw, vectorizer: dict[str, Any]) -> tuple[float, float]:
    """Return the average precision of the odd documents, and how many are among the last."""
    y = (np.arange(len(drawn.texts)) < drawn.n_known).astype(int)
    if name == "auto":
        model = AutoTextClassifier(class_prior=0.97, cut="prior", vectorizer=vectorizer)
    else:
        model = make_text_classifier(name, random_state=0, vectorizer=vectorizer)
    scores = model.fit(drawn.texts, y).score_samples(drawn.texts[drawn.n_known :])
    last = np.argsort(scores, kind="stable")[:N_READ]
    return average_precision_score(drawn.is_odd, -scores), drawn.is_odd[last].sum()


if __name__ == "__main__":
    main()
