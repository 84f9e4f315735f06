r"""Grade an answer to a mathematical question against the reference answer.

Mode ``default`` compares what the two answers mean; ``docs/polymath.md`` says what is equal to
what. What is plainly one text, or two numbers, is decided here in microseconds; the rest goes to
``library``, in a process that may be killed. Mode ``paper`` follows the published scoring of
PolyMath (Wang et al. 2025), described in ``paper``.
"""

import re
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from ..core import Grade, Status
from ..reading.answers import Kind, number_kind, read_response
from ..reading.forms import find_boxes, find_unasked
from ..reading.values import COMMA, KILO, read_number
from .paper.published import check_antlr, grade_paper
from .text import MAGNITUDES, alters, clean, formulas, is_unbalanced
from .worker import WORKER, WorkerError

MAX_LENGTH = 2_000
"""Longer answers are compared as text only; the longest reference answer of PolyMath has 300."""
ROUNDED_DIGITS = 6
"""A decimal of so many significant digits may stand for a number that has more."""

_DECIMAL = r"(?:\d[\d.,]*|\.\d+)"
_NUMBER = re.compile(
    rf"(?P<sign>[-+]?)\s?(?P<currency>[$€£¥₹₩₫฿₽¢]?)\s?(?P<minus>-?)"
    rf"(?P<number>{_DECIMAL}\s?/\s?{_DECIMAL}"
    r"|(?:\d+\s?)?\\frac\s?(?:\{\s?-?\d+\s?\}\s?\{\s?\d+\s?\}|\d\s?\d)"
    rf"|{_DECIMAL})\s?"
    r"(?P<mark>%|\^\s?\{?\s?\\circ\s?\}?|[$€£¥₹₩₫฿₽¢])?"
    r"(?P<unit>(?:\s|[^\W\d_]|[^\x00-\x7f]|[.()'/-]|\^\s?\{?\d\s?\}?)*)"
)
_UNIT = re.compile(r"[^\W\d_]{2}|[^\x00-\x7f]|(?<=\s)[mgshLl]\b")
_POWERS = "千천万萬만億亿억"  # read with the number
_LETTERS = re.compile(r"[^\W\d_]+")
_TEXT = re.compile(r"(?=.*[^\W\d_]{3})[^\W\d_](?:[^\W_]|[\s.,'()-])*")
_YES = {"yes": True, "true": True, "no": False, "false": False}
_OPTION = re.compile(r"[({\[]?\s?([A-Ea-e])\s?[)}\]]?(?:(?<=[)}\]])\s.*|[.:]\s.*)?")
_BASED = re.compile(r"(\d+)\s?_\s?\{?\s?(\d+)\s?\}?")
_ASSIGNED = re.compile(
    r"\s?(?P<name>\\?(?:[A-Za-z](?:_\w{1,9})?|[A-Za-z]{3,20})(?:\([\w,]{1,9}\))?)\s?=\s?(?P<value>[^=]+)"
)
_SAID = re.compile(
    r".*(?:\b(?:is|are|equals?|equivalent to)\s:?\s?|(?P<name>[A-Za-z])\s?=\s?)(?P<value>.+)"
)
_PROSE = re.compile(r"[A-Za-z]{3,}\s[A-Za-z]{2,}")
_CONGRUENCE = re.compile(
    r"(?P<name>[^\\]{1,40})\\equiv(?P<residues>(?:[\d\s,-]|\\pm|or|and){1,200})"
    r"\(?\s?\\?p?mod\s?\{?\s?(?P<modulus>\d{1,30})\s?\}?\s?\)?"
)
_PLAIN = re.compile(r"[\w\s.,%()'-]+")


class Comparison(NamedTuple):
    """What comparing two answers found.

    Attributes:
        equal: they say the same.
        readable: they were small enough to be read; else they were compared as text.
        stopped: the library exceeded its limits of time or memory.
    """

    equal: bool
    readable: bool = True
    stopped: bool = False


