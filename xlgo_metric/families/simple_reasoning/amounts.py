"""Reading numbers and lists of numbers as answers: the last one that stands as an answer counts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Literal, NamedTuple

from ...reading.loosened import loosened
from ...reading.negation import denies
from ...reading.withdrawn import alternative, denied
from .responses import last_box, lowered, places

_LENGTH = 200
_PLACES = 20
_TAGS = re.compile(
    r"</?(?:b|strong|i|em|u|code|p|pre|span|mark|br|div|h[1-6]|font)(?:\s[^<>]{0,100})?/?>",
    re.IGNORECASE,
)
_FRACTION = re.compile(r"\\[dtc]?frac\s{0,3}\{([^{}]{0,40})\}\s{0,3}\{([^{}]{0,40})\}")
_BOX = re.compile(r"\\?f?boxed\s{0,3}|\\fbox\s{0,3}")
_GROUPS = re.compile(r"(?<![\d.])(\d{1,3})((?:[ ,]\d{3})+)(?![\d])")
_LITERAL = re.compile(r"(?<![\w.^])([-+]?\s?)(\d{1,100})(?:\.(\d{0,100}))?(?:\s?/\s?(\d{1,100}))?")
_SHARE = re.compile(r"(?<![\w.^])([-+]?)(\.\d{1,100})(?!\d)")
_AFTER = re.compile(
    r"\s{0,3}(?:%|\^|!(?!\s|\Z)|(?:hundred|thousand|million|billion|dozen|percent|k|x)\b)",
    re.IGNORECASE,
)
_BOUND = re.compile(
    r"[≤≥≦≧⩽⩾±]|(?<![-=])>|<(?![-=])"
    r"|\b(?:at (?:least|most)|(?:more|less|fewer|greater) than|al menos|como (?:máximo|mínimo)"
    r"|(?:más|menos) de|mindestens|höchstens|(?:mehr|weniger) als|au (?:moins|plus)|plus de"
    r"|moins de"
    r"|almeno|al massimo|pelo menos|no máximo|en az|en fazla|ít nhất|nhiều nhất"
    r"|paling (?:sedikit|banyak)"
    r"|(?:как минимум|не (?:менее|более)|(?:больше|меньше|более|менее)(?: чем)?)"
    r"|على (?:الأقل|الأكثر)|(?:أكثر|أقل) من|कम से कम|अधिक से अधिक|কমপক্ষে|অন্তত|సుమారు|కనీసం"
    r"|குறைந்தது|อย่างน้อย|อย่างมาก|มากกว่า|น้อยกว่า|至少|至多|最多|超过|少于|多于|少なくとも"
    r"|최소|최대)"
    r"[\s#$*:：]{0,5}[-+]?\d|\d\s?[#$*]{0,3}\s?(?:以上|以下|未満|이상|이하|미만|से (?:अधिक|कम)"
    r"|or (?:more|less|fewer)\b)",
    re.IGNORECASE,
)
_COMPARED = re.compile(r"\s{0,9}[<>]=?\s{0,9}[-+]?\d")  # before a quoted line's mark is taken off
_FOREIGN_PHRASE = re.compile(
    r"(?:antwort|ergebnis|respuesta|resultado|réponse|risposta|resposta|jawapan|jawaban|đáp án"
    r"|câu trả lời|cevap|yanıt|jibu|ответ|الإجابة|الجواب|جواب|उत्तर|उत्तर|జవాబు|సమాధానం|விடை"
    r"|பதில்"
    r"|คำตอบ|উত্তর|答案|答え|回答|정답|답)[^\n\d:：{}\[\]]{0,25}[:：]",
    re.IGNORECASE,
)
_FACTORIAL = re.compile(r"\d\s?!")
_SENTENCE = re.compile(r"[.!?;](?=\s|\Z)")
_COUNT = re.compile(r"appears?\b[^\n]{0,120}?\b(?:times?|occurrences?)\b", re.IGNORECASE)
_MARKED = re.compile(r"#\s{0,3}[^#\n]{1,40}?\s{0,3}#")
_PHRASE = re.compile(r"answer(?:\s{0,3}:|\s{1,3}is\b\s{0,3}:?)\s{0,9}")
_LIST = re.compile(r"appears?[\s:\"'(]{0,20}\[([^\[\]]{0,2000})\]", re.IGNORECASE)
_BARE_LIST = re.compile(r"\[([\d\s,，、،.#-]{1,2000})\]")
_CUT_LIST = re.compile(r"\[[\d\s,，、،#]{0,2000}\Z")
_COMMA = re.compile(r"[,，、،;]")
_BARE = re.compile(r"[\s#(\[\"'+-]{0,9}(?:\d|\\[dt]?frac|[a-z-]{2,20} \(\d)", re.IGNORECASE)
_BARE_LENGTH = 60
_DENIED = re.compile(r"\b(?:not|never)\s|n't\s", re.IGNORECASE)
_ECHO = re.compile(r"your\s{1,3}answer", re.IGNORECASE)


class Found(NamedTuple):
    """The words that stand as the answer, or why there are none."""

    text: str
    status: Literal["found", "no_answer", "truncated"] = "found"


def plain(text: str) -> str:
    """The text without marks of LaTeX, Markdown and HTML; boxes stay."""
    return loosened(_TAGS.sub("", text))


def amount(text: str) -> Fraction | None:
    r"""The one number that a short text names, exactly; ``None`` if it names none or several.

    Words may stand around it and an equation before it: ``x = 13``, ``eighteen (18) times``,
    ``\textbf{1,234}``, ``\frac{3}{4}``. What denies or multiplies the number is not read.
    """
    if len(text) > _LENGTH or _COMPARED.match(text):
        return None
    text = _BOX.sub("", plain(text))
    text = _FRACTION.sub(r" (\1/\2) ", text).replace("{", " ").replace("}", " ")
    if "\\" in text or denies(text) or _BOUND.search(text):
        return None
    for part in reversed(text.split("=")):
        if any(mark.isdigit() for mark in part):
            text = part
            break
    text = _GROUPS.sub(lambda m: m[1] + re.sub("[ ,]", "", m[2]), text)
    literals = list(_LITERAL.finditer(text))
    if not literals and (share := _SHARE.search(text)):
        return Fraction(share[1] + share[2]) if text.count(".") == 1 else None
    if len(literals) != 1 or sum(map(str.isdigit, text)) != sum(map(str.isdigit, literals[0][0])):
        return None
    sign, whole, decimals, under = literals[0].groups()
    if _AFTER.match(text, literals[0].end()) or (under and (decimals or not int(under))):
        return None
    value = Fraction(f"{whole}.{decimals or 0}") / int(under or 1)
    return -value if "-" in sign else value


def count(text: str) -> Found:
    """The words that tell a count: ``appears … times``, ``#…#``, a box, or the bare answer."""
    text = plain(text)
    found = [(m.start(), m.end(), m[0]) for m in _last(_COUNT, text, "appear")]
    marked = [(m.start(), m.end(), m[0]) for m in _MARKED.finditer(text)]
    stands = [(a, b, words) for a, b, words in marked[-_PLACES:] if not _is_denied(text, a, b)]
    found += (stands or marked)[-1:]
    found = [
        (start, end, ("not " if _is_denied(text, start, end) else "") + words)
        for start, end, words in found
        if any(map(str.isdigit, words))
    ]
    return _latest(text, [(end, words) for _, end, words in found])


