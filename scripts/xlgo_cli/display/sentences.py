"""Every kind of sentence that states a result, in one place: what it says and what it asserts.

Report, terminal, leaderboard, ``xlgo compare`` and parallel benchmarks print a result only through
``say``. ``benchmarks/sentences.py`` makes data of known truth and counts how often a kind of
sentence is printed where what it asserts is false, and where it is true. A sentence that is not
here fails a test (``tests/report/test_sentences.py``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

Fields: TypeAlias = "dict[str, Any]"
"""What stands in the braces of a sentence, and what it is about."""

COUNTS = "nothing beyond the answers that were counted"


@dataclass(frozen=True)
class Sentence:
    """A kind of sentence.

    Attributes:
        asserts: the condition that must be true of the model, or ``COUNTS``.
        text: the words, with fields in braces.
    """

    asserts: str
    text: str


def _count(text: str) -> Sentence:
    return Sentence(COUNTS, text)


SENTENCES: dict[str, Sentence] = {
    # Over the tasks that count for every language, one language or several
    "verdict.most": Sentence(
        "the mean gap over the tasks counted is above 0, and larger than that of every other",
        "{name} is behind {base}{over} by {points} points ({ends}), significantly more than any "
        "other.",
    ),
    "verdict.behind": Sentence(
        "the mean gap over the tasks counted is above 0",
        "{name} is significantly behind {base}{over}, by {points} points ({ends}).",
    ),
    "verdict.none": _count(
        "No {which} is significantly behind {base}{over}. {name} has the largest observed gap, "
        "{points} points ({ends})."
    ),
    "verdict.no_observed": _count("No {which} has a lower accuracy than {base}{over}."),
    "verdict.unaudited": _count(
        "No language is called the most affected: no speaker has read the wordings (--unaudited "
        "names it)."
    ),
    "verdict.wordings": _count("Wordings: {told}."),
    "verdict.equal": Sentence(
        "the mean gap over the tasks counted lies within the margin, for each language named",
        "Equal to {base}{over} within ±{margin} points (95%, all languages together): {names}.",
    ),
    "verdict.wording": _count("No claim about {names}: the wording of {tasks} differs."),
    "verdict.settle": _count("To settle it, repeat the run with `xlgo run … --text revised`."),
    "verdict.left_out": _count("Not in the mean over tasks: {reasons}."),
    "verdict.no_tasks": _count("No claim over all tasks: {reasons}."),
    # Pairs of language and task
    "pairs.refused": _count("No significance test: {where}."),
    "pairs.unequal": _count(
        "No claim where missing answers differ between the languages by more than chance: {where}."
    ),
    "pairs.chosen": _count(
        "In {tasks} answers chose the questions; these gaps count in no sentence about several "
        "tasks."
    ),
    "pairs.none": _count("None of {pairs} shows a significant gap to {base}."),
    "pairs.behind": Sentence(
        "in each pair counted the gap, as a mean over complexities, has the direction said",
        "The model is significantly behind {base} in {behind} of {pairs}{ahead}.",
    ),
    # One language on one task
    "gap.difference": Sentence(
        "the gap, as a mean over the complexities asked, lies in the interval",
        "{name} is {points} points {side} {base} in {task} ({ends}).",
    ),
    "gap.chosen": Sentence(
        "the gap, as a mean over the questions asked, lies in the interval",
        "{name} is {points} points {side} {base} over the questions that answers chose in {task} "
        "({ends}).",
    ),
    "gap.reverses": Sentence(
        "the language is ahead at some of these levels, or behind where it is ahead elsewhere",
        "At {sizes} the gap reverses: {right} in {language}, {right_en} in {base}.",
    ),
    "gap.wording": _count("The {language} wording differs and may cause the gap."),
    "gap.extreme": _count("The model solves almost {extreme} in both languages."),
    "gap.largest": _count("The largest observed gap is not significant: {sentence}"),
    "readings.depend": _count(
        "The gap to {base} depends on the reading (strict, asked form or lenient): {where}."
    ),
    # Where answers tell nothing
    "extreme.solved": _count(
        "The model solves almost {kind}: {right} of {total} answers are correct{where}. No gap can "
        "be measured there: ask {easier} puzzles."
    ),
    "extreme.cut": _count(
        "{cut} of {total} answers were truncated by the token limit{where}. Raise it with "
        "--gen_kwargs max_gen_toks=... before you compare languages."
    ),
    "extreme.unread": _count(
        "{lost} of {total} answers are truncated or unparsable{where}. Read some of them before "
        "you compare languages."
    ),
    "alone.solves": _count("In {name} the model solves {right}."),
    "alone.no_english": _count("This run has no {base} answers to compare with; add {base}."),
    "unread": _count(
        "{share} of responses were unparsable or truncated ({kinds}). They count as incorrect. The "
        "highest rate is {most}, for {language} in {task}."
    ),
    # Several models
    "board.best": Sentence(
        "the model has a higher accuracy than every other",
        "On the {n} questions that all {models} models answered, {name} has the highest accuracy: "
        "{share}. It is significantly better than every other.",
    ),
    "board.first": _count(
        "On the {n} questions that all {models} models answered, {name} has the highest accuracy: "
        "{share}. No model is significantly better than any of these: {others}."
    ),
    "board.many_first": _count(
        "On the {n} questions that all {models} models answered, {name} has the highest accuracy: "
        "{share}. {number} models cannot be ruled out for first place."
    ),
    "board.standings": Sentence(
        "in each pair counted the mean gap is above 0, below 0, or within the margin, as said",
        "There are {cells} pairs of a model and a language over the tasks counted. {behind} are "
        "behind {base}, {ahead} ahead, {equal} equal within ±{margin} points, {unknown} not known.",
    ),
    "board.behind": Sentence(
        "in at least one task the gap is above 0, for each of the models and languages counted",
        "{number} of {models} models are significantly behind {base} in at least one task. "
        "Languages: {names}.",
    ),
    "board.none": _count(
        "Of {cells} gaps of models, tasks and languages, none is significant, all together."
    ),
    "board.left_out": _count(
        "{number} of the results given {are} not ranked, see “What may be compared”."
    ),
    # Two models
    "compare.settings": _count("Settings differ: {text}."),
    "compare.shares": _count(
        "On the {n} questions that both answered, {a} is correct in {share_a} and {b} in {share_b}."
    ),
    "compare.overall": Sentence(
        "the model named has the higher accuracy, as a mean over languages, tasks and complexities",
        "Overall {name} is significantly better, by {points} points ({ends}).",
    ),
    "compare.not_overall": _count(
        "Overall neither is significantly better ({b} minus {a}: {points} points, {ends})."
    ),
    "compare.gap": Sentence(
        "the gaps of the two models differ by an amount in the interval, in the direction said",
        "{language}: the gap to {base} is {more} in {b} than in {a}. It is {gap_b} against {gap_a} "
        "points (difference: {ends}).",
    ),
    "compare.no_gap": _count(
        "No gap to {base} differs significantly between the two ({languages} languages together)."
    ),
    "compare.better": Sentence(
        "in each pair counted the model named is better",
        "Of {pairs} language-task pairs, {b} is significantly better in {better} and {a} in "
        "{worse} (paired test, all together, 5%).",
    ),
    "compare.none": _count(
        "Neither model is significantly better in any of {pairs} (paired test, all together, 5%)."
    ),
    "compare.pair": _count("{language}, {task}: {share_a} against {share_b} ({points} points)."),
}


class Statement(str):
    """A sentence of the registry, with what it was made of.

    Attributes:
        parts: the kinds of sentence and their fields.
    """

    parts: tuple[tuple[str, Fields], ...]

    def __new__(cls, text: str, parts: Iterable[tuple[str, Fields]]) -> Statement:
        self = super().__new__(cls, text)
        self.parts = tuple(parts)
        return self


def say(kind: str, /, **fields: Any) -> Statement:
    """A sentence of the registry.

    Args:
        kind: its id.
        fields: of its text; further ones say what it is about, for the audit.
    """
    return Statement(SENTENCES[kind].text.format(**fields), [(kind, fields)])


def joined(sentences: Iterable[Statement]) -> Statement:
    """Several sentences, one behind the other."""
    every = list(sentences)
    return Statement(" ".join(every), [part for sentence in every for part in sentence.parts])


Finding = tuple[str, str]
"""A kind (``behind``, ``ahead``, ``warn`` or "") and a sentence."""


def leading(findings: Sequence[Finding]) -> tuple[Finding | None, list[Finding]]:
    """The sentence below the title of a page, and the others.

    Args:
        findings: kinds (``behind``, ``ahead``, ``warn`` or "") and sentences, the main one first.
    """
    rest = list(findings)
    first = next((index for index, (kind, _) in enumerate(rest) if kind != "warn"), 0)
    return (rest.pop(first) if rest else None), rest