class Quantity(NamedTuple):
    """A number with what stands beside it.

    Attributes:
        value: exactly what is written, without the percent sign.
        places: digits behind the decimal mark; 0 for integers and fractions.
        percent: a percent sign stands behind it.
        unit: the word behind it.
    """

    value: Fraction
    places: int
    percent: bool
    unit: str


def compare(answer: str, gold: str, language: str = "en") -> Comparison:
    """Compare two answers without boxes; ``language`` is that of ``answer``."""
    if answer.strip() == gold.strip():
        return Comparison(True)
    if max(len(answer), len(gold)) > MAX_LENGTH:
        return Comparison(False, readable=False)
    answer, gold = clean(answer), clean(gold)
    verdict = plainly(answer, gold, language)
    if verdict is not None:
        return Comparison(verdict)
    answer, gold = formulas(answer, gold)
    if not (answer and gold):
        return Comparison(False)
    verdict = _library_verdict(answer, gold)
    return Comparison(bool(verdict), stopped=verdict is None)


@lru_cache(maxsize=4096)
def _library_verdict(answer: str, gold: str) -> bool | None:
    return WORKER.ask("library", answer, gold)


def plainly(  # noqa: PLR0911
    answer: str, gold: str, language: str = "en"
) -> bool | None:
    """The verdict on two cleaned answers if no formula need be worked out; else ``None``."""
    if _spaceless(answer) == _spaceless(gold) != "":
        return True
    if is_unbalanced(answer) or is_unbalanced(gold):  # where a brace is missing cannot be told
        return _spaceless(re.sub("[{}]", "", answer)) == _spaceless(re.sub("[{}]", "", gold))
    letter = gold.strip("()[]{} ")
    if len(letter) == 1 and letter in "ABCDE":
        option = _OPTION.fullmatch(answer)
        return option[1].upper() == letter if option else None
    if wanted_classes := _residues(gold):
        return _residues(answer) == wanted_classes
    if _TEXT.fullmatch(gold) or gold.casefold() in _YES:
        return _same_text(answer, gold)
    (name, value_text), (wanted_name, value) = _assigned(answer), _assigned(gold)
    if name and wanted_name and name != wanted_name:
        return None
    based = [_BASED.fullmatch(text) for text in (value_text, value)]
    if based[0] and based[1]:
        return _in_base(based[0]) == _in_base(based[1])
    gold_quantity = quantity(value, "en")
    if based[0]:
        return gold_quantity is not None and gold_quantity.value == _in_base(based[0])
    readings = [
        q
        for style in (language, "en")
        if (q := quantity(value_text, style) or _only_number(value_text))
    ]
    if not readings:
        return None
    if based[1]:  # the base may be left to the question
        return any(q.value in (int(based[1][1]), _in_base(based[1])) for q in readings)
    return any(_same_quantity(q, gold_quantity) for q in readings) if gold_quantity else None


def _assigned(text: str) -> tuple[str, str]:
    """The name before an equals sign, and what stands behind it; of a sentence, its end."""
    match = (_SAID if _PROSE.search(text) else _ASSIGNED).fullmatch(text)
    return (match["name"] or "", match["value"]) if match else ("", text)


def _only_number(text: str) -> Quantity | None:
    """The number of a sentence that has just one."""
    if not _PROSE.search(text) or alters(text) or not _PLAIN.fullmatch(text):
        return None
    value = read_number(text)
    return None if value is None else Quantity(value, 0, False, "")


def _residues(text: str) -> tuple[str, int, frozenset[int]] | None:
    r"""The classes of integers of a congruence: ``n \equiv \pm 1 \pmod 4`` is 1 and 3 of 4."""
    match = _CONGRUENCE.fullmatch(text)
    if match is None or not int(match["modulus"]):
        return None
    modulus, residues = int(match["modulus"]), set()
    for part in re.split(r",|\bor\b|\band\b", match["residues"]):
        number = part.replace(r"\pm", "").replace("-", "").strip()
        if not number.isdecimal():
            return None
        signs = (1, -1) if r"\pm" in part else (-1,) if "-" in part else (1,)
        residues |= {sign * int(number) % modulus for sign in signs}
    return match["name"].strip(), modulus, frozenset(residues)


