r"""Compare answers to operation questions by what they mean.

Numbers are compared exactly, however written; alternatives, sets, inequalities and matrices by
their parts; expressions with the package's comparison of mathematical answers.
"""

import re
from fractions import Fraction

from ....mathematics.compare import compare
from ..published import EXPRESSIONS, INEQUALITIES, MATRICES, SETS

MAX_LENGTH = 600
"""Longer answers are compared as text only; the longest reference answer has 40 characters."""

_TEXT = re.compile(r"\\(?:text|mathrm|textbf|mathbf)\s?\{([^{}]{0,60})\}")
_LOOKS = re.compile(r"\\(?:left|right|displaystyle|quad|qquad|[,;:!()\[\]])(?![A-Za-z])|[$\"`]")
_ROOT = re.compile(r"√\s?(?:\(([^()]{1,40})\)|(\d{1,20}|[A-Za-z]))")
_SIGNS = str.maketrans({"−": "-", "–": "-", "＝": "=", "，": ",", "；": ";", "∣": "|"})
_INTEGER = r"[+-]?\s?\d{1,40}"
_PLAIN = re.compile(r"([+-]?\s?\d{1,40}(?:,\d{3}){0,9}(?:\.\d{1,40})?|[+-]?\.\d{1,40})")
_RATIO = re.compile(rf"([+-]?)\s?\(?({_INTEGER})\)?\s?/\s?\(?({_INTEGER})\)?")
_FRACTION = re.compile(
    rf"([+-]?)\s?\\[dt]?frac\s?(?:\{{\s?({_INTEGER})\s?\}}\s?\{{\s?({_INTEGER})\s?\}}|(\d)\s?(\d))"
)
_NAMED = re.compile(r"\s*[A-Za-z]\w{0,3}(?:_\{?\w{1,3}\}?)?(?:\([A-Za-z, ]{1,9}\))?\s*=(?!=)")
_PAIRS = re.compile(r"=.*[,;].*=|=.*\band\b.*=")
_RELATIONS = (
    (re.compile(r"\\(?:leqslant|leq|le)(?![A-Za-z])|<=|=<|⩽|≦"), "≤"),
    (re.compile(r"\\(?:geqslant|geq|ge)(?![A-Za-z])|>=|=>|⩾|≧"), "≥"),
    (re.compile(r"\\lt(?![A-Za-z])|＜"), "<"),
    (re.compile(r"\\gt(?![A-Za-z])|＞"), ">"),
    (re.compile(r"\\infty|\\infin|infinity|inf(?![a-z])"), "∞"),
)
_NUMBER = r"[+-]?\s?\d{1,12}(?:\.\d{1,12})?(?:/\d{1,12})?"
_BOUND = re.compile(rf"([≤≥<>])\s?({_NUMBER})|({_NUMBER})\s?([≤≥<>])")
_FLIPPED = {"≤": "≥", "≥": "≤", "<": ">", ">": "<"}
_INTERVAL = re.compile(rf"([(\[]?)\s?({_NUMBER}|-\s?∞)\s?,\s?({_NUMBER}|\+?\s?∞)\s?([)\]]?)")
_ROW_BRACKETS = re.compile(r"[\])}]\s{0,9}[,;]?\s{0,9}[\[({]")
_ROW_END = re.compile(r"[\])}]\s{0,9}[,;]?\s{0,9}[\[({]|;|\\\\|\n")
_MATRIX = re.compile(r"\\(?:begin|end)\s?\{[A-Za-z*]{1,12}\}(?:\s?\{[clr|\s]{1,20}\})?")


def same_answer(  # noqa: PLR0911
    answer: str, gold: str, *, rule_id: str, idx: str
) -> bool:
    """Whether an answer to an operation question is right.

    Args:
        answer: the extracted one.
        gold: the reference answer, both without their double brackets.
        rule_id: the rule's number.
        idx: the question's number.

    Raises:
        WorkerError: the process that compares expressions could not be started.
    """
    if _bare(answer) == _bare(gold):
        return True
    if len(answer) > MAX_LENGTH:
        return False
    answer, gold = _plain(answer), _plain(gold)
    if idx in INEQUALITIES or "≤" in gold or "≥" in gold:
        expected = _bounds(gold)
        return expected is not None and _bounds(answer) == expected
    if rule_id == SETS:
        return _elements(answer) == _elements(gold)
    if rule_id in MATRICES:
        wanted_rows = _rows(gold)
        return wanted_rows is not None and _rows(answer) == wanted_rows
    if "or" in gold or _PAIRS.search(gold):
        return compare(answer.replace("[", " ").replace("]", " "), gold).equal
    return _same_value(answer, gold, idx in EXPRESSIONS)


