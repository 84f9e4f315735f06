"""Answers in many styles and languages, labelled by what the prompt asks for alone.

A style says what a fair judge accepts, which follows from the prompt: a form that the prompt asks
for is an answer, a sentence is one where a family reads sentences, what is withdrawn or supposed is
none. Three corpora were written and frozen before the reader had tables of languages:

* ``styles.json``: 18 styles in twelve languages (``own_cases``);
* ``attack/*.txt``: a style a line with both labels, where sentences are read and where the form
  alone counts (``attack_cases``);
* ``phrases.json.xz``: 142 styles in forty languages, two texts each (``phrase_cases``), by somebody
  who had seen neither the tables nor the reader.
"""

import json
import lzma
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
STYLES: dict[str, dict[str, str]] = json.loads((HERE / "styles.json").read_text("utf-8"))
PHRASES = json.loads(lzma.decompress((HERE / "phrases.json.xz").read_bytes()))


class Kind(NamedTuple):
    """How a task is answered: its reference, two values, their form, and which phrases it has."""

    reference: dict[str, Any]
    right: str
    wrong: str
    form: Callable[[str], str]
    phrases: str = "json"
    topics: tuple[str, ...] = ()


class Case(NamedTuple):
    """A response, the reference it is graded against, and the statuses that a judge accepts."""

    style: str
    language: str
    kind: str
    text: str
    reference: dict[str, Any]
    accepted: set[str]


def _boxed(value: str) -> str:
    return f"$\\boxed{{{value}}}$"


def _easy(task: str, **answer: Any) -> dict[str, Any]:
    return {"family": "easy", "task": task, "answer": answer}


def _object(key: str, is_list: bool, value: str) -> str:
    listed = [int(v) if v.lstrip("-").isdigit() else v for v in value.split(", ")]
    return json.dumps({key: listed if is_list else value})


def _puzzle(task: str, key: str, right: Any, wrong: Any, *topics: str) -> Kind:
    form = partial(_object, key, isinstance(right, list))
    first, second = (", ".join(map(str, v)) if isinstance(v, list) else v for v in (right, wrong))
    return Kind({"task": task, "answer": {key: right}}, first, second, form, topics=topics)


ROOMS = ["A1234", "B2345", "C3456", "D4567", "E5678", "F6789", "G7891", "H8912"]
PATH, OTHER = ["H4657", "U2824", "V9935"], ["H4657", "K1111", "V9935"]
_BY_TRAIN = {"train": 5}
TRAVEL: dict[str, Any] = {
    "edges": [["Akron", "Boise", _BY_TRAIN], ["Boise", "Akron", _BY_TRAIN]],
    "start": "Akron", "end": "Boise", "budget": 9, "visit": 2,
}  # fmt: skip
TRIPS = ("[('Akron', 'Boise', 'train')]", "[('Boise', 'Akron', 'train')]")
POLYMATH = {"family": "polymath", "task": "polymath", "answer": "20"}
KOR = {
    "family": "korbench", "task": "kor_operation", "category": "operation", "rule_id": "1",
    "idx": "1", "answer": "[[20]]",
}  # fmt: skip
_tagged, _marked, _bare = "<answer>{}</answer>".format, "#{}#".format, "{}".format
KINDS = {
    "proof_tree": Kind(_easy("proof_tree", number=20), "20", "28", _boxed, "boxed", ("carrots",)),
    # A box is asked for and sentences are not read, as with an object.
    "polymath": Kind(POLYMATH, "20", "28", _boxed),
    "logic_eval": Kind(_easy("logic_eval", choice="B"), "B", "D", _tagged, "letter"),
    "char_count": Kind(_easy("char_count", counts=[20]), "20", "28", _marked, "mark"),
    "dsa": _puzzle("dsa", "state", "V9935", "B1111", "room"),
    "graph_sp": _puzzle("graph_sp", "path", PATH, OTHER, "path"),
    "t_rank": _puzzle("t_rank", "ranking", PATH, OTHER),
    "prdsa": _puzzle("prdsa", "states", ROOMS, ["K1111", *ROOMS[1:]]),
    "slt": _puzzle("slt", "chain", [3, -2, 7], [3, 5, 7]),
    "irrelevant": Kind(_easy("irrelevant", number=20), "20", "28", _boxed, "boxed", ("carrots",)),
    "logic_negation": Kind(_easy("logic_negation", choice="B"), "B", "D", _tagged, "letter"),
    "word_count": Kind(
        _easy("word_count", counts=[20, 3]), "20, 3", "28, 3", "[{}]".format, "form"
    ),
    "korbench": Kind(KOR, "20", "28", "[[{}]]".format, "brackets"),
    "travel": Kind(_easy("travel") | TRAVEL, *TRIPS, _bare, "form"),
    "unpuzzles": Kind(
        _easy("unpuzzles", text="20") | {"domain": "integer"}, "20", "28", _boxed, "boxed"
    ),
}
PROSE = ("proof_tree", "irrelevant", "logic_eval", "char_count")
"""Tasks whose sentences are read, of those of the first two corpora."""

