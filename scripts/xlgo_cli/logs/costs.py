"""What a run took: tokens and characters of prompts and answers, and seconds, also in words.

What a chain of requests took is read from its records.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

import pandas as pd

from xlgo_lm_eval.answers import Answer
from xlgo_metric.table import Column, Table, count, listed, spread

from ..display import labels
from .formats import objects
from .lines import Sample, count_of, mapping, reply_of, tokens_of

Cost = dict[str, Any]
"""What a score says of its costs, see ``Costs.as_json``."""
Cell = tuple[str, str, str]
"""Family, task and language."""
NAMES = (
    "answers", "requests", "counted", "by_tokenizer", "tokens_in", "tokens_out", "thinking",
    "characters_in", "characters_out", "timed", "seconds",
)  # fmt: skip
"""Answers; requests that they took, more than answers where an answer is a chain; of how many the
tokens are known, and of how many of those they were counted here, not told by a server; tokens of
prompts, of answers with their thinking, and of that thinking where a server said so; characters of
all; of how many the time is known, and those
seconds added up, though requests may run beside each other."""

_CELL = ("family", "task", "language")
_LARGEST = 50_000_000
_CHAINS = {"translation": "hops", "self_correction": "rounds"}
_LENGTHS = {
    f"{unit}_{way}": f"{text}, {unit}"
    for unit in ("characters", "tokens")
    for way, text in (("in", "prompt"), ("out", "answer"))
}


def _chain(response: str | None) -> list[Answer]:
    """The replies of a chain without those that failed; empty for a response that is no chain.

    Args:
        response: the outcome of a chain, as JSON.
    """
    logged = (response or "").lstrip()
    if not logged.startswith("{") or len(logged) > _LARGEST:
        return []
    try:
        outcome = mapping(json.loads(logged))
    except (ValueError, RecursionError):
        return []
    steps = objects(outcome.get(_CHAINS.get(str(outcome.get("kind")), "")))
    return [reply_of(s, str(s.get("text") or "")) for s in steps if s.get("state") != "error"]


@dataclass
class Costs:
    """What the answers of a run took.

    Attributes:
        counter: counts the tokens of a text; without it those that the log has count.
    """

    counter: Callable[[str], int] | None = None
    _rows: list[dict[str, object]] = field(default_factory=list)

    def count(self, cell: Cell, sample: Sample) -> None:
        """Take note of one answer; one that is missing took a request."""
        chain = _chain(sample.response)
        replies, texts = chain or [sample.reply], (sample.prompt, sample.response or "")
        tokens = [tokens_of(reply.usage) for reply in replies]
        if self.counter is not None and not chain:
            tokens = [(self.counter(texts[0]), self.counter(texts[1]))]
        known = [pair for pair in tokens if pair is not None]
        is_counted = len(known) == len(replies)
        sources = {"tokenizer" if self.counter else reply.counted_by for reply in replies}
        thinking = sum(count_of(reply.usage, "reasoning_tokens") or 0 for reply in replies)
        received = [len(reply) + len(reply.reasoning or "") for reply in chain]
        seconds = [reply.seconds for reply in replies if reply.seconds is not None]
        # A translation stands in place of the one before it; a round has all replies before it.
        original, earlier = sample.reference.get("original"), [len(reply) for reply in chain[:-1]]
        prompt = len(texts[0])
        if isinstance(original, str):
            sent = [prompt, *(prompt - len(original) + n for n in earlier)]
        else:
            sent = [*accumulate(earlier, initial=prompt)]
        is_there = sample.reply.is_there
        self._rows.append(
            dict(zip(_CELL, cell))
            | {
                "answers": 1,
                "requests": len(replies),
                "counted": is_counted,
                "by_tokenizer": is_counted and sources == {"tokenizer"},
                "tokens_in": sum(sent for sent, _ in known) if is_counted else None,
                "tokens_out": sum(got for _, got in known) if is_counted else None,
                "thinking": thinking * is_counted,
                "characters_in": sum(sent),
                "characters_out": sum(received) if chain else len(texts[1]),
                "timed": len(seconds) == len(replies),
                "seconds": sum(seconds),
                "is_there": is_there,
                "is_cut": is_there and sample.reply.prompt_cut,
            }
        )

    @property
    def frame(self) -> pd.DataFrame:
        """A row an answer: its cell, ``NAMES``, and whether it is there and its prompt was cut."""
        frame = pd.DataFrame(self._rows, columns=[*_CELL, *NAMES, "is_there", "is_cut"])
        return frame.astype(dict.fromkeys(NAMES, float))

    def as_json(self) -> Cost:
        """The costs for the score.

        Returns:
            ``unit`` (``tokens`` where all are known, else ``characters``), ``counted_by``
            (``server``, ``tokenizer``, both joined by ``+``, or empty) and ``tasks``:
            family, task and language to the sums of ``NAMES``.
        """
        sums = self.frame.groupby(list(_CELL), sort=False)[list(NAMES)].sum().round(3)
        sums = sums.astype(dict.fromkeys(NAMES[:-1], int))
        tasks: dict[str, dict[str, dict[str, dict[str, float]]]] = {}
        for (family, task, language), entry in sums.to_dict("index").items():
            tasks.setdefault(family, {}).setdefault(task, {})[language] = entry
        total = sums.sum()
        sources = ["server"] if total["counted"] > total["by_tokenizer"] else []
        sources += ["tokenizer"] if total["by_tokenizer"] else []
        return {
            "unit": "tokens" if total["counted"] == total["answers"] else "characters",
            "counted_by": "+".join(sources),
            "tasks": tasks,
        }


def lengths(frame: pd.DataFrame, *keys: str) -> list[Table]:
    """Mean and standard deviation of the lengths of prompts and answers; none without answers.

    Args:
        frame: see ``Costs.frame``.
        keys: columns of it, such as ``task`` and ``language``: a row for each of their values.
    """
    groups = frame[frame["is_there"].astype(bool)].groupby(list(keys), sort=False)
    parts = [groups[name].agg(["mean", "std"]) for name in _LENGTHS]
    values = pd.concat([groups.size(), *parts], axis=1).reset_index()
    heads = [*map(Column, keys), Column("answers", "count")]
    heads += [head for name in _LENGTHS.values() for head in spread(name, "number", 1)]
    numbers = list(map(str, range(len(heads))))
    caption = (
        "Mean ± standard deviation over answers with their thinking. Tokens: by --tokenizer, else "
        "those that the log has."
    )
    title = "Lengths of prompts and answers"
    rows = values.set_axis(numbers, axis=1)
    return [listed("lengths", title, rows, dict(zip(numbers, heads)), caption)][: len(values)]


_SOURCES = {
    "server": "Tokens as the server counted them, thinking among those out.",
    "tokenizer": "Tokens counted with the model's own tokenizer.",
    "server+tokenizer": "Tokens counted by the server and by the model's tokenizer.",
}


def _spent(cost: Cost) -> pd.DataFrame:
    """A row for each task and language."""
    return pd.DataFrame(
        {"family": family, "task": task, "language": code, **entry}
        for family, tasks in cost["tasks"].items()
        for task in sorted(tasks, key=labels.task_order)
        for code, entry in tasks[task].items()
    )


def cost_line(score: Mapping[str, Any]) -> str:
    """What the whole run took; empty where nothing is known."""
    cost = score.get("cost")
    if not cost or not cost["tasks"]:
        return ""
    spent, unit = _spent(cost), cost["unit"]
    requests = spent["requests"].sum()
    chains = f"{count(requests)} requests, " * bool(requests > spent["answers"].sum())
    note = " (counted with the model's tokenizer)" * ("tokenizer" in cost["counted_by"])
    note = " (token counts unavailable)" if unit == "characters" else note
    sent, received = (count(spent[f"{unit}_{side}"].sum()) for side in ("in", "out"))
    return f"{chains}{sent} {unit} in, {received} out{note}"


def cost_table(cost: Cost) -> Table:
    """What every task and language took."""
    spent, unit = _spent(cost), cost["unit"]
    frame = spent.assign(
        task=[labels.task(name).short for name in spent["task"]],
        language=[labels.language(code).name for code in spent["language"]],
        seconds=spent["seconds"].where(spent["timed"] == spent["answers"]),
    )
    columns = {
        "task": Column("Task"),
        "language": Column("Language"),
        "answers": Column("Answers", "count"),
        f"{unit}_in": Column(f"{unit.capitalize()} in", "count"),
        f"{unit}_out": Column(f"{unit.capitalize()} out", "count"),
        "seconds": Column("Seconds", "number", 1),
    }
    counted = _SOURCES.get(cost["counted_by"], "")
    source = counted if unit == "tokens" else "Characters: some tokens are not known."
    caption = (
        f"{source} A chain of requests is one answer; its tokens are those of all its requests. "
        "Seconds: of the requests, added up (they may run beside each other), where each was timed."
    )
    return listed("cost", "What it took", frame, columns, caption)