def _bare(text: str) -> str:
    return re.sub(r"[\s\"]+", "", text)


def _plain(text: str) -> str:
    """Without decoration, in one alphabet."""
    text = _TEXT.sub(r" \1 ", text.translate(_SIGNS))
    text = _LOOKS.sub(" ", text)
    text = _ROOT.sub(lambda match: rf"\sqrt{{{match[1] or match[2]}}}", text)
    return " ".join(text.split(" ")).strip(" \t\n*.,;")


def rational(text: str) -> Fraction | None:
    r"""The number that a text is: ``13/3``, ``-\frac{13}{3}``, ``4.5``, ``1,000``."""
    text = " ".join(text.split())
    if _PLAIN.fullmatch(text):
        return Fraction(text.replace(",", "").replace(" ", ""))
    match = _RATIO.fullmatch(text)
    if match:
        sign, top, bottom = match.groups()
    else:
        match = _FRACTION.fullmatch(text)
        if match is None:
            return None
        sign, top, bottom = match[1], match[2] or match[4], match[3] or match[5]
    below = int(bottom.replace(" ", ""))
    if not below:
        return None
    value = Fraction(int(top.replace(" ", "")), below)
    return -value if sign == "-" else value


def _same_value(answer: str, gold: str, expression: bool) -> bool:
    """Whether two values are equal: exactly where both are numbers.

    Where the reference is a number and no expression is asked for, the answer must be written as a
    number. A decimal is never an irrational number.
    """
    answer = answer.strip("[] ")
    match = _NAMED.match(answer)
    if expression and "=" in answer:
        answer = answer.rpartition("=")[2].strip()
    elif match:
        answer = answer[match.end() :].strip()
    value, expected = rational(answer), rational(gold)
    if value is not None or (expected is not None and not expression):
        return value is not None and value == expected
    return compare(answer, gold).equal


def _elements(text: str) -> frozenset[str]:
    """The elements of a set; without commas, those that spaces part."""
    text = text.rpartition("=")[2].replace(r"\{", "{").replace(r"\}", "}").strip()
    text = text.strip("{}()[] ")
    text = text.replace(";", ",")
    parts = text.split(",") if "," in text else text.split()
    return frozenset(" ".join(part.split()).strip("'") for part in parts)


def _bounds(text: str) -> frozenset[tuple[str, Fraction]] | None:
    """The half-lines of a condition, as signs and numbers; the name of the variable is free."""
    for pattern, sign in _RELATIONS:
        text = pattern.sub(sign, text)
    text = " ".join(text.split())
    result = set()
    for sign, number, reversed_number, flipped in _BOUND.findall(text):
        value = Fraction((number or reversed_number).replace(" ", ""))
        result.add((sign or _FLIPPED[flipped], value))
    if not result:
        for opening, low, high, closing in _INTERVAL.findall(text):
            # Half-open intervals may have lost their square bracket to the brackets around them.
            if "∞" in high and "∞" not in low:
                result.add((">" if opening == "(" else "≥", Fraction(low.replace(" ", ""))))
            elif "∞" in low and "∞" not in high:
                result.add(("<" if closing == ")" else "≤", Fraction(high.replace(" ", ""))))
            else:
                return None
    return frozenset(result) or None


def _rows(text: str) -> list[list[Fraction]] | None:
    """The rows of a matrix of numbers; ``None`` where a cell is no number."""
    text = _MATRIX.sub(" ", text.rpartition("=")[2]).strip()
    rows = []
    row_end = _ROW_BRACKETS if _ROW_BRACKETS.search(text) else _ROW_END
    for row in row_end.split(text):
        cells = [cell for cell in re.split(r"[,;&\s]+", row.strip("()[]{} \t\n|.")) if cell]
        values = [rational(cell.strip("*_\\")) for cell in cells]  # cells may be in bold
        if any(value is None for value in values):
            return None
        if values:
            rows.append([value for value in values if value is not None])
    return rows
