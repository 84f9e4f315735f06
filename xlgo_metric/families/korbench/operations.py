r"""Compare answers to questions of operations, logic and others by what they mean.

Numbers are compared exactly, however written; alternatives, sets, inequalities and matrices by
their parts; expressions with the package's comparison of mathematical answers. Logic is compared in
one form, choices by their letter, grids cell by cell.
"""

import re
import unicodedata
from fractions import Fraction

from ...mathematics.grading import compare, quantity
from ...mathematics.text import clean
from ...reading.values import latin_letter
from .published import EXPRESSIONS, INEQUALITIES, MATRICES, SETS

MAX_LENGTH = 600
"""Longer answers are compared as text only; the longest reference answer has 40 characters."""

_NAMED = re.compile(r"\s*[A-Za-z]\w{0,3}(?:_\{?\w{1,3}\}?)?(?:\([A-Za-z, ]{1,9}\))?\s*=(?!=)")
_PAIRS = re.compile(r"=.*[,;].*=|=.*\band\b.*=")
_RELATIONS = (
    (re.compile(r"\\le(?![A-Za-z])|<=|=<"), "≤"),
    (re.compile(r"\\ge(?![A-Za-z])|>=|=>"), "≥"),
    (re.compile(r"\\infty|infinity|inf(?![a-z])"), "∞"),
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
    is_condition = idx in INEQUALITIES or "≤" in gold or "≥" in gold
    answer, gold = clean(answer), clean(gold)
    if is_condition:
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


def rational(text: str) -> Fraction | None:
    r"""The number that a text is: ``13/3``, ``-\frac{13}{3}``, ``4.5``, ``1,000``."""
    result = quantity(clean(text), "en")
    return None if result is None or result.percent or result.unit else result.value


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


_COMMANDS = {
    "land": "∧", "wedge": "∧", "lor": "∨", "vee": "∨", "neg": "¬", "lnot": "¬", "forall": "∀",
    "exists": "∃", "rightarrow": "→", "to": "→", "Rightarrow": "⇒", "implies": "⇒",
    "emptyset": "∅", "varnothing": "∅", "langle": "⟨", "rangle": "⟩", "phi": "φ", "varphi": "φ",
    "epsilon": "ε", "varepsilon": "ε", "lambda": "λ", "S": "§", "approx": "≈", "in": "∈",
    "sim": "~", "mid": "|", "vert": "|", "cdot": "*", "ast": "*", "times": "*", "checkmark": "✓",
    "left": "", "right": "", "quad": "", "bigvee": "∨", "bigwedge": "∧",
}  # fmt: skip
_COMMAND = re.compile(r"\\([A-Za-z]+)")
_TEXT_COMMAND = re.compile(r"\\(?:text|mathrm|textbf|mathbf)\s?\{([^{}]{0,2000})\}")
_INDEX = re.compile(r"_\{(\w{1,40})\}")
_ONE_FORM = str.maketrans(
    {
        "∣": "|", "｜": "|", "∼": "~", "～": "~", "−": "-", "–": "-", "∧": "^", "∗": "*", "＆": "&",
        "⋀": "^", "⋁": "∨", "〈": "⟨", "〉": "⟩", "✔": "✓", "；": ";", "，": ",", "：": ":",
        "（": "(", "）": ")", "ϕ": "φ", "ϵ": "ε", "“": None, "”": None, '"': None, ".": None,
        "`": None,
    }
)  # fmt: skip
_SPACE = re.compile(r"\s+")
_PARTS = re.compile(r"\]\s{0,20};\s{0,20}\[")
_CHOICE = re.compile(
    r"[^A-Za-z]{0,6}(?:(?:option|answer|choice)[^A-Za-z]{1,4})?([A-Z])"
    r"(?:\W{0,6}\Z|(?:\s?(?:[.:)]|-\s|\s-)\s{0,4}|,\s|\n\s{0,4})"
    r"(?!\s|[A-Z](?:\W{0,3}\Z|\s?[.,;:/&)|-]|\s(?:or|and)\b)).{0,2000})",
    re.IGNORECASE | re.DOTALL,
)
_LETTER = re.compile(r"[A-Z]")


def fold(text: str, dollars: bool = False) -> str:
    """An expression of logic in one alphabet, without white space, quotes and full stops.

    Dollar signs only delimit mathematics unless ``dollars`` says that they are symbols of the rule.
    """
    if not dollars:
        text = text.replace("$", " ")
    text = _TEXT_COMMAND.sub(r"\1", text)
    text = _COMMAND.sub(lambda match: _COMMANDS.get(match[1], match[0]), text)
    text = _SPACE.sub("", _INDEX.sub(r"_\1", text)).translate(_ONE_FORM)
    return text.replace("\\", "").replace("_", "")


def choice(text: str) -> str | None:
    """The capital letter that an answer chooses: ``C``, ``C. Some text``, ``(C)``."""
    text = unicodedata.normalize("NFKC", _TEXT_COMMAND.sub(r"\1", text).strip())
    if len(text) == 1:
        text = latin_letter(text, text)
    match = _CHOICE.fullmatch(text)
    return match[1] if match and match[1].isupper() else None


def same_choice(answer: str, gold: str) -> bool:
    """Whether an answer chooses the letter of the reference."""
    return choice(answer) == gold.strip()


def same_logic(answer: str, gold: str, *, unordered: bool) -> bool:
    """Whether an answer of logic is the reference, part by part.

    Args:
        answer: the extracted one.
        gold: the reference answer, both without their double brackets.
        unordered: the parts are rows whose order does not matter.
    """
    dollars = "$" in gold
    if fold(answer, dollars) == fold(gold, dollars):
        return True
    parts, expected = _PARTS.split(answer), _PARTS.split(gold)
    if len(parts) != len(expected):
        return False
    if unordered:
        return sorted(map(fold, parts)) == sorted(map(fold, expected))
    return all(_same_part(*pair, dollars) for pair in zip(parts, expected, strict=True))


def _same_part(answer: str, gold: str, dollars: bool) -> bool:
    if fold(answer, dollars) == fold(gold, dollars):
        return True
    return bool(_LETTER.fullmatch(gold.strip())) and choice(answer.strip("[] ")) == gold.strip()


# Texts and grids of cells

_INNERMOST = re.compile(r"\[([^\[\]]*)\]")
_ESCAPE = re.compile(r"\\([#_&%$])")
_COMMAND_TEXT = re.compile(r"\\(?:text|mathrm|texttt)\s?\{([^{}]{0,2000})\}")
_BLANKS = str.maketrans("", "", "\n\t []")
_MARKS = "\"“”'$`"


def is_grid(gold: str) -> bool:
    """Whether a reference answer is a list of cells: quoted, or several rows."""
    return "'" in gold or "], [" in gold


def rows(content: str) -> list[list[str]]:
    """The rows of a list of lists whose outer brackets may be missing; quotes do not matter."""
    return [
        [cell.strip().strip("'\"‘’“”").strip() for cell in row.split(",")]
        for row in _INNERMOST.findall(f"[[{content}]]")
    ]


def same_cells(answer: str, gold: str) -> bool:
    """Whether an answer has the same cells in the same rows."""
    return rows(answer) == rows(gold)


def same_text(answer: str, gold: str) -> bool:
    """Whether two texts are the same but for white space, brackets and LaTeX's escapes.

    Quotes and dollar signs do not count either, unless the reference has them.
    """
    marks = str.maketrans("", "", "".join(mark for mark in _MARKS if mark not in gold))
    text = _COMMAND_TEXT.sub(r"\1", answer).translate(_BLANKS).translate(marks)
    expected = gold.translate(_BLANKS)
    return expected in (text, _ESCAPE.sub(r"\1", text))
