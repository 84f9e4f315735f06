"""The default rule: a text clause by clause, by its scripts and by the detector.

One foreign clause is enough. Letters of another script make it foreign where they are a phrase, not
a name; of what is in the script of the language the detector decides, where it is sure.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .detector import detect
from .identify import malay_or_indonesian
from .language_text import prose
from .scripts import SCRIPTS, enough_letters, runs

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
        reason: what gave it away: ``script``, ``detector``, or ``words`` of Malay in Indonesian and
            of Indonesian in Malay; ``related`` where only a related language keeps it from being
            consistent; ``""`` if nothing did.
    """

    consistent: bool | None
    letters: int
    enough: bool
    foreign: str = ""
    reason: str = ""


def find_foreign(text: str, language: str) -> LanguageVerdict:
    """The first piece of ``text`` that is not in ``language``, one of ``LANGUAGES``."""
    scripts = SCRIPTS[language]
    counts, parts = Counter[str](), list[str]()
    foreign = reason = ""
    for sentence in _SENTENCE_END.split(prose(text)):
        by_script: dict[str, list[str]] = defaultdict(list)
        for script, words in runs(sentence, scripts[0]):
            by_script[script] += words
            counts[script] += sum(map(len, words))
        clauses = _CLAUSE_END.split(sentence)
        parts += [
            sentence,
            *(clause for clause in clauses if _CLAUSE <= len(clause) < len(sentence)),
        ]
        foreign_runs = (
            (script, words) for script, words in by_script.items() if script not in scripts
        )
        if not reason and any(_is_phrase(words, script) for script, words in foreign_runs):
            foreign, reason = sentence.strip(), "script"
    total = sum(counts.values())
    least = max(PIECE_LETTERS, total // _PIECES)
    for part, words_once in () if reason else _pieces(parts, scripts, least):
        if detect(words_once).foreign_to(language, len(words_once.replace(" ", ""))):
            foreign, reason = part, "detector"
            break
    if not reason and language in ("id", "ms") and malay_or_indonesian(text) not in ("", language):
        foreign, reason = text.strip(), "words"
    return LanguageVerdict(not reason, total, enough_letters(counts), foreign, reason)


def _is_phrase(words: Sequence[str], script: str) -> bool:
    """Whether words of a foreign script are a phrase, not names or symbols."""
    if script != "latin":
        return sum(map(len, words)) >= _PHRASE.get(script, _PHRASE_LETTERS)
    plain = dict.fromkeys(word for word in words if word[0].islower() and len(word) > 2)
    if len(words) >= _LATIN_WORDS and sum(map(bool, map(_FUNCTION_WORD.fullmatch, words))) >= 2:
        return True
    return len(plain) >= _LATIN_LONG_WORDS and sum(map(len, plain)) >= _LATIN_LONG_LETTERS


def _pieces(parts: Sequence[str], scripts: Sequence[str], least: int) -> Iterator[tuple[str, str]]:
    """Parts with letters enough for the detector, with its words once each; short ones together."""
    fewest = _FEWEST_WORDS if scripts == ("latin",) else 1
    waiting, letters = list[str](), 0
    for part in parts:
        by_script = runs(part, scripts[0])
        words = [word for script, run in by_script if script in scripts for word in run]
        spoken = [word for word in words if len(word) > 1 or not word.isascii()]
        plain = [word for word in spoken if not word[0].isupper()]
        count = sum(map(len, plain))
        if count >= least and len(set(plain)) >= fewest:
            yield part.strip(), " ".join(dict.fromkeys(spoken))
            continue
        waiting += spoken
        letters += count
        if letters >= least:
            if len(set(waiting)) >= fewest:
                yield part.strip(), " ".join(dict.fromkeys(waiting))
            waiting, letters = [], 0
