"""Every corpus of stored responses, as items that the graders take.

``CORPORA`` is the whole list: what a change of the reader has to be held against. Those of the
tests come with the repository. Those of other teams' published answers lie in a folder that the
environment variable ``XLGO_REAL_DATA`` names; of them only ids and digests are stored here.
"""

import csv
import json
import lzma
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from tests.korbench import test_kor_grading
from tests.metric.grading.grading_cases import GOLDEN, REFERENCES
from tests.metric.transcripts.labelled_puzzles import puzzle_transcripts
from tests.reading.corpora import KINDS, attack_cases, own_cases, phrase_cases
from tests.simple_reasoning.transcripts import simple_transcripts
from xlgo_metric import Grade, grade, grade_math

from .stored import Part, Values, digest

TESTS = Path(__file__).parent.parent
VARIABLE = "XLGO_REAL_DATA"
_REAL = os.environ.get(VARIABLE, "")
REAL = Path(_REAL) if _REAL else None


class Item(NamedTuple):
    """A response.

    Attributes:
        id: unique within the corpus.
        language: of the question.
        text: the response.
        reference: what it is graded against.
    """

    id: str
    language: str
    text: str
    reference: dict[str, Any]


Reading = Callable[[str, dict[str, Any]], Grade]


@dataclass(frozen=True)
class Corpus:
    """Stored responses.

    Attributes:
        name: of the part that is frozen.
        items: yields the responses, in an order that does not change.
        readings: every way in which a response is graded, by its name.
        real: whether the responses lie in the folder of ``VARIABLE``.
    """

    name: str
    items: Callable[[], Iterable[Item]]
    readings: Mapping[str, Reading]
    real: bool = False

    def chosen(self, one_in: int) -> Iterable[Item]:
        """One in so many responses, always the same ones."""
        return islice(self.items(), 0, None, one_in)


def _in_mode(mode: str) -> Reading:
    return lambda text, reference: grade(text, reference | {"mode": mode})


def _math(mode: str) -> Reading:
    return lambda text, reference: grade_math(
        text, reference["answer"], mode, language=reference["language"]
    )


def _number(text: str, reference: dict[str, Any]) -> Grade:
    """As the tasks with a number read it."""
    answer = {"number": int(reference["answer"])}
    return grade(text, reference | {"family": "easy", "task": "irrelevant", "answer": answer})


DEFAULT: Mapping[str, Reading] = {"default": grade}
MATH: Mapping[str, Reading] = {"default": _math("default"), "paper": _math("paper")}
KOR: Mapping[str, Reading] = {mode: _in_mode(mode) for mode in ("default", "paper", "stored")}


def _numbered(items: Iterable[tuple[str, str, str, dict[str, Any]]]) -> Iterator[Item]:
    """Items with the place in the corpus behind the name of their group."""
    for place, (group, language, text, reference) in enumerate(items):
        yield Item(f"{place} {group}", language, text, reference)