def _in_base(match: re.Match[str]) -> int | None:
    try:
        return int(match[1], int(match[2]))
    except ValueError:
        return None


def _spaceless(text: str) -> str:
    return re.sub(r"(?<!\d)\s+|\s+(?!\d)", "", text)


def _same_text(answer: str, gold: str) -> bool:
    """Words against words, without case and punctuation; "Yes, because …" is yes."""
    words, gold_words = (re.findall(r"\w+", text.casefold()) for text in (answer, gold))
    if len(gold_words) == 1 and gold_words[0] in _YES:
        return bool(words) and _YES.get(words[0]) is _YES[gold_words[0]]
    return words == gold_words


@lru_cache(maxsize=4096)
def quantity(text: str, language: str) -> Quantity | None:
    """The number that a text is, with words and signs beside it that make no other of it."""
    match = _NUMBER.fullmatch(text)
    if match is None:
        return None
    number, unit = match["number"].rstrip(".,"), match["unit"].strip(" .()'-/")
    if unit and not _UNIT.search(text, match.end("number")):
        return None
    power = unit[:1] if unit[:1] in _POWERS and not KILO.match(unit) else ""
    value = read_number(("0" + number if number[0] == "." else number) + power, language)
    if value is None:
        return None
    unit = unit[len(power) :]
    if match["sign"] == "-" or match["minus"]:
        value = -value
    for word in unit.casefold().split()[:1]:
        value *= MAGNITUDES.get(word, 1)
        unit = unit[len(word) :] if word in MAGNITUDES else unit
    if alters(unit):
        return None
    mark = "," if language in COMMA else "."
    digits = len(number.rpartition(mark)[2]) if mark in number and value.denominator > 1 else 0
    return Quantity(value, digits, match["mark"] == "%", unit)


def _same_quantity(answer: Quantity, gold: Quantity) -> bool:
    if not _same_unit(answer.unit, gold.unit):
        return False
    if answer.percent != gold.percent:
        percentage, plain = (answer, gold) if answer.percent else (gold, answer)
        if percentage.value / 100 == plain.value:
            return True
        if abs(plain.value) < 1:
            return False
    return answer.value == gold.value or _rounds(answer, gold.value) or _rounds(gold, answer.value)


def _rounds(decimal: Quantity, value: Fraction) -> bool:
    """Whether a decimal is a value, rounded or cut off after enough digits."""
    scale = 10**decimal.places
    if value.denominator == 1 or abs(decimal.value) * scale < 10 ** (ROUNDED_DIGITS - 1):
        return False
    more = (abs(value) - abs(decimal.value)) * scale
    return value * decimal.value > 0 and decimal.places > 0 and Fraction(-1, 2) <= more < 1


def _same_unit(one: str, gold_unit: str) -> bool:
    """Whether two units may be one: none is shown, or one abbreviates the other."""
    if not (one and gold_unit):
        return True
    if re.findall(r"\d", one) != re.findall(r"\d", gold_unit):
        return False
    short, long = sorted(
        ("".join(_LETTERS.findall(unit.casefold())) for unit in (one, gold_unit)), key=len
    )
    letters = iter(long)
    return short[:1] == long[:1] and all(letter in letters for letter in short)


MODES: tuple[str, ...] = ("default", "paper")
_KIND = Kind(
    find_boxes, lambda content: content or None, unasked=find_unasked, sign=re.compile(r"\d")
)
_WORD = re.compile(r"[^\W\d_]+")


