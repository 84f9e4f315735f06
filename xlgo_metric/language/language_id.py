"""Whether a text is written in the language of its question, in all of its parts.

Mode ``default`` looks at the text clause by clause, by scripts and by the detector py3langid: one
foreign clause is enough to make it inconsistent. Letters of another script make a clause foreign
where they are a phrase, not a name; of what is in the script of the language the detector decides,
where it is sure. Mode ``paper`` is the rule of PolyMath (Wang et al. 2025, section 4.1 and its
code): one detector, langdetect, over the whole text. A hop of a translation chain needs the
language and script of a text as a whole (``identify_language``, ``written_in``).
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from math import inf, log
from typing import Any, Protocol

from ..core import allowed_name
from .scripts import (
    LANGUAGES,
    SCRIPTS,
    enough_letters,
    group,
    letters_by_script,
    prose,
    runs,
    without_formulas,
)

READS = 5_000
"""Longer texts are read no further: 5,000 characters leave no doubt, and every one costs time."""

SURE = 2.5
"""Logarithm of how many times likelier one language must be than another to tell the two apart. Of
24,645 pieces of 20 to 80 letters in 33 languages none is called foreign in its own language, and
99.2% (20 letters) to 100.0% (80) in each other of the same script
(``benchmarks/identification.py --limits``)."""

SHORT, SURE_OF_SHORT = 20, 3.5
"""So many letters, and the same for no more than these."""

LONG, SURE_OF_LONG = 50, 1.0
"""The same from so many letters on of a script other than Latin: none has more than .7 against its
own language."""

_REFUSED = re.compile("[\ud800-\udfff]")
# What it calls varieties that are one language here, and signs without a language.
_CODES = {
    "gug": "gn", "nn": "no", "fil": "tl", "ary": "ar", "arz": "ar", "yue": "zh", "wuu": "zh",
    "uzs": "uz", "hbo": "he", "gom": "mr", "zxx": "",
}  # fmt: skip


class _Identifier(Protocol):
    def rank(self, text: str) -> list[tuple[str, float]]: ...


@dataclass(frozen=True)
class Detected:
    """What the detector says of a text.

    Attributes:
        likely: the probability of each language (of those that nobody tells apart, together),
            calibrated over lengths by the detector; likeliest first.
        named: the likeliest code, also among those that nobody tells apart; ``""`` if there is
            none.
        apart: logarithm of how many times likelier ``named`` is than the next of these.
    """

    likely: Mapping[str, float]
    named: str = ""
    apart: float = inf

    @property
    def language(self) -> str:
        """The code of the likeliest language, ``""`` if the text has none."""
        return next(iter(self.likely), "")

    @property
    def sure(self) -> bool:
        """Whether the likeliest language is distinguished from every other."""
        return all(self.margin(code) >= SURE for code in [*self.likely][1:2])

    def margin(self, language: str) -> float:
        """Logarithm of how many times likelier the likeliest language is than this one."""
        if not self.language:
            return 0.0
        share = self.likely.get(group(language), 0.0)
        return log(self.likely[self.language] / share) if share > 0 else inf

    def foreign_to(self, language: str, letters: int) -> bool:
        """Whether a text of so many letters is in another language, and surely so."""
        is_latin = SCRIPTS[language] == ("latin",)
        long = SURE if is_latin or letters < LONG else SURE_OF_LONG
        return self.margin(language) >= (SURE_OF_SHORT if letters <= SHORT else long)


@cache
def _identifier() -> _Identifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    result: _Identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    return result


def detect(text: str) -> Detected:
    """The likeliest language of ``text``; same text, same verdict.

    Args:
        text: of it, the first 5,000 characters are read.

    >>> detect("Piet fietst elke zondag langs het kanaal naar zijn oude tante.").language
    'nl'
    """
    return _detected(_REFUSED.sub(" ", text[:READS]))


@lru_cache(maxsize=256)  # a response that goes in circles says the same sentence thousands of times
def _detected(clean: str) -> Detected:
    if not clean.strip():
        return Detected({})
    scores: dict[str, float] = {}
    ranked = [(_CODES.get(code, code), part) for code, part in _identifier().rank(clean)]
    for code, probability in ranked:
        name = group(code)
        scores[name] = scores.get(name, 0.0) + probability
    ordered = dict(sorted(scores.items(), key=lambda item: -item[1]))
    if (first := next(iter(ordered))) == "":
        return Detected({})
    close = [(code, part) for code, part in ranked if group(code) == first]
    likeliest, most = close[0]
    rivals = [part for code, part in close if code != likeliest]
    return Detected(ordered, likeliest, log(most / rivals[0]) if rivals else inf)


# A text belongs to the script that most of its letters have.
_MOST = 0.5
_NAMED = 1.0
"""Margin between Malay and Indonesian: of 76 pieces of one to six sentences, 0.6 at most against
their own language."""


@dataclass(frozen=True)
class Identified:
    """What a text is written in.

    Attributes:
        language: the code of the likeliest language, also one that is not in ``LANGUAGES``; ``""``
            where there are too few letters to tell.
        sure: whether the detector calls itself reliable.
        letters: of prose, vowel signs counted.
    """

    language: str
    sure: bool
    letters: int


def identify_language(text: str) -> Identified:
    """The language of ``text``, without its formulas, code, JSON and links.

    >>> identify_language("ਦਾਦੀ ਜੀ ਹਰ ਸਵੇਰ ਸਭ ਤੋਂ ਪਹਿਲਾਂ ਉੱਠਦੇ ਅਤੇ ਚੁੱਲ੍ਹਾ ਬਾਲਦੇ।").language
    'pa'
    """
    words = prose(text)
    counts = letters_by_script(words)
    seen = detect(words) if enough_letters(counts) else None
    known = ("", False) if seen is None else (seen.named, seen.sure)
    return Identified(*known, sum(counts.values()))


def written_in(text: str, language: str) -> bool | None:
    """Whether ``text`` as a whole is in ``language``; a foreign word or quotation is no harm.

    ``language_consistent`` is stricter: it asks it of every sentence.

    Args:
        text: such as one hop of a translation chain.
        language: a code of ``LANGUAGES``.

    Returns:
        ``None`` where the language is not supported, where the text has too few letters (20, seven
        in Chinese, Japanese or Korean), where the detector only guesses another language, and where
        it does not separate Malay and Indonesian. A text in another script is never in the
        language: Punjabi in Arabic letters is not ``pa``.

    >>> written_in("Piet fietst elke zondag langs het kanaal naar zijn oude tante.", "de")
    False
    """
    if language not in SCRIPTS:
        return None
    words = prose(text)
    counts = letters_by_script(words)
    if not enough_letters(counts):
        return None
    return by_detector(words, language) if is_mostly_own(counts, language) else False


def is_mostly_own(letters: Mapping[str, int], language: str) -> bool:
    """Whether most letters, counted by script, are in the scripts of a language."""
    count = sum(letters.get(script, 0) for script in SCRIPTS[language])
    return count >= _MOST * sum(letters.values())


def by_detector(words: str, language: str, doubt: float = 0.0) -> bool | None:
    """What the detector, and words of Malay and Indonesian, say of prose in a language's scripts.

    Args:
        words: the prose.
        language: a code of ``LANGUAGES``.
        doubt: the margin of another language above which there is no verdict.
    """
    seen = detect(words)
    if seen.foreign_to(language, sum(letters_by_script(words).values())):
        return False
    if seen.margin(language) > doubt:
        return None
    if language not in ("id", "ms"):
        return True
    variety = malay_or_indonesian(words) or (seen.named if seen.apart >= _NAMED else "")
    return variety == language if variety else None


@cache
def _words_of() -> dict[str, frozenset[str]]:
    """Words that only Malay has, that only Indonesian has, and that rather Malay has.

    Those that are good in both, such as "dari", "harus" and "setelah", are in none. The third are
    frequent in Malay and good Indonesian, so they only speak for Malay.
    """
    lists = resources.files(__package__).joinpath("malay_indonesian.json").read_text("utf-8")
    return {name: frozenset(words.split()) for name, words in json.loads(lists).items()}


def malay_or_indonesian(text: str) -> str:
    """``ms`` or ``id``, whose own words are at least two and the majority; else empty."""
    words = [word for _, run in runs(text.casefold()) for word in run]
    malay, indonesian, rather_malay = (
        sum(word.strip("'’") in _words_of()[name] for word in words)
        for name in ("ms", "id", "rather_ms")
    )
    if malay >= 2 and malay > indonesian:
        return "ms"
    return "id" if indonesian >= 2 and indonesian > malay + rather_malay else ""


_SENTENCE_END = re.compile(r"[.!?؟…]+(?=\s|$|[^\d\s])|[\n\r。！？।॥۔።]+")
_CLAUSE_END = re.compile(r"[,;:—]\s|\s[–-]\s|[，、；：،؛፣፤]")
# Letters of a foreign script that make a phrase; fewer may be a name, a symbol or a quotation.
_PHRASE = {"han": 4, "kana": 4, "hangul": 5, "thai": 8, "other": 10}
_PHRASE_LETTERS = 9
# Latin words in a text of another script: a phrase has function words, or is long.
_LATIN_WORDS, _LATIN_LONG_WORDS, _LATIN_LONG_LETTERS = 3, 4, 16
_FUNCTION_WORD = re.compile(
    "the|is|are|was|be|of|to|in|and|or|that|this|it|we|so|for|with|from|by|on|as|at|not|if|then|"
    "there|which|you|let|has|have|can|do|does|an|but|all|no|will|its",
    re.I,
)
PIECE_LETTERS = 11
"""Letters from which on the detector is asked about a clause; shorter ones go to it together. In
words without a capital, where the script has capitals: names have no language."""

_FEWEST_WORDS = 3  # without a capital, in Latin letters: two may be terms or a name
_CLAUSE = 30  # characters of a clause that is judged by itself, too
_PIECES = 4_000  # go to the detector, at most


def is_foreign(text: str, language: str) -> bool:
    """Whether a piece of ``text`` is not in ``language``, one of ``LANGUAGES``."""
    scripts = SCRIPTS[language]
    total, parts = 0, list[str]()
    for sentence in _SENTENCE_END.split(prose(text)):
        by_script: dict[str, list[str]] = defaultdict(list)
        for script, words in runs(sentence, scripts[0]):
            by_script[script] += words
            total += sum(map(len, words))
        if any(_is_phrase(words, name) for name, words in by_script.items() if name not in scripts):
            return True
        clauses = _CLAUSE_END.split(sentence)
        parts += [sentence, *(x for x in clauses if _CLAUSE <= len(x) < len(sentence))]
    pieces = _pieces(parts, scripts, max(PIECE_LETTERS, total // _PIECES))
    if any(detect(piece).foreign_to(language, len(piece.replace(" ", ""))) for piece in pieces):
        return True
    return language in ("id", "ms") and malay_or_indonesian(text) not in ("", language)


def _is_phrase(words: Sequence[str], script: str) -> bool:
    """Whether words of a foreign script are a phrase, not names or symbols."""
    if script != "latin":
        return sum(map(len, words)) >= _PHRASE.get(script, _PHRASE_LETTERS)
    plain = dict.fromkeys(word for word in words if word[0].islower() and len(word) > 2)
    if len(words) >= _LATIN_WORDS and sum(map(bool, map(_FUNCTION_WORD.fullmatch, words))) >= 2:
        return True
    return len(plain) >= _LATIN_LONG_WORDS and sum(map(len, plain)) >= _LATIN_LONG_LETTERS


def _pieces(parts: Sequence[str], scripts: Sequence[str], least: int) -> Iterator[str]:
    """The words, once each, of parts with letters enough for the detector; short ones together."""
    fewest = _FEWEST_WORDS if scripts == ("latin",) else 1
    waiting, letters = list[str](), 0
    for part in parts:
        by_script = runs(part, scripts[0])
        words = [word for script, run in by_script if script in scripts for word in run]
        spoken = [word for word in words if len(word) > 1 or not word.isascii()]
        plain = [word for word in spoken if not word[0].isupper()]
        count = sum(map(len, plain))
        if count >= least and len(set(plain)) >= fewest:
            yield " ".join(dict.fromkeys(spoken))
            continue
        waiting += spoken
        letters += count
        if letters >= least:
            if len(set(waiting)) >= fewest:
                yield " ".join(dict.fromkeys(waiting))
            waiting, letters = [], 0


MODES = ("default", "paper")
# Texts of at most so many characters, without formulas, count as consistent under the paper's rule.
SHORT_TEXT = 15
# langdetect reads no further than 10,000 characters, so no more than this is handed to it.
DETECTOR_READS = 20_000
_DOUBT = 0.9
"""Margin of another language over the own one above which a text has no verdict."""
PAPER_CODES = {"zh": "zh-cn"}


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
    if language not in LANGUAGES:
        return None
    if is_foreign(text, language):
        return False
    words = prose(text)
    counts = letters_by_script(words)
    is_told = enough_letters(counts) and is_mostly_own(counts, language)
    return None if is_told and not by_detector(words, language, _DOUBT) else True


@cache
def _langdetect() -> tuple[Any, Any, frozenset[str]]:
    """langdetect's function, its factory class and its languages."""
    from langdetect import DetectorFactory, detect_langs, detector_factory

    detector_factory.init_factory()
    return detect_langs, DetectorFactory, frozenset(detector_factory._factory.get_lang_list())


def _by_langdetect(text: str) -> list[tuple[str, float]]:
    """The languages that langdetect sees, with their probabilities; always with the same seed."""
    detect, factory, _ = _langdetect()
    factory.seed = 0
    return [(result.lang, result.prob) for result in detect(text[:DETECTOR_READS])]


def _by_paper(text: str, language: str) -> bool | None:
    code = PAPER_CODES.get(language, language)
    if code not in _langdetect()[2]:
        return None
    rest = without_formulas(text)
    if len(rest) <= SHORT_TEXT:
        return True
    from langdetect.lang_detect_exception import LangDetectException

    try:
        return [result for result, _ in _by_langdetect(rest)] == [code]
    except LangDetectException:  # nothing but signs: the published code counts it as inconsistent
        return False
