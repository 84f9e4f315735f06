r"""The verdict on one answer or several, and the format of a reference answer.

A response to several questions should be one JSON object. ``by_position`` follows the published
code; ``by_key`` looks for ``"question1": …`` itself, so that a trailing comma, a backslash of LaTeX
or a brace in the prose cost no answer. Where the keys do not number the questions, it goes by
position, too.

The paper prints how many answers have each format (Table 6, by the explanations of Table 5) and not
which; some answers can be read in two ways, so that the counts differ from it where
docs/korbench.md says so.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from ...core import allowed_name
from ...reading.answers import Answer
from ...reading.forms import unboxed
from . import ASKED, CATEGORIES, COMPLETION, MODES
from .extraction import examples_of, find_answer, is_template
from .operations import (
    is_grid,
    rational,
    same_answer,
    same_cells,
    same_choice,
    same_logic,
    same_text,
)
from .published import MATRICES, TRUTH_TABLES, published_verdict
from .puzzles import same_puzzle

MAX_LENGTH = 100_000
"""Only so much of the end of a response is searched for keys."""
MAX_VALUE = 20_000

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_KEY = re.compile(
    r"(?:[\"'“‘]\s{0,3}(?:question|q|answer|a)?[ _#.-]{0,2}(\d{1,3})\s{0,3}[\"'”’]"
    r"|(?<![A-Za-z])question[ _]?(\d{1,3})[\"'”’]?)\s{0,9}:",
    re.IGNORECASE,
)
_ANY_KEY = re.compile(r"[{,]\s{0,99}[\"“]([^\"“”\n]{1,300})[\"”]\s{0,9}:")
_BARE_END = re.compile(r",?\s{0,9}(?:\n|\}\s{0,9}(?:\n|\Z|`))")
_BLANK = re.compile(r"\\([nt])(?![a-z]|Left|Right|V[Dd])")
_POINTS = re.compile(r"(?:\\u[0-9A-Fa-f]{4}){1,9999}")
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’"}


def by_position(text: str) -> list[str] | None:
    """The values of the published reading as strings; ``None`` where it does not parse.

    The object reaches from the first ``{`` to the last ``}``; control characters are deleted.
    """
    parsed = _parsed(text)
    return None if parsed is None else [str(value) for value in parsed.values()]


def _parsed(text: str) -> dict[str, object] | None:
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        return None
    try:
        result: dict[str, object] = json.loads(_CONTROL.sub("", text[start : end + 1]))
    except (ValueError, RecursionError):
        return None
    return result


def by_key(text: str, count: int = 0) -> dict[int, str]:
    """The answers by number: the value behind the last key of each number, without its quotes.

    Args:
        text: a response.
        count: how many questions there are. If the keys do not number them from 1, and there are as
            many values as questions, their order numbers them.
    """
    text = text[-MAX_LENGTH:]
    result: dict[int, str] = {}
    for key, value in _members(text, _KEY):
        result[int(key[1] or key[2])] = value
    if count and not result.keys() >= set(range(1, count + 1)):
        values = _in_order(text)
        if len(values) == count:
            return dict(enumerate(values, 1))
    return result


def _members(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[re.Match[str], str]]:
    """Every key with its value, but those whose value is an example of the prompt."""
    keys = list(pattern.finditer(text))
    for index, key in enumerate(keys):
        stop = keys[index + 1].start() if index + 1 < len(keys) else len(text)
        value = _value(text[key.end() : min(stop, key.end() + MAX_VALUE)])
        if value and not is_template(value.strip().removeprefix("[[").removesuffix("]]")):
            yield key, value


def _in_order(text: str) -> list[str]:
    """The values of the object that a response holds, in its order."""
    result: Any = _parsed(text)
    if isinstance(result, dict) and len(result) == 1:
        (only,) = result.values()
        if isinstance(only, (dict, list)):
            result = only
    if isinstance(result, (dict, list)):
        return [str(value) for value in (result.values() if isinstance(result, dict) else result)]
    return [value for _, value in _members(text, _ANY_KEY)]


def _value(text: str) -> str:
    """What a text begins with: a string, or all up to the end of the line or of the object."""
    text = text.strip()
    closing = _QUOTES.get(text[:1])
    if closing:
        end = _closing_quote(text, closing)
        return _unescaped(text[1:end])
    end_of_value = _BARE_END.search(text)
    if end_of_value and not text.startswith("["):
        text = text[: end_of_value.start()]
    return text.strip().rstrip(",").strip()


def _closing_quote(text: str, quote: str) -> int:
    """Where the string ends: at the last quote that a comma, a bracket or the end follows."""
    for match in reversed(list(re.finditer(re.escape(quote), text[1:]))):
        rest = text[match.end() + 1 :].lstrip()
        if not rest or rest[0] in ",}]":
            return match.start() + 1
    return len(text)


def _unescaped(text: str) -> str:
    r"""The string that was meant: ``\"`` as a quote, but ``\frac`` as LaTeX."""
    if "\\" not in text:
        return text
    text = text.replace('\\"', '"').replace("\\\\", "\\")
    text = _POINTS.sub(lambda match: _decoded(match[0]), text)
    return _BLANK.sub(lambda match: "\n" if match[1] == "n" else "\t", text)


