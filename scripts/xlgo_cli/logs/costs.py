"""What a run took: tokens of prompts and answers, seconds and money, by task and language.

Money needs the prices of tokens, which a file of the user gives (``read_prices``). What a chain of
requests took is read from its records.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from xlgo_lm_eval.replies import Answer
from xlgo_metric.table import Column, Table, listed, spread

from ..folders import read_settings
from .formats import objects
from .lines import Sample, count_of, number_of, reply_of, tokens_of

_PER = 1_000_000
_FORM = (
    'give `input` and `output` (prices of a million tokens), or a table [models."NAME"] with both'
    ", and `currency` if you like"
)
_KEYS = {"currency", "input", "output", "models"}


@dataclass(frozen=True)
class Price:
    """What tokens cost.

    Attributes:
        input, output: price of a million tokens of prompts and of answers (thinking counts as
            answer).
        currency: what the prices are in, as the file says.
    """

    input: float
    output: float
    currency: str

    def of(self, tokens_in: float, tokens_out: float) -> float:
        """The price of some tokens."""
        return (tokens_in * self.input + tokens_out * self.output) / _PER


@dataclass(frozen=True)
class Prices:
    """A price list: for some models by name, and for any other."""

    path: Path
    models: Mapping[str, Price]
    other: Price | None

    def of(self, model: str) -> Price:
        """The price of a model.

        Raises:
            ValueError: the file has none for it.
        """
        price = self.models.get(model, self.other)
        if price is None:
            raise ValueError(
                f"{self.path}: no price of {model!r}: there are {', '.join(self.models)}"
            )
        return price


def read_prices(path: Path) -> Prices:
    """Read a price list: TOML, YAML or JSON, as the suffix of its name says.

    Raises:
        ValueError: the file cannot be read or has another form.
    """
    data = read_settings(path, "--prices")
    try:
        if unknown := data.keys() - _KEYS:
            raise ValueError(f"unknown: {', '.join(sorted(map(str, unknown)))}")
        currency = str(data.get("currency", "USD"))
        models = {
            str(name): _price(entry, currency) for name, entry in data.get("models", {}).items()
        }
        general = _price(data, currency) if {"input", "output"} & data.keys() else None
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise ValueError(f"--prices {path}: {_FORM} ({error})") from None
    if general is None and not models:
        raise ValueError(f"--prices {path}: no prices in it: {_FORM}")
    return Prices(path, models, general)


def _price(entry: Mapping[str, float], currency: str) -> Price:
    amounts = entry["input"], entry["output"]
    for number in amounts:
        if number_of(number) is None:
            raise ValueError(f"a price must be 0 or more, got {number!r:.40}")
    return Price(float(amounts[0]), float(amounts[1]), currency)


Cost = dict[str, Any]
"""What a score says of its costs, see ``Costs.as_json``."""
Spent = Counter[str]
"""What answers took: numbers by ``NAMES``; what is not there is 0."""
NAMES = (
    "answers", "requests", "counted", "by_tokenizer", "tokens_in", "tokens_out", "thinking",
    "characters_in", "characters_out", "timed", "seconds",
)  # fmt: skip
"""Answers; requests that they took, more than answers where an answer is a chain; of how many the
tokens are known, and of how many of those they were counted here, not told by a server; tokens of
prompts, of answers with their thinking, and of that thinking where a server said so; characters of
all; of how many the time is known, and those seconds added up, though requests may run beside each
other."""

_LARGEST = 50_000_000


def _of_chain(response: str | None, prompt: str, original: str) -> Spent | None:
    """What a chain took; ``None`` for a response that is no chain.

    Its tokens are known if the server counted those of every answer; tries that failed are left
    out. A later prompt is taken to be the first one with another text in it (translations) or with
    the answers so far behind it (rounds).

    Args:
        response: the outcome of a chain, as JSON.
        prompt: the first prompt.
        original: the text in it that later prompts replace; empty for rounds.
    """
    logged = (response or "").lstrip()
    if not logged.startswith("{") or len(logged) > _LARGEST:
        return None
    try:
        outcome = json.loads(logged)
    except (ValueError, RecursionError):
        return None
    if outcome.get("kind") not in ("translation", "self_correction"):
        return None
    total, carried = Spent(), len(original)
    frame = max(0, len(prompt) - carried)
    for step in (step for name in ("hops", "rounds") for step in objects(outcome.get(name))):
        if step.get("state") != "error":
            reply = reply_of(step, str(step.get("text") or ""))
            received = len(reply) + len(reply.reasoning or "")
            total.update(of_reply(reply, frame + carried, received))
            carried = len(reply) + (carried if outcome["kind"] == "self_correction" else 0)
    requests = total.pop("answers", 0)
    spent = Spent({"answers": 1, "requests": requests})
    names = ["characters_in", "characters_out"]
    if 0 < requests == total["counted"]:
        spent["counted"], spent["by_tokenizer"] = 1, int(total["by_tokenizer"] == requests)
        names += ["tokens_in", "tokens_out", "thinking"]
    return spent + Spent({name: total[name] for name in names})


def of_reply(reply: Answer, characters_in: int, characters_out: int) -> Spent:
    """What one request took: the answer of a model, or the reply of a judge."""
    spent = Spent({
        "answers": 1, "requests": 1, "characters_in": characters_in,
        "characters_out": characters_out, "timed": int(reply.seconds is not None),
    })  # fmt: skip
    spent["seconds"] = reply.seconds or 0.0  # type: ignore[assignment]
    if (tokens := tokens_of(reply.usage)) is not None:
        spent["counted"], spent["by_tokenizer"] = 1, int(reply.counted_by == "tokenizer")
        spent["tokens_in"], spent["tokens_out"] = tokens
        spent["thinking"] = count_of(reply.usage, "reasoning_tokens") or 0
    return spent


Cell = tuple[str, str, str]
"""Family, task and language."""

_LONGEST = 1e9
"""Seconds that no run takes."""


def spent_as_json(spent: Mapping[str, float], price: Price | None) -> dict[str, float]:
    """What was spent as JSON, with ``money`` where all tokens and their price are known."""
    entry = {name: spent.get(name, 0) for name in NAMES}
    entry["seconds"] = round(float(entry["seconds"]), 3)
    if price is not None and entry["counted"] == entry["answers"]:
        entry["money"] = price.of(entry["tokens_in"], entry["tokens_out"])
    return entry


@dataclass
class Costs:
    """What the answers of a run took.

    Attributes:
        cells: by family, task and language.
        asked, cut: by task and language, prompts, and those of them that had more tokens than the
            model takes.
    """

    cells: defaultdict[Cell, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    asked: Counter[tuple[str, str]] = field(default_factory=Counter)
    cut: Counter[tuple[str, str]] = field(default_factory=Counter)

    def count(self, cell: Cell, sample: Sample) -> None:
        """Take note of one answer that counts."""
        original = sample.reference.get("original")
        replaced = original if isinstance(original, str) else ""
        chain = _of_chain(sample.response, sample.prompt, replaced)
        sizes = len(sample.prompt), len(sample.response or "")
        self.cells[cell].update(chain or of_reply(sample.reply, *sizes))
        if sample.reply.is_there:
            self.cut[cell[1:]] += sample.reply.prompt_cut or 0
            self.asked[cell[1:]] += 1

    def as_json(self, wall: float | None, price: Price | None) -> Cost:
        """The costs for the score.

        Args:
            wall: wall-clock seconds of the whole run, where they are known.
            price: of the tokens.

        Returns:
            ``unit`` (``tokens`` where all are known, else ``characters``), ``counted_by``
            (``server``, ``tokenizer``, both joined by ``+``, or empty), ``wall_seconds``,
            ``price`` and ``tasks``: family, task and language to what ``Spent`` holds, with
            ``money`` where it is known.
        """
        tasks: dict[str, dict[str, dict[str, dict[str, float]]]] = {}
        for (family, task, language), spent in self.cells.items():
            of_task = tasks.setdefault(family, {}).setdefault(task, {})
            of_task[language] = spent_as_json(spent, price)
        total = sum(self.cells.values(), Counter[str]())
        sources = ["server"] if total["counted"] > total["by_tokenizer"] else []
        sources += ["tokenizer"] if total["by_tokenizer"] else []
        return {
            "unit": "tokens" if total["counted"] == total["answers"] else "characters",
            "counted_by": "+".join(sources),
            "wall_seconds": wall,
            "price": None if price is None else asdict(price),
            "tasks": tasks,
        }


def judge_cost(judge: str, model: str, spent: Mapping[str, float], prices: Prices | None) -> Cost:
    """What a judge took, apart from the model.

    Args:
        judge: its name.
        model: as prices know it.
        spent: on replies of every kind.
        prices: of tokens; the judge's may be lacking.
    """
    price = None if prices is None else prices.models.get(model, prices.other)
    entry = spent_as_json(spent, price)
    currency = {"currency": price.currency} if price and "money" in entry else {}
    return {"judge": judge, "model": model, **entry, **currency}


def wall_seconds(info: Mapping[str, object]) -> float | None:
    """How long the harness says that a run took; it writes seconds as a text."""
    try:
        seconds = float(str(info["total_evaluation_time_seconds"]))
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    return seconds if 0 <= seconds < _LONGEST else None


def lengths(scores: Mapping[str, Mapping[str, Any]]) -> list[Table]:
    """Mean lengths of prompts and answers by model and task, in characters and tokens.

    Args:
        scores: by model. One without costs is left out.
    """
    rows = []
    for model, score in scores.items():
        of_families = score.get("cost", {}).get("tasks", {}).values()
        for task, by_language in (item for tasks in of_families for item in tasks.items()):
            sums = sum(map(Counter, by_language.values()), Counter[str]())
            answers, counted = sums["answers"], sums["counted"]
            characters = [sums[f"characters_{way}"] / answers for way in ("in", "out")]
            tokens = [sums[f"tokens_{way}"] / counted if counted else None for way in ("in", "out")]
            rows.append((model, task, answers, *characters, *tokens))
    heads = (
        *map(Column, ("model", "task")),
        Column("answers", "count"),
        *(Column(name, "number", 0) for name in _LENGTHS),
    )
    caption = "Means over answers. Tokens are those that the server or the model's tokenizer told."
    table = Table("lengths", "Lengths of prompts and answers", heads, tuple(rows), caption)
    return [table] if rows else []


_LENGTHS = ("prompt, characters", "answer, characters", "prompt, tokens", "answer, tokens")


@dataclass
class Lengths:
    """Lengths of prompts and answers by task and language.

    Attributes:
        tokens_in: counts the tokens of a text; without it those that the log has count.
    """

    tokens_in: Callable[[str], int] | None = None
    _rows: list[dict[str, object]] = field(default_factory=list)

    def count(self, sample: Sample) -> None:
        """Take note of one sample."""
        cell = str(sample.reference["task"]), str(sample.reference.get("language", ""))
        texts = sample.prompt, sample.response or ""
        logged = tokens_of(sample.reply.usage) or (None, None)
        counted = map(self.tokens_in, texts) if self.tokens_in is not None else logged
        row = dict(zip(_LENGTHS, (*map(len, texts), *counted)))
        self._rows.append({"task": cell[0], "language": cell[1], **row})

    def spreads(self) -> list[Table]:
        """Mean and standard deviation of the lengths by task and language; none without answers."""
        import pandas as pd

        if not self._rows:
            return []
        frame = pd.DataFrame(self._rows).astype(dict.fromkeys(_LENGTHS, float))
        groups = frame.groupby(["task", "language"], sort=False)
        parts = [groups[name].agg(["mean", "std"]) for name in _LENGTHS]
        values = pd.concat([groups.size(), *parts], axis=1).reset_index()
        heads = [Column("task"), Column("language"), Column("answers", "count")]
        heads += [head for name in _LENGTHS for head in spread(name, "number", 1)]
        keys = list(map(str, range(len(heads))))
        numbered = values.set_axis(keys, axis=1)
        caption = (
            "Mean ± standard deviation over answers with their thinking. Tokens: by --tokenizer, "
            "else those that the log has."
        )
        title = "Lengths of prompts and answers"
        return [listed("lengths", title, numbered, dict(zip(keys, heads)), caption)]
