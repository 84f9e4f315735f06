"""Compare symbols: logic in one form, choices by their letter, cells of grids, and plain texts."""

import re
import unicodedata

from ....reading.values import latin_letter

_COMMANDS = {
    "land": "∧", "wedge": "∧", "lor": "∨", "vee": "∨", "neg": "¬", "lnot": "¬", "forall": "∀",
    "exists": "∃", "rightarrow": "→", "to": "→", "Rightarrow": "⇒", "implies": "⇒",
    "emptyset": "∅", "varnothing": "∅", "langle": "⟨", "rangle": "⟩", "phi": "φ", "varphi": "φ",
    "epsilon": "ε", "varepsilon": "ε", "lambda": "λ", "S": "§", "approx": "≈", "in": "∈",
    "sim": "~", "mid": "|", "vert": "|", "cdot": "*", "ast": "*", "times": "*", "checkmark": "✓",
    "left": "", "right": "", "quad": "", "bigvee": "∨", "bigwedge": "∧",
}  # fmt: skip
_COMMAND = re.compile(r"\\([A-Za-z]+)")
_TEXT = re.compile(r"\\(?:text|mathrm|textbf|mathbf)\s?\{([^{}]{0,2000})\}")
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
    text = _TEXT.sub(r"\1", text)
    text = _COMMAND.sub(lambda match: _COMMANDS.get(match[1], match[0]), text)
    text = _SPACE.sub("", _INDEX.sub(r"_\1", text)).translate(_ONE_FORM)
    return text.replace("\\", "").replace("_", "")


def choice(text: str) -> str | None:
    """The capital letter that an answer chooses: ``C``, ``C. Some text``, ``(C)``."""
    text = unicodedata.normalize("NFKC", _TEXT.sub(r"\1", text).strip())
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