def _decoded(points: str) -> str:
    """Code points as JSON writes them; half of a pair is no character."""
    text = str(json.loads(f'"{points}"'))
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


_ONE_LETTER = re.compile(r"\[\[[A-Z]\]\]")
_LETTERS = re.compile(r"[A-L]")
_NUMBER = re.compile(r"[-+]?[\d./]+\s?%?")
_PARTS = re.compile(r"\]\s?;\s?\[")
_OF_PUZZLES = {"1": "text", "2": "text", "3": "text", "4": "text", "6": "numeric",
               "5": "expression", "9": "expression", "10": "expression"}  # fmt: skip


def verdict(
    response: str | None,
    gold: str,
    *,
    category: str,
    rule_id: str,
    idx: str,
    mode: str = "default",
    asked: str = "chat",
    question: str = "",
    language: str = "en",
) -> bool:
    """Whether a response without thinking is right.

    Args:
        response: the text that holds the answer. What is no text is wrong.
        gold: the reference answer as in the data, with its brackets.
        category: ``operation``, ``logic``, ``cipher``, ``puzzle`` or ``counterfactual``.
        rule_id: the rule's number as a string, ``"1"`` to ``"25"``.
        idx: the question's number as a string; the published grading of mixed questions knows none,
            so pass an empty one to follow it.
        mode: ``default``, ``paper`` or ``stored``.
        asked: ``chat`` or ``completion``; mode ``default`` reads the last or the first answer.
        question: the text of the question, if it is known; what it shows in double brackets as an
            example is then no answer in mode ``default``.
        language: whose words may take an answer back.

    Raises:
        ValueError: an unknown category, mode or way of asking.
    """
    allowed_name(mode, "mode", MODES)
    allowed_name(category, "category", CATEGORIES)
    if not isinstance(response, str):
        return False
    if mode == "default":
        answer = found_answer(response, gold, asked, question, language)
        content = content_of(answer, gold)
        return content is not None and mended(content, gold, category, rule_id, idx)
    return published_verdict(
        response, gold, category=category, rule_id=rule_id, idx=idx, symbolic=mode == "paper"
    )


def found_answer(
    response: str, gold: str, asked: str, question: str, language: str = "en"
) -> Answer:
    """The answer that mode ``default`` grades."""
    allowed_name(asked, "way of asking", ASKED)
    examples = examples_of(question, gold)
    first = asked == COMPLETION
    return find_answer(response, first=first, examples=examples, language=language)


def content_of(answer: Answer, gold: str) -> str | None:
    """The content to compare; of an answer in several parts, ``[[A]];[[C]]`` is ``[[A];[C]]``."""
    joined = "];[".join(answer.parts)
    return answer.answer or (joined if joined.count("];[") == gold.count("];[") > 0 else None)


@lru_cache(maxsize=16384)
def mended(content: str, gold: str, category: str, rule_id: str, idx: str) -> bool:
    """The verdict of mode ``default`` on an extracted answer."""
    expected = gold.strip().removeprefix("[[").removesuffix("]]")
    content = unboxed(content).replace(r"\*", "*")
    if _ONE_LETTER.fullmatch(gold) and category in ("counterfactual", "logic"):
        return same_choice(content, expected)
    if category == "logic":
        return same_logic(content, expected, unordered=rule_id == TRUTH_TABLES)
    if category == "operation":
        return same_answer(content, expected, rule_id=rule_id, idx=idx)
    if category == "puzzle":
        return same_puzzle(content, expected, rule_id)
    if is_grid(gold):
        return same_cells(content, expected)
    return same_text(content, expected)


def answer_format(reference: Mapping[str, object]) -> str | None:
    """``numeric``, ``expression``, ``text``, ``choice`` or ``structured``.

    ``None`` for a question of several questions, or of no category.
    """
    category, rule_id = str(reference.get("category")), str(reference.get("rule_id"))
    gold = str(reference.get("answer")).strip().removeprefix("[[").removesuffix("]]")
    fixed = {"counterfactual": "choice", "cipher": "text"}
    if category == "puzzle":
        return _OF_PUZZLES.get(rule_id, "structured")
    if category == "operation":
        return "structured" if rule_id in MATRICES else _of_operation(gold)
    return _of_logic(gold) if category == "logic" else fixed.get(category)


def _of_operation(gold: str) -> str:
    numbers = all(rational(part) is not None for part in gold.split("or"))
    return "numeric" if numbers else "expression"


def _of_logic(gold: str) -> str:
    parts = [part.strip() for part in _PARTS.split(gold)]
    if all(map(_LETTERS.fullmatch, parts)):
        return "choice"
    return "numeric" if all(map(_NUMBER.fullmatch, parts)) else "text"
