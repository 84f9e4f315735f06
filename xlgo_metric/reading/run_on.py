"""Where a response runs on into a question of its own, as base models do behind their answer.

Such a question begins a line with a word for it and a colon ("Question:", "प्रश्न:"), or with the
mark of a turn that is not the model's. What stands before it counts, if an answer stands there, or
words that say that there is none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, wraps
from typing import Any, Protocol, TypeVar

from xlgo_metric.reading.grammar import words_for
from xlgo_metric.reading.tables import plain, table

_LONGEST = 200_000  # characters of a response in which such questions are looked for
_QUESTIONS = 3
_TURN = (
    r"<\|im_start\|>\s?user|<\|user\|>|<\|start_header_id\|>\s?user|<start_of_turn>\s?user|\[INST\]"
)
# The beginning of a line that may head a question.
_LINE = re.compile(
    r"^(?=.{0,60}[:：፡]|\W{0,6}#|.{0,9}(?:<\||\[INST|<start_of)).{1,60}", re.MULTILINE
)


class _Graded(Protocol):
    @property
    def status(self) -> str: ...


G = TypeVar("G", bound=_Graded)
Grading = Callable[[Any, Mapping[str, Any]], G]


def question_starts(text: str, language: str | None, start: int = 0) -> Iterator[int]:
    """Where the lines of a text begin, from ``start`` on, that head a question.

    >>> list(question_starts("It is 20.\\nQuestion: What is 2 + 2?", "en"))
    [10]
    """
    heads = _heads(words_for(language, text).languages)
    for line in _LINE.finditer(text, start):
        if heads.match(plain(line[0])):
            yield line.start()


def ends_refusing(text: str, language: str | None) -> bool:
    """Whether the last line of a text says that there is no answer.

    >>> ends_refusing("I'm sorry, I do not know the answer.\\n\\n", "en")
    True
    """
    return words_for(language, text).declines(text.rstrip().rpartition("\n")[2])


@cache
def _heads(languages: tuple[str, ...]) -> re.Pattern[str]:
    words = "|".join(table(code).pattern("question") for code in languages)
    mark = r"(?:\s{0,2}\d{1,3})?[*_ \t]{0,4}(?::|\Z)"
    return re.compile(rf"[#>*_ \t]{{0,8}}(?:{words}){mark}|[ \t]{{0,4}}(?:{_TURN})", re.IGNORECASE)


def before_run_on(grading: Grading[G]) -> Grading[G]:
    """A grader that reads a response up to a question of its own, if an answer stands before it.

    Published rules (mode ``paper``) read all of it.
    """

    @wraps(grading)
    def graded(prediction: Any, reference: Mapping[str, Any]) -> G:
        cut = isinstance(prediction, str) and reference.get("mode") != "paper"
        if cut and len(prediction) <= _LONGEST:
            language = reference.get("language")
            for number, at in enumerate(question_starts(prediction, language)):
                if number == _QUESTIONS:
                    break
                before = prediction[:at]
                if before.strip():
                    grade = grading(before, reference)
                    given = grade.status in ("correct", "wrong")
                    if given or (grade.status == "no_answer" and ends_refusing(before, language)):
                        return grade
        return grading(prediction, reference)

    return graded
