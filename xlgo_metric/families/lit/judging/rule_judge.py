"""A judge by rule: it marks where two texts differ in words.

It stands in for a judge model in simulations and tests. It knows no synonyms, so a good paraphrase
costs it points: its scores say nothing of meaning.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from difflib import SequenceMatcher

from ..mqm import MqmError, penalty
from ..surface import is_first_person
from .prompts import read_request

MAX_WORDS = 1_500
"""Words of each text that are compared; what follows counts as one error."""
_WORD = re.compile(r"[\w'’-]{1,100}|[^\w\s]")
_NEGATIONS = frozenset(
    (
        "not",
        "no",
        "never",
        "none",
        "nobody",
        "nothing",
        "neither",
        "nor",
        "without",
        "cannot",
    )
)
_NUMBERS = frozenset(
    (
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "hundred",
        "thousand",
        "million",
    )
)
_LONG = 5  # words of a passage
_LOST_SHARE = 0.25
_MANY = 60


def rule_errors(original: str, output: str) -> tuple[MqmError, ...]:
    """The differences of two texts as errors.

    No text or one in another language (hardly a word in common): one critical error. A passage of
    five words or more that is gone is major, one that came in is critical. A change that touches a
    number, a negation or a name is major, any other is minor. The same two texts always give the
    same errors, and equal ones none. At most 60 are marked.
    """
    words, others = (_WORD.findall(text) for text in (original, output))
    if words == others:
        return ()
    if not others:
        return (MqmError("non-translation", "critical", _excerpt(words), "", "nothing is there"),)
    known, got = ({word.lower() for word in side if word[0].isalnum()} for side in (words, others))
    if known and len(known & got) < _LOST_SHARE * min(len(known), len(got) or 1):
        return (
            MqmError("accuracy/untranslated", "critical", "", _excerpt(others), "another text"),
        )
    matcher = SequenceMatcher(None, words[:MAX_WORDS], others[:MAX_WORDS], autojunk=False)
    errors = [
        _error(words[a:b], others[c:d])
        for tag, a, b, c, d in matcher.get_opcodes()
        if tag != "equal"
    ]
    if words[MAX_WORDS:] != others[MAX_WORDS:]:
        errors.append(MqmError("other", "critical", explanation="the texts go on differently"))
    return tuple(errors[:_MANY])


def simulated_judge_reply(request: str) -> str:
    """The reply to a request of ``prompts``, in the form that it asks for.

    A direct score is 100 minus the penalty at 1/5/25, not below 0. To a text
    that is no such request the reply is empty.
    """
    found = read_request(request)
    if found is None:
        return ""
    kind, original, output = found
    errors = rule_errors(original, output)
    if kind == "direct":
        return json.dumps({"score": max(0.0, 100.0 - penalty(errors))})
    return json.dumps({"errors": [asdict(error) for error in errors]}, ensure_ascii=False)


def _error(gone: list[str], came: list[str]) -> MqmError:
    spans = _excerpt(gone), _excerpt(came)
    if len(came) - len(gone) >= _LONG:
        return MqmError("accuracy/addition", "critical", *spans, "this was not there")
    if len(gone) - len(came) >= _LONG:
        return MqmError("accuracy/omission", "major", *spans, "this is gone")
    touched = gone + came
    if any(_weighs(word) for word in touched):
        return MqmError("accuracy/mistranslation", "major", *spans, "number, negation or name")
    if all(not word[0].isalnum() for word in touched):
        return MqmError("fluency/punctuation", "minor", *spans, "other marks")
    return MqmError("style/awkward", "minor", *spans, "other words")


def _weighs(word: str) -> bool:
    lowered = word.lower()
    return (
        any(letter.isdigit() for letter in word)
        or lowered in _NEGATIONS
        or lowered in _NUMBERS
        or lowered.endswith(("n't", "n’t"))
        or (word[0].isupper() and len(word) > 1 and not is_first_person(word))
    )


def _excerpt(words: list[str]) -> str:
    return " ".join(words[:12])
