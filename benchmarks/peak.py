"""The most that figures come to while something is at work."""

import threading
from collections.abc import Callable, Sequence
from typing import Self

SECONDS = 0.1


class Peak(threading.Thread):
    """Looks at figures again and again within its block; ``most`` is the most of each."""

    def __init__(self, look: Callable[[], Sequence[float]]) -> None:
        super().__init__(daemon=True)
        self.most = look()
        self._look = look
        self._is_over = threading.Event()

    def run(self) -> None:
        while not self._is_over.wait(SECONDS):
            self.most = [*map(max, self.most, self._look())]

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self.join()
