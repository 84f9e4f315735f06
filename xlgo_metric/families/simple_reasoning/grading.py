"""Grading a response of this family: the last match of the asked format counts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from ...core import Grade, UnusableReferenceError
from ...reading.lookalikes import latin_letter
from ...reading.negation import denies
from ...reading.normalise import fold
from ...reading.withdrawn import alternative, denied, given_up
from . import itinerary
from .amounts import amount, count, entries, number_list, number_words, plain
from .responses import Reply, after_phrase, last_box, lowered, places, reply_of

_LETTERS = "ABCD"

_TAG = re.compile(r"<answer>\s{0,20}([^<]{0,200}?)\s{0,20}(?:</answer>|\Z)", re.IGNORECASE)
_LEAD = re.compile(
    r"[\s*_`\"'(\[]{0,8}(?:option|choice|answer)?[\s*_`\"'(\[:]{0,8}([A-Da-d])[*_`\"'\])]{0,8}"
    r"(?:\s{0,3}[:.,)]|\s{0,8}\Z)",
    re.IGNORECASE,
)
_PHRASES = (
    "answer is", "answer:", "option is", "choice is", "answer is option", "answer is: option",
)  # fmt: skip
_ASKED = re.compile(
    r"(?:the\s)?(?:negation|option|choice|formula|statement|assignment|one)\s"
    r"(?:of|that|which|where|whose|in|with)\b",
    re.IGNORECASE,
)
_MOST_PHRASES = 20
_OBJECT = re.compile(
    r"\{\s{0,9}\"(?:final_)?(?:answer|choice|option|letter)\"\s{0,9}:\s{0,9}\"?([A-D])\"?\s{0,9}\}\W{0,9}\Z"
)
_ALONE = re.compile(r"[\s*_`\"'()\[\].]{0,8}([^\W\d_])[\s*_`\"'()\[\].]{0,8}")
_AT_END = re.compile(
    r"(.*[\s*_`\"'(\[:：]|)([^\W\d_])([\s*_`\"'\])]{0,8}[.。।]?\s{0,3})\Z", re.DOTALL
)
_LINE = 60
_LINE_ANSWER = re.compile(
    r"(?:[^\W\d_][^:：.]{0,40}[:：]\s{0,3})?[\s*_`\"'(\[#]{0,8}(?:[Oo]ption\s)?[A-D]"
    r"[\s*_`\"'\])]{0,8}[.。।]?\s{0,3}"
)
_ONLY_LINE = re.compile(r"\W{0,5}[A-D]\s?[:)]\s[^\n]{1,400}")
_DENIED = re.compile(r"\b(?:not|never|neither|nor|none|except)\b|n't\b|[≠¬❌✗✘]|~~", re.IGNORECASE)
_RETRACTED = re.compile(
    r"\W{0,4}\s(?:is|are|would be)\s(?:not|wrong|incorrect|false)\b|\W{0,4}\s(?:isn't|aren't)\b"
)
_REASON = re.compile(r"[\s)\]*,]{0,5}(?:because|since|as|not|rather than|instead of)\b")
_LETTER = re.compile(r"(?<![A-Za-z0-9_])[A-D](?![A-Za-z0-9_(])")


def grade(prediction: str | None, reference: Mapping[str, Any]) -> Grade:
    """Grade one response.

    Args:
        prediction: the model's whole output; anything is safe.
        reference: the column ``reference`` of the row.

    Raises:
        ValueError: the reference is of no task of this family or lacks what grading needs.
    """
    task = reference.get("task")
    if task not in _GRADERS:
        raise UnusableReferenceError(f"unknown task {task!r}: allowed are {', '.join(_GRADERS)}")
    reply = reply_of(prediction)
    if reply.truncated:
        return Grade(False, "truncated")
    if given_up(reply.text):
        return Grade(False, "no_answer")
    try:
        return _GRADERS[task](reply, reference)
    except KeyError as error:
        raise UnusableReferenceError(f"the reference of a {task} question has no {error}") from None


def _plain(value: Fraction) -> int | str:
    return int(value) if value.denominator == 1 else str(value)


# Counting


def _word_count(reply: Reply, reference: Mapping[str, Any]) -> Grade:
    wanted = reference["answer"]["counts"]
    found = number_list(reply.text)
    if found.status == "no_answer" and len(wanted) == 1:
        return _char_count(reply, reference)
    if found.status != "found":
        return Grade(False, found.status)
    counts = entries(found.text)
    if len(counts) != len(wanted) or any(count is None for count in counts):
        return Grade(False, "bad_format", answer=found.text[:200])
    shown = [_plain(count) for count in counts if count is not None]
    listed = [", ".join(map(str, shown)), " , ".join(map(str, shown)), ",".join(map(str, shown))]
    form = "[{}]" if _is_parallel(reference) else "The words appear [{}] times."
    strict = any(
        form.format(f"{gap}{text}{gap}") in reply.text for text in listed for gap in ("", " ")
    )
    return _compared(shown == wanted, shown, strict, {"right": sum(map(_same, shown, wanted))})


def _is_parallel(reference: Mapping[str, Any]) -> bool:
    """Whether the prompt asks for the answer alone, without a sentence of English."""
    return reference.get("text") == "parallel"


def _same(a: object, b: object) -> bool:
    return a == b


def _char_count(reply: Reply, reference: Mapping[str, Any]) -> Grade:
    wanted = reference["answer"]["counts"][0]
    found = count(reply.text)
    if found.status != "found":
        return Grade(False, found.status)
    value = amount(found.text)
    if value is None:
        return Grade(False, "bad_format", answer=found.text.strip()[:200])
    answer = _plain(value)
    form = "#{}#" if _is_parallel(reference) else "The character appears #{}# times."
    strict = form.format(answer) in reply.text
    return _compared(value == wanted, [answer], strict, {"off_by": str(value - wanted)})


def _compared(
    correct: bool, answer: Any, strict: bool, details: dict[str, Any] | None = None
) -> Grade:
    return Grade(correct, "correct" if correct else "wrong", strict, answer, details or {})


# Choices


def _choice(reply: Reply, reference: Mapping[str, Any]) -> Grade:
    wanted = reference["answer"]["choice"]
    garbled = False
    text = plain(reply.text)
    for start in places(lowered(text), "<answer>"):
        match = _TAG.match(text, start)
        if match and match[1] and denied(text, start, match.end()):
            garbled = True
            continue
        letter = _letter(match[1]) if match else None
        before = alternative(text, start) or ""
        if letter and before.endswith("</answer>") and not before.endswith(f">{letter}</answer>"):
            return Grade(False, "bad_format")
        if letter:
            strict = f"<answer>{letter}</answer>" in reply.text
            return _compared(letter == wanted, letter, strict)
        if match and match[1] and set(_LETTER.findall(match[1])) != set(_LETTERS):
            garbled = True  # with all four letters it would be the prompt's words, repeated
            break
    for words in (_box(text), _phrase(text), _member(text), _last_line(text)):
        letter = _letter(words or "")
        if letter and not garbled:
            return _compared(letter == wanted, letter, False)
        garbled = garbled or bool(words and _LETTER.search(words))
    return Grade(False, "bad_format" if garbled else "no_answer")


def _box(text: str) -> str | None:
    """What stands in the last box; with what denies it before, where something does."""
    box, _ = last_box(text)
    start = text.rfind("boxed{")
    return "not " + box if box and start > 0 and denied(text, start - 1, len(text)) else box


def _phrase(text: str) -> str | None:
    """What follows the last "the answer is" that does not merely say what was asked for."""
    for _ in range(_MOST_PHRASES):
        words = after_phrase(text, _PHRASES)
        if words is None or not _ASKED.match(words) or _LETTER.search(words):
            return words
        lower = lowered(text)
        text = text[: max(lower.rfind(phrase) for phrase in _PHRASES)]
    return None


def _member(text: str) -> str | None:
    """The letter of a JSON object at the end that holds nothing else: ``{"answer": "B"}``."""
    match = _OBJECT.search(text, max(0, len(text) - _LINE - 30))
    return match[1] if match else None


def _last_line(text: str) -> str:
    """What the last line says if it is an answer alone: ``B``, ``(B)``, ``Answer: B``."""
    text = text.strip()
    if _ONLY_LINE.fullmatch(text):
        return text
    line = text.rpartition("\n")[2][-_LINE:]
    line = _AT_END.sub(lambda m: m[1] + latin_letter(m[2], text) + m[3], line)
    return line if _LINE_ANSWER.fullmatch(line) else ""


def _letter(text: str) -> str | None:
    r"""The one letter from A to D that a short text names: ``C``, ``**C**``, ``Option C: ...``."""
    text = plain(text).replace("\\boxed", " ").replace("{", " ").replace("}", " ")
    if alone := _ALONE.fullmatch(text):
        text = latin_letter(alone[1], text)
    first = _LETTER.search(text)
    before = text[: first.start()] if first else ""
    if first and (_DENIED.search(before) or denies(before) or _RETRACTED.match(text, first.end())):
        return None
    lead = _LEAD.match(text)
    if lead:
        others = set(_LETTER.findall(text)) - {lead[1].upper()}
        behind = text[lead.end() - 1 : lead.end()]
        if not others or behind == ":" or _REASON.match(text, lead.end() - 1):
            return lead[1].upper()
    found = set(_LETTER.findall(text))
    return found.pop() if len(found) == 1 else None


# Word problems


def _amount(reply: Reply, reference: Mapping[str, Any]) -> Grade:
    wanted = reference["answer"]["number"]
    found = number_words(reply.text)
    if found.status != "found":
        return Grade(False, found.status)
    value = amount(found.text)
    if value is None:
        return Grade(False, "bad_format", answer=found.text[:200])
    shown = _plain(value)
    forms = ["The final answer is $\\boxed{{{0}}}$.", "The final answer is $\\boxed{{#{0}#}}$."]
    if _is_parallel(reference):
        forms = ["$\\boxed{{{0}}}$"]
    strict = any(form.format(shown) in reply.text for form in forms)
    return _compared(value == wanted, shown, strict)


# Itineraries


def _travel(reply: Reply, reference: Mapping[str, Any]) -> Grade:
    found = itinerary.find(reply)
    if found.legs is None:
        return Grade(False, found.status)
    details = itinerary.check(found.legs, reference)
    strict = str(found.legs) in reply.text
    return _compared(
        details["violation"] is None, [list(leg) for leg in found.legs], strict, details
    )


# UNPUZZLES


def _unpuzzle(reply: Reply, reference: Mapping[str, Any]) -> Grade:
    wanted, domain = reference["answer"]["text"], reference.get("domain")
    if not isinstance(wanted, str):
        raise UnusableReferenceError(
            f"the answer of an unpuzzles question is text, not {type(wanted).__name__}"
        )
    found = after_phrase(reply.text, ("final answer is", "final answer:"))
    if not found:
        found = last_box(reply.text)[0] or after_phrase(reply.text, ("answer is", "answer:"))
    if not found:
        asked = domain is None and reply.text.strip()
        return Grade(False, "needs_judge" if asked else "no_answer")
    found = found.lstrip(": ")
    strict = f"My final answer is: {found}" in reply.text
    if domain == "integer":
        return _whole(found, wanted, strict)
    if isinstance(domain, list):
        return _category(found, wanted, domain, strict)
    same = bool(_words(wanted)) and _words(found) == _words(wanted)
    return _compared(same, found, strict) if same else Grade(False, "needs_judge", strict, found)


def _whole(found: str, wanted: str, strict: bool) -> Grade:
    box, _ = last_box(found)
    value = amount(box if box is not None else found)
    if value is None:
        return Grade(False, "bad_format", answer=found)
    return _compared(value == amount(str(wanted)), _plain(value), strict)


def _category(found: str, wanted: str, domain: list[str], strict: bool) -> Grade:
    box, _ = last_box(found)
    text = _words(box if box is not None else found)
    named = [c for c in domain if text == _words(c) or text.startswith(_words(c) + " ")]
    if not named:
        return Grade(False, "bad_format", answer=found)
    longest = max(named, key=len)
    return _compared(_words(longest) == _words(wanted), longest, strict)


def _words(text: str) -> str:
    r"""The words of a text without marks, in one case."""
    return " ".join(re.findall(r"\w+", fold(text.replace("\\text", " ")).casefold()))


_GRADERS: dict[str, Callable[[Reply, Mapping[str, Any]], Grade]] = {
    "word_count": _word_count,
    "char_count": _char_count,
    "logic_eval": _choice,
    "logic_negation": _choice,
    "proof_tree": _amount,
    "irrelevant": _amount,
    "travel": _travel,
    "unpuzzles": _unpuzzle,
}
