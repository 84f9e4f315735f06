"""The default rule: a text piece by piece, by script, by frequent words, and by a detector.

One foreign sentence is enough. Scripts and frequent words decide where they can; the detector is
asked about pieces with enough letters, and overrules where it is sure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from .detector import SURE_OTHER_LETTERS, detect
from .language_text import prose
from .scripts import SCRIPTS, enough_letters, group, letters_by_script, runs
from .words import casefolded, frequent, has_list, is_indonesian, is_malay, scores

_SENTENCE_END = re.compile(r"[.!?؟…]+(?=\s|$|[^\d\s])|[\n\r。！？।॥۔።]+")
_CLAUSE_END = re.compile(r"[,;:—]\s|\s[–-]\s|[，、；：،؛፣፤]")
# No rule finds anything in fewer letters.
_TELLING_LETTERS = 3
# Letters of a foreign script that make a phrase; fewer may be a name, a symbol or a quotation.
_PHRASE = {"han": 4, "kana": 4, "hangul": 5, "thai": 8, "other": 10}
_PHRASE_LETTERS = 9
# Latin words in a text of another script: a sentence has function words, or is long.
_LATIN_WORDS, _LATIN_LONG_WORDS, _LATIN_LONG_LETTERS = 3, 6, 30
_KANA = re.compile("[\u3041-\u3096\u30a1-\u30fa]")
# Characters that a language does not use, though another one of its script does.
_CHINESE = re.compile("[的这们吗呢吧么为个说对时过还没让则设从与实际样种发现问题请给谁边]")
_NOT_IN = {
    "ar": re.compile("[پچژگیکےٹڈڑں]"),
    "fa": re.compile("[ےٹڈڑںھ]"),
    "ur": re.compile("[ةى]"),
    "ru": re.compile("[іїєґђћџјљњ]", re.I),
    "bg": re.compile("[ыэёіїєґђћџјљњ]", re.I),
    "uk": re.compile("[ыэёъђћџјљњ]", re.I),
    "es": re.compile("[ãõç]"),
}
_ENOUGH = 2.5  # weight of frequent words that gives a sentence its language
# Letters from which on the detector may overrule.
DETECTOR_LETTERS = 50
_PIECES = 4_000  # go to the detector, at most
# Probability of the own language by which the detector overrules frequent words.
_MOST_LIKELY = 0.7
# Scripts of one language only, so that there is nothing to ask.
_ALONE = frozenset({
    "telugu", "tamil", "thai", "hangul", "gurmukhi", "greek", "gujarati", "kannada", "malayalam",
    "khmer", "myanmar",
})  # fmt: skip
# Letters of words without a capital that a piece needs besides its names.
_PLAIN_LETTERS = 25
# Languages without a list that few words do not tell from the own one, and the letters that do.
_SIBLINGS = {"es": ("gl", "ast"), "pt": ("gl",), "it": ("co",), "fr": ("oc",), "de": ("lb",)}
_SIBLING_LETTERS = 100
# Weight of frequent words of the own language, per word of a piece, that outweighs the detector.
_OWN_WORDS = 0.25
# A clause has letters enough for the detector to confirm what its frequent words say.
_CLAUSE_LETTERS = 30


@dataclass(frozen=True)
class LanguageVerdict:
    """A verdict of the default mode with what it rests on.

    Attributes:
        consistent: as ``language_consistent`` says it.
        letters: of prose, vowel signs counted: what is left without formulas, code and numbers.
        enough: whether these are as many as a short sentence has (20; 7 in Chinese, Japanese or
            Korean). A fragment such as ``答案是 21`` is consistent with every language, and proves
            nothing.
        foreign: the first piece in another language, ``""`` if there is none.
        reason: what gave it away: ``script``, ``letters`` of its alphabet, frequent ``words``, or
            the ``detector``; ``related`` where only a related language keeps it from being
            consistent; ``""`` if nothing did.
    """

    consistent: bool | None
    letters: int
    enough: bool
    foreign: str = ""
    reason: str = ""


def find_foreign(text: str, language: str) -> LanguageVerdict:
    """The first piece of ``text`` that is not in ``language``, one of ``LANGUAGES``."""
    pieces: list[tuple[str, int]] = []
    foreign = reason = ""
    counts: dict[str, int] = {}
    likely = SCRIPTS[language][0]
    for sentence in _SENTENCE_END.split(prose(text)):
        if not sentence or sentence.isspace():
            continue
        by_script = runs(sentence, likely)
        letters = 0
        for script, words in by_script:
            count = sum(map(len, words))
            counts[script] = counts.get(script, 0) + count
            letters += count
        if reason or not letters:
            continue
        pieces.append((sentence, letters))
        if letters < _TELLING_LETTERS:
            continue
        reason = _reason(sentence, by_script, language)
        if reason:
            foreign = sentence
    total, enough = sum(counts.values()), enough_letters(counts)
    if reason:
        return LanguageVerdict(False, total, enough, foreign.strip(), reason)
    for piece in _long_pieces(pieces, total):
        if _detected_foreign(piece, language):
            return LanguageVerdict(False, total, enough, piece.strip(), "detector")
    return LanguageVerdict(True, total, enough)


def _reason(sentence: str, found: list[tuple[str, list[str]]], language: str) -> str:
    """Why a sentence has a foreign part, or ``""``."""
    own = SCRIPTS[language]
    for script, words in _joined(found, own):
        if script == "latin":
            if own != ("latin",) and _is_latin_prose(words):
                return "script"
        elif script not in own and sum(map(len, words)) >= _PHRASE.get(script, _PHRASE_LETTERS):
            return "script"
    if _has_foreign_letters(sentence, language):
        return "letters"
    if own == ("latin",):
        return "words" if _has_foreign_words(sentence, found, language) else ""
    return ""


def _joined(
    found: list[tuple[str, list[str]]], own: tuple[str, ...]
) -> Iterator[tuple[str, list[str]]]:
    """The runs, those in the scripts of one language together."""
    for script, together in groupby(found, lambda run: own[0] if run[0] in own else run[0]):
        yield script, [word for _, words in together for word in words]


def _has_foreign_letters(sentence: str, language: str) -> bool:
    """Whether a sentence has letters that its language does not use, too many for a name."""
    if language == "ja":
        return not _KANA.search(sentence) and len(_CHINESE.findall(sentence)) >= 2
    if language == "zh":
        return len(_KANA.findall(sentence)) >= _PHRASE["kana"]
    letters = _NOT_IN.get(language)
    if letters is None:
        return False
    least = 2 if language == "es" else max(3, len(sentence) // 20)
    return len(letters.findall(sentence)) >= least


def _is_latin_prose(words: list[str]) -> bool:
    """Whether Latin words in a text of another script are a phrase, not names or symbols."""
    spoken = [word for word in words if len(word) > 1 or word in ("a", "I", "o", "y", "e")]
    if len(spoken) < _LATIN_WORDS:
        return False
    known = frequent()
    if sum(word.casefold() in known for word in spoken) >= 2:
        return True
    lower = [word for word in spoken if word[:1].islower() and len(word) > 2]
    return len(lower) >= _LATIN_LONG_WORDS and sum(map(len, lower)) >= _LATIN_LONG_LETTERS


def _has_foreign_words(sentence: str, found: list[tuple[str, list[str]]], language: str) -> bool:
    """Whether the frequent words of a sentence, or of a clause of it, are another language's."""
    words = casefolded(found)
    if _says_other(words, language) and _agrees(sentence, words, language):
        return True
    if (language == "id" and is_malay(words)) or (language == "ms" and is_indonesian(words)):
        return True
    clauses = _CLAUSE_END.split(sentence)
    if len(clauses) < 2:
        return False
    for clause in clauses:
        if len(clause) < _CLAUSE_LETTERS:
            continue
        words = casefolded(runs(clause))
        if sum(map(len, words)) >= _CLAUSE_LETTERS and _says_other(words, language):
            seen = detect(clause)
            if seen.foreign_to(language):
                return True
    return False


