"""Questions: digests of ids, prompts, answers and references of every family.

Every task in every language, with its wordings, presets, splits, conditions and modes. A task that
takes its questions from a source is given the fixtures of the tests.
"""

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import xlgo_dataset as xd
from tests.polymath.fixture import FIXTURE

from .stored import Part, Values

_KOR = str(Path(__file__).parent.parent / "korbench" / "fixture")

Kind = tuple[str, Sequence[str], str, dict[str, Any]]
"""Questions of a task in some languages, what they are, and their options."""


def _xlgobench(quick: bool) -> Iterator[Kind]:
    """Each puzzle in its presets, splits, wordings and conditions."""
    family, two = xd.family("xlgobench"), ("en", "te")
    few: dict[str, Any] = {"levels": 4, "per_level": 2}
    for task in family.TASKS:
        own = family.languages(task)  # a puzzle may begin with two languages
        usual = [code for code in xd.LANGUAGES if code in own]
        lite = few | {"preset": "lite", "split": "train", "seed": 7}
        yield task, usual, "paper test 0", few | {"preset": "paper"}
        yield task, usual if quick else own, "lite train 7", lite
        if quick:
            continue
        smoke = few | {"preset": "smoke"}
        yield task, two, "smoke validation 1", smoke | {"split": "validation", "seed": 1}
        yield task, two, "quick test 0", {"preset": "quick"}
        yield task, usual, "revised", smoke | {"text": "revised"}
        for name in family.conditions(task):
            codes = ("en", "hi") if name == "length_matched" else usual
            options = {"preset": "smoke", "levels": 3, "per_level": 1, "conditions": name}
            yield task, codes, f"condition {name}", options


def _simple_reasoning(quick: bool) -> Iterator[Kind]:
    family = xd.family("simple_reasoning")
    for task in family.generated:
        for text, n in (("parallel", 1), ("paper", 2))[: 1 if quick else 2]:
            for language in family.languages(task):
                yield task, [language], text, {"text": text, "n": n, "seed": 3}


def _korbench(quick: bool) -> Iterator[Kind]:
    family = xd.family("korbench")
    for task in family.TASKS:
        if task == "kor_cipher_fresh":  # its source is the project's own
            yield task, ["en"], "own", {"per_rule": 2}
            continue
        for mode in ("default", "paper", "stored")[: 1 if quick else 3]:
            yield task, ["en"], mode, {"source": _KOR, "mode": mode}
        if not quick and "shots" in {option.name for option in family.task_options(task)}:
            for shots in (0, 3):
                yield task, ["en"], f"{shots} shots", {"source": _KOR, "shots": shots}


def _polymath(quick: bool) -> Iterator[Kind]:
    family = xd.family("polymath")
    (control,) = (one for one in family.task_options("polymath") if one.name == "control")
    for language in family.languages("polymath")[: 4 if quick else None]:
        for name in (None, *control.allowed)[: 1 if quick else None]:
            options = {"polymath_path": str(FIXTURE), **({"control": name} if name else {})}
            yield "polymath", [language], f"control {name}" if name else "plain", options


def _lit(quick: bool) -> Iterator[Kind]:
    """The first prompt of each chain."""
    texts = ("The river is quiet in the morning.", "Nobody saw 3 red lanterns in Oslo.")
    kinds = [{"subcategory": "stem"}, {"subcategory": "polysemy", "split": "robustness"}]
    rows = [
        {"text_id": f"t{n}{kind['subcategory']}", "text": text, **kind}
        for n, text in enumerate(texts)
        for kind in kinds
    ]
    with tempfile.TemporaryDirectory() as name:
        source = Path(name) / "texts.jsonl"
        source.write_text("".join(json.dumps(row) + "\n" for row in rows))
        for task in xd.family("lit").TASKS:
            chain = {"chain": "en,te,zh,en"} if task == "lit_custom" else {}
            yield task, ["en"], "plain", {"source": str(source), **chain}


def _digests(name: str, kinds: Callable[[bool], Iterator[Kind]], one_in: int) -> Values:
    """By task, language and what they are; a word where the family refuses the options."""
    family = xd.family(name)
    values: Values = {"DATA_VERSION": family.DATA_VERSION}
    for task, languages, kind, options in kinds(one_in > 1):
        digests = {language: hashlib.sha256() for language in languages}
        try:
            for row in family.rows(task, languages, **options):
                for column in ("id", "prompt", "answer", "reference"):
                    digests[row["language"]].update(str(row[column]).encode() + b"\0")
        except ValueError:
            values[f"{task}/{kind}"] = "refused"
            continue
        for language, digest in digests.items():
            values[f"{task}/{language}/{kind}"] = digest.hexdigest()[:16]
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
    return [Part("questions", name, partial(_digests, name, kinds)) for name, kinds in made.items()]
