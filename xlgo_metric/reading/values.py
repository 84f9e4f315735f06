r"""What a text says in any script and language: numbers, identifiers, and words that decide.

Understood are the decimal digits of every script, digits in groups (``1,234``, ``1.234``, ``12
345``, ``1{,}234``, ``12,34,567``), a decimal point or comma, a sign, fractions and mixed numbers
(``\frac{3}{4}``, ``1 3/4``), units around a number, and 万, 億 and their like behind it. Functions
that take ``notes``, a set, add the names of the rules to it which were needed to understand the
text (see `LENIENT_RULES` in `forms`).

The words of a language that say what an answer is stand in one small table a language,
``languages/<code>.json``; ``docs/adding_a_language.md`` says how to write one. Every place holds
phrases as people write them; a slash parts words of which one stands. No other table of words
decides how an answer is read.
"""

import json
import re
import unicodedata
from collections.abc import Iterable
from fractions import Fraction
from functools import cache, lru_cache, partial
from itertools import product
from pathlib import Path
from typing import NamedTuple

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
# Of letters without case: a range takes long to compile where case is ignored.
_BEFORE = {"w": r"(?<!\w)", "i": f"(?<!(?-i:[{INDIC}]))", "": ""}
_BEHIND = {"w": r"(?!\w)", "i": f"(?!(?-i:[{INDIC}]){{4}})", "": ""}
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
    rule = _rules(language).get(name) or _either(name, language)
    return re.compile(rule, re.IGNORECASE | re.MULTILINE)