def _says_other(words: list[str], language: str) -> bool:
    weights = scores(words)
    own = weights.pop(group(language), 0.0)
    return max(weights.values(), default=0.0) >= max(_ENOUGH, 2 * own + 0.5)


def _agrees(sentence: str, words: list[str], language: str) -> bool:
    """Whether the detector lets the verdict of the frequent words stand.

    It overrules them where it has enough letters and is sure of the own language. Without a list
    for that, it must be sure of another one.
    """
    enough = sum(map(len, words)) >= _CLAUSE_LETTERS
    if has_list(language) and not enough:
        return True
    seen = detect(sentence)
    if has_list(language):
        return seen.likely.get(group(language), 0.0) < _MOST_LIKELY
    return seen.foreign_to(language)


def _long_pieces(pieces: list[tuple[str, int]], total: int) -> Iterator[str]:
    """Sentences with enough letters, each alone; the short ones together.

    Short ones that are too few even together go with the last long one. A text of more than
    ``_PIECES`` pieces has longer ones instead, so that a million characters take bounded time.
    """
    if total < DETECTOR_LETTERS:
        return
    enough = max(DETECTOR_LETTERS, total // _PIECES)
    last = ""
    waiting: list[str] = []
    letters = 0
    for sentence, count in pieces:
        if count >= enough:
            last = sentence
            yield sentence
            continue
        waiting.append(sentence)
        letters += count
        if letters >= enough:
            yield ". ".join(waiting)
            waiting, letters = [], 0
    if waiting:
        yield ". ".join([last, *waiting])


def _detected_foreign(piece: str, language: str) -> bool:
    """Whether the detector is sure that a piece is in another language."""
    if SCRIPTS[language] == ("latin",):
        return _detected_foreign_latin(piece, language)
    if SCRIPTS[language][0] in _ALONE:
        return False
    counts = letters_by_script(piece)
    own = sum(counts.get(script, 0) for script in SCRIPTS[language])
    if own < DETECTOR_LETTERS or 2 * own < sum(counts.values()):
        return False  # names, say; the rule for scripts has seen them
    return detect(piece).foreign_to(language, SURE_OTHER_LETTERS)


def _detected_foreign_latin(piece: str, language: str) -> bool:
    found = runs(piece)
    words = casefolded(found)
    weights = scores(words)
    own = weights.get(group(language), 0.0)
    much = own >= _OWN_WORDS * len(words)
    if (much and own >= max(weights.values(), default=0.0)) or _plain_letters(
        found
    ) < _PLAIN_LETTERS:
        return False
    seen = detect(piece)
    if not seen.foreign_to(language):
        return False
    if has_list(seen.language):
        return weights.get(group(seen.language), 0.0) > own
    if seen.language in _SIBLINGS.get(language, ()) and sum(map(len, words)) < _SIBLING_LETTERS:
        return False
    return not much


def _plain_letters(found: list[tuple[str, list[str]]]) -> int:
    return sum(
        len(word)
        for script, words in found
        if script == "latin"
        for word in words
        if word[0].islower()
    )
