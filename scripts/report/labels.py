"""The words that reports use: names of tasks and languages, and what the numbers mean."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True)
class TaskWords:
    """How a report speaks of a task: two titles, what is asked, and the unit of complexity."""

    title: str
    short: str
    about: str
    unit: str


TASKS: dict[str, TaskWords] = {
    "slt": TaskWords(
        "Sequential linear transforms",
        "SLT",
        "A merchant's ledger has been shuffled. The model puts the transactions back into order "
        "and gives the wealth after each of them.",
        "transactions",
    ),
    "dsa": TaskWords(
        "Discrete state automaton",
        "DSA",
        "Keys lead from room to room. The model follows a sequence of keys and names the last "
        "room.",
        "rooms",
    ),
    "prdsa": TaskWords(
        "Probabilistic state automaton",
        "PrDSA",
        "Each key leads to one of two rooms by chance. The model names the eight rooms in which "
        "the walk ends most probably.",
        "rooms",
    ),
    "graph_sp": TaskWords(
        "Graph shortest path",
        "Graph SP",
        "A list says who is friends with whom. The model finds the shortest chain of friends "
        "between two people.",
        "friendships",
    ),
    "t_rank": TaskWords(
        "Tournament ranking",
        "T-Rank",
        "A list says who beat whom. The model ranks all players.",
        "matches",
    ),
}

FAMILIES: dict[str, str] = {
    "xlgobench": "Algorithmic puzzles (XLGoBench)",
    "polymath": "Mathematics (PolyMath)",
    "easy": "Simple reasoning",
}

STATUSES: dict[str, tuple[str, str]] = {
    "correct": ("correct", "the right answer"),
    "wrong": ("wrong", "a well-formed answer that is not the right one"),
    "no_answer": ("no answer", "nothing that looks like the answer that was asked for"),
    "bad_format": ("bad format", "an answer is there, but it cannot be understood"),
    "truncated": ("cut off", "the output stopped before its end"),
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
        "RD (reciprocal divergence)",
        "The most that the language that is behind at c* is ahead anywhere else. Near 0, one "
        "language is ahead throughout; well below 0, the curves cross, and SMD alone misleads.",
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
class LanguageWords:
    """A language as a report shows it; ``direction`` is ``ltr`` or ``rtl``."""

    code: str
    name: str
    native_name: str
    direction: str


@lru_cache(maxsize=256)
def language(code: str) -> LanguageWords:
    """The names and the direction of a language; the code itself where it is not known."""
    from xlgo_dataset.text.languages import available, load_language

    if code in available():
        known = load_language(code)
        return LanguageWords(code, known.name, known.native_name, known.direction)
    name, native = _NAMES.get(code, (code, ""))
    return LanguageWords(code, name, native, "rtl" if code in _RIGHT_TO_LEFT else "ltr")


def task(name: str) -> TaskWords:
    """The words for a task; its name itself where it is not known."""
    return TASKS.get(name, TaskWords(name, name, "", "units of complexity"))


def task_order(name: str) -> int:
    """Where a task stands among others: the puzzles in the order of the paper, then the rest."""
    known = list(TASKS)
    return known.index(name) if name in TASKS else len(known)


def family(name: str) -> str:
    """The title of a family of tasks."""
    return FAMILIES.get(name, name)
