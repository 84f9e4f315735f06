"""Verdicts: of every stored response its status in each reading, and digests of text and answer.

A value is one line of words: the language, a digest of the response, and for each reading the
status, ``*`` behind it where the response is strict, ``~`` where it is not in the asked form, and a
digest of the answer behind a colon where there is one.
"""

import json
from functools import partial

from xlgo_metric import Grade

from .corpora import CORPORA, REAL, VARIABLE, Corpus
from .stored import Part, Values, digest

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
