"""The words of a language that say what an answer is: one small table a language.

A table is ``languages/<code>.json``; ``docs/adding_a_language.md`` says how to write one. Every
place holds phrases as people write them; a slash parts words of which one stands. No other table
of words decides how an answer is read.
"""

import json
import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache, partial
from itertools import product
from pathlib import Path

PLACES = {
    "answer": "name the answer that follows: answer, correct option",
    "so": "draw the conclusion that follows: therefore, so",
    "not_before": "deny what stands right behind them: not, instead of",
    "not_behind": "deny what stands right before them: is wrong, is not the answer",
    "retractions": "take back the answer before them, in the order of RETRACTIONS",
    "lead": "may open a retraction: but, sorry, actually",
    "join": "join two answers of which none is chosen: and, or, to",
    "placeholder": "stand in a form in the place of an answer: your answer",
    "question": "head a new question: Question, Problem",
    "bound_before": "make a bound of the number behind them: at least, more than",
    "bound_behind": "make a bound of the number before them: or more",
    "letters": "name the options in the alphabet of the language",
}
"""The places of a table, and what the phrases in them do."""

RETRACTIONS = (
    "wait, no", "correction:", "that is wrong", "that is incorrect", "that is not right",
    "this answer is wrong", "the answer above is incorrect", "my answer was wrong", "I was wrong",
    "I made a mistake", "I take this answer back", "ignore the answer above",
)  # fmt: skip
"""The meanings of ``retractions``, the same in every language and in this order.

Those of ``CLAUSES``, which do not name the answer, are clauses of their own; a value follows the
second. For the first part of the first any phrase of ``lead`` may stand.
"""
CLAUSES, _CORRECTION, _OTHERS = (0, 2, 3, 4, 8, 9), (1,), (5, 6, 7, 10, 11)

FOLDER = Path(__file__).with_name("languages")
_SPACED = 0x500  # scripts before it put spaces between words and write words whole
INDIC = "\u0900-\u0963\u0966-\u0dff"
"""Letters and signs of the scripts of India: words whose ends carry short suffixes."""
_BEFORE = {"w": r"(?<!\w)", "i": f"(?<![{INDIC}])", "": ""}
_BEHIND = {"w": r"(?!\w)", "i": f"(?![{INDIC}]{{4}})", "": ""}
_COMMA = re.compile("[,，、،፣၊]")
_UNSPACED = "\u0e00-\u0eff\u1780-\u17ff"  # Thai, Lao, Khmer: a space is the only mark there
_PHRASED = "\u1000-\u109f" + _UNSPACED  # the same, and Burmese
_ENDS = r"\n.!?。！？，、।॥؟۔።။។៕…—–:：፦៖;；؛·፤)）\]}」』"
_SAID = r"(?:\d|(?<![A-Za-z])[A-J](?![A-Za-z]))"  # a number, or the letter of an option
_BETWEEN = r"[\s,;、,，،፣၊/&|*_`$\\()]{0,20}"


@cache
def codes() -> tuple[str, ...]:
    """The languages that have a table, English first."""
    return tuple(sorted((p.stem for p in FOLDER.glob("*.json")), key=lambda c: (c != "en", c)))


@cache
def table(code: str) -> dict[str, list[str]]:
    """The places of a language's table; empty for a language that has none."""
    if code not in codes():
        return {}
    loaded: dict[str, list[str]] = json.loads((FOLDER / f"{code}.json").read_text("utf-8"))
    return {place: loaded.get(place, []) for place in PLACES}


def phrases(place: str, language: str) -> list[str]:
    """The phrases of a place in a language and in English; placeholders of every language.

    ``any`` is every language, without words of two Latin letters, which mean something else in
    another one.
    """
    any_language = language == "any" or place == "placeholder"
    tables = codes() if any_language else dict.fromkeys(("en", language))
    texts = [phrase for code in tables for phrase in table(code).get(place, [])]
    return [
        phrase for phrase in texts if not any_language or len(phrase) > 2 or not phrase.isascii()
    ]


def labels(text: str) -> re.Pattern[str]:
    """A pattern of the labels of all languages that stand in a text."""
    lower = text.lower()
    return _labels(
        tuple(phrase for phrase in _all_labels() if phrase.split(" ")[0].rstrip("*") in lower)
    )


@cache
def _all_labels() -> tuple[str, ...]:
    every = (
        text for code in codes() for phrase in table(code)["answer"] for text in spellings(phrase)
    )
    return tuple(dict.fromkeys(text.lower() for text in every))


