r"""Bring an answer into one alphabet: ASCII digits and signs, plain LaTeX, no decoration.

Written for answers of a few hundred characters; every step is linear in their length.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from .vocabulary import PERCENT

# Marks of repeating decimals in cleaned text: 0.1⟦6⟧ is 0.1666…
REPEAT_OPEN, REPEAT_CLOSE = "⟦", "⟧"
# The row break of a matrix, two backslashes in LaTeX.
ROW_BREAK = "\n"
# Groups of digits that were joined by a separator which can be nothing else.
GROUPING = "\u066c"

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿⁱˣʸ", "0123456789+-()nixy")
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉₊₋₍₎ₙₓₖ", "0123456789+-()nxk")
_SUPER_RUN = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿⁱˣʸ]+")
_SUB_RUN = re.compile("[₀₁₂₃₄₅₆₇₈₉₊₋₍₎ₙₓₖ]+")

# One character -> what it means. Applied before compatibility folding, which would lose some.
_SIGNS = {
    "−": "-", "–": "-", "—": "-", "‒": "-", "﹣": "-", "－": "-", "‐": "-", "‑": "-", "➖": "-",
    "×": r" \times ", "✕": r" \times ", "✖": r" \times ", "⨯": r" \times ",
    "·": r" \cdot ", "⋅": r" \cdot ", "∙": r" \cdot ", "•": r" \cdot ", "・": r" \cdot ", "∗": "*",
    "÷": "/", "∕": "/", "⁄": "/", "／": "/", "∶": ":", "：": ":", "≔": "=",
    "≤": r" \le ", "≦": r" \le ", "⩽": r" \le ", "≥": r" \ge ", "≧": r" \ge ", "⩾": r" \ge ",
    "≠": r" \ne ", "≈": r" \approx ", "≃": r" \approx ", "≅": r" \approx ", "≒": r" \approx ",
    "≡": r" \equiv ", "∈": r" \in ", "∉": r" \notin ", "∪": r" \cup ", "∩": r" \cap ",
    "∖": r" \setminus ", "∅": r" \emptyset ", "∞": r" \infty ", "±": r" \pm ", "∓": r" \mp ",
    "√": r" \sqrt ", "∛": r" \cbrt ", "π": r" \pi ", "∑": r" \sum ", "∏": r" \prod ",
    "ℝ": r" \mathbb{R} ", "ℤ": r" \mathbb{Z} ", "ℕ": r" \mathbb{N} ", "ℚ": r" \mathbb{Q} ",
    "ℂ": r" \mathbb{C} ", "⌊": r" \lfloor ", "⌋": r" \rfloor ", "⌈": r" \lceil ", "⌉": r" \rceil ",
    "⟨": r" \langle ", "⟩": r" \rangle ", "〈": r" \langle ", "〉": r" \rangle ",
    "∧": r" \land ", "∨": r" \lor ", "→": r" \to ", "⇒": r" \implies ", "⇔": r" \iff ",
    "°": r"^\circ ", "º": r"^\circ ", "˚": r"^\circ ", "℃": r"^\circ C ", "℉": r"^\circ F ",
    "∠": r" \angle ", "△": r" \triangle ", "′": "'", "’": "'", "‘": "'", "＇": "'", "″": "''",
    "，": ",", "、": ",", "،": ",", "﹐": ",", "､": ",", "；": ";", "؛": ";", "。": ". ", "．": ".",
    "｡": ". ", "।": ". ", "॥": ". ", "۔": ". ", "٫": ".", "٬": GROUPING, "٪": "%", "％": "%",
    "؟": "?", "（": "(", "）": ")", "［": "[", "］": "]", "｛": "{", "｝": "}", "【": "[",
    "】": "]", "〔": "[", "〕": "]", "＜": "<", "＞": ">", "＝": "=", "＋": "+", "＊": "*",
    "＾": "^", "＿": "_",     "｜": "|",
    "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "「": '"', "」": '"', "『": '"', "』": '"',
    "…": r"\ldots ", "⋯": r"\ldots ", "＄": r"\$ ", "￥": "¥", "\u2009": GROUPING,
    "\u202f": GROUPING, "\xa0": " ", "\u3000": " ", "ⅈ": "i", "ⅇ": "e", "ı": "i", "ℯ": "e",
    "∣": "|", "∥": "|", "ð": "d", "✓": " ", "✔": " ", "✅": " ", "☑": " ", "■": " ", "□": " ",
}  # fmt: skip
_TABLE = {ord(sign): meaning for sign, meaning in _SIGNS.items()}
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff]"
)
_HOMOGLYPHS = str.maketrans("аеосрхукмтвнАВЕКМНОРСТХ", "aeocpxykmtbhABEKMHOPCTX")
_LONE_CYRILLIC = re.compile("(?<![^\\W\\d_])[аеосрхукмтвнАВЕКМНОРСТХ](?![^\\W\\d_])")

_DROPPED_COMMANDS = re.compile(
    r"\\(?:left|right|bigl|bigr|Bigl|Bigr|biggl|biggr|Biggl|Biggr|big|Big|bigg|Bigg|middle|"
    r"displaystyle|textstyle|scriptstyle|limits|nolimits|mathstrut|strut|hfill|rm|it|bf|"
    r"boxed|fbox|phantom|label|tiny|small|normalsize|large|Large|LARGE|huge|Huge|bfseries|itshape|"
    r"checkmark|square|blacksquare|qed|centering|null)(?![A-Za-z])|\\(?:left|right)(?=\\)"
)
_RENAMED = {
    "dfrac": "frac", "tfrac": "frac", "cfrac": "frac", "dbinom": "binom", "tbinom": "binom",
    "leq": "le", "leqslant": "le", "geq": "ge", "geqslant": "ge", "neq": "ne",
    "varnothing": "emptyset",
    "lvert": "|", "rvert": "|", "vert": "|", "mid": "|", "lbrace": "{", "rbrace": "}",
    "lbrack": "[",
    "rbrack": "]", "degree": "^\\circ ", "colon": ":", "ast": "*", "div": "/", "lt": "<", "gt": ">",
    "wedge": "land", "vee": "lor", "doteq": "=", "imath": "i", "jmath": "j", "rightarrow": "to",
    "longrightarrow": "to",
    "bmod": "mod", "approxeq": "approx", "simeq": "approx", "sim": "approx", "dots": "ldots",
    "cdots": "ldots", "dotsc": "ldots", "backslash": "setminus", "smallsetminus": "setminus",
    "arctg": "arctan", "tg": "tan", "ctg": "cot", "euro": "€", "pounds": "£", "yen": "¥",
    "varphi": "phi", "varepsilon": "epsilon", "vartheta": "theta", "infin": "infty",
}  # fmt: skip
_COMMAND = re.compile(r"\\([A-Za-z]+)")
_BRACES = re.compile(r"\\.|[{}]", re.S)
_DOUBLED = re.compile(r"\\\\(?=[A-Za-z])")  # commands that were escaped twice on their way here
_SPACING = re.compile(
    r"\\[,;:!> ]|\\(?:quad|qquad|thinspace|medspace|thickspace|negthinspace|negmedspace|"
    r"negthickspace|enspace|enskip|[hm]space\*?\{[^{}]*\})(?![A-Za-z])|~"
)
# 10,\!080 and 10,\,080: a comma that groups digits, with its space corrected
_TIGHT_COMMA = re.compile(r"(?<=\d),\s?\\[!,]\s?(?=\d{3}(?!\d))")
_ROW_SKIP = re.compile(r"(\\\\)\s*\[\s*-?\d*\.?\d+\s*[a-z]{2}\s*\]")  # \\[4pt]
_LIMIT_ARROW = re.compile(r"(_\s*\{\s*\\?[A-Za-z]+\s*)\\(?:R|Longr|longr)ightarrow(?![A-Za-z])")
_PERCENT_PHRASE = re.compile(
    r"(?<=[\d}])\s*(?:" + "|".join(sorted(map(re.escape, PERCENT), key=len, reverse=True)) + r")\b",
    re.I,
)
_DIGIT_SPACE = re.compile(rf"(?<=\d)(?:\\[,;:!> ]|\\thinspace |{GROUPING}|')(?=\d\d\d(?!\d))")
_WIDE_COMMA = re.compile(r"\{\s*([,.])\s*\}")
# A number with braced commas or dots, and what of it stands before the first: 70.000{,}00.
_WIDE_NUMBER = re.compile(r"(?<![\d.])(\d[\d.]*)((?:\{[,.]\}\d+)+)")
_COLOUR = re.compile(r"\\(?:text)?color(?:box)?\s*\{[^{}]*\}")
_SPACED_BRACKET = re.compile(r"\\math(?:open|close|bin|rel|ord)\s*\{\s*(\\?[()\[\]|])\s*\}")
_ALL_ROOTS = re.compile(r"_\{\s*1\s*[,/;]\s*2(?:\s*[,/;]\s*3)?\s*\}")  # x_{1,2} = ±3
_MOST_BRACKETS = 40
_PARTED = re.compile("[,;]")
_CHOICE = re.compile(
    r"(?:\{\s*\}\s*|(?<![A-Za-z0-9}]))_\s*\{?(\w{1,9})\}?\s*"
    r"(?:\\(?:mathrm|text|rm)\s*)?\{?([CP])\}?\s*_\s*\{?(\w{1,9})\}?"
)
_COUNTRY_DOLLAR = re.compile(r"(?<![A-Za-z\\])(?:R|US|A|C|S|HK|NT|MX)\s?\\\$")
_ORDINAL = re.compile(
    r"(?<=\d)(?:\^\s*\{\s*\\(?:text|mathrm)\s*\{\s*(?:st|nd|rd|th)\s*\}\s*\}"
    r"|\s?\^?\s*\\(?:text|mathrm|textsuperscript)\s*\{\s*(?:st|nd|rd|th)\s*\}"
    r"|\^\s*\{(?:st|nd|rd|th)\}|(?:st|nd|rd|th)(?![A-Za-z]))"
)
_CONSTANT = re.compile(r"\\(?:text|mathrm)\s*\{\s*const(?:ant)?\.?\s*\}")
_OVERLINE = re.compile(
    r"(\d*[.,]\d*)\s*\\(?:overline|bar|dot|overset\{\.\})\s*\{\s*(\d+)\s*\}(?!\s*\d*\s*\\dot)"
)
_DOTS = re.compile(r"(\d*\.\d*)\\dot\s*\{?(\d)\}?(\d*)\\dot\s*\{?(\d)\}?")
_BRACKETED = re.compile(r"(\d+[.,]\d*)\((\d+)\)(?![\d(])")
_COMBINING_LINE = re.compile(r"(\d+\.\d*?)((?:\d[\u0304\u0305\u0307])+)")
_TRAILING_DOTS = re.compile(r"(\d+\.\d+)\s*(?:\.\.\.|\\ldots)")
_REPEATED = re.compile(r"(\d{2,12}?)\1+|(\d)\2\2+")


@cache
def _other_digit(character: str) -> str | None:
    value = unicodedata.decimal(character, None)
    return None if value is None else str(value)


def ascii_digits(text: str) -> str:
    """``text`` with the decimal digits of every script as 0–9."""
    if text.isascii():
        return text
    return "".join(c if c < "\x80" else (_other_digit(c) or c) for c in text)


def clean(text: str) -> str:
    r"""An answer in one alphabet; LaTeX stays LaTeX, with one name for each command.

    >>> clean("１２٫٥ \\dfrac{π}{٣}。")
    '12.5 \\frac{ \\pi }{3}'
    """
    text = _INVISIBLE.sub("", text)
    if not text.isascii():
        text = _COMBINING_LINE.sub(_combining, text)
        text = _SUPER_RUN.sub(lambda m: "^{" + m[0].translate(_SUPERSCRIPTS) + "}", text)
        text = _SUB_RUN.sub(lambda m: "_{" + m[0].translate(_SUBSCRIPTS) + "}", text)
        text = re.sub(r"(\d)?([¼½¾⅐-⅞])", _vulgar, text)
        text = text.translate(_TABLE)
        text = ascii_digits(unicodedata.normalize("NFKC", text))
        text = _LONE_CYRILLIC.sub(lambda m: m[0].translate(_HOMOGLYPHS), text)
    text = text.replace("\n", " ").replace("\t", " ")
    text = _ROW_SKIP.sub(r"\1", text)
    if "\\begin" not in text:
        text = _DOUBLED.sub(r"\\", text)
    text = text.replace("\\\\", ROW_BREAK)
    if "{" in text:
        text = _COLOUR.sub(" ", text)
        text = _SPACED_BRACKET.sub(r"\1", _CONSTANT.sub("C", text))
    text = _LIMIT_ARROW.sub(r"\1\\to", text)
    text = _DIGIT_SPACE.sub(GROUPING, _TIGHT_COMMA.sub(",", text))
    text = _WIDE_COMMA.sub(r"\1", _WIDE_NUMBER.sub(_narrowed, text))
    if "_" in text:
        text = _CHOICE.sub(_chosen, _ALL_ROOTS.sub("", text))
    text = _ORDINAL.sub("", _COUNTRY_DOLLAR.sub(r"\\$", text))
    if "[" in text or "]" in text:
        text = _inward(text)
    text = _DROPPED_COMMANDS.sub(" ", text)
    text = _COMMAND.sub(_rename, text)
    text = _repeating(text)
    text = _PERCENT_PHRASE.sub("%", _SPACING.sub(" ", text))
    return _undelimited(text).strip(' \t\r\n*`"').rstrip(".,;:?").strip(' *`"').rstrip("\\ ")


def is_unbalanced(text: str) -> bool:
    """Whether braces are missing, which no reader can put back."""
    depth = 0
    for match in _BRACES.finditer(text):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth < 0:
            return True
    return depth != 0


def _inward(text: str) -> str:
    """Intervals with brackets that look outwards: ]0, 1[ as (0, 1)."""
    if text.count("[") + text.count("]") > _MOST_BRACKETS or "sqrt" in text:
        return text
    parts = re.split(r"([\[\]])", text)  # text, bracket, text, bracket, …
    inner, pairs = parts[2::4], list(zip(parts[1::4], parts[3::4]))
    outwards = any(pair[0] == "]" or pair[1] == "[" for pair in pairs)
    closed = all(
        part.count("(") == part.count(")") for part in parts
    )  # else (0, 1] may stand there
    if not (outwards and closed and len(parts) % 4 == 1 and all(_PARTED.search(i) for i in inner)):
        return text
    parts[1::4] = ["(" if opening == "]" else "[" for opening, _ in pairs]
    parts[3::4] = [")" if closing == "[" else "]" for _, closing in pairs]
    return "".join(parts)


def _narrowed(match: re.Match[str]) -> str:
    """A number with braced commas: they group digits or are the decimal sign, and part no list."""
    if "{.}" in match[0] and "{,}" in match[0]:  # 1{.}234{,}5
        return match[0].replace("{.}", ".").replace("{,}", ",")
    parts = match[0].replace("{.}", "{,}").split("{,}")
    widths = [len(part) for part in parts[1:]]
    if "." in parts[0]:
        return ",".join(parts)
    if len(parts) > 2 and widths[-1] == 3 and set(widths) <= {2, 3} and len(parts[0]) <= 3:
        return GROUPING.join(parts)
    if len(parts) == 2 and (widths[0] != 3 or parts[0].startswith("0") or len(parts[0]) > 3):
        return ".".join(parts)
    return ",".join(parts)


def _chosen(match: re.Match[str]) -> str:
    """Combinations and permutations with the number in front: ₁₀C₃, ₁₀P₃."""
    many, few = match[1], match[3]
    binomial = f"\\binom{{{many}}}{{{few}}}"
    return binomial if match[2] == "C" else f"({binomial} \\cdot ({few})!)"


def _combining(match: re.Match[str]) -> str:
    digits = "".join(character for character in match[2] if character.isdigit())
    return f"{match[1]}{REPEAT_OPEN}{digits}{REPEAT_CLOSE}"


def _vulgar(match: re.Match[str]) -> str:
    top, _, bottom = unicodedata.normalize("NFKC", match[2]).partition("⁄")
    return f"{match[1] or ''} \\frac{{{top}}}{{{bottom}}}"


def _rename(match: re.Match[str]) -> str:
    name = _RENAMED.get(match[1])
    if name is None:
        return match[0]
    return "\\" + name if (name.isalpha() and len(name) > 1) or name in ("{", "}") else name


def _repeating(text: str) -> str:
    """Mark the digits that repeat for ever, however they were written."""
    if "." not in text and "," not in text:
        return text
    text = _DOTS.sub(rf"\1{REPEAT_OPEN}\2\3\4{REPEAT_CLOSE}", text)
    text = _OVERLINE.sub(_marked, text)
    text = _BRACKETED.sub(_marked, text)
    return _TRAILING_DOTS.sub(_dotted, text)


def _marked(match: re.Match[str]) -> str:
    return f"{match[1].replace(',', '.')}{REPEAT_OPEN}{match[2]}{REPEAT_CLOSE}"


def _dotted(match: re.Match[str]) -> str:
    whole, _, decimals = match[1].partition(".")
    for start in range(min(len(decimals), 8)):
        found = _REPEATED.fullmatch(decimals, start)
        if found:
            return f"{whole}.{decimals[:start]}{REPEAT_OPEN}{found[1] or found[2]}{REPEAT_CLOSE}"
    return match[1]


def _undelimited(text: str) -> str:
    r"""Without ``$…$``, ``\(…\)`` and ``\[…\]``; a single dollar sign is money."""
    text = re.sub(r"\\[()\[\]]", " ", text)
    if text.count("$") - text.count("\\$") == 1 and "\\$" not in text:
        return text.replace("$", r"\$ ")
    return re.sub(r"(?<!\\)\$", " ", text)
