"""What reports call the languages of other people's tasks."""

from __future__ import annotations

from functools import lru_cache

from ..display import labels
from ..display.labels import LanguageLabels

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
        name = _english_names().get(head.lower(), "")
    if not name:
        name = code
    elif tail:
        name = f"{name} ({tail})"
    rtl = tail.lower() in _RIGHT_TO_LEFT or labels.language(head).direction == "rtl"
    return LanguageLabels(code, name, "", "rtl" if rtl else "ltr")


@lru_cache(maxsize=1)
def _english_names() -> dict[str, str]:
    from pycld2 import LANGUAGES

    return {
        code: name.replace("_", " ").title()
        for name, code in LANGUAGES
        if not name.startswith("X_") and len(code) in (2, 3)
    }
