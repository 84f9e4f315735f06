"""The prompts' own examples of an answer: models repeat them before and behind the answer."""

from __future__ import annotations

import re

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
    shown = {"1or2", *(" ".join(match[1].split()) for match in _ASKED.finditer(question))}
    return frozenset(shown - {" ".join(gold.strip().strip("[]").split())})