def _is_denied(text: str, start: int, end: int) -> bool:
    """Whether an answer is denied where it stands, or is the second of two with "or" between."""
    return bool(
        _DENIED.search(text, max(0, start - 12), start)
        or denied(text, start, end)
        or (alternative(text, start) or " ")[-1] in "]}#0123456789"
    )


def number_words(text: str) -> Found:
    """The words that tell a number: a box, the rest of "the answer is", or the bare answer."""
    return _latest(plain(text), [])


def _latest(text: str, found: list[tuple[int, str]]) -> Found:
    """Of what was found, by where it ends, and of boxes and phrases the last."""
    box, unclosed = last_box(text)
    if unclosed:
        return Found("", "truncated")
    if box is not None and not _ECHO.search(box):
        end = text.rindex(box) + len(box)
        start = end - len(box) - len("\\boxed{")
        is_none = bool(box) and (_is_denied(text, start, end + 1) or _FACTORIAL.search(box))
        found.append((end, f"not {box}" if is_none else box))
    elif box is not None:
        found += [(0, earlier) for earlier in _earlier_boxes(text)][:1]
    for phrase in _last(_PHRASE, lowered(text), "answer"):
        line = text[phrase.end() : phrase.end() + _LENGTH].split("\n", 1)[0]
        stop = _SENTENCE.search(line)
        words = line[: stop.start()] if stop else line
        if any(map(str.isdigit, words)):
            found.append((phrase.end() + len(words), words))
            break
    for phrase in list(_FOREIGN_PHRASE.finditer(text))[-1:]:
        line = text[phrase.end() : phrase.end() + _LENGTH].split("\n", 1)[0]
        if any(map(str.isdigit, line)):
            denial = "not " if denies(phrase[0]) else ""
            found.append((phrase.end() + len(line), denial + line))
    if found:
        return Found(max(found)[1])
    bare = text.strip()
    if (
        len(bare) <= _BARE_LENGTH
        and (_BARE.match(bare) or denies(bare))
        and any(map(str.isdigit, bare))
    ):
        return Found(bare)
    return Found("", "no_answer")


def _earlier_boxes(text: str) -> Iterator[str]:
    """Boxes before the last one that are no echo of the prompt."""
    for start in places(text, "boxed{"):
        box, _ = last_box(text[: start + _LENGTH])
        if box is not None and not _ECHO.search(box):
            yield box


def _last(pattern: re.Pattern[str], text: str, mark: str) -> Iterator[re.Match[str]]:
    """Matches at the last places of a mark, from the last one backwards."""
    for start in places(lowered(text), mark):
        if match := pattern.match(text, start):
            yield match


def number_list(text: str) -> Found:
    """What stands in the brackets of the last list of numbers."""
    text = plain(text)
    if (cut := _CUT_LIST.search(text, max(0, len(text) - 2000))) and any(map(str.isdigit, cut[0])):
        return Found("", "truncated")
    ends = [(m.end(), m[1]) for m in _last(_LIST, text, "appear") if any(map(str.isdigit, m[1]))]
    for start in places(text, "["):
        if (match := _BARE_LIST.match(text, start)) and any(map(str.isdigit, match[1])):
            is_none = _is_denied(text, start, match.end())
            ends.append((match.end(), f"not {match[1]}" if is_none else match[1]))
            break
    return Found(max(ends)[1]) if ends else Found("", "no_answer")


def entries(inner: str) -> list[Fraction | None]:
    """The numbers of a list; a comma at the end counts for nothing."""
    return [amount(part) for part in _COMMA.split(inner.strip().rstrip(",，、،; "))]
