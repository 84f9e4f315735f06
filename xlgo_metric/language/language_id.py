"""Whether a text is written in the language of its question, in all of its parts.

Mode ``default`` looks at the text piece by piece: first by script, then, where several languages
share a script, by their most frequent words, and by a detector only where those words are missing.
One foreign sentence is enough to make a text inconsistent. Mode ``paper`` is the rule of PolyMath
(Wang et al. 2025, section 4.1 and its code): one detector over the whole text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import resources
from typing import Any

from .language_text import prose, without_formulas

MODES = ("default", "paper")
# Texts of at most so many characters, without formulas, count as consistent under the paper's rule.
SHORT_TEXT = 15
# langdetect reads no further than 10,000 characters, so no more than this is handed to it.
DETECTOR_READS = 20_000
PAPER_CODES = {"zh": "zh-cn"}
# The script of each language; "latin" is shared by ten.
SCRIPTS: dict[str, tuple[str, ...]] = {
    "zh": ("han",), "ja": ("han", "kana"), "ko": ("hangul",), "ar": ("arabic",),
    "hi": ("devanagari",),
    "bn": ("bengali",), "ta": ("tamil",), "te": ("telugu",), "th": ("thai",), "ru": ("cyrillic",),
    **dict.fromkeys(("en", "de", "es", "fr", "pt", "it", "id", "ms", "sw", "vi"), ("latin",)),
}  # fmt: skip
LANGUAGES = tuple(SCRIPTS)

_SCRIPT_RANGES = {
    "latin": "A-Za-zÀ-ÖØ-öø-ɏḀ-ỿ\u0300-\u036f'’",
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
    "other": "\u0370-\u03ff\u0530-\u05ff\u0700-\u074f\u0780-\u08ff\u0a00-\u0b7f\u0c80-\u0dff"
    "\u0e80-\u10ff\u1200-\u167f\u1780-\u18af",
}  # fmt: skip
_WORDS = re.compile(
    "|".join(f"(?P<{name}>[{letters}]+)" for name, letters in _SCRIPT_RANGES.items())
)
_SENTENCE_END = re.compile(r"[.!?。！？।॥؟…]+(?=\s|$|[^\d\s])|[\n\r。！？।॥]+")
# Letters of a foreign script that make a phrase; fewer may be a name, a symbol or a quotation.
_PHRASE = {"han": 4, "kana": 4, "hangul": 5, "thai": 8, "other": 10}
_PHRASE_LETTERS = 9
# Latin words in a text of another script: a sentence has function words, or is long.
_LATIN_WORDS, _LATIN_LONG_WORDS, _LATIN_LONG_LETTERS = 3, 6, 30
# Characters that Japanese does not use, or Arabic and Russian do not.
_CHINESE = re.compile("[的这们吗呢吧么为个说对时过还没让则设从与实际样种发现问题请给谁边]")
_PERSIAN = re.compile("[پچژگیکےٹڈڑں]")
_NOT_RUSSIAN = re.compile("[іїєґђћџјљњ]", re.I)
_NOT_SPANISH = re.compile("[ãõç]")
_MALAY = frozenset(
    [
        "kerana",
        "boleh",
        "jawapan",
        "nombor",
        "bahawa",
        "ialah",
        "daripada",
        "wang",
        "selepas",
        "supaya",
        "mesti",
        "berfikir",
        "bermakna",
        "iaitu",
        "mempunyai",
    ]
)
_INDONESIAN = frozenset(
    [
        "karena",
        "bisa",
        "jawaban",
        "angka",
        "bahwa",
        "dari",
        "uang",
        "setelah",
        "harus",
        "berpikir",
        "memiliki",
        "berarti",
        "sehingga",
        "yaitu",
    ]
)
_GROUP = {"ms": "id"}
_ENOUGH = 2.5  # weight of frequent words that gives a sentence its language
_UNKNOWN_LETTERS = 60  # letters without any frequent word that are worth asking the detector about
_UNKNOWN_READ = 1_000  # of them, what it reads
_CERTAIN = 0.9


def language_consistent(text: str, language: str, mode: str = "default") -> bool | None:
    """Whether ``text`` is in ``language``, all of it.

    Formulas, code, numbers, names and short fragments have no language. A text without any prose is
    consistent.

    Args:
        text: the answer, or the thinking.
        language: the code of the question's language, such as ``te``.
        mode: ``default`` or ``paper``.

    Returns:
        The verdict; ``None`` where the language is not supported. The paper's detector has no
        Malay, so mode ``paper`` has no verdict for ``ms``.

    Raises:
        ValueError: an unknown mode.
        ImportError: the package langdetect is missing and needed.

    >>> language_consistent("所以答案是 $42$。", "zh")
    True
    >>> language_consistent("所以 the answer is 42.", "zh")
    False
    """
    if mode not in MODES:
        raise ValueError(f"unknown mode {mode!r}: allowed are {', '.join(MODES)}")
    if mode == "paper":
        return _by_paper(text, language)
    if language not in SCRIPTS:
        return None
    return _by_parts(text, language)


def consistency_verdicts(
    texts: Sequence[str],
    languages: Sequence[str],
    mode: str = "default",
    processes: int = 1,
) -> list[bool | None]:
    """``language_consistent`` for many texts.

    Args:
        texts: n texts.
        languages: their languages, n codes.
        mode: see ``language_consistent``.
        processes: how many to use. Several pay in mode ``paper``, which takes 5 to 25 ms a text;
            as always with them, a script then needs its ``if __name__ == "__main__":``.

    Raises:
        ValueError: different numbers of texts and languages, or an unknown mode.
    """
    if len(texts) != len(languages):
        raise ValueError(f"{len(texts)} texts but {len(languages)} languages: give one each")
    if mode not in MODES:
        raise ValueError(f"unknown mode {mode!r}: allowed are {', '.join(MODES)}")
    if processes <= 1:
        return [
            language_consistent(text, code, mode)
            for text, code in zip(texts, languages, strict=True)
        ]
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("spawn")) as pool:
        return list(
            pool.map(language_consistent, texts, languages, [mode] * len(texts), chunksize=100)
        )


@cache
def _detector() -> tuple[Any, Any, frozenset[str]]:
    """langdetect's function, its factory class and its languages."""
    try:
        from langdetect import DetectorFactory, detect_langs, detector_factory
    except ImportError:
        raise ImportError(
            "language detection needs langdetect: install the extra with pip install 'xlgo[eval]'"
        ) from None
    detector_factory.init_factory()
    return detect_langs, DetectorFactory, frozenset(detector_factory._factory.get_lang_list())


