"""Grading of the five XLGoBench puzzles: exact match of the whole answer (paper, section 2.4).

Right is what the puzzle asks for, nothing less: the list has its exact length, an identifier in
prose is no answer, and no entry may be there twice. How an answer is written down is forgiven as
far as its meaning is clear in every script alike (see `LENIENT_RULES` in `reading.forms`); what
had to be forgiven is recorded, and `Grade.strict` tells the answers that need nothing.
`Grade.in_form` tells those in a JSON object, whatever stands around it, from those in LaTeX and the
like (rule `not_json`).
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from xlgo_metric.core import Grade, Reference, UnusableReferenceError
from xlgo_metric.families.xlgobench.puzzles import PUZZLES
from xlgo_metric.families.xlgobench.puzzles.base import (
    Puzzle,
    UnreadableError,
)
from xlgo_metric.reading.answers import Kind, read_response
from xlgo_metric.reading.forms import Form, ResponseObject, find_objects, is_placeholder, values_of
from xlgo_metric.reading.thinking import split_thinking


def grade(prediction: str | None, reference: Reference) -> Grade:
    """Grade one response to an XLGoBench prompt.

    The details hold ``lenient`` (names of the lenient rules that were needed) and

    - ``reason``: why an answer of status ``bad_format`` cannot be understood;
    - what ``compare`` of the puzzle finds (``puzzles``).

    Args:
        prediction: the response; ``None`` is an empty one.
        reference: ``task`` and ``answer``; other keys may be missing.

    Raises:
        ValueError: the reference has an unknown task or no answer for it, or the prediction is
            not text.
    """
    if not isinstance(prediction, (str, type(None))):
        raise ValueError(f"a prediction is text or None, not {type(prediction).__name__}")
    task, right = _expected(reference)
    objects = _Objects(task, right)
    answer = read_response(prediction, objects.kind(), str(reference.get("language") or "en"))
    if answer.status != "answered":
        reason = _REASONS.get(answer.rule, objects.unreadable.get(answer.content, ""))
        details: dict[str, object] = {"lenient": []} | ({"reason": reason} if reason else {})
        return Grade(False, answer.status, details=details)
    value, notes = answer.answer
    notes = notes | _surroundings(prediction or "", answer.span or (0, 0), task.steps_allowed)
    notes |= {"several_objects"} if objects.count > 1 else set()
    correct, more = task.compare(value, right, reference)
    return Grade(
        correct=correct,
        status="correct" if correct else "wrong",
        strict=not notes,
        answer=value,
        details={"lenient": sorted(notes), **more},
        in_form="not_json" not in notes,
    )


_REASONS = {
    "retraction": "the response takes its answer back",
    "several": "different answers stand side by side",
}


class _Objects:
    """The objects of a response and what they answer.

    Attributes:
        unreadable: why the content of an object cannot be understood.
        count: how many there are.
    """

    def __init__(self, task: Puzzle, right: Any) -> None:
        self.task, self.count = task, 0
        # An example of which the right answer has an entry may be an answer.
        is_shared = {*map(str, _entries(right))} & {*_entries(task.example)}
        self.example = None if is_shared else task.example
        self.found: dict[str, ResponseObject] = {}
        self.unreadable: dict[str, str] = {}

    def kind(self) -> Kind:
        sign = re.compile(rf'{self.task.value.pattern}|"{self.task.key}"', self.task.value.flags)
        return Kind(
            self._find, self._value, sign=sign, passed_over=self._passed_over, longest=2_000_000
        )

    def _find(self, text: str) -> tuple[list[Form], int]:
        objects, cut = find_objects(text, self.task.key)
        forms = [Form(item.start, item.end, text[item.start : item.end]) for item in objects]
        self.count = len(forms)
        self.found |= {form.content: item for form, item in zip(forms, objects)}
        return forms, cut

    def _passed_over(self, content: str) -> bool:
        """Whether an object holds placeholders, or the prompt's own example."""
        try:
            value, notes = self._member(content)
            return is_placeholder(value) or (
                bool(self.example) and self.task.read(value, notes) == self.example
            )
        except UnreadableError:
            return False

    def _value(self, content: str) -> tuple[Any, frozenset[str]] | None:
        """The answer of an object, and the lenient rules that it needs."""
        try:
            value, notes = self._member(content)
            answer = self.task.read(value, notes)
        except UnreadableError as error:
            self.unreadable[content] = str(error)
            return None
        return answer, frozenset(notes)

    def _member(self, content: str) -> tuple[Any, set[str]]:
        """What stands behind the key, and the rules that the object needs."""
        item, key = self.found[content], self.task.key
        holders = list(values_of(item.members, key))
        if len({json.dumps(holder[name]) for holder, name in holders}) > 1:
            raise UnreadableError("the object holds different answers")
        holder, name = holders[0]
        notes = set(item.notes)
        notes |= {"key_case"} if name != key else set()
        notes |= {"extra_keys"} if len(holder) > 1 else set()
        notes |= {"nested"} if holder is not item.members else set()
        return holder[name], notes


def _surroundings(response: str, span: tuple[int, int], steps_allowed: bool) -> set[str]:
    """The rules that the text around an object needs, thinking left out."""
    parts = split_thinking(response)
    first, last_part = (parts.spans or (parts.open,))[0], (parts.spans or (parts.open,))[-1]
    before = response[first[0] : span[0]]
    rest = response[span[1] : last_part[1]].strip()
    line = before[before.rfind("\n") + 1 :].strip()
    above = before.rstrip()
    last = above[above.rfind("\n") + 1 :].strip()
    notes = set() if parts.closed else {"prose"}
    if last.startswith("```"):
        notes.add("fence")
        rest = rest.removeprefix("```")
        above, line = above.removesuffix(last), ""
    return notes | ({"prose"} if rest or (line if steps_allowed else above.strip()) else set())


def _entries(answer: Any) -> list[Any]:
    return answer if isinstance(answer, list) else [answer]


def _expected(reference: Reference) -> tuple[Puzzle, Any]:
    name = reference.get("task")
    if not isinstance(name, str) or name not in PUZZLES:
        raise UnusableReferenceError(
            f"unknown task {name!r} in a reference: allowed are {', '.join(PUZZLES)}"
        )
    task = PUZZLES[name]
    if reference.get("ids") is not None:
        raise UnusableReferenceError(
            "identifiers in the letters of a language ('native_ids') are no longer graded"
        )
    answer = reference.get("answer")
    if not isinstance(answer, dict) or task.key not in answer:
        raise UnusableReferenceError(
            f'a reference of task {name} needs "answer": {{"{task.key}": …}}'
        )
    return task, answer[task.key]


def partial_credit(grade: Grade, reference: Mapping[str, object]) -> float:
    """The share of the right answer that a wrong one has, 0 to 1; see ``Puzzle``.

    Args:
        grade: of a wrong answer.
        reference: ``task`` and ``answer``.
    """
    task, right = _expected(reference)
    return task.partial_credit(grade.answer, right, grade.details)
