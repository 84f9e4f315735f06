"""Answers in 18 styles and twelve languages, labelled by what the prompt asks for alone.

``styles.json`` was written and frozen before the reader had tables of languages. A style says what
a fair judge accepts, which follows from the prompt: a form that the prompt asks for is an answer, a
sentence is one where a family reads sentences (``prose``), what is withdrawn or supposed is none.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

STYLES: dict[str, dict[str, str]] = json.loads(
    Path(__file__).with_name("styles.json").read_text("utf-8")
)
RIGHT = {"correct"}
NONE = {"no_answer", "bad_format"}
# What a judge accepts of each style: where sentences are read, and where the form alone counts.
EXPECTED: dict[str, tuple[set[str], set[str]]] = {
    "stated": (RIGHT, {"bad_format"}),
    "reversed": (RIGHT, {"bad_format"}),
    "form": (RIGHT, RIGHT),
    "because": (RIGHT, RIGHT),
    "checked": (RIGHT, RIGHT),
    "rejected": (NONE, NONE),
    "replaced": ({"wrong"}, {"bad_format", "wrong"}),
    "mended": (RIGHT, RIGHT),
    "either": ({"bad_format"}, {"bad_format", "wrong"}),
    "not_but": (RIGHT, RIGHT),
    "not_but_prose": (RIGHT, {"bad_format"}),
    "instead": (RIGHT, RIGHT),
    "supposed": (RIGHT, RIGHT),
    "supposed_alone": (NONE, NONE),
    "declined": ({"no_answer"}, {"no_answer"}),
    "confirmed": (RIGHT, RIGHT),
    "given_up": (NONE, NONE),
    "asked": (RIGHT, RIGHT),
}


class Kind(NamedTuple):
    """A task: how its form is written, its values, and whether its sentences are read."""

    reference: dict[str, Any]
    form: str
    right: str
    wrong: str
    prose: bool


KINDS = {
    "dsa": Kind(
        {"task": "dsa", "answer": {"state": "E2679"}},
        '{{"state": "{}"}}',
        "E2679",
        "B1111",
        False,
    ),
    "proof_tree": Kind(
        {"family": "easy", "task": "proof_tree", "answer": {"number": 20}},
        "$\\boxed{{{}}}$",
        "20",
        "8",
        True,
    ),
    "logic_eval": Kind(
        {"family": "easy", "task": "logic_eval", "answer": {"choice": "B"}},
        "<answer>{}</answer>",
        "B",
        "D",
        True,
    ),
    "polymath": Kind(
        {"family": "polymath", "task": "polymath", "answer": "20"},
        "$\\boxed{{{}}}$",
        "20",
        "8",
        False,
    ),
}


class Case(NamedTuple):
    """A response, the reference it is graded against, and the statuses that a judge accepts."""

    style: str
    language: str
    kind: str
    text: str
    reference: dict[str, Any]
    accepted: set[str]


def cases() -> Iterator[Case]:
    """Every style in every language for every kind of task."""
    for language, styles in STYLES.items():
        for name, kind in KINDS.items():
            right, wrong = kind.form.format(kind.right), kind.form.format(kind.wrong)
            places = {"f": right, "g": wrong, "v": kind.right, "w": kind.wrong}
            for style, text in styles.items():
                written = text
                for mark, value in places.items():
                    written = written.replace("{" + mark + "}", value)
                accepted = EXPECTED[style][0 if kind.prose else 1]
                reference = kind.reference | {"language": language}
                yield Case(style, language, name, written, reference, accepted)
