"""Grading by the kind of answer: the last match of the asked format counts.

A task takes the kind that it asks for (see ``tasks``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, cast

from xlgo_metric.reading.grammar import words_for

from ...core import Grade, Reference, Status, UnusableReferenceError
from ...reading.normalise import fold
from . import itinerary
from .amounts import Found, amount, count, entries, number_list, number_words
from .choices import choice
from .responses import Reply, box_forms, language_of


def _plain(value: Fraction) -> int | str:
    return int(value) if value.denominator == 1 else str(value)


def _wanted(reference: Reference, name: str) -> Any:
    """The right answer of a question, by its name in the reference."""
    return cast("Mapping[str, object]", reference["answer"])[name]


# Counting


def word_counts(reply: Reply, reference: Reference) -> Grade:
    """A list of counts."""
    wanted = _wanted(reference, "counts")
    found = number_list(reply.text, language_of(reference))
    if found.status in ("no_answer", "bad_format") and len(wanted) == 1:
        return single_count(reply, reference)
    if found.status != "found":
        return Grade(False, found.status)
    counts = entries(found.text, found.words)
    if len(counts) != len(wanted) or any(count is None for count in counts):
        return Grade(False, "bad_format", answer=found.text[:200])
    shown = [_plain(count) for count in counts if count is not None]
    listed = [", ".join(map(str, shown)), " , ".join(map(str, shown)), ",".join(map(str, shown))]
    form = "[{}]" if _is_parallel(reference) else "The words appear [{}] times."
    strict = any(
        form.format(f"{gap}{text}{gap}") in reply.text for text in listed for gap in ("", " ")
    )
    details = {"right": sum(a == b for a, b in zip(shown, wanted))}
    return _compared(shown == wanted, shown, strict, details, found.asked)


def _is_parallel(reference: Reference) -> bool:
    """Whether the prompt asks for the answer alone, without a sentence of English."""
    return reference.get("text") == "parallel"


def single_count(reply: Reply, reference: Reference) -> Grade:
    """One count."""
    wanted = _wanted(reference, "counts")[0]
    form = "#{}#" if _is_parallel(reference) else "The character appears #{}# times."
    found = count(reply.text, language_of(reference))
    grade = _number(reply, found, wanted, (form,), found.asked)
    if grade.status not in ("correct", "wrong"):
        return grade
    off_by = Fraction(grade.answer) - wanted
    return replace(grade, answer=[grade.answer], details={"off_by": str(off_by)})


def _number(
    reply: Reply, found: Found, wanted: Fraction | None, forms: Sequence[str], asked: bool
) -> Grade:
    """Words that should name one number.

    Args:
        reply: the response without its thinking.
        found: the words, or why there are none.
        wanted: the right number.
        forms: what a strict answer has in it, with a field for the number.
        asked: the words stand in the form that the prompt asks for.
    """
    if found.status != "found":
        return Grade(False, found.status)
    value = found.amount()
    if value is None:
        return Grade(False, "bad_format", answer=found.text.strip()[:200])
    shown = _plain(value)
    strict = any(form.format(shown) in reply.text for form in forms)
    return _compared(value == wanted, shown, strict, None, asked)


def _compared(
    correct: bool,
    answer: Any,
    strict: bool,
    details: Mapping[str, object] | None = None,
    asked: bool = True,
) -> Grade:
    status: Status = "correct" if correct else "wrong"
    return Grade(correct, status, strict, answer, dict(details or {}), in_form=asked)


# Choices


def graded_choice(reply: Reply, reference: Reference) -> Grade:
    """An option A to D."""
    wanted = _wanted(reference, "choice")
    found = choice(reply.text, language_of(reference))
    if found.letter is None:
        return Grade(False, found.status)
    strict = f"<answer>{found.letter}</answer>" in reply.text and found.asked
    return _compared(found.letter == wanted, found.letter, strict, None, found.asked)


# Word problems


_BOX = ("$\\boxed{{{0}}}$",)
_SENTENCE = "The final answer is $\\boxed{{{0}}}$.", "The final answer is $\\boxed{{#{0}#}}$."


def graded_number(reply: Reply, reference: Reference, forms: Sequence[str] = _BOX) -> Grade:
    """The number of a word problem, in a box or other forms."""
    found = number_words(reply.text, language_of(reference))
    return _number(reply, found, _wanted(reference, "number"), forms, found.asked)


def graded_final_number(reply: Reply, reference: Reference) -> Grade:
    """The same: in a sentence, for parallel prompts in a box alone."""
    return graded_number(reply, reference, _BOX if _is_parallel(reference) else _SENTENCE)


# Itineraries


def graded_itinerary(reply: Reply, reference: Reference) -> Grade:
    """A list of legs, checked against the network of the reference."""
    found = itinerary.find(reply, reference)
    if found.legs is None:
        return Grade(False, found.status)
    details = itinerary.check(found.legs, reference)
    strict = str(found.legs) in reply.text
    return _compared(
        details["violation"] is None, [list(leg) for leg in found.legs], strict, details
    )


# UNPUZZLES


def free_answer(reply: Reply, reference: Reference) -> Grade:
    """An answer in words, which may need a judge."""
    gold, domain = _wanted(reference, "text"), reference.get("domain")
    if not isinstance(gold, str):
        raise UnusableReferenceError(
            f"the answer of an unpuzzles question is text, not {type(gold).__name__}"
        )
    language = language_of(reference)
    if domain == "integer":
        return _whole(reply, gold, language)
    words = words_for(language, reply.text)
    boxes, _ = box_forms(reply.text)
    answer = words.after_label(reply.text) or (boxes[-1].content if boxes else "")
    if not answer:
        asked = domain is None and reply.text.strip()
        return Grade(False, "needs_judge" if asked else "no_answer")
    strict = f"My final answer is: {answer}" in reply.text
    labelled = reply.text.casefold().rfind("my final answer is")
    behind = reply.text[max(0, labelled) :].partition(answer)[2]
    if words.aftermath(behind).withdrawn:
        return Grade(False, "bad_format")
    if isinstance(domain, list):
        return _category(answer, gold, domain, strict, _asked(reply))
    if _words(gold) and _words(answer) == _words(gold):
        return _compared(True, answer, strict, None, _asked(reply))
    return Grade(False, "needs_judge", strict, answer)


def _whole(reply: Reply, wanted: str, language: str | None) -> Grade:
    """An integer, read as that of a word problem is."""
    found = number_words(reply.text, language)
    said = found.words.after_label(reply.text)
    if found.status == "no_answer" and said and not found.words.declines(reply.text):
        return Grade(False, "bad_format")
    gold = amount(wanted, found.words)
    return _number(reply, found, gold, ("My final answer is: {}",), _asked(reply))


def _asked(reply: Reply) -> bool:
    """Whether an answer follows the words that the prompt requests."""
    return "my final answer is" in reply.text.casefold()


def _category(found: str, wanted: str, domain: list[str], strict: bool, asked: bool) -> Grade:
    text = _words(_boxed(found))
    named = [c for c in domain if text == _words(c) or text.startswith(_words(c) + " ")]
    if not named:
        return Grade(False, "bad_format", answer=found)
    longest = max(named, key=len)
    return _compared(_words(longest) == _words(wanted), longest, strict, None, asked)


def _boxed(found: str) -> str:
    """The content of the last box of a text, or the text without one."""
    boxes, _ = box_forms(found)
    return boxes[-1].content if boxes else found


def _words(text: str) -> str:
    r"""The words of a text without marks, in one case."""
    return " ".join(re.findall(r"\w+", fold(text.replace("\\text", " ")).casefold()))
