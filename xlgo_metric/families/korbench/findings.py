"""The main results in numbers and sentences: something of every task that was asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...table import percent, points
from .names import CORRECTION, FRESH, HARD, MIXED_TASKS, STEPS, TRICK
from .shapes import Block, KorSection, PairedQuestions, Round
from .summary import CATEGORY_TASKS, NO_RULE

_SIGNIFICANT = 0.05
_MANY = 0.5  # share of unparsable responses
_NAMES = {
    **CATEGORY_TASKS,
    TRICK: "puzzle with its hint",
    "kor_multi_q": "several questions of one rule",
    "kor_multi_r": "one question among several rules",
    "kor_multi_rq": "several rules and questions",
    HARD: "many rules and questions",
    STEPS: "cipher steps",
    CORRECTION: "self-correction",
    FRESH: "fresh ciphers",
}


def headline(section: KorSection) -> dict[str, float]:
    """The overall accuracy, if there is one, and the accuracy of each task."""
    found = {"kor_accuracy": section["overall"]["accuracy"]} if "overall" in section else {}
    return found | {f"{task}_accuracy": one["accuracy"] for task, one in section["tasks"].items()}


def findings(section: KorSection) -> list[tuple[str, str]]:
    """One sentence for each group of tasks: see ``Family.findings``."""
    tasks = section["tasks"]
    found = []
    if text := _listed(tasks, CATEGORY_TASKS):
        start = f"Overall {_percent(section['overall'])}: " if "overall" in section else "Correct: "
        found.append(f"{start}{text}.")
    if text := _listed(tasks, [task + NO_RULE for task in CATEGORY_TASKS]):
        found.append(f"Without the rules: {text}.")
    if text := _listed(tasks, (*MIXED_TASKS, HARD)):
        found.append(f"Several rules or questions at once: {text}.")
    if text := _listed(tasks, (STEPS, FRESH)):
        found.append(f"{text[0].upper()}{text[1:]}.")
    if CORRECTION in tasks:
        found.append(_corrected(tasks[CORRECTION]))
    if TRICK in tasks:
        found.append(_hinted(tasks[TRICK], section.get("trick")))
    told = [("", sentence) for sentence in found]
    unread = [name for name, block in tasks.items() if block["format_failures"] > _MANY]
    if unread:
        told.append(
            ("warn", f"More than half of the responses are unparsable: {', '.join(unread)}.")
        )
    return told


def _percent(block: Block | Round) -> str:
    return percent(block["accuracy"], 1)


def _listed(tasks: Mapping[str, Block], names: Iterable[str]) -> str:
    return ", ".join(
        f"{_NAMES[name.removesuffix(NO_RULE)]} {_percent(tasks[name])}"
        for name in names
        if name in tasks
    )


def _corrected(block: Block) -> str:
    rounds = block.get("rounds") or []
    text = f"Self-correction (with feedback from the reference): {_percent(block)}"
    return f"{text}, {_percent(rounds[0])} in the first round." if rounds else f"{text}."


def _hinted(block: Block, compared: PairedQuestions | None) -> str:
    if compared is None:
        return f"Puzzles with their hint: {_percent(block)}."
    word = "significant" if compared["p"] <= _SIGNIFICANT else "not significant"
    return (
        f"Puzzles with their hint: {_percent(block)}, {points(compared['difference'])} points "
        f"on the {compared['questions']} puzzles asked both ways ({word}, sign test)."
    )
