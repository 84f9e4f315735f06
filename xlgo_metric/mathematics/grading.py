r"""Grade an answer to a mathematical question against the reference answer.

Mode ``default`` compares what the two answers mean; see ``docs/polymath.md`` for its rules. Mode
``paper`` follows the published scoring of PolyMath (Wang et al. 2025), described in ``paper``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache
from importlib.util import find_spec
from typing import NamedTuple

from ..core import Grade, Status
from ..reading.answers import Kind, number_kind, read_response
from ..reading.boxes import find_boxes
from ..reading.forms import find_unasked
from .equal.equality import equal
from .equal.values import Budget, TooHardError
from .paper.published import check_antlr, grade_paper
from .paper.worker import WorkerError
from .read.answers import Answer
from .read.clean import clean, is_unbalanced
from .read.numerals import with_numerals
from .read.structure import read_answer
from .read.tokens import TooBigError, tokenize

MODES: tuple[str, ...] = ("default", "paper")
# Longer answers are compared as text only; the longest reference answer of PolyMath has 300.
MAX_LENGTH = 2_000
_DIGIT_COMMA = re.compile(r"\d,\d")
_ONE_GROUP = re.compile(r"(?<![\d.,])([1-9]\d{0,2})([.,])(\d{3})(?![\d.,⟦])")
# Languages that group digits by dots.
DOTTING = frozenset({"de", "es", "fr", "id", "it", "pt", "ru", "vi"})
_SLASHED = re.compile(r"/\s*[\w\\(]+\s*[A-Za-z\\(]")
_OPTION = re.compile(r"(?<![A-Za-z])[A-E](?![A-Za-z])")
# An expression, and no text that names an option.
_NO_OPTION = re.compile(r"[=+*/^<>]")
_CLOCK = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")
_SCIENTIFIC = re.compile(r"\d[eE][+-]?\d")
_BRIEF = 200
_WHOLE = re.compile(r"-?\d[\d,]*")
# A sign or word at the end that makes another number of an answer.
_SCALE = re.compile(r"\s*(?:\\?%|(?:\\text\s*\{)?\s*(?:dozen|percent)\s*\}?)[\s$)}.*]*\Z")


def grade_math(
    prediction: str | None, gold: str, mode: str = "default", language: str = "en"
) -> Grade:
    r"""Grade one answer.

    Args:
        prediction: a response with a ``\boxed{…}``, or an answer alone. ``None`` is no answer.
        gold: the reference answer, in LaTeX with or without dollar signs.
        mode: ``default``, or ``paper`` for the published rules.
        language: of the question; in German, say, ``70.000`` may be 70000.

    Returns:
        The grade; ``answer`` is the text that was compared, ``details["boxes"]`` their number.

    What no rule foresaw, an exception in here, is ``bad_format`` with the exception's name as
    ``details["error"]``. In mode ``paper``, ``details["library"]`` is ``stopped`` where SymPy was
    asked and exceeded its limits.

    Raises:
        ValueError: an unknown mode.
        ImportError: the packages of the extra ``math`` are missing.
        WorkerError: mode ``paper``, and the process that runs SymPy could not be started.
    """
    return grade_boxed(prediction, gold, mode, bare=True, language=language)


def grade_boxed(
    prediction: str | None,
    gold: str,
    mode: str = "default",
    *,
    bare: bool = False,
    language: str = "en",
    asked: str = "",
    question: str = "",
) -> Grade:
    """Like ``grade_math``; with ``bare`` False, a response without a box holds no answer.

    An answer may have a sign or unit that makes another number of it (``%``, ``dozen``) where the
    text of the question has it, or where ``asked`` says that it is asked for: ``%``, or a word.
    """
    if mode not in MODES:
        raise ValueError(f"unknown mode {mode!r}: allowed are {', '.join(MODES)}")
    _require_packages(mode)
    if mode == "paper":
        check_antlr()
    try:
        if mode == "paper":
            return grade_paper(prediction, str(gold), bare=bare)
        text = "" if prediction is None else str(prediction)
        found = _grade_default(text, str(gold), bare, language)
        if found.status == "wrong" and found.answer and (asked or question):
            unit = _without_unit(found.answer, asked, question, language)
            if unit and compare(unit, gold, language in DOTTING).equal:
                return replace(found, correct=True, status="correct")
        return found
    except WorkerError:
        raise  # of the machine, not of the answer
    except Exception as error:
        # The one guard: no answer, however odd, may end the scoring of the others.
        return Grade(False, "bad_format", details={"boxes": 0, "error": type(error).__name__})


def _grade_default(text: str, gold: str, bare: bool, language: str) -> Grade:
    if bare and text.strip() == gold.strip() != "":
        return _outcome("correct", text, text.strip())
    if "boxed" in gold:
        gold = ", ".join(box.content for box in find_boxes(gold)[0]) or gold
    kind = Kind(
        find_boxes, lambda content: content or None, unasked=find_unasked, sign=re.compile(r"\d")
    )
    found = read_response(text, kind, language)
    answer, several = found.answer, bool(found.parts)
    if several:
        answer = ", ".join(dict.fromkeys(found.parts))
    elif answer is None and found.rule == "none" and bare:
        answer = _bare(text, gold, language)
    if answer is None:
        answer = _broken_box(text, gold)
    if not answer:
        status: Status = "bad_format" if found.status == "answered" else found.status
        return _outcome(status, text)
    comparison = compare(answer, gold, language in DOTTING)
    equal = comparison.equal and not _scales(answer, gold, language in DOTTING)
    readable = comparison.readable and not several
    status = "correct" if equal else "wrong" if readable else "bad_format"
    return _outcome(status, text, answer)


def _bare(text: str, gold: str, language: str) -> str | None:
    """The answer of a text without a box: all of it, or the number that its words give."""
    whole = text.strip()
    if len(whole) <= MAX_LENGTH and "\n" not in whole:
        if compare(whole, gold, language in DOTTING).equal:
            return whole
        number = read_response(text, number_kind(language), language).answer
        return number or whole
    number = read_response(text, number_kind(language), language).answer
    return None if number is None else str(number)


def _scales(answer: str, gold: str, dotted: bool) -> bool:
    """Whether an answer is the gold with a sign or word that makes another number of it."""
    if len(answer) > _BRIEF or answer.strip() == gold.strip():
        return False
    bare = _SCALE.sub("", answer)
    if bare == answer or _SCALE.search(gold):
        return False
    whole = "%" in answer and bool(_WHOLE.fullmatch(gold.strip("$ ")))
    return whole or compare(bare, gold, dotted).equal


def _without_unit(answer: str, asked: str, question: str, language: str) -> str:
    """An answer without the sign or unit at its end, if the question asks for it; else empty."""
    found = _SCALE.search(answer)
    if found is None or len(answer) > _BRIEF:
        return ""
    unit = "%" if "%" in found[0] else "dozen"
    is_asked = (asked == "%" if unit == "%" else bool(asked)) or unit in question
    return answer[: found.start()] if is_asked else ""


def _broken_box(text: str, gold: str) -> str:
    """The answer in a box that never closes because the reference itself lacks a brace."""
    core = gold.strip().strip("$")
    behind = text.rpartition("boxed{")[2].lstrip(" $")
    return core if is_unbalanced(core) and behind.startswith(core) else ""


def _outcome(status: Status, text: str, answer: str | None = None) -> Grade:
    boxes = len(find_boxes(text)[0])
    strict = boxes == 1 and text.count("\\boxed{") == 1
    shown = None if answer is None else answer[:MAX_LENGTH]
    return Grade(status == "correct", status, strict, shown, {"boxes": boxes}, in_form=boxes > 0)


class Comparison(NamedTuple):
    """What comparing two answers found.

    Attributes:
        equal: they say the same.
        readable: they were small enough to be read; else they were compared as text.
    """

    equal: bool
    readable: bool = True


def compare(answer: str, gold: str, dotted: bool = False) -> Comparison:
    """Compare two answers without boxes, by their texts and by what they mean.

    Symmetric: the two may be swapped, but for ``dotted``, with which a dot before three digits of
    ``answer`` may group them. Bounded in time and memory: longer or deeper answers than the limits
    are compared as text, and the work of comparing is paid from a budget. So is what the reader
    does not know (an integral, a limit).
    """
    if answer.strip() == gold.strip():
        return Comparison(True)
    if max(len(answer), len(gold)) > MAX_LENGTH:
        return Comparison(False, readable=False)
    cleaned, target = clean(answer), clean(gold)
    if _same_text(cleaned, target):
        return Comparison(True)
    decided = _decided_by_form(cleaned, target)
    if decided is not None:
        return Comparison(decided)
    try:
        theirs, ours = _readings(cleaned, dotted), _readings(target)
    except TooBigError:
        return Comparison(False, readable=False)
    return Comparison(_equal_readings(ours, theirs))


def _same_text(answer: str, gold: str) -> bool:
    if _spaceless(answer) == _spaceless(gold) != "":
        return True
    if not (is_unbalanced(gold) or is_unbalanced(answer)):
        return False
    # Where a brace is missing cannot be told, so none is compared.
    bare = [_spaceless(re.sub("[{}]", " ", text)) for text in (answer, gold)]
    return bare[0] == bare[1] != ""


def _equal_readings(ours: Sequence[Answer], theirs: Sequence[Answer]) -> bool:
    """Whether any reading of one answer equals any of the other, whichever is the reference."""
    for sides in ((ours, theirs), (theirs, ours)):
        budget = Budget()
        try:
            if any(equal(first, second, budget) for first in sides[0] for second in sides[1]):
                return True
        except TooHardError:
            continue
    return False


@cache
def _require_packages(mode: str) -> None:
    needed = ("sympy", "latex2sympy2_extended") if mode == "paper" else ("mpmath",)
    missing = [name for name in needed if find_spec(name) is None]
    if missing:
        raise ImportError(
            f"grading mathematics needs {', '.join(missing)}: install the extra with "
            "pip install 'xlgo[math]'"
        )


def _spaceless(text: str) -> str:
    return re.sub(r"(?<!\d)\s+|\s+(?!\d)", "", text)


def _decided_by_form(answer: str, gold: str) -> bool | None:
    """The verdict on an option against a text that names it, and on two times of day."""
    times = _CLOCK.fullmatch(answer), _CLOCK.fullmatch(gold)
    if times[0] and times[1]:  # 1:20 and 2:40 would be the same ratio
        return list(map(int, times[0].groups())) == list(map(int, times[1].groups()))
    chosen = _chosen_option(answer, gold)
    return _chosen_option(gold, answer) if chosen is None else chosen


def _chosen_option(answer: str, gold: str) -> bool | None:
    """Whether the option A–E was chosen, if the reference is one and the answer names just one."""
    letter = gold.strip("()[] ")
    if len(letter) != 1 or letter not in "ABCDE" or _NO_OPTION.search(answer):
        return None
    named = set(_OPTION.findall(answer))
    return named == {letter} if named else None


def _may_be_decimal(text: str) -> bool:
    """Whether a comma may be the decimal sign: one number alone, or parts parted by semicolons."""
    alone = len(_DIGIT_COMMA.findall(text)) == 1 and not re.search(r"[(\[]|\\\{", text)
    return alone or ";" in text


@lru_cache(maxsize=4096)
def _readings(text: str, dotted: bool = False) -> tuple[Answer, ...]:
    """What a cleaned answer may mean: commas, slashes and an e can be read in several ways."""
    styles = ["group"]
    if _DIGIT_COMMA.search(text):
        styles.append("list")
        if _may_be_decimal(text):
            styles.append("decimal")
    if _SCIENTIFIC.search(text):
        styles.append("scientific")
    answers = [read_answer(with_numerals(tokenize(text, style))) for style in styles]
    if _SLASHED.search(text):
        answers.append(read_answer(with_numerals(tokenize(text)), tight=True))
    if dotted and len(_ONE_GROUP.findall(text)) == 1:
        between = {".": r"\1\3", ",": r"\1.\3"}  # 70.000 as 70000, 3,142 as 3.142
        swapped = _ONE_GROUP.sub(lambda match: match.expand(between[match[2]]), text)
        answers += _readings(swapped)
    return tuple(dict.fromkeys(answers))