@cache
def _rules(language: str) -> dict[str, str]:
    """The rules that are made of several places of a table."""
    either = partial(_either, language=language)
    # A negation denies a retraction: "no cometí un error" (not "no, I erred"), "bu yanlış değil".
    lead = rf"(?:(?!{either('not_before')}[ \t]){either('lead')}[\s,，、،፣၊.!…—-]{{0,4}})"
    clause = f"(?:{_retractions(language, CLAUSES)}|{_retractions(language, (0,), lead)})"
    letter = rf"(?-i:[^\W{_UNSPACED}\u3000-\ud7ff])"
    joined = (
        rf"(?:[ *_$\\)]{{0,9}}[^\n\d,，、،;.]{{0,20}})?{_BETWEEN}(?<!{letter}){either('join')}"
        rf"(?!{letter})[,，、،]?[ \t]?(?:[^\s.!?。！？।,，、،;{_UNSPACED}]{{0,10}}"
        rf"|[{_UNSPACED}]{{0,5}})[\s*_$\\(=]{{0,6}}"
    )
    return {
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


def touches(what: str, text: str, start: int, end: int, language: str) -> bool:
    """Whether a phrase that denies (``denied``) or bounds (``bounded``) stands beside a part."""
    before = pattern(f"{what}_before", language).search(text[max(0, start - 40) : start])
    return bool(before or pattern(f"{what}_behind", language).match(text[end : end + 40]))


COMMA = frozenset(
    ["de", "el", "es", "fr", "id", "it", "jv", "pl", "pt", "ru", "tr", "uk", "uz", "vi"]
)
"""Languages that write a decimal comma; there ``1.234`` is 1234. Elsewhere it is 1.234."""

_NATIVE = re.compile(r"[^\D0-9]{1,100}")
_GAP = r"(?:\{,\}|\\[,!; ]|[ '’\u00a0\u202f\u2009])"
_NUMBER = re.compile(
    r"(?:(\d{1,40})\s{0,3})?\\[dtc]?frac\s{0,3}\{(\d{1,40})\}\s{0,3}\{(0{0,39}[1-9]\d{0,39})\}"
    r"|(?:(\d{1,40})\s{1,3})?(?<![\d.,/])(\d{1,40})\s{0,3}/\s{0,3}(0{0,39}[1-9]\d{0,39})(?![\d/])"
    r"|\d{1,2}(?:,\d\d){1,9},\d{3}(?:\.\d{1,100})?(?!\d)"
    rf"|\d{{1,3}}(?:{_GAP}\d{{3}}(?!\d)){{1,30}}(?:[.,]\d{{1,100}})?"
    r"|\d{1,300}(?:(?:\{[.,]\}|[.,٬٫])\d{1,100}){0,30}"
)
_MARKS = re.compile(r"\\[,!; ]|[ '’\u00a0\u202f\u2009{}]")
_SIGN = re.compile(r"(?:\A|[\s=(${\[:*~\"'`|])[-−–][$€£¥]?\Z")
_DIFFERENCE = re.compile(r"[\d)}]\s[-−–][$€£¥]?\Z")
_UNITS = re.compile(r"\\(?:text|mathrm|textbf|textit|mbox|operatorname)\s{0,3}\{([^{}]{0,400})\}")
_SIDES = re.compile(r"=|≈|\\approx")
_POWERS = {"千": 3, "천": 3, "万": 4, "萬": 4, "만": 4, "億": 8, "亿": 8, "억": 8}
KILO = re.compile("千[克米瓦卡伏]")  # kilogram, kilometre …: of a unit, not of the number
_BOUND = re.compile(r"(?:[<>≤≥]|\\(?:leq?|geq?)(?![a-z]))=?\s{0,3}\\?\$?[-−]?\Z")
_WORKED = re.compile(r"\s{0,3}(?:!(?!\s|\Z)|!\Z|\^)")
_LONGEST = 2_000


class Number(NamedTuple):
    """A number in a text.

    Attributes:
        value: exactly what is written.
        start: the digits are ``text[start:end]``; a sign stands before them.
        end: see ``start``.
    """

    value: Fraction
    start: int
    end: int


def ascii_digits(text: str) -> str:
    """The text with the decimal digits of every script as 0 to 9; every offset stays.

    >>> ascii_digits("১৮ টাকা")
    '18 টাকা'
    """
    if text.isascii():
        return text
    return _NATIVE.sub(lambda run: str(int(run[0])).zfill(len(run[0])), text)


def find_numbers(text: str, language: str = "en") -> list[Number]:
    """Every number of a text in order, in linear time.

    A minus sign counts where nothing but a space, a bracket, an equals sign or a mark of formatting
    stands before it: in ``10 - 4``, ``17-18`` and the Hebrew ``שווה ל-26`` it is none.

    >>> [str(number.value) for number in find_numbers("Es sind 1.234,5 € oder -3.", "de")]
    ['2469/2', '-3']
    """
    text, comma = ascii_digits(text), language in COMMA
    numbers = []
    for match in _NUMBER.finditer(text):
        mixed, denominator, under = match.groups()[:3] if match[3] else match.groups()[3:]
        value = (
            int(mixed or 0) + Fraction(int(denominator), int(under))
            if denominator
            else _value(match[0], comma)
        )
        end = match.end()
        if (power := _POWERS.get(text[end : end + 1])) and not KILO.match(text, end):
            value *= 10**power
            end += 1
        before = text[max(0, match.start() - 4) : match.start()]
        before = before.rstrip() if match[3] else before  # a sign of LaTeX: ``- \\frac{1}{2}``
        if _SIGN.search(before) and not _DIFFERENCE.search(before):
            value = -value
        numbers.append(Number(value, match.start(), end))
    return numbers


def read_number(text: str, language: str = "en") -> Fraction | None:
    r"""The one number that a short text says; ``None`` if it says none, or different ones.

    Words and units may stand around it, and an equation before it: ``x = 13``, ``18 eggs``,
    ``\text{1,234 dollars}``, ``60\%`` (which is 60), ``\frac{3}{4}``. A bound (``> 18``), a
    factorial and a power are no number.

    >>> read_number(r"x = \$1{,}234\text{ per 2 days}"), read_number("17-18")
    (Fraction(1234, 1), None)
    """
    if len(text) > _LONGEST:
        return None
    text = ascii_digits(text)
    sides = [side for side in _SIDES.split(text) if any(map(str.isdigit, side))]
    text = sides[-1] if sides else ""
    bare = _UNITS.sub(" ", text)
    text = bare if any(map(str.isdigit, bare)) else _UNITS.sub(r"\1", text)
    numbers = find_numbers(text, language)
    if len({number.value for number in numbers}) != 1:
        return None
    bound = _BOUND.search(text[: numbers[0].start])
    return None if bound or _WORKED.match(text[numbers[-1].end :]) else numbers[0].value


def decimal_text(value: Fraction) -> str:
    """A number as a plain decimal string: ``18``, ``-2.5``; others to ten digits behind the point.

    >>> decimal_text(Fraction(5, 2)), decimal_text(Fraction(1, 3))
    ('2.5', '0.3333333333')
    """
    if value.denominator == 1:
        return str(value.numerator)
    scaled = str(abs(round(value * 10**10))).zfill(11)
    return ("-" if value < 0 else "") + f"{scaled[:-10]}.{scaled[-10:]}".rstrip("0").rstrip(".")


def _value(token: str, comma: bool) -> Fraction:
    """What the digits of a number say, with marks of groups and of the decimal part."""
    token = _MARKS.sub("", token).replace("٬", ",").replace("٫", ".")
    marks = re.findall("[.,]", token)
    if not marks:
        return Fraction(int(token))
    head, tail = re.split("[.,]", token)[0], len(token) - 1 - max(map(token.rfind, ".,"))
    grouping = tail == 3 and head.strip("0") and len(head) < 4 and (marks[0] == "," or comma)
    if len(set(marks)) == 1 and (len(marks) > 1 or grouping):
        return Fraction(int(re.sub("[.,]", "", token)))
    integer, part = token[: -tail - 1], token[-tail:]
    return Fraction(f"{re.sub('[.,]', '', integer) or 0}.{part}")


# Bodies of character classes of regular expressions.
INVISIBLE = (
    r"\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    r"\U000e0000-\U000e0fff"
)
OTHER_MINUS = r"\u02d7\u2010-\u2015\u2212\ufe58\ufe63\uff0d"
MINUS = rf"\-{OTHER_MINUS}"
POINT = r".\u066b\uff0e"

# Numbers beyond are held at it: no task has them, and nobody should pay for a million digits.
NUMBER_LIMIT = 10**18
# No number and no room's name is longer; compatibility forms can grow eighteenfold.
TEXT_LIMIT = 1_000

_INVISIBLE = re.compile(f"[{INVISIBLE}]+")
NATIVE_DIGIT = re.compile(r"[^\D0-9]")
_PLAIN_NUMBER = re.compile(rf"([{MINUS}+]?)(\d+)(?:[{POINT}](\d*))?(?:[eE]([{MINUS}+]?)(\d+))?")
_NO_NUMBER = re.compile(r"[\s$€£¥₹₩₽]+")
_UNIT = re.compile(
    rf"[$€£¥₹₩₽]?\s*([{MINUS}+]?\s*[$€£¥₹₩₽]?\s*\d{{1,18}}(?:\.0{{1,9}})?)\s{{0,3}}"
    r"(?:(?:gold|silver)?\s?(?:coins?|pieces?)?|units?|dollars?|euros?|rupees?|[$€£¥₹₩₽元円원枚])\.?",
    re.IGNORECASE,
)


def fold(text: str) -> str:
    """NFKC, ASCII digits, and nothing invisible."""
    if text.isascii():
        return text
    return ascii_digits(compatible(text))


def compatible(text: str) -> str:
    """NFKC, and nothing invisible."""
    return _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))