def _detected(text: str) -> list[tuple[str, float]]:
    """The languages that langdetect sees, with their probabilities; always with the same seed."""
    detect, factory, _ = _detector()
    factory.seed = 0
    return [(found.lang, found.prob) for found in detect(text[:DETECTOR_READS])]


def _by_paper(text: str, language: str) -> bool | None:
    code = PAPER_CODES.get(language, language)
    if code not in _detector()[2]:
        return None
    rest = without_formulas(text)
    if len(rest) <= SHORT_TEXT:
        return True
    from langdetect.lang_detect_exception import LangDetectException

    try:
        return [found for found, _ in _detected(rest)] == [code]
    except LangDetectException:  # nothing but signs: the published code counts it as inconsistent
        return False


def _by_parts(text: str, language: str) -> bool:
    unknown: list[str] = []
    for sentence in _SENTENCE_END.split(prose(text)):
        if sentence and not sentence.isspace() and not _fits(sentence, language, unknown):
            return False
    return SCRIPTS[language] != ("latin",) or not _is_foreign(" ".join(unknown), language)


def _fits(sentence: str, language: str, unknown: list[str]) -> bool:
    """Whether a sentence has no foreign part; words that no list knows go to ``unknown``."""
    own = SCRIPTS[language]
    runs: list[tuple[str, list[str]]] = []
    for match in _WORDS.finditer(sentence):
        script = match.lastgroup or ""
        if runs and (runs[-1][0] == script or {runs[-1][0], script} <= set(own)):
            runs[-1][1].append(match.group())
        else:
            runs.append((script, [match.group()]))
    for script, words in runs:
        if script == "latin":
            if own == ("latin",):
                continue
            if _is_latin_prose(words):
                return False
        elif script not in own and sum(map(len, words)) >= _PHRASE.get(script, _PHRASE_LETTERS):
            return False
    if own == ("latin",):
        words = [
            word.casefold().strip("'’") for script, run in runs if script == "latin" for word in run
        ]
        return _fits_latin(words, language, unknown)
    return _fits_script(sentence, language)


