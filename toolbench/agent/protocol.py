"""What an agent is: given a task, the definitions and the history, it names the next call or stops."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, final

if TYPE_CHECKING:
    from toolbench.definition import Definitions
    from toolbench.outcome import Outcome
    from toolbench.scenario import Task


@final
@dataclass(slots=True)  # not frozen, since that triples the time to make one; nothing changes a move
class Call:
    """The agent's next call: a tool's name, and the arguments that it sends.

    >>> Call("double", {"x": 4})
    Call(tool='double', arguments={'x': 4})
    """

    tool: str
    arguments: dict[str, Any]


@dataclass(slots=True)
class Stop:
    """The end of an episode: the answer, and what the agent itself accounts for.

    done: it ended by itself; False when its budget was used up. tokens: what the episode cost.
    approvals: how often it asked before a side effect.

    >>> Stop(8)
    Stop(answer=8, done=True, tokens=0, approvals=0)
    """

    answer: Any
    done: bool = True
    tokens: int = 0
    approvals: int = 0


Draw = Callable[[], float]
Move = Callable[["Outcome | None"], "Call | Stop"]


class Agent(Protocol):
    """Begin an episode, then be asked for moves.

    `begin` gets the task, the definitions of the table by name, and `draw`, which gives the episode's
    numbers in [0, 1). It returns a function: given the last call's outcome (None at first), the next move.
    An agent keeps nothing between episodes. `settings` is what the agent is made of, as plain values; it
    stands in reports as the agent's digest.
    """

    def begin(self, task: Task, definitions: Definitions, draw: Draw) -> Move: ...

    def settings(self) -> Mapping[str, Any]: ...
