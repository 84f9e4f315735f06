"""Every kind of sentence that states a result, in one place: what it says and what it asserts.

Report, terminal, leaderboard, ``xlgo compare`` and parallel benchmarks print a result only through
``say``. ``benchmarks/sentences.py`` makes data of known truth and counts how often a kind of
sentence is printed where what it asserts is false, and where it is true. A sentence that is not
here fails a test (``tests/report/test_sentences.py``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

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
        "Largest gap to {base}: {name}, {counted}. It is significant (paired test over {tasks}, "
        "all languages together, 5%), and larger than that of every other language.",
    ),
    "verdict.lowest": Sentence(
        "the mean gap over the tasks counted is above 0",
        "Largest gap to {base}: {name}, {counted}. It is significant (paired test over {tasks}, "
        "all languages together, 5%).",
    ),
    "verdict.alike": _count("Possibly as large: {others}."),
    "verdict.only_language": Sentence(
        "the mean gap over the tasks counted is above 0",
        "Gap to {base}: {name}, {counted}. It is significant (paired test over {tasks}, 5%).",
    ),
    "verdict.none": _count(
        "No language is significantly behind {base} over the tasks counted. Largest observed gap: "
        "{name}, {counted}."
    ),
    "verdict.no_observed": _count("No language has a lower accuracy than {base}."),
    "verdict.equal": Sentence(
        "the mean gap over the tasks counted lies within the margin, for each language named",
        "Within ±{margin} points of {base}, as a mean over tasks and over the complexities of each "
        "(95%, all languages together): {names}.",
    ),
    "verdict.difference": Sentence(
        "the mean gap over the tasks counted lies in the interval",
        "{difference} percentage points over {n} questions ({ends})",
    ),
    "verdict.left_out": _count("Not in the mean over tasks, for any language: {reasons}."),
    "verdict.no_tasks": _count(
        "There is no gap over all tasks, because no task counts for every language: {reasons}."
    ),
    # Pairs of language and task
    "pairs.untested": _count(
        "No gap to {base} could be tested: no questions were asked in both languages"
    ),
    "pairs.unequal": _count(
        "In no sentence about gaps to {base}, because missing answers differ between the "
        "languages by more than chance: {where}."
    ),
    "pairs.chosen": _count(
        "In {tasks} answers chose the questions: gaps there are of these questions, each alike, "
        "and count in no sentence about several tasks."
    ),
    "pairs.none": _count(
        "None of {pairs} shows a significant gap to {base} (paired test, all together, 5%)"
    ),
    "pairs.behind": Sentence(
        "in each pair counted the gap, as a mean over complexities, has the direction said",
        "The model is significantly behind {base} in {behind} of {pairs}{ahead} (paired test, all "
        "together, 5%)",
    ),
    "pairs.more_untested": _count(
        "{number} more could not be tested: too few questions were asked in both languages"
    ),
    "pairs.unsized": _count("in {number} the accuracies do not identify a curve"),
    # One language on one task
    "gap.difference": Sentence(
        "the gap, as a mean over the complexities asked, lies in the interval",
        "the gap ({base} minus {language}) is {difference} points over {n} questions ({ends})",
    ),
    "gap.chosen": Sentence(
        "the gap, as a mean over the questions asked, lies in the interval",
        "over the {n} questions, which answers chose, the gap ({base} minus {language}) is "
        "{difference} points ({ends})",
    ),
    "gap.counted": _count(
        "at {sizes} the model solves {right} in {language} and {right_en} in {base}"
    ),
    "gap.reverses": Sentence(
        "the language is ahead at some of these levels, or behind where it is ahead elsewhere",
        "the gap reverses at other levels: at {sizes} the model solves {right} in {language} and "
        "{right_en} in {base}",
    ),
    "gap.somewhere": Sentence(
        "at some complexity asked the language differs from the baseline",
        "the two differ at some sizes (test over sizes, Holm-corrected, 5%)",
    ),
    "gap.curves": Sentence(
        "the largest gap of any complexity in the range lies in the interval, if accuracy falls",
        "the fitted gap is largest at {at}, {f_l} in {language} and {f_en} in {base} ({size}; the "
        "largest gap lies between {ends})",
    ),
    "gap.smd": _count("{size}"),
    "gap.curves_only": _count(
        "the fitted gap is largest at {at}, {f_l} in {language} and {f_en} in {base} ({size})"
    ),
    "gap.small": Sentence(
        "the largest gap of any complexity in the range lies in the interval, if accuracy falls",
        "with {n} questions per level, the largest gap at any size is between {ends} points, if "
        "accuracy falls with size",
    ),
    "gap.misfit": _count(
        "a fitted curve misses the accuracies by {size} points and is rejected (2.5%), so the "
        "interval allows any falling curve"
    ),
    "gap.unidentified": _count(
        "the accuracies in {language} or {base} do not identify a curve, so the gap cannot be sized"
    ),
    "gap.unsupported": _count(
        "the fitted gap exceeds every level's 95% limit and is not supported: the levels are too "
        "far apart"
    ),
    "gap.wording": _count(
        "the {language} wording differs from the {base} one and may cause the gap (see xlgo "
        "language list)"
    ),
    "gap.extreme": _count(
        "the model solves almost {extreme} in both languages, so a gap cannot be measured"
    ),
    "gap.reading": _count(
        "the gap depends on how answers are read (strict: {strict}; asked form: {in_form}; "
        "lenient: {lenient}; paired test on {n} questions, 5%)"
    ),
    "readings.depend": _count(
        "The direction or significance of the gap to {base} depends on how answers are read "
        "(strict, asked form or lenient) in {where}."
    ),
    # Where answers tell nothing
    "extreme.all": _count(
        "The model solves almost {kind} ({right} of {total} answers are correct): gaps between "
        "languages cannot be measured. Ask {easier} puzzles."
    ),
    "extreme.some": _count(
        "The model solves almost {kind}{where} ({right} of {total} answers are correct): a gap "
        "there cannot be measured. Ask {easier} puzzles."
    ),
    "extreme.cut": _count(
        "{cut} of {total} answers{where} were truncated by the token limit ({right} are correct), "
        "so a gap there cannot be measured. Raise the limit first (--gen_kwargs max_gen_toks=...)."
    ),
    "alone.extreme": _count(
        "In {name} the model solves almost {kind} ({right} of {total} answers are correct)."
    ),
    "alone.solves": _count("In {name} the model solves {right}."),
    "alone.no_english": _count("This run has no {base} answers to compare with; add {base}."),
    "unread": _count(
        "{share} of responses were unparsable or truncated ({kinds}). The highest rate is {most}, "
        "for {language} in {task}. They count as incorrect, so a gap may reflect formatting or "
        "output length rather than reasoning."
    ),
    "costs.dear": _count("Tokens relative to English for the same {what}: {names}{more}."),
    # Sources of a gap, by measured contrasts
    "why.gap": Sentence(
        "the language differs from the baseline on these questions in the direction said",
        "{language} is {side} {base} ({points} points, 95% interval {ends})",
    ),
    "why.no_gap": _count(
        "no significant gap to {base} on these questions ({points} points, 95% interval {ends})"
    ),
    "why.contrast": Sentence(
        "the condition changes the accuracy in the direction said",
        "{condition}: accuracy {changes} by {points} points (95% interval {ends})",
    ),
    "why.none": _count("no condition changes the accuracy significantly"),
    # Families without curves, and parallel benchmarks
    "family.silent": _count("No significance test: {where}."),
    "family.gap": Sentence(
        "the gap lies in the interval",
        "{name}, {task}: {accuracy} correct, {accuracy_base} in {base} ({difference} points over "
        "{n} questions; {ends}).",
    ),
    "family.largest": _count("The largest observed, not significant: {sentence}"),
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
    "board.losses": Sentence(
        "the mean gap of the model is larger than that of every other model",
        "From {base} to the other languages, {most} loses the most, {points} percentage points on "
        "average over languages: significantly more than every other model.",
    ),
    "board.standings": Sentence(
        "in each pair counted the mean gap is above 0, below 0, or within the margin, as said",
        "Of {cells} pairs of a model and a language, over the tasks counted: {behind} behind "
        "{base}, {ahead} ahead, {equal} equal within ±{margin} points, {unknown} not known.",
    ),
    "board.behind": Sentence(
        "in at least one task the gap is above 0, for each of the models counted",
        "{name} is significantly behind {base} in at least one task for {number} of the {models} "
        "models (all {cells} models, tasks and languages together).",
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
        "The gap of {language} to {base} is {more} in {b} than in {a}: {gap_b} against {gap_a} "
        "points ({ends}).",
    ),
    "compare.no_gap": _count(
        "No gap to {base} differs significantly between the two ({languages} languages together)."
    ),
    "change.gap": Sentence(
        "the gaps of the two runs differ by an amount in the interval, in the direction said",
        "The gap of {language} to {base} changed by {points} points since the earlier run "
        "({since}): {earlier} then, {later} now ({ends}).",
    ),
    "change.none": _count(
        "No gap to {base} changed significantly since the earlier run ({since}; {languages} "
        "languages together)."
    ),
    "change.unequal": _count(
        "Whether the gap changed is not said of {languages}: missing answers differ from the "
        "baseline's by more than chance."
    ),
    "change.settings": _count("Since the earlier run, settings differ: {text}."),
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


class Said(str):
    """A sentence of the registry, with what it was made of.

    Attributes:
        parts: the kinds of sentence and their fields.
    """

    parts: tuple[tuple[str, dict[str, Any]], ...]

    def __new__(cls, text: str, parts: Iterable[tuple[str, dict[str, Any]]]) -> Said:
        self = super().__new__(cls, text)
        self.parts = tuple(parts)
        return self


def say(kind: str, /, **fields: Any) -> Said:
    """A sentence of the registry.

    Args:
        kind: its id.
        fields: of its text; further ones say what it is about, for the audit.
    """
    return Said(SENTENCES[kind].text.format(**fields), [(kind, fields)])


def joined(said: Iterable[Said], between: str = "; ", *, before: str = "", after: str = "") -> Said:
    """Several sentences as one."""
    every = list(said)
    texts = [one[:1].upper() + one[1:] for one in every] if between == ". " else every
    return Said(before + between.join(texts) + after, [part for one in every for part in one.parts])


Finding = tuple[str, str]
"""A kind (``behind``, ``ahead``, ``warn`` or "") and a sentence."""


def leading(findings: Sequence[Finding]) -> tuple[Finding | None, list[Finding]]:
    """The sentence below the title of a page, and the others.

    Args:
        findings: kinds (``behind``, ``ahead``, ``warn`` or "") and sentences, the main one first.
    """
    rest = list(findings)
    first = next((place for place, (kind, _) in enumerate(rest) if kind != "warn"), 0)
    return (rest.pop(first) if rest else None), rest
