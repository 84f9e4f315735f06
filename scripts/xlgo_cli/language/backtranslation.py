"""The back-translation check of XLGoBench, appendix A.3.

Is a gap due to the wording of a language? A person translates the strings of the language back
into English, English is run once more with that text, and its accuracy is compared with that of
the original English. The file of back-translated strings is a wording like any other: English is
run with its path as ``text``.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import xlgo_dataset as xd
from xlgo_dataset.text.languages import Language, load_language

from ..arguments import Action, Argument
from ..folders import read_settings, write_text
from .file import FILES, LANGUAGE

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?|\{[a-z0-9_]+\}")


def _prepare(args: argparse.Namespace) -> int:
    language = load_language(args.language, args.folder)
    path = args.out or Path(f"{language.code}_{args.task}.toml")
    if path.exists():
        raise ValueError(f"{path} exists: give another --out")
    write_text(path, scaffold(language, args.task))
    print(f"{path}: fill it in, then run `xlgo audit overlap {path}`")
    return 0


def _overlap(args: argparse.Namespace) -> int:
    for share in overlaps(args.file):
        print(f"{share.name:24} {share.share:7.1%}")
    return 0


def _delta(args: argparse.Namespace) -> int:
    from ..logs.graded_run import score_folder

    original, back = (score_folder(path).score for path in (args.original, args.back))
    value = delta(original, back, args.task, args.language)
    print(f"delta = {value:.3f} for {args.task} in {args.language}")
    print("Much above 1, the wording itself changes the accuracy.")
    return 0


_TASK = Argument("--task", required=True, help="the puzzle, such as slt")

ACTIONS = {
    "backtranslation": Action(
        "write a file to back-translate into",
        _prepare,
        LANGUAGE,
        _TASK,
        Argument("--out", type=Path, help="file to write (default: <language>_<task>.toml)"),
        FILES,
    ),
    "overlap": Action(
        "check a filled-in back-translation",
        _overlap,
        Argument("file", type=Path, help="the filled-in file"),
    ),
    "delta": Action(
        "measure the effect of the wording on accuracy (equation 8)",
        _delta,
        Argument("language", help="language of the back-translated text, such as te"),
        _TASK,
        Argument("--original", type=Path, required=True, help="results of both languages"),
        Argument("--back", type=Path, required=True, help="results of English, text back"),
    ),
}
"""The three steps of the check, of ``xlgo audit``."""


def scaffold(language: Language, task: str) -> str:
    """The text of a file with the strings of a task to be translated back into English.

    Raises:
        ValueError: the language has no such task, or is English.
    """
    if language.code == "en":
        raise ValueError("a back-translation is into English: give another language")
    if task not in language.tasks:
        raise ValueError(f"unknown task {task!r}: allowed are {', '.join(language.tasks)}")
    lines = [
        f"# The {language.name} wording of {task}, to be translated back into English.",
        f"# Write the English of each {language.name} text between the quotes, without looking at",
        "# the original English. Keep the text in braces unchanged.",
        "",
        f"[{task}]",
    ]
    for key, string in language.tasks[task].items():
        lines += [f"# {string.text}", f'{key} = ""', ""]
    return "\n".join(lines)


@dataclass(frozen=True)
class Overlap:
    """Share of words that a back-translated string has in common with the original English."""

    name: str
    share: float


def overlaps(path: Path) -> list[Overlap]:
    """The word-level overlap of each string of a back-translation, and of all together.

    Two texts overlap by the number of words they share over the number of words of the longer;
    case and punctuation do not count. The paper's back-translations had 95 % or more.

    Raises:
        ValueError: a string is missing, empty or breaks a rule of the language files.
    """
    from xlgo_dataset.text.languages.checks import check_string

    english = load_language("en")
    per_string: list[Overlap] = []
    problems: list[str] = []
    shared = longest = 0
    for task, table in read_settings(path, kind="TOML").items():
        originals = english.tasks.get(task)
        if originals is None:
            problems.append(f"[{task}]: there is no such task")
            continue
        problems += [f"{task}.{key}: it is missing" for key in originals if key not in table]
        for key, text in table.items():
            if key not in originals:
                problems.append(f"{task}.{key}: there is no such string")
                continue
            problems += [f"{task}.{key}: {p}" for p in check_string(english, task, key, text)]
            common, length = _common(originals[key].text, text)
            shared, longest = shared + common, longest + length
            if length:
                per_string.append(Overlap(f"{task}.{key}", common / length))
    if problems:
        raise ValueError(f"{path}:\n" + "\n".join(problems))
    return [*per_string, Overlap("all", shared / longest if longest else 0.0)]


def delta(original: Mapping[str, Any], back: Mapping[str, Any], task: str, code: str) -> float:
    """The weighted chi-square of a back-translated prompt (XLGoBench, equation 8).

    Args:
        original: a score that holds the task in English and in the language ``code``.
        back: a score of the task in English with the back-translated text, at least at the two
            levels next to c*, where the gap of ``code`` is largest.
        task: the puzzle.
        code: the language that was translated back.

    Raises:
        ValueError: a score lacks the task, a language, c* or one of the two levels.
    """
    from xlgo_metric.statistics.measures import back_translation_from_counts

    english = _levels(original, task, "en", "the original score")
    c_star = _cell(original, task, code, "the original score").get("c_star")
    if c_star is None:
        raise ValueError(
            f"the original score has no c* for {task} in {code}: c* is known where answers to the "
            "same questions in English and the language fix both curves (docs/statistics.md)"
        )
    again = {level["complexity"]: level for level in _levels(back, task, "en", "the new score")}
    complexities = sorted(level["complexity"] for level in english)
    below = max((c for c in complexities[:-1] if c <= c_star), default=complexities[0])
    above = complexities[complexities.index(below) + 1]
    absent = [str(c) for c in (below, above) if c not in again]
    if absent:
        raise ValueError(f"the new score lacks complexity {' and '.join(absent)}, next to c*")
    return back_translation_from_counts(
        [level["complexity"] for level in english],
        [level["correct"] for level in english],
        [level["n"] for level in english],
        c_star,
        (again[below]["correct"], again[above]["correct"]),
        (again[below]["n"], again[above]["n"]),
    )


def _levels(score: Mapping[str, Any], task: str, code: str, which: str) -> list[dict[str, Any]]:
    levels = _cell(score, task, code, which)["levels"]
    if len(levels) < 2:
        raise ValueError(f"{which} has {len(levels)} levels of {task} in {code}, two are needed")
    return levels


def _cell(score: Mapping[str, Any], task: str, code: str, which: str) -> dict[str, Any]:
    try:
        return score["families"][xd.family_of(task).name]["tasks"][task]["languages"][code]
    except (KeyError, TypeError):
        raise ValueError(f"{which} has no results of {task} in {code}") from None


def _common(one: str, other: str) -> tuple[int, int]:
    """How many words two texts share, and how many the longer has."""
    first, second = (Counter(_WORD.findall(text.lower())) for text in (one, other))
    return (first & second).total(), max(first.total(), second.total())
