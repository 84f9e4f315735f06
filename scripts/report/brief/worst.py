"""The language that is most affected over all tasks, as far as the answers distinguish it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xlgo_metric.statistics.claims import MARGIN, standing, within_everywhere

from ...display import labels
from ...display.formats import count, percent, points
from ...display.sentences import Said, joined, say
from ..findings import Told
from ..gap_marks import (
    ALPHA,
    GapSection,
    Verdict,
    base_name,
    by_gap,
    crosses,
    is_behind,
    mark,
    others,
)


@dataclass(frozen=True)
class Behind:
    """How a language does beside English, over the tasks that can tell.

    Attributes:
        language: its code.
        right, asked: correct answers and questions at informative levels.
        right_en, asked_en: the same in English.
        tasks: names of the tasks that were tested.
        holding: names of those in which it is behind in the paired test.
    """

    language: str
    right: int
    asked: int
    right_en: int
    asked_en: int
    tasks: tuple[str, ...]
    holding: tuple[str, ...]

    @property
    def apart(self) -> float:
        """By how much the baseline is ahead, a fraction."""
        return self.right_en / self.asked_en - self.right / self.asked


def most_behind(section: GapSection) -> Behind | None:
    """The language that the report puts first; ``None`` where no gap can be counted.

    Args:
        section: see ``with_gaps``.
    """
    found = [one for code in by_gap(section) if (one := _behind(section, code)) is not None]
    # A gap that holds counts more than a larger one that may be chance.
    held = [one for one in found if one.holding]
    return max(held or found, key=lambda one: one.apart, default=None)


def _behind(section: GapSection, code: str) -> Behind | None:
    cells = {
        name: cell
        for name, task in section["tasks"].items()
        if (cell := task["languages"].get(code)) is not None
        and cell.get("pooled")
        and not cell.get("extreme")
    }
    if not cells:
        return None
    pooled = [found for cell in cells.values() if (found := cell["pooled"])]
    right, asked = sum(one["k_l"] for one in pooled), sum(one["n_l"] for one in pooled)
    right_en, asked_en = sum(one["k_en"] for one in pooled), sum(one["n_en"] for one in pooled)
    holding = [
        name
        for name, cell in cells.items()
        if mark(cell) == "●" and is_behind(cell) and not crosses(cell)
    ]
    return Behind(code, right, asked, right_en, asked_en, tuple(cells), tuple(holding))


def worst_sentence(section: GapSection) -> list[Told]:
    """Which language is the most affected, as far as the answers distinguish it."""
    verdicts = section.get("over_tasks")
    found = most_behind(section)
    if found is None:
        return []
    if verdicts and verdicts["languages"]:
        told = [*_of_verdicts(section), *_nowhere(section)]
    else:
        told = _counted_only(found, base_name(section))
    if found.holding and not any(kind == "behind" for kind, _ in told):
        tasks = len(found.tasks)
        where = f"{len(found.holding)} of {tasks} task{'s' * (tasks > 1)}"
        name = labels.language(found.language).name
        cells = [(task, found.language) for task in found.holding]
        base = base_name(section)
        said = say("verdict.in_some", name=name, where=where, cells=cells, base=base)
        told.append(("behind", said))
    return told


def _of_verdicts(section: GapSection) -> list[Told]:
    """By the verdicts over all tasks, each task with the same weight."""
    verdicts, base = section["over_tasks"], base_name(section)
    every = verdicts["languages"]
    code = max(every, key=lambda other: every[other]["difference"])
    worst, name = every[code], labels.language(code).name
    tasks = f"{worst['tasks']} task{'s' * (worst['tasks'] != 1)}"
    about = {"name": name, "counted": _points(worst, base), "tasks": tasks,
            "limits": (worst["low_all"], worst["high_all"]),
            "code": code, "base": base}  # fmt: skip
    behind = worst["p_holm"] < ALPHA and worst["difference"] > 0
    equal = [
        other for other, found in every.items()
        if standing(found["low_all"], found["high_all"]) == "equal"
    ]  # fmt: skip
    sentences: list[Told] = []
    if behind and len(every) == 1:
        sentences.append(("behind", say("verdict.only_language", **about)))
    elif behind and verdicts["last"] == [code]:
        sentences.append(("behind", say("verdict.most", **about)))
    elif behind:
        others = [labels.language(other).name for other in verdicts["last"] if other != code]
        alike = say("verdict.alike", name=name, others=", ".join(others), codes=verdicts["last"])
        lowest = say("verdict.lowest", **about)
        sentences.append(("behind", joined([lowest, alike] if others else [lowest], " ")))
    elif worst["difference"] > 0:
        sentences.append(("", say("verdict.none", **about)))
    else:
        sentences.append(("", say("verdict.no_observed", base=base)))
    if behind and worst["low_all"] <= 0:
        sentences.append(("", say("reaches.stepped", each="language")))
    if behind:
        sentences += _wording(section, code, worst["left_out"])
    if equal:
        names = ", ".join(labels.language(other).name for other in equal)
        margin = f"{100 * MARGIN:g}"
        sentences.append(
            ("", say("verdict.equal", margin=margin, names=names, codes=equal, base=base))
        )
    return sentences


def _wording(section: GapSection, code: str, left_out: Sequence[str]) -> list[Told]:
    """The tasks in which the wording may cause a gap, and whether they count."""
    doubted = [
        name
        for name, task in section["tasks"].items()
        if (task["languages"].get(code) or {}).get("wording")
    ]
    if not doubted:
        return []
    kind = "verdict.left_out" if left_out else "verdict.wording"
    tasks = ", ".join(labels.task(task).title for task in doubted)
    name = labels.language(code).name
    return [("warn", say(kind, tasks=tasks, name=name, base=base_name(section)))]


def _nowhere(section: GapSection) -> list[Told]:
    """The languages whose largest gap, all levels together, is surely within the margin."""
    limits: dict[str, list[bool]] = {}
    for task in section["tasks"].values():
        for code, cell in others(task):
            paired = cell.get("paired") or {}
            low, high = paired.get("free_low"), paired.get("free_high")
            held = low is not None and high is not None and within_everywhere(low, high)
            limits.setdefault(code, []).append(held)
    codes = [code for code, held in limits.items() if all(held)]
    if not codes:
        return []
    names = ", ".join(labels.language(code).name for code in codes)
    margin = f"{100 * MARGIN:g}"
    base = base_name(section)
    return [("", say("verdict.nowhere", margin=margin, names=names, codes=codes, base=base))]


def _points(found: Verdict, base: str) -> Said:
    """The difference of a verdict in words, with its interval."""
    ends = f"{points(found['low_all'], 0)} to {points(found['high_all'], 0)}"
    return say(
        "verdict.difference",
        difference=points(found["difference"], 0),
        n=count(found["n"]),
        ends=ends,
        base=base,
    )


def _counted_only(found: Behind, base: str) -> list[Told]:
    """Without verdicts over tasks: what was counted, and no rank."""
    name = labels.language(found.language).name
    counted = say(
        "verdict.counted",
        share=percent(found.right / found.asked),
        right=count(found.right),
        asked=count(found.asked),
        share_en=percent(found.right_en / found.asked_en),
        difference=points(found.apart, 0),
        base=base,
    )
    if found.apart <= 0:
        return [] if found.holding else [("", say("verdict.no_observed", base=base))]
    said = say("verdict.none", name=name, counted=counted, base=base)
    return [] if found.holding else [("", said)]
