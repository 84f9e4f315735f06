r"""Detectable languages and their scripts; a text's words by script, and what of it is prose.

Taking out of a text what has no language (formulas, code, JSON, links) is linear in its length.
"""

import re

# What each language is written in. Japanese mixes two.
SCRIPTS: dict[str, tuple[str, ...]] = {
    "zh": ("han",), "ja": ("han", "kana"), "ko": ("hangul",), "th": ("thai",),
    "te": ("telugu",), "ta": ("tamil",), "bn": ("bengali",), "pa": ("gurmukhi",),
    "am": ("ethiopic",), "el": ("greek",), "gu": ("gujarati",), "kn": ("kannada",),
    "ml": ("malayalam",), "km": ("khmer",), "my": ("myanmar",), "he": ("hebrew",),
    **dict.fromkeys(("ar", "fa", "ur"), ("arabic",)),
    **dict.fromkeys(("hi", "mr"), ("devanagari",)),
    **dict.fromkeys(("ru", "bg", "uk"), ("cyrillic",)),
    **dict.fromkeys(("en", "de", "es", "fr", "pt", "it", "id", "ms", "sw", "vi"), ("latin",)),
    **dict.fromkeys(("tr", "pl", "ro", "hu", "sv", "is", "fi", "lt", "tl"), ("latin",)),
    **dict.fromkeys(("ha", "qu", "gn", "fil", "jv", "uz", "yo"), ("latin",)),
}  # fmt: skip
LANGUAGES = tuple(SCRIPTS)
# Pairs that even readers of both tell apart by a few words only, and two codes of one language.
GROUPS = {"ms": "id", "fil": "tl"}
# The letters of each.
_SCRIPTS = {
    "latin": "A-Za-zÀ-ÖØ-öø-ɏʼḀ-ỿ\u0300-\u036f'’",
    "han": "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff々",
    "kana": "\u3041-\u3096\u30a1-\u30fa\u30fc",
    "hangul": "\uac00-\ud7a3\u1100-\u11ff",
    "arabic": "\u0620-\u064a\u064b-\u0652\u066e-\u06d3\u06fa-\u06ff\u0750-\u077f",
    "devanagari": "\u0900-\u0963\u0970-\u097f",
    "bengali": "\u0980-\u09e3\u09f0-\u09ff",
    "tamil": "\u0b80-\u0be5",
    "telugu": "\u0c00-\u0c63",
    "thai": "\u0e01-\u0e3a\u0e40-\u0e4e",
    "cyrillic": "\u0400-\u052f",
    "gurmukhi": "\u0a01-\u0a65\u0a70-\u0a75",
    "ethiopic": "\u1200-\u135f\u1380-\u138f",
    "greek": "\u0370-\u03ff\u1f00-\u1fff",
    "gujarati": "\u0a81-\u0ae5\u0af9-\u0aff",
    "kannada": "\u0c80-\u0ce3\u0cf1-\u0cf3",
    "malayalam": "\u0d00-\u0d63\u0d7a-\u0d7f",
    "khmer": "\u1780-\u17d3\u17d7\u17dc\u17dd",
    "myanmar": "\u1000-\u103f\u104e\u1050-\u108f\u109a-\u109d",
    "hebrew": "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u05d0-\u05f2",
    "other": (
        "\u0530-\u0590\u0700-\u074f\u0780-\u08ff\u0b00-\u0b7f\u0d80-\u0dff"
        "\u0e80-\u0fff\u10a0-\u10ff\u1400-\u167f\u1800-\u18af"
    ),
}
# As many letters as a short sentence has; a sign of Chinese, Japanese or Korean says as much as
# three letters.
LEAST_LETTERS = 20
_DENSE = frozenset({"han", "kana", "hangul"})
_DENSE_WEIGHT = 3
_WORDS = re.compile("|".join(f"(?P<{name}>[{letters}]+)" for name, letters in _SCRIPTS.items()))
_OF = {name: re.compile(f"[{letters}]+") for name, letters in _SCRIPTS.items()}
_NOT_OF = {
    name: re.compile("[" + "".join(_SCRIPTS[other] for other in _SCRIPTS if other != name) + "]")
    for name in _SCRIPTS
}


def group(language: str) -> str:
    """The language that stands for ``language`` and for what cannot be told from it."""
    return GROUPS.get(language, language)


