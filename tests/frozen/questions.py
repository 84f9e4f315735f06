"""Questions: digests of ids, prompts, answers and references of every family.

Every task in every language, with its wordings, presets, splits, conditions and modes. A task that
takes its questions from a source is given the fixtures of the tests.
"""

import hashlib
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import xlgo_dataset as xd
from tests.polymath.fixture import FIXTURE

from .stored import Part, Values

_TESTS = Path(__file__).parent.parent
_COLUMNS = ("id", "prompt", "answer", "reference")
_LENGTH = 16


def _rows(
    family: str, task: str, languages: Sequence[str], name: str, **options: Any
) -> Iterator[tuple[str, str]]:
    """A digest of the rows in each language, by task, language and what they are."""
    digests = {language: hashlib.sha256() for language in languages}
    for row in xd.family(family).rows(task, languages, **options):
        for column in _COLUMNS:
            digests[row["language"]].update(str(row[column]).encode() + b"\0")
    for language, digest in digests.items():
        yield f"{task}/{language}/{name}", digest.hexdigest()[:_LENGTH]


def _tried(
    family: str, task: str, languages: Sequence[str], name: str, options: Mapping[str, Any]
) -> Values:
    """Digests; a word where the family refuses the options."""
    try:
        return dict(_rows(family, task, languages, name, **options))
    except ValueError:
        return {f"{task}/{name}": "refused"}


def _xlgobench(quick: bool) -> Values:
    """Each puzzle in its presets, splits, wordings and conditions."""
    values: Values = {}
    family = xd.family("xlgobench")
    few: dict[str, Any] = {"levels": 4, "per_level": 2}
    for task in family.TASKS:
        kinds: list[tuple[str, Sequence[str], dict[str, Any]]] = [
            ("paper test 0", xd.LANGUAGES, few | {"preset": "paper"}),
            (
                "lite train 7",
                xd.LANGUAGES if quick else family.languages(task),
                few | {"preset": "lite", "split": "train", "seed": 7},
            ),
        ]
        if not quick:
            kinds += [
                (
                    "smoke validation 1",
                    ("en", "te"),
                    few | {"preset": "smoke", "split": "validation", "seed": 1},
                ),
                ("quick test 0", ("en", "te"), {"preset": "quick"}),
                ("revised", xd.LANGUAGES, few | {"preset": "smoke", "text": "revised"}),
            ]
            kinds += [
                (
                    f"condition {name}",
                    ("en", "hi") if name == "length_matched" else xd.LANGUAGES,
                    {"preset": "smoke", "levels": 3, "per_level": 1, "conditions": name},
                )
                for name in family.conditions(task)
            ]
        for name, codes, options in kinds:
            values |= _tried("xlgobench", task, codes, name, options)
    return values


def _simple_reasoning(quick: bool) -> Values:
    values: Values = {}
    family = xd.family("simple_reasoning")
    for task in family.TASKS:
        if task in ("unpuzzles", "released"):
            continue
        for text in ("paper", "parallel") if not quick else ("parallel",):
            for language in family.languages(task):
                options = {"text": text, "n": 1 if text == "parallel" else 2, "seed": 3}
                values |= _tried("simple_reasoning", task, [language], text, options)
    return values


def _korbench(quick: bool) -> Values:
    values: Values = {}
    source = str(_TESTS / "korbench" / "fixture")
    family = xd.family("korbench")
    for task in family.TASKS:
        if task == "kor_cipher_fresh":  # its source is the project's own
            values |= _tried("korbench", task, ["en"], "own", {"per_rule": 2})
            continue
        allowed = {option.name for option in family.task_options(task)}
        for mode in ("default", "paper", "stored")[: 1 if quick else 3]:
            values |= _tried("korbench", task, ["en"], mode, {"source": source, "mode": mode})
        for shots in ("0", "3") if "shots" in allowed and not quick else ():
            options = {"source": source, "shots": int(shots)}
            values |= _tried("korbench", task, ["en"], f"{shots} shots", options)
    return values


def _polymath(quick: bool) -> Values:
    source = str(FIXTURE)
    languages = xd.family("polymath").languages("polymath")
    values: Values = {}
    for language in languages[: 4 if quick else None]:
        values |= _tried("polymath", "polymath", [language], "plain", {"polymath_path": source})
        for control in _controls() if not quick else ():
            options = {"polymath_path": source, "control": control}
            values |= _tried("polymath", "polymath", [language], f"control {control}", options)
    return values


def _controls() -> tuple[str, ...]:
    options = xd.family("polymath").task_options("polymath")
    return next(tuple(one.allowed) for one in options if one.name == "control")


def _lit(quick: bool) -> Values:
    """The first prompt of each chain, with and without a way back after every language."""
    values: Values = {}
    texts = ("The river is quiet in the morning.", "Nobody saw 3 red lanterns in Oslo.")
    kinds = [{"subcategory": "stem"}, {"subcategory": "polysemy", "split": "robustness"}]
    with tempfile.TemporaryDirectory() as name:
        source = Path(name) / "texts.jsonl"
        rows = [
            {"text_id": f"t{n}{kind['subcategory']}", "text": text, **kind}
            for n, text in enumerate(texts)
            for kind in kinds
        ]
        source.write_text("".join(json.dumps(row) + "\n" for row in rows))
        for task in xd.family("lit").TASKS:
            options: dict[str, Any] = {"source": str(source)}
            if task == "lit_custom":
                options["chain"] = "en,te,zh,en"
            values |= _tried("lit", task, ["en"], "plain", options)
    return values


def parts() -> list[Part]:
    """A part for each family."""
    made = {
        "xlgobench": _xlgobench,
        "simple_reasoning": _simple_reasoning,
        "korbench": _korbench,
        "polymath": _polymath,
        "lit": _lit,
    }

    def computed(name: str, one_in: int) -> Values:
        return {"DATA_VERSION": xd.family(name).DATA_VERSION, **made[name](one_in > 1)}

    return [Part("questions", name, partial(computed, name)) for name in made]
