r"""Bring an answer into one alphabet: ASCII digits and signs, plain LaTeX, no decoration."""

import re
import unicodedata
from functools import lru_cache

from ..reading.values import ascii_digits

_SIGNS = {
    "−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-", "×": r"\times ", "·": r"\cdot ",
    "⋅": r"\cdot ", "∙": r"\cdot ", "∗": "*", "÷": "/", "∕": "/", "⁄": "/", "∶": ":",
    "≤": r"\le ", "≦": r"\le ", "⩽": r"\le ", "≥": r"\ge ", "≧": r"\ge ", "⩾": r"\ge ",
    "≠": r"\ne ", "≈": r"\approx ", "≡": r"\equiv ", "∈": r"\in ", "∉": r"\notin ",
    "∪": r"\cup ", "∩": r"\cap ", "∖": r"\setminus ", "∅": r"\emptyset ", "∞": r"\infty ",
    "±": r"\pm ", "∓": r"\mp ", "√": r"\sqrt ", "π": r"\pi ", "θ": r"\theta ", "α": r"\alpha ",
    "β": r"\beta ", "λ": r"\lambda ", "ℝ": r"\mathbb{R}", "ℤ": r"\mathbb{Z}", "ℕ": r"\mathbb{N}",
    "ℚ": r"\mathbb{Q}", "ℂ": r"\mathbb{C}", "⌊": r"\lfloor ", "⌋": r"\rfloor ", "⌈": r"\lceil ",
    "⌉": r"\rceil ", "∑": r"\sum ", "∏": r"\prod ", "°": r"^\circ ", "º": r"^\circ ", "′": "'",
    "’": "'", "，": ",", "、": ",", "،": ",", "؛": ";", "。": ".", "।": ".", "۔": ".", "٫": ".",
    "٬": ",", "٪": "%", "“": '"', "”": '"', "\u2009": " ", "\u202f": " ",
}  # fmt: skip
_TABLE = {ord(sign): meaning for sign, meaning in _SIGNS.items()}
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿⁱˣ", "0123456789+-()nix")
_LOWERED = str.maketrans("₀₁₂₃₄₅₆₇₈₉₊₋ₙₖ", "0123456789+-nk")
_RAISED_RUN = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿⁱˣ]+")
_LOWERED_RUN = re.compile("[₀₁₂₃₄₅₆₇₈₉₊₋ₙₖ]+")
_VULGAR = re.compile("[¼½¾⅐-⅞]")
_INVISIBLE = re.compile("[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe0f\ufeff]")
_DOUBLED = re.compile(r"\\\\(?=[A-Za-z(\[$% ,])")  # commands escaped twice on their way here
_DECORATION = re.compile(
    r"(?<!\\)\\(?:left|right|[bB]igg?[lr]?|displaystyle|textstyle|limits|qquad|quad)(?![A-Za-z])"
    r"|(?<!\\)\\[,;:!> ]|\\[()\[\]](?!\d+(?:pt|em|ex)\])|~|\\left(?=\\)|\\right(?=\\)"
)
_GROUP_SPACE = re.compile(r"(?<=\d)(?:\\[,;:! ]|,\s?\\[!,]|\{,\}|'| )\s?(?=\d{3}(?!\d))")
_WORDS = re.compile(
    r"\\(?:text(?:bf|it|rm|sf|normal)?|mbox|math(?:rm|bf|it|sf)|operatorname|boldsymbol)"
    r"\s{0,3}\{([^{}]{0,400})\}"
)
_RENAMED = {
    "dfrac": "frac", "tfrac": "frac", "cfrac": "frac", "dbinom": "binom", "tbinom": "binom",
    "leq": "le", "leqslant": "le", "geq": "ge", "geqslant": "ge", "neq": "ne", "dots": "ldots",
    "varnothing": "emptyset", "degree": "^\\circ ", "lt": "<", "gt": ">", "colon": ":",
    "bmod": "mod", "lvert": "|", "rvert": "|", "vert": "|", "mid": "|", "cdots": "ldots",
    "lbrace": "{", "rbrace": "}", "infin": "infty", "varphi": "phi", "epsilon": "varepsilon",
    "arctg": "arctan", "tg": "tan", "ctg": "cot", "lor": "or", "lnot": "neg",
}  # fmt: skip
_COMMAND = re.compile(r"\\([A-Za-z]+)")
_BARE_FRACTION = re.compile(r"\\[dt]?frac\s?(\d)\s?(\d)")
_ARRAY = re.compile(
    r"(?:\\left\s?)?[(\[]\s?\\(begin)\s?\{array\}\s?(?:\{[clr|\s]{1,20}\})?"
    r"|\\(end)\s?\{array\}\s?(?:\\right\s?)?[)\]]"
)
MAX_NESTING = 15
_PERCENT = re.compile(r"\s?\b(?:percent|per cent)\b")
# As programs write it: 1e3, 1.5e-3, 2e-05; 2e-2 is two times e, less two.
_SCIENTIFIC = re.compile(
    r"(?<![\w.\\])(\d+\.\d+|\d+(?=[eE](?:\d|[+-]\d\d)))[eE]([+-]?\d{1,3})(?![\w.])"
)
_EDGE = " \t\r\n*`\"'"
_BRACES = re.compile(r"\\.|[{}]", re.DOTALL)


