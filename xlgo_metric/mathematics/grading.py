r"""Grade an answer to a mathematical question against the reference answer.

Mode ``default`` compares what the two answers mean; see ``docs/polymath.md`` for its rules. Mode
``paper`` follows the published scoring of PolyMath (Wang et al. 2025), described in ``paper``.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.util import find_spec
from typing import Literal

from ..core import Grade, Status
from .answers import Answer, Raw
from .boxes import Boxes, find_boxes
from .clean import clean
from .equality import equal
from .library import library_equal
from .numerals import with_numerals
from .structure import read_answer
from .tokens import TooBigError, tokenize
from .values import Budget, TooHardError

Mode = Literal["default", "paper"]
MODES: tuple[str, ...] = ("default", "paper")
# Longer answers are compared as text only; the longest reference answer of PolyMath has 300.
MAX_LENGTH = 2_000
_DIGIT_COMMA = re.compile(r"\d,\d")
_ONE_GROUP = re.compile(r"(?<![\d.,])([1-9]\d{0,2})([.,])(\d{3})(?![\d.,⟦])")
# Languages that group digits by dots.
DOTTING = frozenset({"de", "es", "fr", "id", "it", "pt", "ru", "vi"})
_SLASHED = re.compile(r"/\s*[\w\\(]+\s*[A-Za-z\\(]")
_OPTION = re.compile(r"(?<![A-Za-z])[A-E](?![A-Za-z])")
_STRICT = re.compile(r"\\boxed\{")


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

    Raises:
        ValueError: an unknown mode.
        ImportError: the packages of the extra ``math`` are missing.
    """
    return grade_boxed(prediction, gold, mode, bare=True, language=language)


def grade_boxed(
    prediction: str | None,
    gold: str,
    mode: str = "default",
    *,
    bare: bool = False,
    language: str = "en",
) -> Grade:
    """Like ``grade_math``; with ``bare`` False, a response without a box holds no answer."""
    if mode not in MODES:
        raise ValueError(f"unknown mode {mode!r}: allowed are {', '.join(MODES)}")
    _require_packages()
    if mode == "paper":
        from .paper import grade_paper

        return grade_paper(prediction, str(gold), bare=bare)
    text = "" if prediction is None else str(prediction)
    boxes = find_boxes(text)
    if boxes.joined:
        answer = boxes.joined
    elif bare and text.strip() and "boxed" not in text and "fbox" not in text:
        answer = text.strip()
    else:
        return _outcome("truncated" if boxes.unclosed else "no_answer", boxes, text)
    correct, readable = math_equal(answer, str(gold), dotted=language in DOTTING)
    status: Status = "correct" if correct else "wrong" if readable else "bad_format"
    return _outcome(status, boxes, text, answer)


def _outcome(status: Status, boxes: Boxes, text: str, answer: str | None = None) -> Grade:
    strict = len(boxes.contents) == 1 and len(_STRICT.findall(text)) == 1
    shown = None if answer is None else answer[:MAX_LENGTH]
    return Grade(status == "correct", status, strict, shown, {"boxes": len(boxes.contents)})


def math_equal(  # noqa: PLR0911
    answer: str, gold: str, dotted: bool = False
) -> tuple[bool, bool]:
    """Whether ``answer`` equals ``gold``, and whether it was small enough to be read.

    With ``dotted``, a dot before three digits of the answer may group them.

    Bounded in time and memory: longer or deeper answers than the limits are compared as text, and
    the work of comparing is paid from a budget.
    """
    if answer.strip() == gold.strip():
        return True, True
    if max(len(answer), len(gold)) > MAX_LENGTH:
        return False, False
    cleaned, target = clean(answer), clean(gold)
    if _spaceless(cleaned) == _spaceless(target) != "":
        return True, True
    option = _chosen_option(cleaned, target)
    if option is not None:
        return option, True
    try:
        theirs, ours = _readings(cleaned, True, dotted), _readings(target, False)
    except TooBigError:
        return False, False
    budget = Budget()
    try:
        if any(equal(reference, reading, budget) for reference in ours for reading in theirs):
            return True, True
    except TooHardError:
        return False, True
    unread = isinstance(ours[0], Raw) or isinstance(theirs[0], Raw)
    return unread and library_equal(target, cleaned), True


@cache
def _require_packages() -> None:
    missing = [name for name in ("mpmath", "sympy", "math_verify") if find_spec(name) is None]
    if missing:
        raise ImportError(
            f"grading mathematics needs {', '.join(missing)}: install the extra with "
            "pip install 'xlgo[math]'"
        )


def _spaceless(text: str) -> str:
    return re.sub(r"(?<!\d)\s+|\s+(?!\d)", "", text)


def _chosen_option(answer: str, gold: str) -> bool | None:
    """Whether the option A–E was chosen, if the reference is one and the answer names just one."""
    letter = gold.strip("()[] ")
    if len(letter) != 1 or letter not in "ABCDE" or "=" in answer:
        return None
    named = set(_OPTION.findall(answer))
    return named == {letter} if named else None


def _may_be_decimal(text: str, is_answer: bool) -> bool:
    """Whether a comma may be the decimal sign: one number alone, or parts parted by semicolons."""
    if not is_answer:
        return text.lstrip("- ").startswith("0,")
    alone = len(_DIGIT_COMMA.findall(text)) == 1 and not re.search(r"[(\[]|\\\{", text)
    return alone or ";" in text


@lru_cache(maxsize=4096)
def _readings(text: str, is_answer: bool, dotted: bool = False) -> tuple[Answer, ...]:
    """What a cleaned answer may mean: commas and slashes can be read in several ways."""
    styles = ["group"]
    if _DIGIT_COMMA.search(text):
        styles.append("list")
        if _may_be_decimal(text, is_answer):
            styles.append("decimal")
    found = [read_answer(with_numerals(tokenize(text, style))) for style in styles]
    if _SLASHED.search(text):
        found.append(read_answer(with_numerals(tokenize(text)), tight=True))
    if dotted and len(_ONE_GROUP.findall(text)) == 1:
        between = {".": r"\1\3", ",": r"\1.\3"}  # 70.000 as 70000, 3,142 as 3.142
        swapped = _ONE_GROUP.sub(lambda match: match.expand(between[match[2]]), text)
        found += _readings(swapped, is_answer)
    return tuple(dict.fromkeys(found))