def _lines(path: Path) -> Iterator[Any]:
    opened = lzma.open if path.suffix == ".xz" else open
    with opened(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


# Of the tests


def _attacks() -> Iterator[Item]:
    references, *rows = _lines(TESTS / "metric" / "attack_transcripts.jsonl")
    return _numbered(
        (style, language, text, references[number] | {"language": language})
        for number, language, style, _, text in rows
    )


def _pairs() -> Iterator[Item]:
    with (TESTS / "polymath" / "pairs.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return _numbered(
        (kind, code, text, {"answer": gold, "language": code})
        for kind, code, gold, text, *_ in rows
    )


def _kor_regression() -> Iterator[Item]:
    names = test_kor_grading.NAMES
    kor = {"family": "korbench", "task": "korbench", "language": "en"}
    return _numbered(
        (
            f"{row.get('category', '')} {row['style']}",
            "en",
            row["response"],
            kor | {name: row[name] for name in names if name in row},
        )
        for row in test_kor_grading.ROWS
    )


# Of other teams


def _answers(name: str) -> Iterator[Any]:
    return _lines(REAL / "real_answers" / f"{name}.jsonl.xz")


def _kor() -> Iterator[Item]:
    needed = ("category", "rule_id", "idx", "answer")
    for row in _answers("kor"):
        reference = {"family": "korbench", "task": f"kor_{row['category']}", "language": "en"}
        reference |= {name: row[name] for name in needed}
        reference |= {k: row[k] for k in ("question", "real_life_answer") if row.get(k)}
        name = " ".join(row[k] for k in ("category", "rule_id", "idx", "setting", "model"))
        yield Item(name, "en", row["response"], reference)


def _global_mmlu() -> Iterator[Item]:
    """By the reader of options that the logic tasks have."""
    about = {"family": "easy", "task": "logic_eval"}
    return (
        Item(
            f"{row['language']} {row['sample_id']} {row['model']}",
            row["language"],
            row["response"],
            about | {"language": row["language"], "answer": {"choice": row["gold"]}},
        )
        for row in _answers("global_mmlu")
    )


def _maths() -> Iterator[Item]:
    return _numbered(
        (
            row["source"],
            row["language"],
            row["answer"] if "boxed" in row["answer"] else rf"\boxed{{{row['answer']}}}",
            {"answer": row["gold"], "language": row["language"]},
        )
        for row in _answers("maths")
    )


def _golds() -> Iterator[Item]:
    """PolyMath's golds against themselves, in a box."""
    for path in sorted((REAL / "polymath").glob("*/*.jsonl")):
        language = path.parent.name
        for row in _lines(path):
            reference = {"answer": row["answer"], "language": language}
            yield Item(row["id"], language, rf"\boxed{{{row['answer']}}}", reference)


CORPORA: tuple[Corpus, ...] = (
    Corpus(
        "puzzles",
        lambda: _numbered(
            (f"{one.task}, {one.style}", one.language, one.text, one.reference)
            for one in puzzle_transcripts()
        ),
        DEFAULT,
    ),
    Corpus(
        "simple_reasoning",
        lambda: _numbered(
            (one.style, str(one.reference.get("language", "en")), one.text, one.reference)
            for one in simple_transcripts()
        ),
        DEFAULT,
    ),
    Corpus("attacks", _attacks, DEFAULT),
    Corpus(
        "pretrained",
        lambda: _numbered(
            (f"{row['asked']} {row['id']}", row["language"], row["response"], row["reference"])
            for row in _lines(TESTS / "metric" / "transcripts" / "pretrained_transcripts.jsonl")
        ),
        DEFAULT,
    ),
    Corpus(
        "golden",
        lambda: (
            Item(
                f"{code} {case['task']}, {case['name']}",
                code,
                "\n".join(case["response"]),
                REFERENCES[case["task"]] | {"language": code},
            )
            for code, cases in GOLDEN.items()
            for case in cases
        ),
        DEFAULT,
    ),
    Corpus(
        "own_styles",
        lambda: (
            Item(f"{one.kind} {one.language} {one.style}", one.language, one.text, one.reference)
            for one in own_cases()
        ),
        DEFAULT,
    ),
    Corpus(
        "attack_styles",
        lambda: _numbered(
            (f"{case.kind}, {case.style}", case.language, case.text, case.reference)
            for code in ("en", "fr", "ms", "te", "tr")
            for case in attack_cases(code)
        ),
        DEFAULT,
    ),
    Corpus(
        "parity",
        lambda: (
            Item(f"{task} {code} {style} {n}", code, text, kind.reference | {"language": code})
            for task, kind in KINDS.items()
            for style, n, code, text in phrase_cases(task, whole=True)
        ),
        DEFAULT,
    ),
    Corpus("polymath_pairs", _pairs, MATH),
    Corpus("kor_regression", _kor_regression, KOR),
    Corpus("real_kor", _kor, KOR, real=True),
    Corpus(
        "real_mgsm",
        lambda: (
            Item(
                f"{row['language']} {row['doc_id']} {row['setting']} {row['model']}",
                row["language"],
                row["response"],
                {"answer": str(row["gold"]), "language": row["language"]},
            )
            for row in _answers("mgsm")
        ),
        {"default": _math("default"), "number": _number},
        real=True,
    ),
    Corpus("real_global_mmlu", _global_mmlu, DEFAULT, real=True),
    Corpus("real_maths", _maths, MATH, real=True),
    Corpus("polymath_golds", _golds, MATH, real=True),
)


# Verdicts: of every stored response its status in each reading, and digests of text and answer.
#
# A value is one line of words: the language, a digest of the response, and for each reading the
# status, ``*`` behind it where the response is strict, ``~`` where it is not in the form, and a
# digest of the answer behind a colon where there is one.


_LENGTH = 6
"""Hexadecimal digits of a digest: another text is missed once in 16 million."""


def verdict(grade: Grade) -> str:
    """A grade in one word."""
    status = grade.status + "!" * (grade.correct != (grade.status == "correct"))
    word = status + "*" * grade.strict + "~" * (not grade.in_form)
    if grade.answer is None:
        return word
    answer = json.dumps(grade.answer, ensure_ascii=False, sort_keys=True, default=str)
    return f"{word}:{digest(answer, _LENGTH)}"


def verdicts(corpus: Corpus, one_in: int) -> Values:
    """The verdicts of a corpus by id.

    Raises:
        ValueError: two responses of one id.
    """
    values: Values = {}
    for item in corpus.chosen(one_in):
        if item.id in values:
            raise ValueError(f"{corpus.name}: two responses have the id {item.id!r}")
        words = [item.language, digest(item.text, _LENGTH)]
        words += [verdict(read(item.text, item.reference)) for read in corpus.readings.values()]
        values[item.id] = " ".join(words)
    return values


def parts() -> list[Part]:
    """A part for each corpus."""
    lacking = "" if REAL else f"set {VARIABLE} to the folder of other teams' published answers"
    return [
        Part("verdicts", corpus.name, partial(verdicts, corpus), lacking if corpus.real else "")
        for corpus in CORPORA
    ]
