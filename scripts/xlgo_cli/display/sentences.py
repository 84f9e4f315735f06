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
    # Over all tasks, one language or several
    "verdict.most": Sentence(
        "the language has a lower accuracy than every other, over equal weights of tasks, and "
        "than the baseline",
        "Most affected language: {name}, {counted}. The gap is significant (exact test over "
        "{tasks}, Holm-corrected, 5%), and larger than that of every other language.",
    ),
    "verdict.lowest": Sentence(
        "the language has a lower accuracy than the baseline, over equal weights of tasks",
        "Largest gap to {base}: {name}, {counted}. It is significant (exact test over {tasks}, "
        "Holm-corrected, 5%).",
    ),
    "verdict.alike": _count("Possibly as large: {others}."),
    "verdict.only_language": Sentence(
        "the language has a lower accuracy than the baseline, over equal weights of tasks",
        "Gap to {base}: {name}, {counted}. It is significant (exact test over {tasks}, 5%).",
    ),
    "verdict.none": _count(
        "No language is significantly behind {base} over all tasks. Largest observed gap: {name}, "
        "{counted}."
    ),
    "verdict.no_observed": _count("No language has fewer correct answers than {base}."),
    "verdict.in_some": Sentence(
        "the language is behind the baseline in each of the tasks counted",
        "{name} is significantly behind {base} in {where} (paired test, corrected for all "
        "language-task pairs, 5%).",
    ),
    "verdict.equal": Sentence(
        "the average difference over the questions' complexities lies within the margin",
        "Within ±{margin} points of {base} on average over the complexities asked (95%, all "
        "languages together): {names}.",
    ),
    "verdict.difference": Sentence(
        "the average difference over the tasks, with equal weights, lies in the interval",
        "{difference} percentage points over {n} questions (95% interval, all languages together: "
        "{ends})",
    ),
    "verdict.counted": _count(
        "{share} correct ({right} of {asked}) versus {share_en} in {base}, {difference} points at "
        "informative levels"
    ),
    "verdict.nowhere": Sentence(
        "at every complexity asked the difference lies within the margin, in each task",
        "Within ±{margin} points of {base} at every complexity asked (95%, all levels together): "
        "{names}.",
    ),
    "verdict.wording": _count(
        "The {name} wording of {tasks} differs from the {base} one and may cause a gap (see xlgo "
        "language list)."
    ),
    "verdict.left_out": _count(
        "Not counted: {tasks}. The {name} wording differs from the {base} one and may cause a gap "
        "(see xlgo language list)."
    ),
    # Significant, and yet with an interval that reaches 0
    "reaches.stepped": _count(
        "Where a significant gap's interval reaches 0, the interval holds for all {each}s at once, "
        "while Holm's test goes from one {each} to the next."
    ),
    "reaches.sizes": _count(
        "Where a significant gap's interval reaches 0, the interval is of the mean over sizes or "
        "holds for all pairs at once, while the test looks at single sizes and goes from one pair "
        "to the next."
    ),
    # Pairs of language and task
    "pairs.untested": _count(
        "No gap to {base} could be tested: no questions were asked in both languages"
    ),
    "pairs.none": _count(
        "None of {pairs} shows a significant gap to {base} (paired test, corrected, 5%)"
    ),
    "pairs.behind": Sentence(
        "in each pair counted the language differs from the baseline in the direction said",
        "The model is significantly behind {base} in {behind} of {pairs}{ahead}{crossing} (paired "
        "test, corrected, 5%)",
    ),
    "pairs.unclear": Sentence(
        "in each pair counted the language differs from the baseline",
        "{number} more differ significantly, but the direction is not known",
    ),
    "pairs.more_untested": _count(
        "{number} more could not be tested: too few questions were asked in both languages"
    ),
    "pairs.published": _count(
        "{number} more {are} flagged only by the published rule, without correction"
    ),
    "pairs.unsized": _count("in {number} the gap size cannot be estimated"),
    "pairs.unsupported": _count(
        "in {number} the fitted gap exceeds every level's 95% limit and is not supported"
    ),
    # One language on one task
    "gap.difference": Sentence(
        "the average difference over the complexities asked lies in the interval",
        "the gap ({base} minus {language}) is {difference} points over {n} questions (95% "
        "intervals, all pairs together: {ends})",
    ),
    "gap.counted": Sentence(
        "the average difference at these levels lies in the interval",
        "at {sizes} the model solves {right} in {language} and {right_en} in {base} "
        "({difference} points, {ends})",
    ),
    "gap.reverses": Sentence(
        "the language is ahead at some of these levels, or behind where it is ahead elsewhere",
        "the gap reverses at other levels: at {sizes} the model solves {right} in {language} and "
        "{right_en} in {base} ({difference} points)",
    ),
    "gap.curves": Sentence(
        "the largest gap of any complexity in the range lies in the interval",
        "the fitted gap is largest at {at}, {f_l} in {language} and {f_en} in {base} ({size}; the "
        "largest gap lies between {ends})",
    ),
    "gap.smd": _count("{size}"),
    "gap.curves_only": _count(
        "the fitted gap is largest at {at}, {f_l} in {language} and {f_en} in {base} ({size})"
    ),
    "gap.small": Sentence(
        "the largest gap of any complexity in the range lies in the interval",
        "with {n} questions per level, the largest gap at any size is between {ends} points",
    ),
    "gap.misfit": _count(
        "a fitted curve misses the accuracies by {size} points and is rejected (2.5%), so the "
        "interval allows any falling curve"
    ),
    "gap.unidentified": _count(
        "the accuracies in {language} or {base} do not identify a curve, so the gap cannot be sized"
    ),
    "gap.but_significant": Sentence(
        "the language differs from the baseline", "the gap is significant (paired test)"
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
        "lenient: {lenient}; sign test on {n} questions, Holm-corrected, 5%)"
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
    "why.text": Sentence(
        "the text of the language is answered worse than that of the baseline",
        "the gap comes with the language; no condition that separates its parts was asked",
    ),
    "why.together": Sentence(
        "rules and lines together change more than each alone adds up to",
        "rules and lines have an effect only together (interaction {points} points, exact test)",
    ),
    "why.interaction": Sentence(
        "rules and lines together change more, or less, than each alone adds up to",
        "rules and lines do not add up (interaction {points} points, exact test)",
    ),
    "why.context": _count(
        "prompts above about {size} bytes are not answered under any condition: a limit of context "
        "cannot be distinguished from a cost of the longer text"
    ),
    "why.none": _count("no tested cause is significant"),
    # Families without curves, and parallel benchmarks
    "family.silent": _count(
        "Too few discordant questions for a significance test: {where} (fewer than 6 are correct "
        "in only one of the two)."
    ),
    "family.none": _count(
        "None of {pairs} shows a significant gap to {base} (exact paired test, Holm-corrected, 5%)."
    ),
    "family.behind": Sentence(
        "in each comparison counted the language differs from the baseline in the direction said",
        "The model is significantly behind {base} in {behind} of {pairs}{ahead} (exact paired "
        "test, Holm-corrected, 5%).",
    ),
    "family.gap": Sentence(
        "the difference lies in the interval",
        "{name}, {task}: {right} correct, {right_base} in {base}; {only_base} only in {base}, "
        "{only_other} only in {name} ({difference} points; 95% interval, all pairs together: "
        "{ends}; p {p}).",
    ),
    "family.largest": _count("The largest observed, not significant: {sentence}"),
    # Several models
    "board.best": Sentence(
        "the model has a higher accuracy than every other",
        "On the {n} questions that all {models} models answered, {name} has the most correct "
        "answers: {share}. It is significantly better than every other.",
    ),
    "board.first": _count(
        "On the {n} questions that all {models} models answered, {name} has the most correct "
        "answers: {share}. No model is significantly better than any of these: {others}."
    ),
    "board.many_first": _count(
        "On the {n} questions that all {models} models answered, {name} has the most correct "
        "answers: {share}. {number} models cannot be ruled out for first place."
    ),
    "board.losses": _count(
        "From {base} to the other languages, {most} loses the most correct answers, {points} "
        "percentage points on average over languages, and {least} the least, {fewest}."
    ),
    "board.standings": Sentence(
        "in each pair counted the language is behind, ahead, or within the margin, as said",
        "Of {cells} pairs of a model and a language, over all tasks: {behind} behind {base}, "
        "{ahead} ahead, {equal} equal within ±{margin} points, {unknown} not known.",
    ),
    "board.behind": Sentence(
        "in at least one task the language is behind the baseline, for each of the models counted",
        "{name} is significantly behind {base} in at least one task for {number} of the {models} "
        "models (Holm-corrected over all {cells} models, tasks and languages).",
    ),
    "board.none": _count(
        "Of {cells} gaps of models, tasks and languages, none is significant after Holm's "
        "correction over all of them."
    ),
    "board.left_out": _count(
        "{number} of the results given {are} not ranked, see “What may be compared”."
    ),
    # Two models
    "compare.settings": _count("Settings differ: {text}."),
    "compare.shares": _count(
        "On the {n} questions that both answered, {a} is correct in {share_a} and {b} in {share_b}."
    ),
    "compare.better": Sentence(
        "in each pair counted the model named is better",
        "Of {pairs} language-task pairs, {b} is significantly better in {better} and {a} in "
        "{worse} (sign test, Holm-corrected, 5%).",
    ),
    "compare.none": _count(
        "Neither model is significantly better in any of {pairs} (sign test, Holm-corrected, 5%)."
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

    @property
    def reaches_zero(self) -> bool:
        """Whether the interval of a difference that it states holds 0."""
        limits = [fields["limits"] for _, fields in self.parts if "limits" in fields]
        return any(low <= 0 <= high for low, high in limits)


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
