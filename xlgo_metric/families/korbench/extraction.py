r"""Find the answer in a response: by the rules of mode ``default``, and as the published code does.

Mode ``default`` reads ``[[…]]``, else a box, else single brackets. A chat ends with its answer, so
the last one counts. A completion begins with it and runs on into questions of its own, so the first
one counts. The prompts' own examples of an answer, which models repeat before and behind theirs,
are no answers. The published extraction takes the first ``[[…]]``, a box, or single brackets; it is
linear in the length of the text.

Of a self-correction there are several responses. Whether an answer is wrong is told by the
reference there (oracle feedback), so what its rounds reach is not comparable with an accuracy
without feedback.
"""

import json
import re
from typing import Any, Literal

from ...language.scripts import without
from ...reading.answers import Answer, Kind, read_response
from ...reading.forms import Form, find_boxes, find_brackets
from ...reading.thinking import split_thinking
from ...reading.values import LATIN

_CHOICES = "A/B/C/D/E/F/G/H/I/J/K/L"
_LISTS = frozenset({"true/false", "I/II/III/IV", "SAP/SEP/SIP/SOP", "*/#/&/%"})
_PART = re.compile(
    r"\W*(?:(?:your?|the|final|encrypted|decrypted|my|denoted|correct)\W{1,3})*"
    r"(?:answers?|numbers?|expressions?|options?|outputs?|mood|(?:premise|conclusion)\s\w{1,20})\W*"
    r"|\W*the\selements\sin\sthe\scollection\W*"
    r"|word1\s+word2.{0,20}|A=1,\s?B=2.{0,20}|x\s?=\s?value,\s?y\s?=\s?value"
    r"|\(\(a,\s?b\),\s?\(c,\s?d\)\)|\(\(a,\s?b,\s?c\),\s?\(d,\s?e,\s?f\),\s?\(g,\s?h,\s?i\)\)"
    r"|A\s?B\s?C,\s?D\s?E\s?F,\s?G\s?H\s?I"
    r"|a(?:\s?[-+*/]\s?[b-f]){2,6}(?:\s?=\s?-?\d{1,4})?"
    r"|(?:T|F|AB|[A-Z]\d|paired\s\w{1,20}\sterms|denoted)?[=:]{0,5}(?:\.\.\.|…)"
    r"|[\s.…;]*",
    re.IGNORECASE,
)
_ENDS = re.compile(r"\]\s{0,9};\s{0,9}\[|(?<=\.\.\.);")
_ASKED = re.compile(r"\[\[([^\[\]]{1,500}(?:\]\s?;\s?\[[^\[\]]{0,500}){0,9})\]\]")


def is_template(content: str) -> bool:
    """Whether the content of double brackets is the prompt's example, not an answer.

    >>> is_template("your answer"), is_template("A/B/C];[A/B/C"), is_template("C")
    (True, True, False)
    """
    if len(content) > 400:
        return False
    return all(
        part.strip() in _LISTS
        or (len(part.strip()) > 1 and _CHOICES.startswith(part.strip()))
        or _PART.fullmatch(part.strip())
        for part in _ENDS.split(content)
    )


def examples_of(question: str, gold: str) -> frozenset[str]:
    """What might be an answer, and is an example: shown in double brackets by the question.

    Args:
        question: the text of a question; may be empty.
        gold: the reference answer, which is no example.
    """
    examples = {"1or2", *(" ".join(match[1].split()) for match in _ASKED.finditer(question))}
    return frozenset(examples - {" ".join(gold.strip().strip("[]").split())})


_SINGLE = re.compile(r"\[([^\[\]]{1,2000}?)\\?\]")
# What an answer looks like where it stands without brackets.
_SIGN = re.compile(
    rf"\d|(?<![{LATIN}])(?:[A-Z](?![{LATIN}'])(?! [a-z])|[A-Z]{{2,20}}(?![{LATIN}]))"
)