@lru_cache(maxsize=1024)
def _labels(present: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(alternatives(present), re.IGNORECASE)


def spellings(phrase: str) -> list[str]:
    """What a phrase with slashes stands for: a slash parts words, one of which stands there.

    >>> spellings("that/this is wrong"), spellings("eu/ errei"), spellings("这/那 不对")
    (['that is wrong', 'this is wrong'], ['eu errei', 'errei'], ['这不对', '那不对'])
    """
    words = (word.split("/") for word in phrase.split(" "))
    written = (" ".join(filter(None, combination)) for combination in product(*words))
    return [re.sub(rf"(?<=[{_UNSPACED}\u3040-\u9fff]) ", "", text) for text in written]


def alternatives(phrases: Iterable[str]) -> str:
    """A pattern of any of the phrases, the longest first.

    Latin, Greek and Cyrillic words are whole, but for an end that is marked with a star.
    """
    parts = []
    written = {
        unicodedata.normalize(form, spelling)
        for phrase in phrases
        for spelling in spellings(phrase)
        for form in ("NFC", "NFD")
    }
    for phrase in sorted(written, key=lambda phrase: (-len(phrase), phrase)):
        body = re.escape(phrase).replace(":", r"\s?[:：፦៖]").replace("'", "['’‘ʻʼ]")
        body = _COMMA.sub("[,，、،፣၊]?", body)
        body = body.replace(r"\ is\ not\ ", r"(?:\ is\ not|['’]s\ not|\ isn['’]t)\ ")
        body = body.replace(r"\ is\ ", r"(?:\ is|['’]s)\ ")
        body = body.replace(r"\ ", r"[\s\u200c]{1,3}")
        body = re.sub(r"\\\*\Z", rf"[^\\s{_ENDS}]{{0,9}}", body)
        body = re.sub("([\u0915-\u0939\u0a15-\u0a39])", "\\1[\u093c\u0a3c]?", body)
        first, last = (
            "w" if m.isalpha() and ord(m) < _SPACED else "i" if re.match(f"[{INDIC}]", m) else ""
            for m in (phrase[0], phrase[-1])
        )
        parts.append(_BEFORE[first] + body + _BEHIND[last])
    return "(?:" + "|".join(parts) + ")" if parts else "(?!)"


@cache
def _either(place: str, language: str) -> str:
    return alternatives(phrases(place, language))


def _retractions(language: str, numbers: Iterable[int], lead: str = "") -> str:
    """A pattern of the retractions with these places in ``RETRACTIONS``, behind a ``lead``."""
    numbered = (p for n, p in enumerate(phrases("retractions", language)) if n % 12 in numbers)
    return lead + alternatives(
        _COMMA.split(phrase)[-1].strip() if lead else phrase for phrase in numbered
    )


@cache
def pattern(name: str, language: str) -> re.Pattern[str]:
    """A place of a table, or a rule that is made of several, as a compiled pattern."""
    either = partial(_either, language=language)
    # A negation denies a retraction: "no cometí un error" (not "no, I erred"), "bu yanlış değil".
    lead = rf"(?:(?!{either('not_before')}[ \t]){either('lead')}[\s,，、،፣၊.!…—-]{{0,4}})"
    clause = f"(?:{_retractions(language, CLAUSES)}|{_retractions(language, (0,), lead)})"
    letter = rf"[^\W{_UNSPACED}\u3000-\ud7ff]"
    joined = (
        rf"(?:[ *_$\\)]{{0,9}}[^\n\d,，、،;.]{{0,20}})?{_BETWEEN}(?<!{letter}){either('join')}"
        rf"(?!{letter})[,，、،]?[ \t]?(?:[^\s.!?。！？।,，、،;{_UNSPACED}]{{0,10}}"
        rf"|[{_UNSPACED}]{{0,5}})[\s*_$\\(=]{{0,6}}"
    )
    rules = {
        "retraction": rf"(?:\A|[{_ENDS}]|\s(?=[{_UNSPACED}]))[\s*_\"'“(\[\]$\\).}}>`]{{0,9}}"
        rf"{lead}{{0,2}}(?:{_retractions(language, _CORRECTION)}(?=[^\n]{{0,80}}?{_SAID})"
        rf"|{clause}[*_\"'”»]{{0,4}}[ \t]{{0,3}}"
        rf"(?:[{_ENDS},]|\Z|(?<=[{_UNSPACED}])\s)|{_retractions(language, _OTHERS)}"
        rf"(?:(?<=[{_UNSPACED}])|(?![ \t]{{0,3}}{either('not_behind')})))",
        "denied_before": rf"(?:(?<![\u0590-\u05ff]){either('not_before')}|!=|[¬≠❌✗]|\\neq?"
        rf"|{either('answer')}[^\n,，、،;.:：]{{0,20}}?{either('not_behind')}\w{{0,3}}[:：])"
        r"[ \t*_$\\(\[\"'“「`:：}]{0,9}\Z",
        "denied_behind": rf"[ \t*_$\\)}}\]\"'”」』`）]{{0,9}}{either('not_behind')}"
        rf"(?![{INDIC}])",
        "bounded_before": rf"(?:{either('bound_before')}|[<>≤≥]|\\[gl]eq?)"
        r"[ \t*_$\\({}\"'“:：-]{0,9}\Z",
        "bounded_behind": rf"(?:[ \t*_$\\)}}\"'’”-]|\\text{{){{0,9}}{either('bound_behind')}",
        "placeholder": rf"\s*(?:\\text\{{)?(?:{either('placeholder')}|\.{{3}}|…)\}}?\s*",
        "join": rf"{_BETWEEN}(?:{either('join')})?{_BETWEEN}",
        "joins": either("join"),
        "joined": joined,
        "beside": rf"{_BETWEEN}|{joined}",
        "run_on": rf"^[#>*_ \t]{{0,8}}{either('question')}(?:\s{{0,2}}\d{{1,3}})?[*_ \t]{{0,4}}"
        r"(?:[:：]|$)|^[ \t]{0,4}(?:(?:human|user|用户)\s?[:：]|<\|im_start\|>\s?user|<\|user\|>"
        r"|<\|start_header_id\|>\s?user|<start_of_turn>\s?user|\[INST\])",
    }
    return re.compile(rules.get(name) or either(name), re.IGNORECASE | re.MULTILINE)


def touches(what: str, text: str, start: int, end: int, language: str) -> bool:
    """Whether a phrase that denies (``denied``) or bounds (``bounded``) stands beside a part."""
    before = pattern(f"{what}_before", language).search(text[max(0, start - 40) : start])
    return bool(before or pattern(f"{what}_behind", language).match(text[end : end + 40]))