def runs(text: str, likely: str = "latin") -> list[tuple[str, list[str]]]:
    """The words of ``text`` in order, those of one script together: ``(script, words)``.

    Args:
        text: any text.
        likely: a script; where ``text`` has no other, it is read three times as fast.
    """
    if not _NOT_OF[likely].search(text):
        words = _OF[likely].findall(text)
        return [(likely, words)] if words else []
    result: list[tuple[str, list[str]]] = []
    last = ""
    for match in _WORDS.finditer(text):
        script = match.lastgroup or ""
        if script != last:
            result.append((script, []))
            last = script
        result[-1][1].append(match[0])
    return result


def letters_by_script(text: str) -> dict[str, int]:
    """How many letters of each script ``text`` has, most first. Vowel signs count as letters."""
    counts: dict[str, int] = {}
    for script, words in runs(text):
        counts[script] = counts.get(script, 0) + sum(map(len, words))
    return dict(sorted(counts.items(), key=lambda item: -item[1]))


def enough_letters(counts: dict[str, int]) -> bool:
    """Whether letters by script are as many as a short sentence has."""
    weight = sum(
        count * (_DENSE_WEIGHT if script in _DENSE else 1) for script, count in counts.items()
    )
    return weight >= LEAST_LETTERS


# Formulas by their delimiters. A single dollar opens one only before a sign that is no space, and
# closes it only behind one and not before a digit; else it is money ("costs $5 and then $10").
_INLINE = re.compile(r"(?<![\\$])\$(?=[^\s$])((?:[^$\\\n]|\\.){0,1000}?)(?<=[^\s\\])\$(?!\d)", re.S)
_ENVIRONMENT = re.compile(r"\\begin\{([A-Za-z]{1,20})\*?\}")
_ENVIRONMENTS = 20  # are taken out of one text, at most
_COMMAND = re.compile(r"\\[A-Za-z]{1,30}\*?")
_CODE = re.compile(r"`[^`\n]{1,500}`")
_LINK = re.compile(r"https?://\S{1,500}|www\.\S{1,500}")
_TAG = re.compile(r"<[/!]?[A-Za-z][^<>]{0,200}>")
# An object, or a list of texts or of tuples, which a prompt of names may be.
_JSON = re.compile(r"""\{\s{0,40}["'][^{}]{0,2000}\}|\[\s{0,40}\(?["'][^\[\]]{0,2000}\]""")
_FORMULA_WORD = re.compile(r"\b[A-Za-z][A-Za-z0-9]{0,20}[_^][^\s,.]{1,40}")


def without_formulas(text: str) -> str:
    r"""Without ``$$…$$``, ``\(…\)``, ``\[…\]`` and then ``$…$``, as PolyMath's code takes them out.

    Money pairs its dollar signs too, and swallows the words between them.
    """
    for opening, closing in (("$$", "$$"), (r"\(", r"\)"), (r"\[", r"\]"), ("$", "$")):
        text = without(text, opening, closing)
    return text.strip()


# What stands in a text for each pattern to be worth a try: most texts have few of these signs.
_PATTERNS = (
    ("$", _INLINE), ("`", _CODE), ("http", _LINK), ("www.", _LINK), ("<", _TAG), ("{", _JSON),
    ("[", _JSON), ("_", _FORMULA_WORD), ("^", _FORMULA_WORD), ("\\", _COMMAND),
)  # fmt: skip
_STRETCHES = (("```", "```"), ("[asy]", "[/asy]"), ("$$", "$$"), (r"\(", r"\)"), (r"\[", r"\]"))


def prose(text: str) -> str:
    """What is left for a reader: no formulas, figures, code, JSON, links or commands.

    Money stays.
    """
    for opening, closing in _STRETCHES:
        text = without(text, opening, closing)
    if "\\begin" in text:
        text = _without_environments(text)
    for sign, pattern in _PATTERNS:
        if sign in text:
            text = pattern.sub(" ", text)
    return text


def without(text: str, opening: str, closing: str, joint: str = " ") -> str:
    """Without the shortest stretches from ``opening`` to ``closing``; an open end stays.

    Args:
        text: any text.
        opening, closing: what a stretch begins and ends with.
        joint: stands in the place of each.
    """
    end = text.rfind(closing) + len(closing)  # behind it nothing closes: a search would not end
    stretch = re.compile(re.escape(opening) + ".*?" + re.escape(closing), re.S)
    return stretch.sub(lambda _: joint, text[:end]) + text[end:]


def _without_environments(text: str) -> str:
    """Without ``\\begin{name} … \\end{name}``, of a few names."""
    for name in list(dict.fromkeys(_ENVIRONMENT.findall(text)))[:_ENVIRONMENTS]:
        text = without(
            text.replace(f"{name}*}}", f"{name}}}"), f"\\begin{{{name}}}", f"\\end{{{name}}}"
        )
    return text
