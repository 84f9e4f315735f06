"""English as long as another language: neutral sentences among the lines of the puzzle.

The sentences tell of the puzzle's setting and change nothing. They stand in lines of their own,
spread evenly among those that hold the data. How many it takes is found with a tokenizer; which
ones is drawn from the instance, so that the prompt can be made again without the tokenizer.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

import numpy as np

from ....core import Instance, Json
from ....core.rng import Stream
from ....text.languages import load_language
from ....text.tokenizers import Count
from . import ENGLISH

TOLERANCE = 0.02
"""By what share the lengths may differ."""

_TRIES = 8
_BULLET = "- "
_BULLETED = re.compile(r"(?:^- .*\n?)+", re.MULTILINE)
_NUMBERED = re.compile(r"(?:^[0-9]+\. .*\n?)+", re.MULTILINE)


Filling = Json
"""How the lines are filled up, as a reference says it: ``tokens`` of the prompt in the language and
of the filled English one, and ``filler``, how many sentences are drawn, with further ones by their
places in the pool."""


@lru_cache(maxsize=16)
def pool(task: str) -> tuple[str, ...]:
    """The neutral sentences for a task, from the shortest on.

    Raises:
        ValueError: the task has none.
    """
    string = load_language(ENGLISH).conditions["filler"].get(task)
    if string is None:
        raise ValueError(
            f"{task} has no neutral sentences: add [conditions.filler] for it to en.toml, or leave "
            "out the condition"
        )
    return tuple(string.text.strip().split("\n"))


def pad(prompt: str, instance: Instance, filler: Sequence[int]) -> str:
    """The English prompt with sentences among its lines: so many, and further ones by place."""
    before, lines, after, mark = _cut(prompt)
    sentences, (count, *last) = pool(instance.task), filler
    drawn = islice(_drawn(instance, len(sentences)), count)
    fillers = [f"{mark}{sentences[i]}\n" for i in (*drawn, *last)]
    after_line: list[list[str]] = [[] for _ in lines]
    for index, sentence in enumerate(fillers):
        after_line[(2 * index + 1) * len(lines) // (2 * len(fillers))].append(sentence)
    parts = [part for line, more in zip(lines, after_line) for part in (line, *more)]
    return "".join((before, *parts, after))


def unpad(prompt: str, task: str) -> str:
    """The inverse of ``pad``: without the lines that are a sentence of the pool."""
    sentences = {mark + sentence for mark in ("", _BULLET) for sentence in pool(task)}
    return "".join(
        line for line in prompt.splitlines(keepends=True) if line.rstrip("\n") not in sentences
    )


def match(prompt: str, length: int, instance: Instance, count: Count) -> Filling | None:
    """The filling with which an English prompt has so many tokens.

    Args:
        prompt: in English, not filled.
        length: how many tokens it shall have.
        instance: that the prompt asks.
        count: what counts tokens.

    Returns:
        ``None`` if the prompt has more than so many already, or no filling comes within
        ``TOLERANCE``.
    """
    have = count(prompt)
    best, filler = have, [0]
    *_, mark = _cut(prompt)
    costs = np.array(
        [count(f"{mark}{sentence}\n") for sentence in pool(instance.task)], dtype=np.float64
    )
    missing, scale = float(length - have), 1.0
    for _ in range(_TRIES):
        if missing < costs.min() * scale / 2:
            break
        number, last = _fitting(missing / scale, costs, _drawn(instance, len(costs)))
        reached = count(pad(prompt, instance, (number, *last)))
        if abs(length - reached) < abs(length - best):
            best, filler = reached, [number, *last]
        if abs(length - reached) <= costs.min() / 2:
            break
        # Sentences together have other tokens than each alone, by a share that hardly varies.
        drawn = islice(_drawn(instance, len(costs)), number)
        alone = costs[[*drawn, *last]].sum()
        scale = (reached - have) / alone if alone else scale
    if abs(length - best) > TOLERANCE * length:
        return None
    return {"tokens": [length, best], "filler": filler}


def _fitting(
    missing: float, costs: np.ndarray[Any, Any], drawn: Iterator[int]
) -> tuple[int, tuple[int, ...]]:
    """How many of the drawn sentences fit, and up to two further ones that fill the rest."""
    number = 0
    for sentence in drawn:
        if costs[sentence] > missing:
            break
        missing -= costs[sentence]
        number += 1
    # An empty sentence stands behind the others, so that none, one and two are tried together.
    sums = np.append(costs, 0.0)[:, np.newaxis] + np.append(costs, 0.0)
    nearest = np.unravel_index(np.argmin(np.abs(missing - sums)), sums.shape)
    return number, tuple(int(i) for i in nearest if i < len(costs))


def _drawn(instance: Instance, size: int) -> Iterator[int]:
    """Places in the pool, each once before any comes again; the same whenever it is asked for."""
    content = json.dumps(instance.to_json(), sort_keys=True).encode()
    name = instance.instance_id or hashlib.sha256(content).hexdigest()
    turn = 0
    while True:
        yield from Stream("xlgo-filler", name, turn).permutation(size).tolist()
        turn += 1


def _cut(prompt: str) -> tuple[str, Sequence[str], str, str]:
    """What stands before the lines that hold the data, the lines, the rest, and their bullet."""
    result = _BULLETED.search(prompt) or _NUMBERED.search(prompt)
    if result is None:
        raise ValueError("the prompt has no list that neutral sentences could stand in")
    mark = _BULLET if result[0].startswith(_BULLET) else ""
    lines = result[0].splitlines(keepends=True)
    return prompt[: result.start()], lines, prompt[result.end() :], mark
