"""What a run took: tokens of prompts and answers, seconds and money, by task and language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from .chain_usage import chain_usage
from .lines import Sample
from .prices import Price, Prices
from .replies import Reply

Cell = tuple[str, str, str]
"""Family, task and language."""

_LONGEST = 1e9
"""Seconds that no run takes."""


@dataclass
class Spent:
    """What the answers of one task and language took.

    Attributes:
        answers: how many there are.
        requests: that took; more than answers where an answer is a chain of requests.
        counted: of how many the tokens are known.
        by_tokenizer: of how many of those they were counted here, not told by a server.
        tokens_in, tokens_out: of prompts and of answers with their thinking, of those counted.
        thinking: tokens of thinking among them, where a server said so.
        characters_in, characters_out: of all answers.
        timed: of how many the time is known.
        seconds: that their requests took, added up; requests may run beside each other.
    """

    answers: int = 0
    requests: int = 0
    counted: int = 0
    by_tokenizer: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    thinking: int = 0
    characters_in: int = 0
    characters_out: int = 0
    timed: int = 0
    seconds: float = 0.0

    def add(self, other: Spent) -> None:
        """Count what another took."""
        for name, value in asdict(other).items():
            setattr(self, name, vars(self)[name] + value)


@dataclass
class JudgeSpent:
    """What a judge took, apart from the model.

    Attributes:
        judge: its name; ``model`` as prices know it.
        requests: replies that are recorded, of every kind of question.
        counted: of how many the tokens are known.
        tokens_in, tokens_out: of those.
        seconds: of all requests, added up.
    """

    judge: str
    model: str = ""
    requests: int = 0
    counted: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0

    def count(self, usage: Any, seconds: Any) -> None:
        """Take note of one reply."""
        self.requests += 1
        counts = usage if isinstance(usage, Mapping) else {}
        tokens = [counts.get(name) for name in ("prompt_tokens", "completion_tokens")]
        if all(isinstance(n, int) and not isinstance(n, bool) and n >= 0 for n in tokens):
            self.counted += 1
            self.tokens_in += tokens[0] or 0
            self.tokens_out += tokens[1] or 0
        if isinstance(seconds, int | float) and 0 <= seconds < _LONGEST:
            self.seconds += seconds

    def as_json(self, prices: Prices | None) -> dict[str, Any]:
        """What it took; with ``money`` and ``currency`` where all tokens and a price are known."""
        found = {**asdict(self), "seconds": round(self.seconds, 3)}
        price = None if prices is None else prices.models.get(self.model, prices.other)
        if price is not None and self.requests and self.counted == self.requests:
            found |= {
                "money": price.of(self.tokens_in, self.tokens_out), "currency": price.currency
            }  # fmt: skip
        return found


@dataclass
class Costs:
    """What the answers of a run took."""

    cells: dict[Cell, Spent] = field(default_factory=dict)

    def count(self, cell: Cell, sample: Sample, reply: Reply) -> None:
        """Take note of one answer that counts."""
        spent = self.cells.setdefault(cell, Spent())
        spent.answers += 1
        original = sample.reference.get("original")
        chain = chain_usage(
            sample.response, sample.prompt, original if isinstance(original, str) else ""
        )
        if chain is not None:
            spent.requests += chain.requests
            spent.characters_in += chain.characters[0]
            spent.characters_out += chain.characters[1]
            if chain.tokens is not None:
                spent.counted += 1
                spent.tokens_in += chain.tokens[0]
                spent.tokens_out += chain.tokens[1]
                spent.thinking += chain.thought
            return
        spent.requests += 1
        spent.characters_in += len(sample.prompt)
        spent.characters_out += len(sample.response or "")
        if reply.tokens is not None:
            spent.counted += 1
            spent.by_tokenizer += reply.counted_by == "tokenizer"
            spent.tokens_in += reply.tokens[0]
            spent.tokens_out += reply.tokens[1]
            spent.thinking += reply.thought or 0
        if reply.seconds is not None:
            spent.timed += 1
            spent.seconds += reply.seconds

    def as_json(self, wall: float | None, price: Price | None) -> dict[str, Any]:
        """The costs for the score.

        Args:
            wall: seconds of the whole run, by the clock, where they are known.
            price: of the tokens.

        Returns:
            ``unit`` (``tokens`` where all are known, else ``characters``), ``counted_by``
            (``server``, ``tokenizer``, both joined by ``+``, or empty), ``wall_seconds``,
            ``price`` and ``tasks``: family, task and language to what ``Spent`` holds, with
            ``money`` where it is known.
        """
        total = Spent()
        tasks: dict[str, dict[str, dict[str, Any]]] = {}
        for (family, task, language), spent in self.cells.items():
            total.add(spent)
            entry = {**asdict(spent), "seconds": round(spent.seconds, 3)}
            if price is not None and spent.counted == spent.answers:
                entry["money"] = price.of(spent.tokens_in, spent.tokens_out)
            tasks.setdefault(family, {}).setdefault(task, {})[language] = entry
        sources = ["server"] if total.counted > total.by_tokenizer else []
        sources += ["tokenizer"] if total.by_tokenizer else []
        return {
            "unit": "tokens" if total.counted == total.answers else "characters",
            "counted_by": "+".join(sources),
            "wall_seconds": wall,
            "price": None if price is None else asdict(price),
            "tasks": tasks,
        }


def summed(cells: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The sum of entries of ``Costs.as_json``; ``money`` only where each has it."""
    entries = list(cells.values())
    found: dict[str, Any] = {n: sum(entry[n] for entry in entries) for n in asdict(Spent())}
    if entries and all("money" in entry for entry in entries):
        found["money"] = sum(entry["money"] for entry in entries)
    return found


def wall_seconds(info: Mapping[str, Any]) -> float | None:
    """How long the harness says that a run took; it writes seconds as a text."""
    try:
        seconds = float(info["total_evaluation_time_seconds"])
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    return seconds if 0 <= seconds < _LONGEST else None
