"""Grading by the kind of answer: the last match of the asked format counts.

A task takes the kind that it asks for (see ``tasks``).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, cast

from ...core import Grade, Reference, Status, UnusableReferenceError
from ...reading.answers import Answer, Kind, choice_kind, number_kind, read_response
from ...reading.forms import (
    Finder,
    Form,
    entries,
    find_boxes,
    find_hashes,
    find_lists,
    find_tags,
    unboxed,
)
from ...reading.sentences import Options
from ...reading.values import fold, labels, read_number
from . import itinerary


def language_of(reference: Reference) -> str:
    """The language of a question; English where its reference names none."""
    return str(reference.get("language") or "en")


def _plain(value: Fraction) -> int | str:
    return int(value) if value.denominator == 1 else str(value)


def _right_answer(reference: Reference, name: str) -> Any:
    """The right answer of a question, by its name in the reference."""
    return cast("Mapping[str, object]", reference["answer"])[name]


def _unread(answer: Answer) -> Grade:
    """The grade of a response without an answer."""
    status: Status = "bad_format" if answer.status == "answered" else answer.status
    return Grade(False, status, answer=answer.content[:200] or None)


# Counting


def word_counts(response: str, reference: Reference) -> Grade:
    """A list of counts."""
    expected, language = _right_answer(reference, "counts"), language_of(reference)

    def counts(content: str) -> tuple[Fraction, ...] | None:
        read = [number_kind(language).value(entry) for entry in entries(content)]
        return None if None in read else tuple(map(Fraction, read))

    def boxed_lists(text: str) -> list[Form]:
        return [box for box in find_boxes(text)[0] if counts(box.content)]

    kind = Kind(find_lists, counts, unasked=boxed_lists, sign=re.compile(r"\d"))
    result = read_response(response, kind, language)
    if result.rule == "none" and len(expected) == 1 and result.status != "truncated":
        return single_count(response, reference)
    if result.answer is None or len(result.answer) != len(expected):
        return _unread(result)
    answer = [_plain(count) for count in result.answer]
    form = "[{}]" if _is_parallel(reference) else "The words appear [{}] times."
    listed = [comma.join(map(str, answer)) for comma in (", ", " , ", ",")]
    strict = any(form.format(x) in response for text in listed for x in (text, f" {text} "))
    details = {"right": sum(a == b for a, b in zip(answer, expected))}
    return _compared(answer == expected, answer, strict, details, result.in_form)


def _is_parallel(reference: Reference) -> bool:
    """Whether the prompt asks for the answer alone, without a sentence of English."""
    return reference.get("text") == "parallel"


def single_count(response: str, reference: Reference) -> Grade:
    """One count."""
    expected = _right_answer(reference, "counts")[0]
    form = "#{}#" if _is_parallel(reference) else "The character appears #{}# times."
    grade = _number(response, reference, expected, (form,), find_hashes)
    if grade.status not in ("correct", "wrong"):
        return grade
    off_by = Fraction(grade.answer) - expected
    return replace(grade, answer=[grade.answer], details={"off_by": str(off_by)})


def _number(
    response: str,
    reference: Reference,
    expected: Fraction | None,
    strict_forms: Sequence[str],
    finder: Finder = find_boxes,
) -> Grade:
    """The grade of a response that should name one number.

    Args:
        response: the whole response.
        reference: of the question.
        expected: the right number.
        strict_forms: what a strict answer has in it, with a field for the number.
        finder: finds the form that the prompt asks for.
    """
    language = language_of(reference)
    result = read_response(response, number_kind(language, finder), language)
    value = read_number(result.content, language) if result.content else None
    if result.answer is None:
        return _unread(result)
    answer = _plain(Fraction(result.answer) if value is None else value)
    strict = any(form.format(answer) in response for form in strict_forms)
    return _compared(Fraction(answer) == expected, answer, strict, None, result.in_form)


def _compared(
    correct: bool,
    answer: Any,
    strict: bool,
    details: Mapping[str, object] | None = None,
    in_form: bool = True,
) -> Grade:
    status: Status = "correct" if correct else "wrong"
    return Grade(correct, status, strict, answer, dict(details or {}), in_form=in_form)


# Choices

_LETTER = re.compile(r"(?<![A-Za-z])[A-D](?![A-Za-z])")


def graded_choice(response: str, reference: Reference) -> Grade:
    """An option A to D."""
    expected, language = _right_answer(reference, "choice"), language_of(reference)
    kind = replace(
        choice_kind(Options(language, dict.fromkeys("ABCD", ""), response), find_tags),
        # A tag that repeats the words of the prompt has all four letters.
        passed_over=lambda content: {*_LETTER.findall(content)} == {*"ABCD"},
    )
    result = read_response(response, kind, language)
    if result.answer is None:
        return _unread(result)
    strict = f"<answer>{result.answer}</answer>" in response and result.in_form
    return _compared(result.answer == expected, result.answer, strict, None, result.in_form)


# Word problems


_BOX = ("$\\boxed{{{0}}}$",)
_SENTENCE = "The final answer is $\\boxed{{{0}}}$.", "The final answer is $\\boxed{{#{0}#}}$."


def graded_number(response: str, reference: Reference, forms: Sequence[str] = _BOX) -> Grade:
    """The number of a word problem, in a box or other forms."""
    return _number(response, reference, _right_answer(reference, "number"), forms)


def graded_final_number(response: str, reference: Reference) -> Grade:
    """The same: in a sentence, for parallel prompts in a box alone."""
    return graded_number(response, reference, _BOX if _is_parallel(reference) else _SENTENCE)


# Itineraries


def graded_itinerary(response: str, reference: Reference) -> Grade:
    """A list of legs, checked against the network of the reference."""
    result = itinerary.find(response, reference)
    if result.answer is None:
        return _unread(result)
    details = itinerary.check(result.answer, reference)
    strict = str(result.answer) in response
    legs = [list(leg) for leg in result.answer]
    return _compared(details["violation"] is None, legs, strict, details, result.in_form)


# UNPUZZLES


def free_answer(response: str, reference: Reference) -> Grade:
    """An answer in words, which may need a judge."""
    gold, domain = _right_answer(reference, "text"), reference.get("domain")
    if not isinstance(gold, str):
        raise UnusableReferenceError(
            f"the answer of an unpuzzles question is text, not {type(gold).__name__}"
        )
    if domain == "integer":
        strict_forms = ("My final answer is: {}",)
        return _number(response, reference, read_number(gold), strict_forms, _labelled_or_boxed)
    result = read_response(response, _LABELLED, language_of(reference))
    if result.answer is None:
        needs_judge = domain is None and result.rule == "none" and response.strip()
        return Grade(False, "needs_judge") if needs_judge else _unread(result)
    answer, strict = result.answer, f"My final answer is: {result.answer}" in response
    if isinstance(domain, list):
        return _category(answer, gold, domain, strict, result.in_form)
    if _words(gold) and _words(answer) == _words(gold):
        return _compared(True, answer, strict, None, result.in_form)
    return Grade(False, "needs_judge", strict, answer)


_BEHIND = re.compile(
    r"(?:[^\n:：]{0,40}[:：]|[ \t]{1,3}is(?=[ \t]))[\s*_]{0,9}"
    r"([^\n]{1,400}?)[\s*_]{0,9}(?:\n|\Z|\.\s)"
)


def _labelled(text: str) -> tuple[list[Form], int]:
    """What stands behind labels such as "My final answer is:", to the end of the line."""
    marks = (_BEHIND.match(text, label.end()) for label in labels(text).finditer(text))
    return [Form(*mark.span(1), mark[1]) for mark in marks if mark], -1


def _labelled_or_boxed(text: str) -> tuple[list[Form], int]:
    boxes, unclosed = find_boxes(text)
    return sorted([*_labelled(text)[0], *boxes]), unclosed


_LABELLED = Kind(
    _labelled,
    lambda content: unboxed(content.strip("$ .")) or None,
    unasked=lambda text: find_boxes(text)[0],
)


def _category(answer: str, expected: str, domain: list[str], strict: bool, in_form: bool) -> Grade:
    text = _words(answer)
    categories = [c for c in domain if text == _words(c) or text.startswith(_words(c) + " ")]
    if not categories:
        return Grade(False, "bad_format", answer=answer)
    longest = max(categories, key=len)
    return _compared(_words(longest) == _words(expected), longest, strict, None, in_form)


def _words(text: str) -> str:
    r"""The words of a text without marks, in one case."""
    return " ".join(re.findall(r"\w+", fold(text.replace("\\text", " ")).casefold()))
