"""The simulation: a review of a labeled collection, replayed without the service."""

from dataclasses import dataclass, field

import numpy as np
import typer
from numpy.typing import NDArray

from app.commands.collection_file import CollectionFile, UnusableCollection
from app.commands.labeled_collection import draw_seeds, read_collection, texts_to_count
from app.services.training.training_spec import AUTO
from core.errors import BadParameter, Refused
from core.names import check_name
from core.registry import ALGORITHMS
from core.review.expected import Expected
from core.review.replay import Replay
from core.review.stopping import Progress, progress
from core.shared_work import sharing

#: Shares of the pile after which a row is printed.
MARKS = [0.005, 0.01, 0.02, 0.03, 0.05, 0.07, *(i / 20 for i in range(2, 21))]
HEADER = (
    f"{'read':>7} {'of all':>7} {'found':>6} {'recall':>7} {'estimated (90 %)':>18}  suggestion"
)


@dataclass
class Curve:
    """What was read and found so far."""

    n_pile: int
    n_hidden: int
    target: float
    judgements: list[bool] = field(default_factory=list)
    #: Fewer than there are judgements, where copies are judged alike.
    n_read: int = 0
    n_found: int = 0
    #: How many positives the seeds tell of.
    expected: Expected | None = None
    reached_at: int | None = None
    stopped_at: int | None = None
    found_at_stop: int = 0

    def add(self, judgements: NDArray[np.bool_]) -> None:
        for is_positive in judgements.tolist():
            self.judgements.append(is_positive)
            self.n_read += 1
            self._find(is_positive)

    def add_copies(self, judgements: NDArray[np.bool_], is_right: NDArray[np.bool_]) -> None:
        """Add what was judged without being read, some of it wrongly."""
        self.judgements += judgements.tolist()
        self._find(int((judgements & is_right).sum()))

    def _find(self, n: int) -> None:
        self.n_found += n
        if self.reached_at is None and self.n_found >= self.target * self.n_hidden:
            self.reached_at = self.n_read

    def progress(self) -> Progress | None:
        """Return what the review itself can know; None before anything is found."""
        if not self.n_found:
            return None
        n_left = self.n_pile - len(self.judgements)
        known: Progress = progress(
            self.judgements, n_left, expected=self.expected, target=self.target
        )
        return known


def run(
    *,
    data: CollectionFile | None,
    positive: str | None,
    n_seeds: int,
    words: str | None,
    algorithm: str,
    strategy: str,
    batch: int,
    copies: bool,
    random_state: int,
    target: float,
) -> None:
    """Replay a review and print its recall as it goes.

    Raises
    ------
    UnusableCollection
    """
    try:
        check_name(algorithm, [*ALGORITHMS, AUTO], "algorithm")
    except BadParameter as error:
        raise UnusableCollection(str(error)) from error
    if not n_seeds and not words:
        raise UnusableCollection("There is nothing to start with: give --seeds or --words.")
    documents, positive = read_collection(data, positive)
    truth, seeds = draw_seeds(documents, positive, n_seeds, random_state)
    is_relevant = np.array([truth[document.id] for document in documents])
    is_seed = np.array([document.id in seeds for document in documents])
    n_hidden = int(is_relevant.sum()) - n_seeds
    typer.echo(f"{len(documents) - n_seeds:,} documents, {n_hidden:,} of them {positive!r}.")
    texts = texts_to_count(documents)
    if words:
        texts.append(words)
        is_relevant, is_seed = np.append(is_relevant, True), np.append(is_seed, True)
    replay = Replay(
        texts,
        is_relevant,
        np.flatnonzero(is_seed),
        algorithm=algorithm,
        strategy=strategy,
        batch=batch,
        judges_alike=copies,
        random_state=random_state,
    )
    curve = Curve(len(documents) - n_seeds, n_hidden, target)
    try:
        with sharing():
            _print_rounds(curve, replay)
    except Refused as error:
        raise UnusableCollection(str(error)) from error
    _print_end(curve)


def _print_rounds(curve: Curve, replay: Replay) -> None:
    mark = 0.0
    for number, (_, read, alike) in enumerate(replay.rounds()):
        if number == 0:  # not before the algorithm has taken the documents
            curve.expected = replay.expected()
            typer.echo(HEADER)
        was_reached = curve.reached_at is not None
        curve.add(replay.is_relevant[read])
        curve.add_copies(replay.told[alike], replay.told[alike] == replay.is_relevant[alike])
        mark = _print_round(curve, mark, was_reached=was_reached)
        if curve.stopped_at is not None and curve.reached_at is not None:
            return


def _print_round(curve: Curve, mark: float, *, was_reached: bool) -> float:
    """Print a row where there is news, or the mark is passed; return the next mark."""
    known = curve.progress()
    is_stop = known is not None and known.is_enough and curve.stopped_at is None
    if is_stop:
        curve.stopped_at, curve.found_at_stop = curve.n_read, curve.n_found
    share = curve.n_read / curve.n_pile
    is_news = is_stop or was_reached != (curve.reached_at is not None)
    if share < mark and not is_news:
        return mark
    typer.echo(_row(curve, known))
    return next((mark for mark in MARKS if mark > share), 1.0)


def _row(curve: Curve, known: Progress | None) -> str:
    n_read = curve.n_read
    if known is None:
        estimate, suggestion = "", ""
    else:
        recall = known.recall
        estimate = f"{recall.value:.2f} ({recall.low:.2f}-{recall.high:.2f})"
        suggestion = "stop" if known.is_enough else "continue"
    return (
        f"{n_read:>7,} {n_read / curve.n_pile:>7.1%} {curve.n_found:>6,} "
        f"{curve.n_found / curve.n_hidden:>7.3f} {estimate:>18}  {suggestion}"
    )


def _print_end(curve: Curve) -> None:
    if curve.reached_at is not None:
        share = curve.reached_at / curve.n_pile
        typer.echo(f"A recall of {curve.target:g} was reached after {share:.1%} of the documents.")
    if curve.stopped_at is not None:
        recall = curve.found_at_stop / curve.n_hidden
        share = curve.stopped_at / curve.n_pile
        typer.echo(f"The suggestion to stop came after {share:.1%}, at a recall of {recall:.3f}.")
