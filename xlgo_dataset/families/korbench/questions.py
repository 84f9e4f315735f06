"""The tasks of KOR-Bench: their options, their rows, and the questions that are generated."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from xlgo_metric.core import PLAIN
from xlgo_metric.option import Option

from ...core import Options, Origin, Row, row_of
from . import fresh, prompts, released
from .ciphers import CIPHERS
from .fresh import FreshInstance
from .loading import CATEGORIES, HUB_NAME, Data, load
from .released import CATEGORY_TASKS, CORRECTION

NAME = released.NAME
DATA_VERSION = 1

MAX_ROUNDS = 20
ROUNDS = 5
"""Rounds of self-correction, the first answer included, as in the paper."""
MODES: tuple[str, ...] = ("default", "paper", "stored")
"""By which rules answers are graded; a reference without one is graded by the first."""


_MODE = Option("mode", "choice", "rules of grading", MODES[0], MODES)
_REVISION = Option(
    "revision", "text", "of the Hub, or the digest that a folder must have (default: any)"
)
_LOADED = (
    Option(
        "source",
        "text",
        "folder in the published layout, or dataset on the Hub",
        HUB_NAME,
        is_path=True,
    ),
    _REVISION,
    _MODE,
)
_RULES = Option("rules", "flag", "show the rule; without it only knowledge or examples help", True)
_CORRECTED = (
    Option(
        "categories", "names", "categories to ask, joined by commas", ",".join(CATEGORIES),
        CATEGORIES,
    ),
    Option(
        "rounds", "integer", "answers at most, the first included", ROUNDS,
        range(1, MAX_ROUNDS + 1),
    ),
    Option("needle", "flag", "show the sentences of the rule that matter again", False),
)  # fmt: skip
_FRESH = (
    fresh.SEED,
    Option("per_rule", "integer", "questions of each rule", fresh.PER_RULE, least=1),
    fresh.EXAMPLES,
    Option(
        "source",
        "text",
        "released data whose rule texts are shown instead of our own",
        is_path=True,
    ),
    _REVISION,
    _MODE,
)


def task_options(task: str) -> tuple[Option, ...]:
    """The options of a task."""
    if task == fresh.TASK:
        return _FRESH
    shots = (fresh.EXAMPLES, _RULES) if task in CATEGORY_TASKS else ()
    return (*_LOADED, *shots, *(_CORRECTED if task == CORRECTION else ()))


def settle(task: str, options: Row) -> Row:
    """Refuse a folder that is not there."""
    source = options["source"]
    if source and source[0] in "/.~" and not Path(source).expanduser().is_dir():
        raise ValueError(
            f"{task}: source={source!r} is neither a folder nor the name of a Hub dataset: there "
            "is no such folder"
        )
    return options


def rows(
    task: str,
    languages: Sequence[str],
    split: str,
    indexes: Iterable[int] | None,
    options: Options,
) -> Iterator[dict[str, object]]:
    """The shared columns: number in the rule first, then rule (``level``).

    Raises:
        ValueError: data that cannot be loaded.
    """
    for row in _rows(task, split, indexes, options):
        yield from (_graded_by(options["mode"], row) for _ in languages)


def _rows(task: str, split: str, indexes: Iterable[int] | None, options: Options) -> Iterator[Row]:
    if task != fresh.TASK:
        if indexes is None or 0 in indexes:
            yield from released.rows(task, load(options["source"], options["revision"]), options)
        return
    texts = load(options["source"], options["revision"]) if options["source"] else None
    for index in range(options["per_rule"]) if indexes is None else indexes:
        for rule_id in CIPHERS:
            instance = fresh.generate(
                task,
                seed=options["seed"],
                index=index,
                split=split,
                rule_id=rule_id,
                shots=options["shots"],
            )
            yield _fresh_row(instance, released.LANGUAGE, texts)


@cache
def _texts_digest() -> str:
    texts = "\0".join(cipher.text() for cipher in CIPHERS.values())
    return hashlib.sha256(texts.encode("utf-8")).hexdigest()[:12]


def _fresh_row(
    instance: FreshInstance, language: str, data: Data | None = None
) -> dict[str, object]:
    """The shared columns of a generated instance; with ``data``, under its text of the rule."""
    origin = instance.origin or Origin(split="test", seed=0, index=0)
    # What pins the questions: the draw version, and a digest or revision of the rule texts.
    texts = _texts_digest() if data is None else data.revision
    revision = f"fresh-{fresh.DRAW_VERSION}-{texts}"
    reference = {
        "family": "korbench", "task": fresh.TASK, "language": language,
        "instance_id": str(instance.instance_id),
        "category": "cipher", "rule_id": instance.rule_id, "idx": str(origin.index),
        "answer": fresh.answer(instance), "direction": instance.category, "text": instance.text,
        "parameters": dict(instance.parameters), "complexity": instance.complexity,
        "seed": origin.seed, "index": origin.index, "split": origin.split,
        "shots": len(instance.examples), "revision": revision,
        "rule_text": "own" if data is None else "released",
        "prompt": prompts.VERSION,
    }  # fmt: skip
    rule_text = None if data is None else data.rule("cipher", instance.rule_id)
    released = "" if data is None else "-released"
    shots = f"-{len(instance.examples)}shot" if instance.examples else ""
    text = fresh.render(instance, rule_text)
    return row_of(reference, text, ending=f"{released}{shots}", level=int(instance.rule_id))


def _graded_by(mode: str, row: Row) -> Row:
    """The row with another mode than the usual one in its reference."""
    if mode == MODES[0]:
        return row
    reference = json.loads(row["reference"]) | {"mode": mode}
    return {**row, "reference": json.dumps(reference, ensure_ascii=False)}


def render(
    instance: FreshInstance, language: str, text: str = "paper", condition: str = PLAIN
) -> str:
    """The prompt.

    Raises:
        ValueError: a language other than English or a text other than ``paper``.
    """
    if (language, text) != (released.LANGUAGE, "paper"):
        raise ValueError(
            f"{fresh.TASK} has no language {language!r} with the text {text!r}: allowed are "
            f"{released.LANGUAGE} and paper"
        )
    return fresh.render(instance)