RIGHT, NONE, BAD = {"correct"}, {"no_answer", "bad_format"}, {"bad_format"}
# What a judge accepts of each style: where sentences are read, and where the form alone counts.
EXPECTED: dict[str, tuple[set[str], set[str]]] = {
    "stated": (RIGHT, BAD),
    "reversed": (RIGHT, BAD),
    "form": (RIGHT, RIGHT),
    "because": (RIGHT, RIGHT),
    "checked": (RIGHT, RIGHT),
    "rejected": (NONE, NONE),
    "replaced": ({"wrong"}, {"bad_format", "wrong"}),
    "mended": (RIGHT, RIGHT),
    "either": (BAD, {"bad_format", "wrong"}),
    "not_but": (RIGHT, RIGHT),
    "not_but_prose": (RIGHT, BAD),
    "instead": (RIGHT, RIGHT),
    "supposed": (RIGHT, RIGHT),
    "supposed_alone": (NONE, NONE),
    "declined": ({"no_answer"}, {"no_answer"}),
    "confirmed": (RIGHT, RIGHT),
    "given_up": (NONE, NONE),
    "asked": (RIGHT, RIGHT),
}
OWN_KINDS = {
    "dsa": _puzzle("dsa", "state", "E2679", "B1111"),
    "proof_tree": KINDS["proof_tree"]._replace(wrong="8"),
    "logic_eval": KINDS["logic_eval"],
    "polymath": KINDS["polymath"]._replace(wrong="8"),
}


def _written(text: str, places: Mapping[str, str]) -> str:
    for mark, value in places.items():
        text = text.replace(mark, value)
    return text


def _places(kind: Kind) -> dict[str, str]:
    return {
        "{f}": kind.form(kind.right),
        "{g}": kind.form(kind.wrong),
        "{v}": kind.right,
        "{w}": kind.wrong,
    }


def own_cases() -> Iterator[Case]:
    """Every style in every language for every kind of task."""
    for language, styles in STYLES.items():
        for name, kind in OWN_KINDS.items():
            for style, text in styles.items():
                accepted = EXPECTED[style][0 if name in PROSE else 1]
                reference = kind.reference | {"language": language}
                yield Case(
                    style, language, name, _written(text, _places(kind)), reference, accepted
                )


LABELS = {"C": RIGHT, "W": {"wrong"}, "B": BAD, "N": {"no_answer"}, "X": {"wrong", *NONE}}
ATTACKED = (
    "proof_tree", "irrelevant", "logic_eval", "char_count", "polymath", "korbench", "dsa", "slt",
    "prdsa", "graph_sp", "t_rank",
)  # fmt: skip
ATTACK_KINDS = {name: KINDS[name] for name in ATTACKED} | {
    "irrelevant": KINDS["irrelevant"]._replace(wrong="8"),
    "t_rank": KINDS["t_rank"]._replace(wrong="U2824, H4657, V9935"),
}


def attack_cases(language: str) -> Iterator[Case]:
    """Every style of a language for every task."""
    path = HERE / "attack" / f"{'english' if language == 'en' else language}.txt"
    lines = [line for line in path.read_text("utf-8").splitlines() if line and line[0] != "#"]
    for name, kind in ATTACK_KINDS.items():
        for style, prose, form, written in (line.split("|", 3) for line in lines):
            text = written if style == "refuse_na" else written.replace("/", "\n")
            accepted = LABELS[prose if name in PROSE else form]
            reference = kind.reference | {"language": language}
            yield Case(style, language, name, _written(text, _places(kind)), reference, accepted)


IN_FULL = ("proof_tree", "dsa")
"""Of these every style is read in every language, by default one text of it by one of them."""
NOT_AUDITED = set(PHRASES["languages"][23:])
# Of the audited languages, the part in which a style is read for a task by default, and of how
# many parts: tasks that are read alike take different ones, and the next style goes on by one.
SHARES = {
    "polymath": (0, 6), "irrelevant": (1, 6), "unpuzzles": (2, 6),
    "graph_sp": (0, 8), "t_rank": (2, 8), "prdsa": (4, 8), "slt": (6, 8),
    "logic_eval": (0, 4), "logic_negation": (2, 4), "word_count": (0, 4), "travel": (2, 4),
    "char_count": (0, 3), "korbench": (1, 3),
}  # fmt: skip
ALIKE = {"letter": "boxed", "mark": "boxed", "form": "brackets"}
"""Tasks of which the labels of another kind hold."""


def phrase_cases(task: str, whole: bool) -> Iterator[tuple[str, int, str, str]]:
    """Style, variant, language and text of every style that a task has; or a share of them."""
    kind = KINDS[task]
    alike = ALIKE.get(kind.phrases, kind.phrases)
    for turn, style in enumerate(PHRASES["styles"]):
        if alike not in style["expected"] or style["topic"] not in ("neutral", *kind.topics):
            continue
        cells = {code: texts for code, texts in style["cells"].items() if isinstance(texts, list)}
        own = "".join(text for texts in cells.values() for text in texts)
        if kind.phrases != alike and any(m in own for m in ("boxed", "<", "#", '"', "_native")):
            continue  # a form of boxes
        for place, (code, texts) in enumerate(cells.items()):
            if kind.phrases == "form" and ("{box_" not in texts[0] or " 8 " in texts[0]):
                continue  # a sentence or a sum of these tasks' answers says nothing
            if task not in IN_FULL:
                part, parts = SHARES[task]
                in_share = code not in NOT_AUDITED and (place + turn) % parts == part
                if not (whole or in_share or code == "en"):
                    continue
                numbers: tuple[int, ...] = (0,)  # one of the two texts is enough
            else:
                number = (place + turn - IN_FULL.index(task)) % 4  # of two texts and two tasks
                numbers = (0, 1) if whole else (number // 2,) if number % 2 == 0 else ()
            digits = PHRASES["digits"].get(code) or "0123456789"
            native = kind.right.translate({48 + n: mark for n, mark in enumerate(digits)})
            places = {
                "{box_a_native}": kind.form(native),
                "{a_native}": native,
                "{box_a}": kind.form(kind.right),
                "{box_b}": kind.form(kind.wrong),
                "{a}": kind.right,
                "{b}": kind.wrong,
            }
            yield from ((style["id"], n, code, _written(texts[n], places)) for n in numbers)