def form_notes(text: str, notes: set[str]) -> None:
    """Note which foldings `fold` would apply to the text."""
    if _INVISIBLE.search(text):
        notes.add("invisible")
    if NATIVE_DIGIT.search(text):
        notes.add("native_digits")
    elif not unicodedata.is_normalized("NFKC", text):
        notes.add("fullwidth")


def parse_number(text: str, notes: set[str]) -> int | float | None:
    """The number that a text is in the digits of any script, or ``None`` if it is not a number.

    A text without fraction and exponent gives an int, held within ±`NUMBER_LIMIT`; others a float.
    A text longer than `TEXT_LIMIT` is none.
    """
    if len(text) > TEXT_LIMIT:
        return None
    # The pattern, int and float read the digits of every script; few texts need folding.
    match = _PLAIN_NUMBER.fullmatch(text) or _PLAIN_NUMBER.fullmatch(fold(text).strip())
    if match is None:
        return None
    sign, whole, fraction, exponent_sign, exponent = match.groups()
    if not text.isascii():
        form_notes(text, notes)
    if sign not in ("", "-", "+"):
        notes.add("unicode_minus")
    negative = sign not in ("", "+")
    if fraction is None and exponent is None:
        size = min(int(whole), NUMBER_LIMIT)
        return -size if negative else size
    power = f"{'-' if exponent_sign not in (None, '', '+') else ''}{exponent or 0}"
    value = float(f"{whole}.{fraction or 0}e{power}")
    return -value if negative else value


def integer(value: object, notes: set[str]) -> int | None:
    """The integer that a JSON value is or writes, within ±`NUMBER_LIMIT`; ``None`` if it is none.

    Integral floats and strings that are a number count, with a unit too (``3 gold``, ``$3``);
    booleans do not.
    """
    if isinstance(value, str):
        text = value
        value = parse_number(text, notes)
        notes.add("numeric_string")
        if (
            value is None
            and len(text) <= TEXT_LIMIT
            and (unit := _UNIT.fullmatch(fold(text).strip()))
        ):
            value = parse_number(_NO_NUMBER.sub("", unit[1]), notes)
            notes.add("unit")
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    if isinstance(value, float):
        if not value.is_integer():
            return None
        notes.add("integral_float")
    return int(max(-NUMBER_LIMIT, min(NUMBER_LIMIT, value)))