def grade_math(
    prediction: str | None, gold: str, mode: str = "default", language: str = "en"
) -> Grade:
    r"""Grade one answer.

    Args:
        prediction: a response with a ``\boxed{…}``, or an answer alone. ``None`` is no answer.
        gold: the reference answer, in LaTeX with or without dollar signs.
        mode: ``default``, or ``paper`` for the published rules.
        language: of the question; in German, say, ``70.000`` is 70000.

    Returns:
        The grade; ``answer`` is the text that was compared, ``details["boxes"]`` their number.
        ``details["library"]`` is ``stopped`` where math-verify or SymPy was asked and exceeded its
        limits.

    What no rule foresaw, an exception in here, is ``bad_format`` with the exception's name as
    ``details["error"]``.

    Raises:
        ValueError: an unknown mode.
        ImportError: SymPy finds no antlr4 that it reads LaTeX with (mode ``paper``).
        WorkerError: the process that runs math-verify and SymPy could not be started.
    """
    return grade_boxed(prediction, gold, mode, bare=True, language=language)


def grade_boxed(
    prediction: str | None,
    gold: str,
    mode: str = "default",
    *,
    bare: bool = False,
    language: str = "en",
    question: str = "",
) -> Grade:
    """Like ``grade_math``; with ``bare`` False, a response without a box holds no answer.

    Where the text of the question has a word that multiplies a number (``dozen``), an answer may
    have it and the reference not.
    """
    if mode not in MODES:
        raise ValueError(f"unknown mode {mode!r}: allowed are {', '.join(MODES)}")
    if mode == "paper":
        check_antlr()
    try:
        if mode == "paper":
            return grade_paper(prediction, str(gold), bare=bare)
        text = "" if prediction is None else str(prediction)
        grade = _grade_default(text, str(gold), bare, language)
        if grade.status == "wrong" and grade.answer and question:
            counted = _counted(grade.answer, question)
            if counted != grade.answer and compare(counted, gold, language).equal:
                return replace(grade, correct=True, status="correct")
        return grade
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
    reading = read_response(text, _KIND, language)
    answer, several = reading.answer, bool(reading.parts)
    if several:
        answer = ", ".join(dict.fromkeys(reading.parts))
    elif answer is None and reading.rule == "none" and bare:
        answer = _bare(text, gold, language)
    if answer is None:
        answer = _broken_box(text, gold)
    if not answer:
        status: Status = "bad_format" if reading.status == "answered" else reading.status
        return _outcome(status, text)
    comparison = compare(answer, gold, language)
    readable = comparison.readable and not several
    status = "correct" if comparison.equal else "wrong" if readable else "bad_format"
    return _outcome(status, text, answer, comparison.stopped)


def _bare(text: str, gold: str, language: str) -> str | None:
    """The answer of a text without a box: all of it, or the number that its words give."""
    stripped = text.strip()
    brief = len(stripped) <= MAX_LENGTH and "\n" not in stripped
    if brief and (quantity(clean(stripped), language) or compare(stripped, gold, language).equal):
        return stripped
    number = read_response(text, number_kind(language), language).answer
    return str(number) if number is not None else stripped if brief else None


def _counted(answer: str, question: str) -> str:
    """An answer without the words that multiply numbers and that stand in the question."""
    words = {word for word in _WORD.findall(question.casefold()) if word in MAGNITUDES}
    singular = words | {word.rstrip("s") for word in words}
    return _WORD.sub(
        lambda word: "" if word[0].casefold().rstrip("s") in singular else word[0], answer
    )


def _broken_box(text: str, gold: str) -> str:
    """The answer in a box that never closes because the reference itself lacks a brace."""
    core = gold.strip().strip("$")
    content = text.rpartition("boxed{")[2].lstrip(" $")
    return core if is_unbalanced(core) and content.startswith(core) else ""


def _outcome(status: Status, text: str, answer: str | None = None, stopped: bool = False) -> Grade:
    boxes = len(find_boxes(text)[0])
    strict = boxes == 1 and text.count("\\boxed{") == 1
    excerpt = None if answer is None else answer[:MAX_LENGTH]
    details: dict[str, object] = {"boxes": boxes}
    if stopped and status != "correct":
        details["library"] = "stopped"
    return Grade(status == "correct", status, strict, excerpt, details, in_form=boxes > 0)
