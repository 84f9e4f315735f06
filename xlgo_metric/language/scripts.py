"""Detectable languages, their scripts, and a text's words by script."""

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
# ISO 15924, and the letters.
_SCRIPTS = {
    "latin": ("Latn", "A-Za-zÀ-ÖØ-öø-ɏʼḀ-ỿ\u0300-\u036f'’"),
    "han": ("Hani", "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff々"),
    "kana": ("Jpan", "\u3041-\u3096\u30a1-\u30fa\u30fc"),
    "hangul": ("Kore", "\uac00-\ud7a3\u1100-\u11ff"),
    "arabic": ("Arab", "\u0620-\u064a\u064b-\u0652\u066e-\u06d3\u06fa-\u06ff\u0750-\u077f"),
    "devanagari": ("Deva", "\u0900-\u0963\u0970-\u097f"),
    "bengali": ("Beng", "\u0980-\u09e3\u09f0-\u09ff"),
    "tamil": ("Taml", "\u0b80-\u0be5"),
    "telugu": ("Telu", "\u0c00-\u0c63"),
    "thai": ("Thai", "\u0e01-\u0e3a\u0e40-\u0e4e"),
    "cyrillic": ("Cyrl", "\u0400-\u052f"),
    "gurmukhi": ("Guru", "\u0a01-\u0a65\u0a70-\u0a75"),
    "ethiopic": ("Ethi", "\u1200-\u135f\u1380-\u138f"),
    "greek": ("Grek", "\u0370-\u03ff\u1f00-\u1fff"),
    "gujarati": ("Gujr", "\u0a81-\u0ae5\u0af9-\u0aff"),
    "kannada": ("Knda", "\u0c80-\u0ce3\u0cf1-\u0cf3"),
    "malayalam": ("Mlym", "\u0d00-\u0d63\u0d7a-\u0d7f"),
    "khmer": ("Khmr", "\u1780-\u17d3\u17d7\u17dc\u17dd"),
    "myanmar": ("Mymr", "\u1000-\u103f\u104e\u1050-\u108f\u109a-\u109d"),
    "hebrew": ("Hebr", "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u05d0-\u05f2"),
    "other": (
        "Zyyy",
        "\u0530-\u0590\u0700-\u074f\u0780-\u08ff\u0b00-\u0b7f\u0d80-\u0dff"
        "\u0e80-\u0fff\u10a0-\u10ff\u1400-\u167f\u1800-\u18af",
    ),
}
# As many letters as a short sentence has; a sign of Chinese, Japanese or Korean says as much as
# three letters.
LEAST_LETTERS = 20
_DENSE = frozenset({"han", "kana", "hangul"})
_DENSE_WEIGHT = 3
_WORDS = re.compile(
    "|".join(f"(?P<{name}>[{letters}]+)" for name, (_, letters) in _SCRIPTS.items())
)
_OF = {name: re.compile(f"[{letters}]+") for name, (_, letters) in _SCRIPTS.items()}
_NOT_OF = {
    name: re.compile("[" + "".join(_SCRIPTS[other][1] for other in _SCRIPTS if other != name) + "]")
    for name in _SCRIPTS
}


def iso_script(script: str) -> str:
    """The ISO 15924 code of a script, such as ``Guru``; ``Zyyy`` for those without a name here."""
    return _SCRIPTS[script][0]


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
