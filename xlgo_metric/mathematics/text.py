r"""Bring an answer into one alphabet, and into the LaTeX that math-verify reads to its end.

One alphabet: ASCII digits and signs, plain LaTeX, no decoration. Words of many languages join
answers, or make another number of the one beside them.
"""

import json
import re
import unicodedata
from functools import lru_cache
from importlib import resources

from ..reading.values import ascii_digits

_WORDS_OF = json.loads(resources.files(__package__).joinpath("words.json").read_text("utf-8"))

OR: frozenset[str] = frozenset(_WORDS_OF["or"])
AND: frozenset[str] = frozenset(_WORDS_OF["and"])
MAGNITUDES: dict[str, int] = {
    word: int(value) for value, words in _WORDS_OF["magnitude"].items() for word in words
}
"""Words that multiply the number in front of them: million, lakh, dozen."""
_ALTERING = frozenset(_WORDS_OF["altering"])
_INSIDE = re.compile(
    "|".join(map(re.escape, [*_WORDS_OF["inside"], *"천万萬만億亿억兆조"])) + "|千(?![克米瓦卡伏])"
)
_WORD_OF = re.compile(r"(?:[^\W\d_]|[^\x00-\x7f])+(?:-[^\W\d_]+)*")


def alters(text: str) -> bool:
    """Whether words beside a number make another one of it: "at least", "half of", 以上."""
    words = _WORD_OF.findall(text.casefold())
    altering = _ALTERING | OR | AND | MAGNITUDES.keys()
    return not altering.isdisjoint(words) or bool(_INSIDE.search(text))


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


MAX_LENGTH = 600
"""Longer formulas are compared as text; the longest reference answer of PolyMath has 300."""

_FUNCTIONS = (
    "arcsin|arccos|arctan|sinh|cosh|tanh|sin|cos|tan|cot|sec|csc|ln|log|exp|max|min|gcd|lcm|det"
)
_NAMES = re.compile(rf"(?<![\\A-Za-z])({_FUNCTIONS}|pi|theta|alpha|beta|lambda|infty)(?![A-Za-z])")
_ARGUMENT = re.compile(rf"(\\(?:{_FUNCTIONS})(?:[_^](?:\{{[^{{}}]*\}}|\w))?)\s*\{{([^{{}}]*)\}}")
_INFINITY = re.compile(r"(?<![\\A-Za-z])(?:infinity|inf|oo)(?![A-Za-z])")
_ROOT = re.compile(r"(?:\\|(?<![A-Za-z]))sqrt\s*(?=\()")
_BARE_ROOT = re.compile(r"\\sqrt\s+(\d+|[A-Za-z])")
_POWER = re.compile(r"\^\s*(?=\()")
_LONG_POWER = re.compile(r"\^\s*(-?\d\d+|-\w)")
_WORD = re.compile(r"(?<![\\A-Za-z])[^\W\d_]{2,}")
# Links in scripts whose words hold marks, or touch what they link: หรือ, 1或2, またはx.
_OTHER_LETTER = r"[^\x00-\x7f]"
_LINK = re.compile(
    rf"(?<!{_OTHER_LETTER})(?:%s)(?!{_OTHER_LETTER})"
    % "|".join(
        re.escape(word)
        for word in sorted(OR | AND, key=len, reverse=True)
        if not unicodedata.name(word[0]).startswith(("LATIN", "AMPERSAND"))
    )
)
_PRODUCT = re.compile(r"[a-zA-Z]{2,3}")
_UNION = re.compile(r"(?<=[\])}])\s*U\s*(?=[\[({\\])")
_ENVIRONMENT = re.compile(r"\\(?:begin|end)\s?\{[a-z]{1,12}\*?\}(?:\s?\{[clr|\s]{1,20}\})?")
_LETTER = r"(?:[^\W\d_]|[^\x00-\x7f])"  # or a mark of one
_BEFORE = re.compile(
    rf"\s*(?=[^\d\\]*(?:[^\W\d_]{{3}}|[^\x00-\x7f]))(?:{_LETTER}+[\s,:.]+)*"
    rf"(?:{_LETTER}{{2,}}|[^\x00-\x7f])[\s,:]+"
)
_BEHIND = re.compile(
    rf"(?<=[\w}})!\]])\s+(?:{_LETTER}{{3,}}|[^\x00-\x7f]+)(?:[\s./]{_LETTER}+){{0,4}}\s*\Z"
)
_BUILDER = re.compile(
    r"\\\{\s*\w+(?:\s*\\in\s*\\mathbb\s*\{?[A-Z]\}?)?\s*[:|](?P<condition>[^:|]+)\\\}"
)
_CONDITION = re.compile(
    r"(?P<main>.+?)(?:[,;]\s?\(?|\s\(?)(?:(?:for|where|with|when|if|such that|in|without)\s.*"
    r"|\\forall.*|\w(?:_\w)?\s?\\in\s?\\mathbb.*)"
    r"|(?P<equation>[^<>,;]*=[^<>,;]*?)\s*[,;(]\s*(?:[^=,;<>]*(?:<|>|\\[lg]e(?![a-z])))+[^=]*"
)
_SAYS = re.compile(r"[^\d=\\]*[^\W\d_]{3}[^\d=\\]*\b(?:is|are|equals)\s+")
_LAST_SIDE = re.compile(
    r"(?!.*\b(?:or|and)\b)(?P<name>\s*\([^()=]*\)\s*|[^,;<>]*)(?:=|\\in(?![a-z]))(?P<value>[^=]+)"
)
_OPERATION = re.compile(r"[+*/-]")
_ORDER = re.compile(r"[<>]|\\(?:le|ge|ne)(?![a-z])")


