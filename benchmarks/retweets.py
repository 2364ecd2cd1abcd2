"""How well tweets of an event are found where some of them were sent on many times.

    python -m benchmarks.retweets --data DIR

Protocol: of an event of CrisisLexT6 300 tweets on topic are drawn at random, and with them come all
tweets that say the same but for a name before it, a link or capitals, of 150 of these at most. Ten
tweets of them, drawn at random, are labeled; the others and up to 4,000 tweets off topic are
unlabeled. So most of what is to be found are copies of what else is there.

- ``natural``: that;
- ``copied``: 110 tweets that are not among the five most copied of the event, ten of them labeled,
  all copies of these five, and 3,000 tweets off topic.

Measured: average precision over the unlabeled tweets, area under the ROC curve, and F1 at the cut
of each method. Means over events and draws. All figures are ours.
"""

import argparse
import re
from collections import Counter, defaultdict
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import average_precision_score, f1_score, roc_auc_score

from benchmarks.collections import load
from core.auto.text_classifier import AutoTextClassifier
from core.pipeline import make_text_classifier
from core.registry import ALGORITHMS
from core.vectorizer import with_language

EVENTS = {
    "natural": (
        "2013_Queensland_Floods",
        "2013_West_Texas_Explosion",
        "2013_Oklahoma_Tornado",
        "2012_Sandy_Hurricane",
    ),
    "copied": ("2013_Queensland_Floods",),
}
METHODS = [
    *("auto", "seed_expansion", "prototype", "naive_logistic_regression"),
    "weighted_logistic_regression",
]
N_LABELED, N_DRAWN, MOST_DIFFERENT = 10, 300, 150
VECTORIZER = with_language("english")
_SENT_ON = re.compile(r"^(rt )?(@\w+:? ?)+|http\S+")


class Draw(NamedTuple):
    texts: list[str]
    is_labeled: NDArray[np.bool_]
    is_positive: NDArray[np.bool_]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of the collections")
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--methods", nargs="+", choices=["auto", *ALGORITHMS], default=METHODS)
    arguments = parser.parse_args()
    ids, texts, labels = load("crisislex-t6", arguments.data)
    print("| tweets | method | average precision | AUC | F1 at the cut |\n|---|---|---|---|---|")
    for kind, events in EVENTS.items():
        draws = []
        for event in events:
            of_event = [i for i, id_ in enumerate(ids) if id_.startswith(f"{event}/")]
            on = [texts[i] for i in of_event if labels[i] == "on-topic"]
            off = [texts[i] for i in of_event if labels[i] != "on-topic"]
            draws += [DRAW[kind](on, off, Random(seed)) for seed in range(arguments.draws)]
        for name in arguments.methods:
            means = np.mean([figures(name, draw) for draw in draws], axis=0)
            print(f"| {kind} | `{name}` | " + " | ".join(f"{m:.2f}" for m in means) + " |")


def said(tweet: str) -> str:
    return _SENT_ON.sub("", tweet.lower()).strip()


def natural(on: list[str], off: list[str], random: Random) -> Draw:
    copies = defaultdict(list)
    for tweet in on:
        copies[said(tweet)].append(tweet)
    different = dict.fromkeys(map(said, random.sample(on, N_DRAWN)))
    positive = [tweet for each in list(different)[:MOST_DIFFERENT] for tweet in copies[each]]
    random.shuffle(positive)
    return mixed(positive, random.sample(off, min(4000, len(off))), random)


def copied(on: list[str], off: list[str], random: Random) -> Draw:
    most = {each for each, _ in Counter(map(said, on)).most_common(5)}
    others = [tweet for tweet in on if said(tweet) not in most]
    positive = [*random.sample(others, 110), *(tweet for tweet in on if said(tweet) in most)]
    return mixed(positive, random.sample(off, 3000), random)


DRAW = {"natural": natural, "copied": copied}


def mixed(positive: list[str], negative: list[str], random: Random) -> Draw:
    """Return the tweets in any order; the first positives are labeled."""
    texts = [*positive, *negative]
    order = np.array(random.sample(range(len(texts)), len(texts)))
    return Draw([texts[i] for i in order], order < N_LABELED, order < len(positive))


def figures(name: str, draw: Draw) -> tuple[float, float, float]:
    if name == "auto":
        model = AutoTextClassifier(vectorizer=VECTORIZER)
    else:
        model = make_text_classifier(name, random_state=0, vectorizer=VECTORIZER)
    unlabeled = [text for text, known in zip(draw.texts, draw.is_labeled, strict=True) if not known]
    truth = draw.is_positive[~draw.is_labeled]
    model.fit(draw.texts, draw.is_labeled.astype(int))
    scores = model.score_samples(unlabeled)
    return (
        average_precision_score(truth, scores),
        roc_auc_score(truth, scores),
        f1_score(truth, model.predict(unlabeled) == 1),
    )


if __name__ == "__main__":
    main()
