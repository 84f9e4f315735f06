r"""Check answers to puzzles by their rules where several are right, else cell by cell."""

import re
from collections import Counter
from collections.abc import Callable

from .published import NO_WORD, evaluate, small_letters, tokens

ONE_SIGN_CELLS = frozenset({"12", "14", "15", "16", "17", "20", "21", "24", "25"})
"""Puzzles whose cells hold one character, so that separators say nothing."""

MAX_LENGTH = 5_000
"""Longer answers are wrong; the longest reference answer has 400 characters."""

_BETWEEN_DIGITS = re.compile(r"(?<=\d)\W+(?=\d)")
_WORD = re.compile(r"[A-Za-z]+")
_ASSIGNMENT = re.compile(r"([A-Za-z])\s{0,9}[=:]\s{0,9}(\d{1,9})")
_ENTRY = re.compile(r"([A-Za-z]+)\W{0,20}?((?:\W{0,5}\d{1,3}\W{1,5}\d{1,3}\W{0,3})+)")
_DIGITS = re.compile(r"\d{1,9}")
_TEXT = re.compile(r"\\(?:text|mathrm)\s?\{([^{}]{0,2000})\}")
_LOOKS = re.compile(r"\\(?:left|right|displaystyle|quad|[,;:!()\[\]])(?![A-Za-z])|[$\"`]")
_OPERATORS = (
    (re.compile(r"\\(?:times|cdot|ast)(?![A-Za-z])|[×✕✖·⋅∙∗]"), "*"),
    (re.compile(r"\\div(?![A-Za-z])|[÷∕⁄]"), "/"),
    (re.compile(r"[−–]"), "-"),
    (re.compile(r"\\[dt]?frac\s?\{([^{}]{1,60})\}\s?\{([^{}]{1,60})\}"), r"((\1)/(\2))"),
)
_ARROWS = (
    (re.compile(r"\\leftarrow(?![A-Za-z])|[⬅⇐]\ufe0f?"), "←"),
    (re.compile(r"\\(?:rightarrow|to)(?![A-Za-z])|[➡⇒]\ufe0f?"), "→"),
    (re.compile(r"\\uparrow(?![A-Za-z])|[⬆⇑]\ufe0f?"), "↑"),
    (re.compile(r"\\downarrow(?![A-Za-z])|[⬇⇓]\ufe0f?"), "↓"),
)
_SEPARATOR = re.compile(r"[,\s\[\]$&]+")


def same_puzzle(answer: str, gold: str, rule_id: str) -> bool:
    """Whether an answer to a puzzle is right.

    Args:
        answer: the extracted one.
        gold: the reference answer, both without their double brackets. It may list several right
            answers; each of them and all of them together are right.
        rule_id: the rule's number.
    """
    if answer.split() == gold.split():
        return True
    if len(answer) > MAX_LENGTH:
        return False
    answer = _LOOKS.sub(" ", _TEXT.sub(r" \1 ", answer))
    return _PUZZLES.get(rule_id, _alternative)(answer, gold, rule_id)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _affix(answer: str, gold: str, _: str) -> bool:
    """One of the affixes, or several."""
    affixes = {small_letters(part) for part in gold.split(",")}
    parts = [small_letters(part) for part in re.split(r"[,;/]|\sor\s", answer.strip(" ,;"))]
    return all(part and part in affixes for part in parts)


def _anagram(answer: str, gold: str, _: str) -> bool:
    """Only words of the reference, or a part of it, as published; an empty answer is none."""
    anagrams = set(_words(gold))
    words = _words(answer)
    if not words:
        return False
    return (
        set(words) <= anagrams
        or "".join(words) in anagrams
        or answer.strip().lower() in gold.lower()
    )


def _arithmetic(text: str) -> str:
    for pattern, sign in _OPERATORS:
        text = pattern.sub(sign, text)
    return text


def _path(answer: str, gold: str, _: str) -> bool:
    """An equation with the signs of the reference, single digits, and the right value."""
    expression, equals, right = _arithmetic(answer).strip(" ,;.").partition("=")
    template, _, target = _arithmetic(gold).partition("=")
    signs, expected, result = tokens(expression), tokens(template), evaluate(target)
    fits = len(signs) == len(expected) and all(
        a == b if b in "+-*/" else len(a) == 1 and a.isdigit() for a, b in zip(signs, expected)
    )
    if not fits or result is None:
        return False
    return evaluate(expression) == result and (not equals or evaluate(right) == result)


def _makes_24(answer: str, gold: str, _: str) -> bool:
    """Arithmetic with the numbers of the reference, each once, that makes 24; one line or more."""
    first = _arithmetic(gold).strip().partition("\n")[0]
    lines = [line for line in _arithmetic(answer).splitlines() if line.strip()]
    return bool(lines) and len(lines) <= 10 and all(_is_24(line, first) for line in lines)


def _is_24(line: str, gold: str) -> bool:
    expression, equals, right = line.strip().rstrip(".").partition("=")
    numbers, expected = (
        sorted(part for part in tokens(side) if part[0].isdigit()) for side in (expression, gold)
    )
    same = numbers == expected and evaluate(expression) == 24
    return same and (not equals or evaluate(right) == 24)


def _arrows(answer: str, gold: str, _: str) -> bool:
    for pattern, arrow in _ARROWS:
        answer = pattern.sub(arrow, answer)
    return _SEPARATOR.sub("", answer) == _SEPARATOR.sub("", gold)


def _entries(text: str) -> Counter[tuple[str, tuple[str, ...]]]:
    """Words or regions with their cells, in any order."""
    return Counter(
        (name, tuple(_DIGITS.findall(numbers))) for name, numbers in _ENTRY.findall(text)
    )


def _dominoes(answer: str, gold: str, _: str) -> bool:
    """Pairs of cells; neither the order of the pairs nor that within a pair matters."""
    theirs, ours = _pairs(answer), _pairs(gold)
    return theirs is not None and theirs == ours


def _pairs(text: str) -> Counter[frozenset[tuple[str, str]]] | None:
    numbers = _DIGITS.findall(text)
    if len(numbers) % 4:
        return None
    return Counter(
        frozenset({(numbers[start], numbers[start + 1]), (numbers[start + 2], numbers[start + 3])})
        for start in range(0, len(numbers), 4)
    )


def _alternative(answer: str, gold: str, rule_id: str) -> bool:
    """The same cells: where numbers have several digits, their ends count."""
    numbers = _BETWEEN_DIGITS.sub(" ", gold).split()
    if rule_id in ONE_SIGN_CELLS or (rule_id == "22" and max(map(len, numbers)) == 1):
        return NO_WORD.sub("", answer) == NO_WORD.sub("", gold)
    return _joined(answer) == _joined(gold)


def _joined(text: str) -> str:
    return " ".join(NO_WORD.sub("", part) for part in _BETWEEN_DIGITS.split(text)).strip()


_PUZZLES: dict[str, Callable[[str, str, str], bool]] = {
    "1": lambda found, gold, _: small_letters(found) == small_letters(gold) != "",
    "2": _affix,
    "3": lambda found, gold, _: Counter(_words(found)) == Counter(_words(gold)) != Counter(),
    "4": _anagram,
    "5": lambda found, gold, _: (
        Counter(_ASSIGNMENT.findall(found)) == Counter(_ASSIGNMENT.findall(gold))
    ),
    "8": lambda found, gold, _: _entries(found) == _entries(gold),
    "9": _path,
    "10": _makes_24,
    "18": _arrows,
    "19": lambda found, gold, _: _entries(found) == _entries(gold),
    "23": _dominoes,
}
