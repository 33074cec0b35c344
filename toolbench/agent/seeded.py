"""The seeded agent: a fictional agent that picks the right tool with a probability.

It knows the right way of each task and follows it imperfectly, as its seed has it. Everything that it does
is data of the scenario; it sees definitions, never functions, so a wrong definition leads it astray.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from toolbench.agent.protocol import Call, Draw, Move, Stop
from toolbench.errors import ScenarioError
from toolbench.outcome import OK, Outcome

if TYPE_CHECKING:
    from toolbench.definition import Definitions
    from toolbench.scenario import Task

RESULT = "result"
LONGEST = 4096


@dataclass(frozen=True, kw_only=True)
class Tokens:
    """What an episode costs: per step, per earlier call (the growing history), per call, per self-critique."""

    step: int = 0
    history: int = 0
    call: int = 0
    critique: int = 0


@dataclass(frozen=True, kw_only=True)
class SeededAgent:
    """The fictional agent's settings.

    budget: steps per episode. first, fall, least: at position k of the right sequence the right tool is
    taken with probability max(least, first - fall * k); otherwise any tool of the table, each alike.
    stop: at the sequence's end, the probability of stopping at each step. results: tool -> the output field
    that becomes the result. copies: tool -> {field: the field copied into it before a call}. tokens: costs.
    self_critique: pay for thinking about each error. approval: ask before each side effect.

    >>> SeededAgent(budget=4, first=0.9, fall=0.25, least=0.5).right
    (0.9, 0.65, 0.5, 0.5)
    """

    budget: int
    first: float
    fall: float = 0.0
    least: float = 0.0
    stop: float = 1.0
    results: Mapping[str, str] = field(default_factory=dict)
    copies: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    tokens: Tokens = field(default_factory=Tokens)
    self_critique: bool = False
    approval: bool = False
    right: tuple[float, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.budget, int) or isinstance(self.budget, bool) or not 1 <= self.budget <= LONGEST:
            raise ScenarioError(f"the agent's budget is {self.budget!r}; it is a number of steps, 1 to {LONGEST}")
        for name in ("first", "least", "stop"):
            value = getattr(self, name)
            if not isinstance(value, int | float) or not 0 <= value <= 1:
                raise ScenarioError(f"the agent's {name} is {value!r}; it is a probability from 0 to 1")
        if not isinstance(self.fall, int | float):
            raise ScenarioError(f"the agent's fall is {self.fall!r}; it is a number")
        if not isinstance(self.tokens, Tokens):
            raise ScenarioError(f"the agent's tokens is {self.tokens!r}; it is Tokens(step=..., call=...)")
        if not _maps_texts(self.results):
            raise ScenarioError(f"the agent's results is {self.results!r}; it maps tools to output fields")
        if not isinstance(self.copies, Mapping) or not all(map(_maps_texts, self.copies.values())):
            raise ScenarioError(f"the agent's copies is {self.copies!r}; it maps tools to {{field: field to copy}}")
        right = tuple(max(self.least, self.first - self.fall * k) for k in range(self.budget))
        object.__setattr__(self, "right", right)

    def settings(self) -> Mapping[str, Any]:
        """The settings as plain values."""
        settings = asdict(self)
        del settings["right"]  # follows from the others
        return settings

    def begin(self, task: Task, definitions: Definitions, draw: Draw) -> Move:
        """The moves of one episode; see `toolbench.agent.protocol.Agent`."""
        return self._moves(task, definitions, draw).send

    def _moves(self, task: Task, definitions: Definitions, draw: Draw) -> Generator[Call | Stop, Outcome | None, None]:
        # What does not change within an episode is looked up once: loops make millions of these steps.
        sequence, length, right, stop = task.sequence, len(task.sequence), self.right, self.stop
        names, number = definitions.names, len(definitions)
        results, copies, approval = self.results, self.copies, self.approval
        per_step, per_earlier, per_call = self.tokens.step, self.tokens.history, self.tokens.call
        state = {**task.start}
        position = tokens = calls = approvals = 0
        for _ in range(self.budget):
            tokens += per_step + per_earlier * calls
            if position == length:
                if draw() < stop:
                    yield Stop(state.get(RESULT), True, tokens, approvals)
                name = names[int(draw() * number)]
            elif draw() < right[position]:
                name = sequence[position]
            else:
                name = names[int(draw() * number)]
            if name in copies:
                for target, origin in copies[name].items():
                    state[target] = state.get(origin)
            definition = definitions.get(name)
            if definition is None:  # taken away by a defect; the agent still knows the way
                outcome = yield Call(name, {})
            else:
                if approval and definition.side_effect:
                    approvals += 1
                outcome = yield Call(name, definition.arguments_from(state))
            calls += 1
            tokens += per_call
            assert outcome is not None  # only the first move is asked for without one
            if outcome.kind != OK:
                if self.self_critique:
                    tokens += self.tokens.critique
                continue
            value = outcome.value
            fields = value if type(value) is dict else outcome.fields
            state.update(fields)
            if name in results:
                state[RESULT] = fields.get(results[name])
            if position < length and name == sequence[position]:
                position += 1
        yield Stop(state.get(RESULT), False, tokens, approvals)


def _maps_texts(value: object) -> bool:
    return isinstance(value, Mapping) and all(isinstance(text, str) for pair in value.items() for text in pair)