def formulas(answer: str, gold: str) -> tuple[str, str]:
    """Two cleaned answers as LaTeX; empty where words stand in one that no formula has.

    What one side names and the other does not is dropped: of ``x = 5`` and ``5`` the name.
    """
    sides = formula(answer), formula(gold)
    (name, value), (wanted_name, gold_value) = map(_split_name, sides)
    if _OPERATION.search(wanted_name):  # an equation, and no name for a value
        return sides
    return (value, gold_value) if name == wanted_name or not (name and wanted_name) else sides


def _split_name(text: str) -> tuple[str, str]:
    """The name that a text without order signs gives its value, and the value: of ``x = 5``."""
    match = None if _ORDER.search(text) else _LAST_SIDE.fullmatch(text)
    if match is None or is_unbalanced(match["value"]):
        return "", text
    return "".join(match["name"].split()), match["value"].strip()


def formula(text: str) -> str:
    """The LaTeX of a cleaned answer; empty if words stand in it that no formula has."""
    if len(text) > MAX_LENGTH or not is_shallow(text):
        return ""
    if not text.isascii():
        text = _LINK.sub(_joined, text)
    match = _CONDITION.fullmatch(text)
    text = (match["main"] or match["equation"]) if match else text
    text = _SAYS.sub("", text, count=1)
    if (match := _BUILDER.fullmatch(text)) is not None:
        text = match["condition"]
    text = _BARE_ROOT.sub(r"\\sqrt{\1}", text)
    for pattern, command in ((_ROOT, r"\sqrt"), (_POWER, "^")):
        text = _braced(text, pattern, command)
    text = _NAMES.sub(r"\\\1 ", _INFINITY.sub(r"\\infty ", text)).replace("**", "^")
    text = _LONG_POWER.sub(r"^{\1}", text.replace("*", r"\cdot "))
    text = _ARGUMENT.sub(r"\1(\2)", text)  # else it would reach to the end of the product
    text = _UNION.sub(r"\\cup ", text)
    text = _WORD.sub(_joined, text)
    for words in (_BEFORE.match(text), _BEHIND.search(text)):
        if words and not alters(" ".join(words[0].split()[-2:])):
            text = text.replace(words[0], " ", 1)
    return "" if _unread(text) else text.strip(" ,")


def _braced(text: str, pattern: re.Pattern[str], command: str) -> str:
    """Arguments in round brackets as LaTeX has them: ``sqrt(2)``, ``2^(n-1)``."""
    for match in reversed(list(pattern.finditer(text))):  # what stands inside comes first
        depth, end = 0, match.end()
        for sign in re.finditer(r"[()]", text[match.end() :]):
            depth += 1 if sign[0] == "(" else -1
            if not depth:
                end += sign.start()
                inner = text[match.end() + 1 : end]
                text = f"{text[: match.start()]}{command}{{{inner}}}{text[end + 1 :]}"
                break
    return text


def _joined(match: re.Match[str]) -> str:
    word = match[0].casefold()
    return " or " if word in OR else " and " if word in AND else match[0]


def _unread(text: str) -> bool:
    words = _WORD.findall(_ENVIRONMENT.sub("", text).replace(r"_{\max}", ""))
    return (
        r"\equiv" in text
        or "!!" in text
        or text.count(":") > 1
        or any(word not in ("or", "and") and not _PRODUCT.fullmatch(word) for word in words)
    )
