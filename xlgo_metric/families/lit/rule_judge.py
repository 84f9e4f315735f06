"""A judge by rule: it marks where two texts differ in words.

It stands in for a judge model in simulations and tests. It knows no synonyms, so a good paraphrase
costs it points: its scores say nothing of meaning.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from difflib import SequenceMatcher

from .mqm import MqmError, penalty
from .prompts import read_request
from .surface import is_first_person

MAX_WORDS = 1_500
"""Words of each text that are compared; what follows counts as one omission or addition."""
_WORD = re.compile(r"[\w'’-]{1,100}|[^\w\s]")
_NEGATIONS = frozenset(
    (
        "not", "no", "never", "none", "nobody", "nothing", "neither", "nor", "without", "cannot",
    )
)  # fmt: skip
_NUMBERS = frozenset(
    (
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve", "hundred", "thousand", "million",
    )
)  # fmt: skip
_LATIN = re.compile(r"[A-Za-z]")
_LETTER = re.compile(r"[^\W\d_]")
_LONG = 5  # words of a passage
_LOST_SHARE = 0.25
_MANY = 60


def rule_errors(original: str, output: str) -> tuple[MqmError, ...]:
    """The differences of two texts as errors.

    No text or one in another script or language (hardly a word in common): one critical error. A
    passage of five words or more that is gone is major, one that came in is critical. A change
    that touches a number, a negation or a name is major, any other is minor. The same two texts
    always give the same errors, and equal ones none. At most 60 are marked.
    """
    words, others = (_WORD.findall(text) for text in (original, output))
    if words == others:
        return ()
    if not others:
        return (MqmError("non-translation", "critical", _shown(words), "", "nothing is there"),)
    if _is_lost(words, others, output):
        return (MqmError("accuracy/untranslated", "critical", "", _shown(others), "another text"),)
    errors = []
    matcher = SequenceMatcher(None, words[:MAX_WORDS], others[:MAX_WORDS], autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag != "equal":
            errors.append(_error(words[a:b], others[c:d]))
    for rest, category, severity in (
        (words[MAX_WORDS:], "accuracy/omission", "major"),
        (others[MAX_WORDS:], "accuracy/addition", "critical"),
    ):
        if rest and words[MAX_WORDS:] != others[MAX_WORDS:]:
            errors.append(MqmError(category, severity, explanation="the texts go on differently"))
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


def _is_lost(words: list[str], others: list[str], output: str) -> bool:
    letters = len(_LETTER.findall(output))
    if letters and len(_LATIN.findall(output)) < letters / 2:
        return True
    own = {word.lower() for word in words if word[0].isalnum()}
    got = {word.lower() for word in others if word[0].isalnum()}
    return bool(own) and len(own & got) < _LOST_SHARE * min(len(own), len(got) or 1)


def _error(gone: list[str], came: list[str]) -> MqmError:
    spans = _shown(gone), _shown(came)
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


def _shown(words: list[str]) -> str:
    return " ".join(words[:12])
