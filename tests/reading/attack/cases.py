"""Answers in many styles for every task whose answers are read, labelled from the prompt alone.

``english.txt`` and the files of the other languages hold one style a line: its name, what a judge
says of it where sentences are read and where the form alone counts, and its text. They were written
before the reader was changed to read them.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.reading.own_corpus import Case

HERE = Path(__file__).parent
ACCEPTED = {
    "C": {"correct"},
    "W": {"wrong"},
    "B": {"bad_format"},
    "N": {"no_answer"},
    "X": {"wrong", "bad_format", "no_answer"},
}


class Kind(NamedTuple):
    """How a task is answered: its reference, a right and a wrong value, the form, and prose."""

    reference: dict[str, Any]
    right: str
    wrong: str
    form: Callable[[str], str]
    prose: bool


def _boxed(value: str) -> str:
    return f"$\\boxed{{{value}}}$"


def _easy(task: str, **answer: Any) -> dict[str, Any]:
    return {"family": "easy", "task": task, "answer": answer}


def _puzzle(task: str, key: str, right: Any, wrong: Any) -> Kind:
    def form(value: str) -> str:
        given: Any = value
        if isinstance(right, list):
            given = [int(v) if v.lstrip("-").isdigit() else v for v in value.split(", ")]
        return json.dumps({key: given})

    first, second = (", ".join(map(str, v)) if isinstance(v, list) else v for v in (right, wrong))
    return Kind({"task": task, "answer": {key: right}}, first, second, form, False)


ROOMS = ["A1234", "B2345", "C3456", "D4567", "E5678", "F6789", "G7891", "H8912"]
PEOPLE = ["H4657", "U2824", "V9935"]
KINDS = {
    "proof_tree": Kind(_easy("proof_tree", number=20), "20", "28", _boxed, True),
    "irrelevant": Kind(_easy("irrelevant", number=20), "20", "8", _boxed, True),
    "logic_eval": Kind(
        _easy("logic_eval", choice="B"), "B", "D", "<answer>{}</answer>".format, True
    ),
    "char_count": Kind(_easy("char_count", counts=[20]), "20", "28", "#{}#".format, True),
    "polymath": Kind(
        {"family": "polymath", "task": "polymath", "answer": "20"}, "20", "28", _boxed, False
    ),
    "korbench": Kind(
        {
            "family": "korbench",
            "task": "korbench",
            "category": "operation",
            "rule_id": "1",
            "idx": "1",
            "answer": "[[20]]",
        },
        "20",
        "28",
        "[[{}]]".format,
        False,
    ),
    "dsa": _puzzle("dsa", "state", "V9935", "B1111"),
    "slt": _puzzle("slt", "chain", [3, -2, 7], [3, 5, 7]),
    "prdsa": _puzzle("prdsa", "states", ROOMS, ["K1111", *ROOMS[1:]]),
    "graph_sp": _puzzle("graph_sp", "path", PEOPLE, ["H4657", "K1111", "V9935"]),
    "t_rank": _puzzle("t_rank", "ranking", PEOPLE, ["U2824", "H4657", "V9935"]),
}


def styles(language: str) -> Iterator[tuple[str, str, str, str]]:
    """Name, both labels and text of every style of a language."""
    name = "english" if language == "en" else language
    for line in HERE.joinpath(f"{name}.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            style, prose, form, text = line.split("|", 3)
            yield style, prose, form, text


def cases(language: str, kinds: tuple[str, ...] = ()) -> Iterator[Case]:
    """Every style of a language for every task."""
    for name, kind in KINDS.items():
        if kinds and name not in kinds:
            continue
        places = {
            "{f}": kind.form(kind.right),
            "{g}": kind.form(kind.wrong),
            "{v}": kind.right,
            "{w}": kind.wrong,
        }
        for style, prose, form, written in styles(language):
            text = "\n".join(written.split("/")) if style != "refuse_na" else written
            for mark, value in places.items():
                text = text.replace(mark, value)
            accepted = ACCEPTED[prose if kind.prose else form]
            yield Case(
                style, language, name, text, kind.reference | {"language": language}, accepted
            )
