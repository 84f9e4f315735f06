"""Whether a text is written in the language of its question, in all of its parts.

Mode ``default`` looks at the text piece by piece (``parts.py``): one foreign sentence is enough to
make it inconsistent. Mode ``paper`` is the rule of PolyMath (Wang et al. 2025, section 4.1 and its
code): one detector, langdetect, over the whole text.
"""

from dataclasses import replace
from functools import cache
from typing import Any

from ..core import allowed_name
from .identify import by_detector, is_mostly_own
from .language_text import prose, without_formulas
from .parts import LanguageVerdict, find_foreign
from .scripts import LANGUAGES, letters_by_script

__all__ = [
    "LANGUAGES",
    "MODES",
    "LanguageVerdict",
    "language_consistent",
    "language_verdict",
]

MODES = ("default", "paper")
# Texts of at most so many characters, without formulas, count as consistent under the paper's rule.
SHORT_TEXT = 15
# langdetect reads no further than 10,000 characters, so no more than this is handed to it.
DETECTOR_READS = 20_000
_DOUBT = 0.9
"""Margin of another language over the own one above which a text has no verdict."""
PAPER_CODES = {"zh": "zh-cn"}


def language_verdict(text: str, language: str) -> LanguageVerdict:
    """``language_consistent`` in its default mode, and how much text the verdict rests on.

    Args:
        text: the answer, or the thinking.
        language: the code of the question's language, such as ``te``.

    >>> language_verdict("答案是 21", "te")
    LanguageVerdict(consistent=True, letters=3, enough=False, foreign='', reason='')
    """
    if language not in LANGUAGES:
        return LanguageVerdict(None, 0, False)
    result, words = find_foreign(text, language), prose(text)
    is_long = result.consistent and result.enough
    is_own = is_long and is_mostly_own(letters_by_script(words), language)
    if is_own and not by_detector(words, language, _DOUBT):
        return replace(result, consistent=None, reason="related")
    return result


def language_consistent(text: str, language: str, mode: str = "default") -> bool | None:
    """Whether ``text`` is in ``language``, all of it.

    Formulas, code, numbers, names and short fragments have no language. A text without any prose is
    consistent.

    Args:
        text: the answer, or the thinking.
        language: the code of the question's language, such as ``te``.
        mode: ``default`` or ``paper``.

    Returns:
        The verdict; ``None`` where the language is not supported, and where a text of its scripts
        is too short to separate it from a related language. The paper's detector has no
        Malay, so mode ``paper`` has no verdict for ``ms``.

    Raises:
        ValueError: an unknown mode.
        ImportError: the package langdetect is missing and needed.

    >>> language_consistent("所以答案是 $42$。", "zh")
    True
    >>> language_consistent("所以 the answer is 42.", "zh")
    False
    """
    if allowed_name(mode, "mode", MODES) == "paper":
        return _by_paper(text, language)
    return language_verdict(text, language).consistent


@cache
def _detector() -> tuple[Any, Any, frozenset[str]]:
    """langdetect's function, its factory class and its languages."""
    from langdetect import DetectorFactory, detect_langs, detector_factory

    detector_factory.init_factory()
    return detect_langs, DetectorFactory, frozenset(detector_factory._factory.get_lang_list())


def _detected(text: str) -> list[tuple[str, float]]:
    """The languages that langdetect sees, with their probabilities; always with the same seed."""
    detect, factory, _ = _detector()
    factory.seed = 0
    return [(result.lang, result.prob) for result in detect(text[:DETECTOR_READS])]


def _by_paper(text: str, language: str) -> bool | None:
    code = PAPER_CODES.get(language, language)
    if code not in _detector()[2]:
        return None
    rest = without_formulas(text)
    if len(rest) <= SHORT_TEXT:
        return True
    from langdetect.lang_detect_exception import LangDetectException

    try:
        return [result for result, _ in _detected(rest)] == [code]
    except LangDetectException:  # nothing but signs: the published code counts it as inconsistent
        return False