@lru_cache(maxsize=4096)
def clean(text: str) -> str:
    r"""An answer in one alphabet; LaTeX stays LaTeX, with one name for each command.

    >>> clean("１２٫٥ \\dfrac{π}{٣}。")
    '12.5 \\frac{\\pi }{3}'
    """
    text = _INVISIBLE.sub("", text)
    if not text.isascii():
        text = _RAISED_RUN.sub(lambda run: "^{" + run[0].translate(_RAISED) + "}", text)
        text = _LOWERED_RUN.sub(lambda run: "_{" + run[0].translate(_LOWERED) + "}", text)
        text = _VULGAR.sub(_fraction, text).translate(_TABLE)
        text = ascii_digits(unicodedata.normalize("NFKC", text).translate(_TABLE))
    if r"\begin" not in text:
        text = _DOUBLED.sub(r"\\", text)
    text = _GROUP_SPACE.sub(",", " ".join(text.split())).replace("{,}", ",")
    text = _ARRAY.sub(lambda part: rf"\{part[1] or part[2]}{{pmatrix}}", text)
    text = _BARE_FRACTION.sub(r"\\frac{\1}{\2}", text)
    text = _DECORATION.sub(" ", text).replace(r"\%", "%").replace(r"\$", " ").replace("$", " ")
    for _ in range(2):
        text = _WORDS.sub(lambda word: f" {word[1]} " if len(word[1]) > 1 else word[1], text)
    text = " ".join(_PERCENT.sub("%", _COMMAND.sub(_renamed, text)).split())
    text = _SCIENTIFIC.sub(r"\1\\cdot 10^{\2}", text)
    return text.strip(_EDGE).rstrip(".,;:?\\" + _EDGE)


def is_unbalanced(text: str) -> bool:
    """Whether braces are missing, which no reader can put back."""
    depth = 0
    for match in _BRACES.finditer(text):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth < 0:
            return True
    return depth != 0


def _fraction(match: re.Match[str]) -> str:
    top, _, bottom = unicodedata.normalize("NFKC", match[0]).partition("⁄")
    return rf"\frac{{{top}}}{{{bottom}}}"


def _renamed(match: re.Match[str]) -> str:
    name = _RENAMED.get(match[1])
    if name is None:
        return match[0]
    return "\\" + name if name.isalpha() or name in "{}" else name


def is_shallow(text: str) -> bool:
    """Whether brackets and powers nest so little that a parser may be asked."""
    depth = deepest = 0
    for character in text:
        depth += (character in "{([") - (character in "])}")
        deepest = max(deepest, depth)
    return deepest <= MAX_NESTING and text.count("^") + text.count("**") <= MAX_NESTING
