"""What reports call things: tasks, languages, statuses, and what the numbers mean."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import xlgo_dataset as xd
from xlgo_dataset import TaskLabels

ENGLISH = "en"

STATUSES: dict[str, tuple[str, str]] = {
    "correct": ("correct", "the right answer"),
    "wrong": ("wrong", "a well-formed answer that is not the right one"),
    "no_answer": ("no answer", "nothing that looks like the answer that was asked for"),
    "bad_format": ("bad format", "an answer is there, but it cannot be understood"),
    "truncated": ("cut off", "the output stopped before its end"),
    "needs_judge": ("to be judged", "only a judge can tell: neither right nor wrong until then"),
}
"""Each status: its name in a report, and what it means."""

GLOSSARY: tuple[tuple[str, str], ...] = (
    (
        "SMD (signed max divergence)",
        "Accuracy falls as puzzles grow, in English and in any other language. SMD compares the "
        "two fitted curves at the size where they lie furthest apart: accuracy in English minus "
        "accuracy in the language, in percentage points. +18 means that at this size the model "
        "solves 18 more of 100 puzzles when they are asked in English; a negative number means "
        "that it does better in the language.",
    ),
    (
        "What SMD does not mean",
        "It is the largest gap, not the average one: at other sizes the gap is smaller. As the "
        "largest of many differences it is never quite 0, even where both languages are served "
        "alike, so a number without a mark says nothing. And it is about these puzzles: a model "
        "without a gap here may still have one in conversation, knowledge or style.",
    ),
    (
        "± (standard deviation)",
        "How far the number would move if the questions were drawn again: the spread of 300 refits "
        "of the curve to accuracies redrawn from their Beta posterior.",
    ),
    (
        "c*",
        "The puzzle size (complexity) at which the two curves lie furthest apart; beside it, the "
        "accuracy of both languages at that size.",
    ),
    (
        "Marks",
        "● a gap that holds when every puzzle is compared with its own twin in English (paired "
        "permutation test), with Holm's correction for the number of gaps that were looked at, at "
        "5%. ○ only the published rule marks it: |SMD| above 1.96 standard deviations. That rule "
        "looks at each gap by itself, so of many gaps a few are marked by chance.",
    ),
    (
        "AvgAcc",
        "The average of the fitted accuracy over the range of sizes: how well the model does in "
        "this language altogether.",
    ),
    (
        "Not supported (!), no number (–)",
        "The fitted curves are held against the levels that were asked. Where they say a larger "
        "gap than the exact 95% limits of any level allow, the gap is not supported: the levels "
        "are coarse against the drop. Where a curve is not fixed by the answers, or almost nothing "
        "or almost everything is solved, there is no number at all.",
    ),
    (
        "Right answers at the levels that tell",
        "The sentences quote the counts over the sizes at which the two languages together are "
        "right in 10 to 90%, chosen without regard to which of them is ahead (or, where there are "
        "none, the sizes next to the drop), with an exact interval of the paired difference.",
    ),
    (
        "RD (reciprocal divergence)",
        "The most that the language that is behind at c* is ahead anywhere else. Near 0, one "
        "language is ahead throughout; well below 0, the curves cross, and SMD alone misleads. A "
        "reversal is claimed only where each language is significantly ahead over some levels.",
    ),
    (
        "Accuracy, parsed, strict",
        "Accuracy is the share of right answers. Parsed is the share in which an answer could be "
        "found at all, strict the share that is exactly the JSON that was asked for and nothing "
        "else. Answers that are not strict but right count as right.",
    ),
)

_NAMES: dict[str, tuple[str, str]] = {
    "de": ("German", "Deutsch"),
    "fr": ("French", "français"),
    "id": ("Indonesian", "Bahasa Indonesia"),
    "it": ("Italian", "italiano"),
    "ms": ("Malay", "Bahasa Melayu"),
    "pt": ("Portuguese", "português"),
    "vi": ("Vietnamese", "Tiếng Việt"),
    "fa": ("Persian", "فارسی"),
    "he": ("Hebrew", "עברית"),
    "ur": ("Urdu", "اردو"),
}
_RIGHT_TO_LEFT = frozenset({"ar", "fa", "he", "ur", "ps", "sd", "ug", "yi", "dv", "ckb"})


@dataclass(frozen=True)
class LanguageLabels:
    """A language as a report shows it; ``direction`` is ``ltr`` or ``rtl``."""

    code: str
    name: str
    native_name: str
    direction: str


@lru_cache(maxsize=256)
def language(code: str) -> LanguageLabels:
    """The names and the direction of a language; the code itself where it is not known."""
    from xlgo_dataset.text.languages import available, load_language

    if code in available():
        known = load_language(code)
        return LanguageLabels(code, known.name, known.native_name, known.direction)
    name, native = _NAMES.get(code, (code, ""))
    return LanguageLabels(code, name, native, "rtl" if code in _RIGHT_TO_LEFT else "ltr")


def task(name: str) -> TaskLabels:
    """The labels of a task; its name itself where it is not known."""
    found = xd.FAMILIES.of_task(name)
    if found is not None:
        return found.labels[name]
    return TaskLabels(name, name, "", "units of complexity")


def both_names(name: str) -> str:
    """The title of a task and, in brackets, what tables and maps call it."""
    words = task(name)
    return words.title if words.title == words.short else f"{words.title} ({words.short})"


def task_order(name: str, family: str | None = None) -> tuple[int, int]:
    """Where a task stands among others: in the order of the families and of their tasks.

    Args:
        name: of the task.
        family: its family, if known. No other family is then imported.
    """
    places = list(xd.FAMILIES)
    found = xd.FAMILIES[family] if family in places else xd.FAMILIES.of_task(name)
    if found is None or name not in found.TASKS:
        return len(places), 0
    return places.index(found.name), found.TASKS.index(name)


def family(name: str) -> str:
    """The title of a family of tasks; its name where it is not known."""
    return xd.family(name).title if name in xd.FAMILIES else name
