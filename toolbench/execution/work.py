"""Work and what comes of it: the words in which every executor is spoken to.

An executor has the shape of those in `concurrent.futures`: `submit` gives a future, `shutdown` ends it, and it is a
context manager. What it gives depends on the work alone, not on where, in how many processes or in what pieces the
work is done.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, Self

from toolbench.layers.layer import Row

if TYPE_CHECKING:
    from concurrent.futures import Future  # loaded in earnest while the first worker loads the scenario


@dataclass(frozen=True)
class Work:
    """One table to be observed by one layer (or by another of `kinds.KINDS`), unit by unit.

    units: JSON values. whole: in one process, from the first to the last. given: one more JSON value that every
    unit needs; it is sent along and looked at by nobody on the way. patient: no deadline for a unit, since it runs no
    tool, or watches them itself. enough: when so many units were ended from outside, those that are left are not tried,
    and have rows of the kind `skipped`. deadline: seconds for a unit, where they are not the pool's.
    """

    table: str
    layer: str
    units: Sequence[Any]
    whole: bool = False
    given: Any = None
    patient: bool = False
    enough: int | None = None
    deadline: float | None = None


@dataclass
class Observation:
    """What a layer saw of a table: a row per unit, in order, and whether a defect found what it changes."""

    rows: list[Row]
    hits: int = 0
    missed: str = ""


class Executor(Protocol):
    """Where work is done. A ToolbenchError in a future says why its work could not be.

    width: how many works it does at a time, once it was entered; what is submitted should keep it busy.
    """

    @property
    def width(self) -> int: ...

    def submit(self, work: Work) -> Future[Observation]: ...

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more work and end; with cancel_futures at once, also in the middle of a unit."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Interrupted(KeyboardInterrupt):
    """Ctrl-C while works were observed; `observations` has those that were finished, None in place of the others."""

    def __init__(self, observations: list[Observation | None]):
        done = sum(observation is not None for observation in observations)
        super().__init__(f"{done} of {len(observations)} finished")
        self.observations = observations


def observed(
    executor: Executor, works: Sequence[Work], heard: Callable[[int, int], object] | None = None
) -> list[Observation]:
    """What comes of each work, in their order; of several errors, that of the first work is raised.

    heard: called with the number of units that are done, and of all, whenever a work is finished; in this thread.
    Raises Interrupted on Ctrl-C.
    """
    futures: list[Future[Observation]] = []
    try:
        futures += (executor.submit(work) for work in works)
        if heard is not None:
            _listen(dict(zip(futures, (len(work.units) for work in works), strict=True)), heard)
        return [future.result() for future in futures]
    except KeyboardInterrupt:
        finished = [_result(future) for future in futures]
        raise Interrupted(finished + [None] * (len(works) - len(finished))) from None
    finally:
        for future in futures:
            future.cancel()


def _listen(units: dict[Future[Observation], int], heard: Callable[[int, int], object]) -> None:
    """Tell of each work that is finished, up to the first that fails."""
    from concurrent.futures import as_completed

    done, every = 0, sum(units.values())
    for future in as_completed(units):
        if future.exception() is not None:
            return
        done += units[future]
        heard(done, every)


def _result(future: Future[Observation]) -> Observation | None:
    succeeded = future.done() and not future.cancelled() and future.exception() is None
    return future.result() if succeeded else None
