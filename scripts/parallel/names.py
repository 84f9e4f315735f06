"""What reports call the languages of other people's tasks."""

from __future__ import annotations

from functools import lru_cache

from ..display import labels
from ..display.labels import LanguageLabels

_ENGLISH = {
    "af": "Afrikaans", "az": "Azerbaijani", "be": "Belarusian", "ca": "Catalan", "cs": "Czech",
    "cy": "Welsh", "da": "Danish", "et": "Estonian", "eu": "Basque", "ga": "Irish",
    "gl": "Galician", "he": "Hebrew", "hr": "Croatian", "ht": "Haitian Creole", "hy": "Armenian",
    "ig": "Igbo", "is": "Icelandic", "ka": "Georgian", "kk": "Kazakh", "ky": "Kyrgyz",
    "lo": "Lao", "lv": "Latvian", "mk": "Macedonian", "mn": "Mongolian", "mt": "Maltese",
    "nb": "Norwegian Bokmål", "ne": "Nepali", "nl": "Dutch", "no": "Norwegian", "om": "Oromo",
    "ps": "Pashto", "rw": "Kinyarwanda", "si": "Sinhala", "sk": "Slovak", "sl": "Slovenian",
    "sn": "Shona", "so": "Somali", "sq": "Albanian", "sr": "Serbian", "tg": "Tajik",
    "xh": "Xhosa", "zu": "Zulu",
}  # fmt: skip
"""Languages of parallel benchmarks that have no language file here."""

_RIGHT_TO_LEFT = ("arab", "hebr", "thaa", "nkoo", "syrc")


@lru_cache(maxsize=512)
def language(code: str) -> LanguageLabels:
    """The names and the direction of a language; its code itself where nothing better is known.

    A script or region stays visible: ``zh_Hant`` is another line than ``zh``.
    """
    found = labels.language(code)
    if found.name != code:
        return found
    head, _, tail = code.replace("-", "_").partition("_")
    name = labels.language(head.lower()).name
    if name == head.lower():
        name = _ENGLISH.get(head.lower(), "")
    if not name:
        name = code
    elif tail:
        name = f"{name} ({tail})"
    rtl = tail.lower() in _RIGHT_TO_LEFT or labels.language(head).direction == "rtl"
    return LanguageLabels(code, name, "", "rtl" if rtl else "ltr")