# Letters of other scripts that nobody can tell from Latin capitals: a keyboard or a tokenizer gives
# them; on the page the answer is the same.
CYRILLIC = "АВСЕНІЈКМОРЅТХҮѴԚԜ"
_LATIN_OF_CYRILLIC = "ABCEHIJKMOPSTXYVQW"
GREEK = "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ"
_LATIN_OF_GREEK = "ABEZHIKMNOPTYXC"
TO_LATIN = str.maketrans(CYRILLIC + GREEK, _LATIN_OF_CYRILLIC + _LATIN_OF_GREEK)
_IDENTIFIER = re.compile(rf"(?<![^\W_])[{CYRILLIC}{GREEK}](?=\d{{4}}(?!\d))")
_OTHER_OPTIONS = re.compile(r"(?<![^\W_])[БГДΓΔ](?![^\W_])")


def latin_identifiers(text: str) -> str:
    """The text with the Latin letter at the head of every identifier; no letter stands before it.

    >>> latin_identifiers("комната Е2679"), latin_identifiers("ОЕ2679")
    ('комната E2679', 'ОЕ2679')
    """
    return text if text.isascii() else _IDENTIFIER.sub(lambda m: m[0].translate(TO_LATIN), text)


def latin_letter(letter: str, text: str) -> str:
    """The Latin letter that an option's letter looks like.

    A text with a letter that only the alphabet of another script has (``Б``, ``Г``) names its
    options by that alphabet: there ``В`` is the third, not ``B``, and is left as it is.

    >>> latin_letter("В", "Ответ: В"), latin_letter("В", "А, Б или В")
    ('B', 'В')
    """
    return (
        letter
        if _OTHER_OPTIONS.search(text)
        else letter.upper().translate(TO_LATIN)
        if letter.upper() in CYRILLIC + GREEK and (letter.isupper() or letter in "асе")
        else letter
    )


# Letters of the Latin script: none may touch an identifier, where those of other scripts may.
LATIN = (
    r"A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u1d00-\u1dbf\u1e00-\u1eff"
    r"\u2c60-\u2c7f\ua722-\ua7ff\uab30-\uab6f"
)
IDENTIFIER = re.compile(
    rf"(?<![\d{LATIN}])[A-Z][0-9]{{4}}(?![\d{LATIN}]|[._-](?:\d|[A-Z](?![{LATIN}])))"
)
"""An identifier in a folded text in upper case."""
_PLAIN_IDENTIFIER = re.compile(r"[A-Z][0-9]{4}")
# A room's name: its identifier, and at most a word or two, as the prompts write it.
_LETTER = (
    r"[^\s\d!-/:-@\[-`{-~\u00a0-\u00bf\u060c\u061b\u061f\u0964\u0965\u2000-\u2bff\u3000-\u303f"
    r"\uff00-\uff65\U0001f000-\U0001ffff]"
)
_NAME = re.compile(
    rf"(?:{_LETTER}{{1,30}}\s){{0,2}}{_LETTER}{{0,30}}[A-Z]\d{{4}}"
    rf"(?:-?{_LETTER}{{1,30}})?(?:\s{_LETTER}{{1,30}})?"
)
# Marks of direction and the like, but not the two joiners that words of many scripts hold.
_DIRECTIONS = re.compile(f"(?![\u200c\u200d])[{INVISIBLE}]")


def plain_identifiers(values: list[object]) -> bool:
    """Whether all values are strings that are an identifier and nothing else."""
    return {*map(type, values)} == {str} and all(map(_PLAIN_IDENTIFIER.fullmatch, values))  # type: ignore[arg-type]


def identifiers(text: str, notes: set[str]) -> set[str]:
    """The distinct identifiers in a text: a letter A-Z and four digits.

    No Latin letter and no digit touches an identifier; room words and suffixes of other scripts
    may. Words around one are noted as ``id_text``, more than a name as ``decorated`` (a sentence,
    marks of formatting). A text longer than `TEXT_LIMIT` holds none, nor does one that denies its
    identifier.
    """
    if len(text) > TEXT_LIMIT:
        return set()
    seen = fold(text)
    folded = latin_identifiers(seen)
    if folded != seen:
        notes.add("lookalike")
    upper = folded.upper()
    matches = list(IDENTIFIER.finditer(upper))
    names = {match[0] for match in matches}
    if len(names) == 1 and upper.strip() not in names:
        if touches("denied", folded, matches[0].start(), matches[-1].end(), "any"):
            return set()
        notes.add("id_text")
        if not _NAME.fullmatch(upper.strip()):
            notes.add("decorated")
    if _DIRECTIONS.search(text):
        notes.add("invisible")
    if upper != folded and names != set(IDENTIFIER.findall(folded)):
        notes.add("id_case")
    if folded != text and names != set(IDENTIFIER.findall(text.upper())):
        form_notes(text, notes)
    return names