def find_answer(
    text: str | None,
    *,
    first: bool = False,
    examples: frozenset[str] = frozenset(),
    language: str = "en",
) -> Answer:
    """The answer that counts: the content of its brackets, with ``in_form`` for double ones.

    Args:
        text: a response.
        first: the first answer counts, not the last.
        examples: what the question shows in double brackets, with single spaces; such is no answer.
        language: whose words may take an answer back.
    """
    kind = Kind(
        find_brackets,
        lambda content: content or None,
        unasked=_unasked,
        sign=_SIGN,
        passed_over=lambda x: is_template(x) or " ".join(x.split()) in examples,
        first=first,
    )
    return read_response(text, kind, language)


def _unasked(text: str) -> list[Form]:
    """Boxes, and where there are none single brackets."""
    boxes = [box for box in find_boxes(text)[0] if not is_template(box.content)]
    single = (Form(*m.span(), m[1].strip()) for m in _SINGLE.finditer(text))
    return boxes or [form for form in single if not is_template(form.content)]


# As published

Level = Literal["clean", "logic", "math"]
NULL = "NULL"
"""What the published extraction gives where it finds nothing."""


def _between(text: str, opening: str, closing: str) -> str | None:
    """The text between the first ``opening`` and the next ``closing``.

    The same as a search for opening, shortest run, closing: if the first opening has no closing
    behind it, no other has one.
    """
    start = text.find(opening)
    if start < 0:
        return None
    start += len(opening)
    end = text.find(closing, start)
    return None if end < 0 else text[start:end]


def bracket(text: str, level: Level) -> str:
    r"""The published extraction: first ``[[…]]``, else ``$\boxed{…}$``, else ``[…]``.

    Args:
        text: a response or a reference answer.
        level: what is deleted from the answer. ``clean`` and ``logic`` put ``[[ ]]`` around it
            again, ``math`` does not.

    Returns:
        The answer, or ``NULL``.
    """
    result = _between(text, "[[", "]]")
    if result is None:
        result = _between(text, "$\\boxed{", "}$")
    else:
        result = result.strip()
    if result is None:
        result = _between(text, "[", "]")
        if result is None:
            return NULL
        result = result.strip()
    if level == "math":
        return _math(_without(result, '"\n[]$'))
    return f"[[{_without(result, _DELETED[level])}]]"


_DELETED = {"clean": '"\n []', "logic": '"\n .'}


def inner(text: str) -> str:
    """The body of the first ``[[…]]`` unchanged, else ``NULL``."""
    result = _between(text, "[[", "]]")
    return NULL if result is None else result


def _without(text: str, characters: str) -> str:
    return text.translate({ord(character): None for character in characters})


def _math(text: str) -> str:
    if "=" in text:
        text = text.rpartition("=")[2]
    for mark in (r"\(", r"\)", r"\[", r"\]"):
        text = text.replace(mark, "")
    text = without(text, r"\text{", "}", "")
    for command in (r"\left", r"\right", r"\displaystyle"):
        text = text.replace(command, "")
    return text.replace("\\\\", "\\")


# Self-correction

MAX_CHAIN = 10_000_000


def responses_of(prediction: str | None) -> list[str | None]:
    """The responses in what became of a chain (JSON with ``rounds``); any other text is one."""
    text = prediction.strip() if isinstance(prediction, str) else ""
    if not (text.startswith("{") and '"rounds"' in text and len(text) <= MAX_CHAIN):
        return [prediction]
    try:
        rounds = json.loads(text).get("rounds")
    except (ValueError, RecursionError):
        return [prediction]
    if not isinstance(rounds, list):
        return [prediction]
    return [_response(item) for item in rounds] or [None]


def _response(item: Any) -> str | None:
    text = item.get("text") if isinstance(item, dict) and item.get("state") != "error" else None
    return text if isinstance(text, str) else None


def extracted(response: str | None, category: str, mode: str = "default") -> str:
    """The answer that enters the history of a conversation; ``NULL`` where none was found.

    Args:
        response: the model's whole output.
        category: of the question.
        mode: whose extraction is used.
    """
    text = split_thinking(response if isinstance(response, str) else "").answer
    if mode == "default":
        answer = find_answer(text).answer
        return NULL if answer is None else f"[[{answer}]]"
    if category == "puzzle":
        body = inner(text)
        return body if body == NULL else f"[[{body}]]"
    return bracket(text, "clean")
