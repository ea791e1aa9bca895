"""Who uses a simulation, and what happens to its arrays before it moves. Internal."""

from __future__ import annotations

import threading
from typing import Any

from . import _arrays
from ._library import Handle


def busy() -> RuntimeError:
    return RuntimeError("this simulation is in use by another thread")


class Use:
    """While the library works for one thread. Not contextlib, which takes longer than the call.

    The lock is one that its thread may take again: where Ctrl-C strikes between taking it and the body, it stays taken.
    """

    __slots__ = ("lock",)

    def __init__(self) -> None:
        self.lock = threading.RLock()

    def __enter__(self) -> None:
        if not self.lock.acquire(False):
            raise busy()

    def __exit__(self, *_: Any) -> None:
        self.lock.release()


class Move:
    """While memory of the simulation may move: arrays that are alive take theirs with them before.

    A signal handler or a finalizer of the same thread runs between any two lines here, and the lock lets it in.
    """

    __slots__ = ("_lock", "_held", "_taken", "now", "count")

    def __init__(self, use: Use, held: Handle, taken: list[_arrays.Window]):
        self._lock, self._held, self._taken = use.lock, held, taken
        self.now = False  # nobody may take an array, nor move
        self.count = 0  # of moves that were begun

    def __enter__(self) -> None:
        if not self._lock.acquire(False):
            raise busy()
        if self.now:
            self._lock.release()
            raise RuntimeError("this simulation is stepping already")
        self.now = True
        self.count += 1
        if not self._taken:
            return
        try:
            _arrays.keep_all(self._taken, self._held)
        except BaseException:
            self.now = False
            self._lock.release()
            raise

    def __exit__(self, *_: Any) -> None:
        self.now = False
        self._lock.release()
