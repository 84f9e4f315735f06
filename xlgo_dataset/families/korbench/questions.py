"""The tasks of KOR-Bench: their options, their rows, and the questions that are generated."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...core.instance import SPLITS
from ...sources import is_folder
from . import fresh, released
from .ciphers import CIPHERS
from .fresh import FreshInstance
from .loading import CATEGORIES, HUB_NAME, load
from .released import CATEGORY_TASKS, CORRECTION

NAME = released.NAME
GENERATED: tuple[str, ...] = (fresh.TASK,)
LOADED: tuple[str, ...] = released.TASKS
DATA_VERSION = 1
TASKS: tuple[str, ...] = (*LOADED, *GENERATED)

MAX_ROUNDS = 20
ROUNDS = 5
"""Rounds of self-correction, the first answer included, as in the paper."""
MODES: tuple[str, ...] = ("default", "paper", "stored")
"""By which rules answers are graded; a reference without one is graded by the first."""


def languages(task: str) -> tuple[str, ...]:
    """The languages of a task: English.

    Raises:
        ValueError: an unknown task.
    """
    _check_task(task)
    return (released.LANGUAGE,)


def _check_task(task: str) -> None:
    if task not in TASKS:
        raise ValueError(f"unknown task {task!r}: allowed are {', '.join(TASKS)}")


def _defaults(task: str) -> dict[str, Any]:
    if task == fresh.TASK:
        own = {"seed": 0, "per_rule": fresh.PER_RULE, "length": None, "shots": 0}
        return {**own, "source": None, "revision": None, "mode": MODES[0]}
    found: dict[str, Any] = {"source": HUB_NAME, "revision": None, "mode": MODES[0]}
    if task in CATEGORY_TASKS:
        found |= {"shots": 0, "rules": True}
    if task == CORRECTION:
        found |= {"categories": ",".join(CATEGORIES), "rounds": ROUNDS, "needle": False}
    return found


def options(task: str, **given: Any) -> dict[str, Any]:
    """The options of ``rows``, checked and complete.

    All tasks have ``mode``, the rules of grading: ``default``, ``paper`` or ``stored``. Loaded
    tasks have ``source`` (a folder in the published layout, or the name of a Hub data set) and
    ``revision`` (of the Hub, or the digest that a folder must have; ``None`` takes what is there).
    The five category tasks have ``shots`` (0 or 3) and ``rules`` (``False`` leaves the rule out of
    the prompt, so that only knowledge or the examples can help); ``kor_self_correction`` has
    ``categories`` (names joined by commas, or a list), ``rounds`` (1 to 20) and ``needle``.
    ``kor_cipher_fresh`` has ``seed``, ``per_rule``, ``length`` (of all plaintexts; ``None`` for
    the schedule of the released questions) and ``shots``; a ``source`` puts its rule texts in the
    place of this project's own, so that fresh and released questions stand under the same words.

    Raises:
        ValueError: an unknown option or a value that is not allowed.
    """
    _check_task(task)
    chosen = _defaults(task)
    for name in given:
        if name not in chosen:
            raise ValueError(f"{task}: unknown option {name!r}: allowed are {', '.join(chosen)}")
    chosen |= {name: value for name, value in given.items() if value is not None}
    for name, value in chosen.items():
        _CHECKS[name](task, name, value)
    if "categories" in chosen:
        chosen["categories"] = _categories(task, chosen["categories"])
    return chosen


def _integer(least: int, most: int | None = None) -> Callable[[str, str, Any], None]:
    def check(task: str, name: str, value: Any) -> None:
        whole = isinstance(value, int) and not isinstance(value, bool)
        if not whole or value < least or (most is not None and value > most):
            allowed = f"from {least}" if most is None else f"from {least} to {most}"
            raise ValueError(f"{task}: {name}={value!r} must be an integer {allowed}")

    return check


def _text(task: str, name: str, value: Any) -> None:
    if value is not None and (not isinstance(value, str) or not value):
        raise ValueError(f"{task}: {name}={value!r} must be a text")


def _source(task: str, name: str, value: Any) -> None:
    _text(task, name, value)
    if value and value[0] in "/.~" and not is_folder(value):
        raise ValueError(
            f"{task}: {name}={value!r} is neither a folder nor the name of a Hub data set: there "
            "is no such folder"
        )


def _shots(task: str, name: str, value: Any) -> None:
    if isinstance(value, bool) or value not in fresh.SHOTS:
        raise ValueError(f"{task}: {name}={value!r} must be 0 or 3")


def _mode(task: str, name: str, value: Any) -> None:
    if value not in MODES:
        raise ValueError(f"{task}: {name}={value!r} must be one of {', '.join(MODES)}")


def _flag(task: str, name: str, value: Any) -> None:
    if not isinstance(value, bool):
        raise ValueError(f"{task}: {name}={value!r} must be True or False")


def _length(task: str, name: str, value: Any) -> None:
    if value is not None:
        fresh.check_length(value)


def _names(task: str, name: str, value: Any) -> None:
    _categories(task, value)


def _categories(task: str, value: Any) -> str:
    if not isinstance(value, (str, list, tuple)):
        raise ValueError(f"{task}: categories={value!r} must be names joined by commas, or a list")
    names = value.split(",") if isinstance(value, str) else list(value)
    for name in names:
        if name not in CATEGORIES:
            raise ValueError(
                f"{task}: unknown category {name!r}: allowed are {', '.join(CATEGORIES)}"
            )
    if not names:
        raise ValueError(f"{task}: categories has no value: allowed are {', '.join(CATEGORIES)}")
    return ",".join(name for name in CATEGORIES if name in names)


_CHECKS: Mapping[str, Callable[[str, str, Any], None]] = {
    "source": _source, "revision": _text, "shots": _shots, "categories": _names,
    "rounds": _integer(1, MAX_ROUNDS), "needle": _flag, "rules": _flag, "seed": _integer(0),
    "per_rule": _integer(1), "length": _length, "mode": _mode,
}  # fmt: skip


def rows(
    task: str,
    languages: Sequence[str],
    *,
    split: str = released.SPLIT,
    indexes: Iterable[int] | None = None,
    **given: Any,
) -> Iterator[dict[str, Any]]:
    """The shared columns: number in the rule first, then rule (``level``).

    Args:
        task: one of ``TASKS``.
        languages: ``["en"]``, the only language.
        split: ``test``; generated questions also have ``validation`` and ``train``.
        indexes: which of ``range(shards(task, ...))``; all of them by default.
        given: see ``options``.

    Raises:
        ValueError: as ``options`` does; an unknown language or split; data that cannot be loaded.
    """
    chosen = options(task, **given)
    for language in languages:
        _check_language(task, language)
    allowed = SPLITS if task in GENERATED else (released.SPLIT,)
    if split not in allowed:
        raise ValueError(f"{task} has no split {split!r}: allowed are {', '.join(allowed)}")
    for row in _rows(task, split, indexes, chosen):
        yield from (_graded_by(chosen["mode"], row) for _ in languages)


def _rows(
    task: str, split: str, indexes: Iterable[int] | None, chosen: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    if task in LOADED:
        if indexes is None or 0 in indexes:
            yield from released.rows(task, load(chosen["source"], chosen["revision"]), chosen)
        return
    texts = load(chosen["source"], chosen["revision"]) if chosen["source"] else None
    for index in range(chosen["per_rule"]) if indexes is None else indexes:
        for rule_id in CIPHERS:
            instance = fresh.generate(
                seed=chosen["seed"], index=index, split=split, rule_id=rule_id,
                length=chosen["length"], shots=chosen["shots"],
            )  # fmt: skip
            yield fresh.row(instance, released.LANGUAGE, texts)


def _graded_by(mode: str, row: dict[str, Any]) -> dict[str, Any]:
    """The row with another mode than the usual one in its reference."""
    if mode == MODES[0]:
        return row
    reference = json.loads(row["reference"]) | {"mode": mode}
    return {**row, "reference": json.dumps(reference, ensure_ascii=False)}


def shards(task: str, **given: Any) -> int:
    """Into how many parts the rows can be cut: fresh ones by their number in the rule."""
    return int(options(task, **given).get("per_rule", 1))


def files(task: str, **given: Any) -> tuple[Path, ...]:
    """The folder of the user that the rows depend on, if there is one."""
    source = options(task, **given)["source"]
    return (Path(source).expanduser(),) if source and is_folder(source) else ()


def _check_language(task: str, language: str) -> None:
    if language != released.LANGUAGE:
        raise ValueError(f"{task} has no language {language!r}: allowed is {released.LANGUAGE}")


def generate(
    task: str, *, seed: int = 0, index: int = 0, split: str = "test", **params: Any
) -> FreshInstance:
    """One question of ``kor_cipher_fresh``; the same arguments always give the same one.

    Args:
        task: ``kor_cipher_fresh``.
        seed, index, split: see ``fresh.generate``.
        params: ``rule_id`` ("1" to "25"), ``length`` or ``complexity`` (letters of the plaintext,
            which is the same), ``shots`` (0 or 3).

    Raises:
        ValueError: a loaded task, an unknown parameter or a value that is not allowed.
    """
    _check_generated(task)
    allowed = ("rule_id", "length", "complexity", "shots")
    for name in params:
        if name not in allowed:
            raise ValueError(
                f"{task}: unknown parameter {name!r}: allowed are {', '.join(allowed)}"
            )
    if "complexity" in params:
        if "length" in params:
            raise ValueError(f"{task}: give length or complexity, which are the same, not both")
        params["length"] = params.pop("complexity")
    return fresh.generate(seed=seed, index=index, split=split, **params)


def _check_generated(task: str) -> None:
    _check_task(task)
    if task not in GENERATED:
        raise ValueError(f"{task} is loaded, not generated: use rows({task!r}, ...)")


def solve(instance: FreshInstance) -> dict[str, Any]:
    """``{"text": ...}``: the text encrypted or decrypted."""
    return fresh.solve(instance)


def render(instance: FreshInstance, language: str, text: str = "paper") -> str:
    """The prompt.

    Raises:
        ValueError: a language other than English or a text other than ``paper``.
    """
    _check_language(fresh.TASK, language)
    _check_text(text)
    return fresh.render(instance)


def _check_text(text: str) -> None:
    if text != "paper":
        raise ValueError(f"unknown text {text!r}: the tasks of {NAME} have one, 'paper'")


def read(task: str, prompt: str, language: str, text: str = "paper") -> FreshInstance:
    """The instance that a prompt describes, from its text alone.

    Raises:
        ValueError: the text is not a prompt of this task.
    """
    _check_generated(task)
    _check_language(task, language)
    _check_text(text)
    return fresh.read(prompt)


def instance_from_json(task: str, data: Mapping[str, Any]) -> FreshInstance:
    """The instance of a JSON form; entries that are not known are ignored.

    Raises:
        ValueError: an entry is missing or wrong.
    """
    _check_generated(task)
    return fresh.instance_from_json(data)