def _fits_script(sentence: str, language: str) -> bool:
    """Whether a sentence is in ``language`` and not in another one of the same script."""
    if language == "ja":
        return (
            bool(re.search("[\u3041-\u3096\u30a1-\u30fa]", sentence))
            or len(_CHINESE.findall(sentence)) < 2
        )
    if language == "zh":
        return len(re.findall("[\u3041-\u3096\u30a1-\u30fa]", sentence)) < _PHRASE["kana"]
    foreign = {"ar": _PERSIAN, "ru": _NOT_RUSSIAN}.get(language)
    return foreign is None or len(foreign.findall(sentence)) < max(3, len(sentence) // 20)


def _is_latin_prose(words: list[str]) -> bool:
    """Whether Latin words in a text of another script are a phrase, not names or symbols."""
    spoken = [word for word in words if len(word) > 1 or word in ("a", "I", "o", "y", "e")]
    if len(spoken) < _LATIN_WORDS:
        return False
    frequent = sum(word.casefold() in _frequent() for word in spoken)
    if frequent >= 2:
        return True
    lower = [word for word in spoken if word[:1].islower() and len(word) > 2]
    return len(lower) >= _LATIN_LONG_WORDS and sum(map(len, lower)) >= _LATIN_LONG_LETTERS


@cache
def _frequent() -> dict[str, tuple[tuple[str, float], ...]]:
    """Each frequent word -> the languages that have it, with its weight: less for shared words."""
    text = resources.files(__package__).joinpath("language_words.json").read_text(encoding="utf-8")
    owners: dict[str, list[str]] = {}
    for code, words in json.loads(text).items():
        for word in dict.fromkeys(words.split()):
            owners.setdefault(word, []).append(code)
    weights: dict[str, tuple[tuple[str, float], ...]] = {}
    for word, codes in owners.items():
        groups = {_GROUP.get(code, code) for code in codes}
        weight = (
            (1.0 if len(word) > 1 else 0.4)
            / len(groups)
            * (1.5 if len(groups) == 1 and len(word) > 2 else 1)
        )
        weights[word] = tuple((code, weight) for code in groups)
    return weights


def _fits_latin(words: Iterable[str], language: str, unknown: list[str]) -> bool:
    scores: dict[str, float] = {}
    frequent = _frequent()
    words = list(words)
    for word in words:
        for code, weight in frequent.get(word, ()):
            scores[code] = scores.get(code, 0.0) + weight
    if language == "es" and len(_NOT_SPANISH.findall(" ".join(words))) >= 2:
        return False
    group = _GROUP.get(language, language)
    own = scores.pop(group, 0.0)
    if not scores and not own:
        unknown.extend(word for word in words if len(word) > 2)
        return True
    if max(scores.values(), default=0.0) >= max(_ENOUGH, 2 * own + 0.5):
        return False
    if language in ("id", "ms"):
        mine, others = (_MALAY, _INDONESIAN) if language == "ms" else (_INDONESIAN, _MALAY)
        found = sum(word in others for word in words)
        return found < 2 or found <= sum(word in mine for word in words)
    return True


def _is_foreign(text: str, language: str) -> bool:
    """Whether the detector is certain that words which no list knows are in another language."""
    if len(text) < _UNKNOWN_LETTERS:
        return False
    from langdetect.lang_detect_exception import LangDetectException

    try:
        (code, probability), *_ = _detected(text[:_UNKNOWN_READ])
    except LangDetectException:
        return False
    return probability >= _CERTAIN and _GROUP.get(code, code) != _GROUP.get(language, language)
