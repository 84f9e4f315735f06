"""The main results of families with gaps in sentences: "In short" on the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..display import labels
from ..display.formats import count, percent, points, sizes, spread
from .cells import (
    ALPHA,
    Cells,
    apart,
    base_name,
    baseline,
    crosses,
    doubt,
    in_order,
    is_behind,
    is_identified,
    is_supported,
    mark,
    ordered,
    others,
)
from .experiments import why

if TYPE_CHECKING:
    from xlgo_metric.comparison.section import ByLanguage

_FEW = 0.02  # share of unreadable responses that needs no mention
_FEW_OF_ONE = 0.05  # the same in one language and task
_UNREAD = ("truncated", "no_answer", "bad_format")
_MOST_GAPS = 3

Told = tuple[str, str]
"""A kind (``behind``, ``ahead``, ``warn`` or "") and a sentence."""


def family_findings(name: str, section: Mapping[str, Any]) -> list[Told]:
    """The sentences of a family without curves: its own, and how its languages compare."""
    from xlgo_metric.comparison.section import KEY
    from xlgo_metric.family import family

    found = section.get(KEY)
    return [*family(name).findings(section), *(_by_language(found) if found else [])]


def _by_language(found: ByLanguage) -> list[Told]:
    base = labels.language(found["baseline"]).name
    cells = found["cells"]
    sure = [cell for cell in cells if cell["p_holm"] is not None and cell["p_holm"] < ALPHA]
    if not sure:
        return [
            ("", f"No language is significantly behind {base} in {len(cells)} comparisons on the "
             "same questions (paired test, Holm-corrected, 5%).")
        ]  # fmt: skip
    told: list[Told] = []
    for cell in sorted(sure, key=lambda cell: -abs(cell["difference"]))[:_MOST_GAPS]:
        told.append(
            (
                "behind" if cell["difference"] > 0 else "ahead",
                f"{labels.language(cell['language']).name}, {labels.task(cell['task']).title}: "
                f"{percent(cell['accuracy'], 1)} correct, {percent(cell['accuracy_base'], 1)} in "
                f"{base} on the same {count(cell['n'])} questions: {points(cell['difference'])} "
                f"points, 95% interval {points(cell['low'])} to {points(cell['high'])} "
                "(paired test, Holm-corrected, 5%).",
            )
        )
    return told


def findings(section: Mapping[str, Any], gaps: int = _MOST_GAPS) -> list[Told]:
    """The main results in sentences, each with its kind (``behind``, ``ahead``, ``warn`` or "").

    Args:
        section: see ``with_gaps``.
        gaps: how many of the largest get a sentence of their own.
    """
    cells = [
        (name, code, cell)
        for name, task in in_order(section["tasks"])
        for code, cell in others(task)
        if cell.get("smd") is not None or cell.get("pooled")
    ]
    telling = [found for found in cells if not found[2].get("extreme")]
    told = _extremes(section, cells)
    if telling:
        told.append(_overall([cell for _, _, cell in telling]))
        holds = [found for found in telling if mark(found[2]) == "●"]
        marked = holds or [found for found in telling if mark(found[2])]
        marked.sort(key=lambda found: -abs(apart(found[2])))
        for name, code, cell in marked[:gaps]:
            kind = "" if crosses(cell) else "behind" if is_behind(cell) else "ahead"
            told.append((kind, gap_sentence(name, code, cell)))
    elif not cells:
        told += _alone(section)
    told += why.findings(section)
    unread = _unread(section)
    return [*told, ("warn", unread)] if unread else told


def gap_sentence(task: str, code: str, cell: Cells) -> str:
    """A gap in words: what was counted first, then what the curves make of it."""
    language = labels.language(code).name
    place = f"{language}, {labels.both_names(task)}: "
    if cell.get("extreme"):
        return (
            f"{place}the model solves almost {cell['extreme']} in both languages; nothing can be "
            "found out about a gap."
        )
    parts = []
    if cell.get("pooled"):
        parts.append(_counted(task, code, cell, cell["pooled"]))
    if not is_identified(cell):
        parts.append(
            f"the accuracies in {language} or in {base_name(cell)} do not fix a curve, so the gap "
            "has no size"
        )
        if mark(cell) == "●":
            parts.append("that there is one holds in the paired test")
    elif not is_supported(cell):
        parts.append(
            "the fitted curves say more than any level shows, which is not supported: the levels "
            "are coarse against the drop"
        )
    elif cell.get("smd") is not None:
        parts.append(_curves(task, language, cell))
    if crosses(cell):
        parts.append(
            "the gap reverses elsewhere, "
            + _counted(task, code, cell, cell["crossing"], limits=False)
        )
    return place + "; ".join(parts) + "."


def _curves(task: str, language: str, cell: Cells) -> str:
    """What the fitted curves say of the largest gap."""
    size = f"SMD {points(cell['smd'])} {spread(cell.get('smd_sd'))} points".replace("  ", " ")
    if cell.get("c_star") is None or cell.get("f_l") is None:
        return size
    at = sizes([cell["c_star"]], labels.task(task).unit)
    return (
        f"the fitted curves lie furthest apart at {at}, {percent(cell['f_l'])} in {language} and "
        f"{percent(cell['f_en'])} in {base_name(cell)} ({size})"
    )


def _counted(
    task: str, code: str, cell: Cells, found: Mapping[str, Any], *, limits: bool = True
) -> str:
    """Right answers of both languages over some levels; the interval only of levels that were not
    chosen for their gap."""
    where = sizes(found["levels"], labels.task(task).unit)
    shares = found["k_en"] / found["n_en"], found["k_l"] / found["n_l"]
    ends = f", 95% interval {points(found['low'], 0)} to {points(found['high'], 0)}"
    return (
        f"at {where} the model solves {_of(found['k_l'], found['n_l'])} in "
        f"{labels.language(code).name} and {_of(found['k_en'], found['n_en'])} in "
        f"{base_name(cell)} ({points(shares[0] - shares[1], 0)} points{ends * limits})"
    )


def _of(right: int, n: int) -> str:
    return f"{count(right)} of {count(n)} ({percent(right / n)})"


def _extremes(section: Mapping[str, Any], cells: Sequence[tuple[str, str, Cells]]) -> list[Told]:
    """Where a model solves almost nothing, or almost everything, so that nothing can be found."""
    told: list[Told] = []
    for kind in ("nothing", "everything"):
        found = [(name, code, cell) for name, code, cell in cells if cell.get("extreme") == kind]
        if not found:
            continue
        tasks = list(dict.fromkeys(name for name, _, _ in found))
        asked = {
            (name, code): section["tasks"][name]["languages"][code]
            for name, one, _ in found
            for code in (one, *_baseline(section, name))
        }
        right = sum(cell["correct"] for cell in asked.values())
        total = sum(cell["n"] for cell in asked.values())
        if len(found) == len(cells):
            where, rest = "", "nothing can be found out about gaps between languages"
        else:
            pairs = [f"{labels.task(name).title}" for name in tasks]
            where, rest = f" on {', '.join(pairs)}", "nothing can be found out about a gap there"
            if any(one.get("extreme") != kind for name, _, one in cells if name in tasks):
                where += " in " + ", ".join(
                    dict.fromkeys(labels.language(code).name for _, code, _ in found)
                )
        easier = "smaller" if kind == "nothing" else "larger"
        told.append(
            (
                "warn",
                f"The model solves almost {kind}{where} ({count(right)} of {count(total)} answers "
                f"are right): {rest}. Ask {easier} puzzles.",
            )
        )
    return told


def _baseline(section: Mapping[str, Any], task: str) -> list[str]:
    return [code for code in section["tasks"][task]["languages"] if code == baseline(section)]


def _alone(section: Mapping[str, Any]) -> list[Told]:
    """A run that cannot be compared: how much of it is right, by language."""
    languages: dict[str, list[Cells]] = {}
    for task in section["tasks"].values():
        for code, cell in task["languages"].items():
            languages.setdefault(code, []).append(cell)
    told: list[Told] = []
    for code in ordered(languages):
        cells = languages[code]
        right, total = sum(cell["correct"] for cell in cells), sum(cell["n"] for cell in cells)
        name = labels.language(code).name
        kinds = {cell.get("solves") for cell in cells}
        if len(kinds) == 1 and (kind := kinds.pop()):
            told.append(
                (
                    "warn",
                    f"In {name} the model solves almost {kind} ({count(right)} of {count(total)} "
                    "answers are right).",
                )
            )
        else:
            told.append(("", f"In {name} the model solves {_of(right, total)}."))
    if baseline(section) not in languages:
        base = base_name(section)
        told.append(("", f"{base} was not asked, so there is nothing to compare with: ask it too."))
    return told


def _unread(section: Mapping[str, Any]) -> str:
    """How many responses held no answer that could be read; empty if they are few everywhere."""
    cells = {
        (name, code): cell
        for name, task in section["tasks"].items()
        for code, cell in task["languages"].items()
    }
    total = sum(cell["n"] for cell in cells.values())
    lost = {
        status: sum(cell["statuses"].get(status, 0) for cell in cells.values())
        for status in _UNREAD
    }
    shares = {
        key: sum(cell["statuses"].get(status, 0) for status in _UNREAD) / cell["n"]
        for key, cell in cells.items()
    }
    if not total:
        return ""
    (name, code), most = max(shares.items(), key=lambda item: item[1], default=(("", ""), 0.0))
    many_of_one = most > _FEW_OF_ONE and most * cells[name, code]["n"] > 1
    if sum(lost.values()) <= _FEW * total and not many_of_one:
        return ""
    kinds = ", ".join(
        f"{percent(number / total, 1)} {labels.STATUSES[status][0]}"
        for status, number in lost.items()
        if number
    )
    return (
        f"In {percent(sum(lost.values()) / total, 1)} of the responses no answer could be read "
        f"({kinds}), most often in {labels.language(code).name}, {labels.task(name).title} "
        f"({percent(most, 1)}). They count as not right: a gap may then be one of format or "
        "length, not of reasoning."
    )


def _overall(cells: Sequence[Cells]) -> Told:
    """In how many of the gaps the paired test finds something, and of which kind it is."""
    tested = sum((cell.get("paired") or {}).get("p_holm") is not None for cell in cells)
    holds = [cell for cell in cells if mark(cell) == "●"]
    crossing = sum(crosses(cell) for cell in holds)
    behind = sum(is_behind(cell) and not crosses(cell) for cell in holds)
    ahead = len(holds) - behind - crossing
    only = sum(mark(cell) == "○" for cell in cells)
    base = base_name(cells[0])
    pairs = f"{count(tested)} pair{'s' * (tested != 1)} of language and task"
    if not tested:
        text = f"No gap to {base} could be tested, for want of questions asked in both languages"
    elif not holds:
        text = f"In none of {pairs} does a gap to {base} hold in the paired test"
    else:
        text = f"The model is behind {base} in {behind} of {pairs}"
        text += f", and ahead of it in {ahead}" if ahead else ""
        text += f", and behind at some sizes and ahead at others in {crossing}" if crossing else ""
        text += " (paired test, Holm's correction, 5%)"
    if tested and len(cells) > tested:
        more = count(len(cells) - tested)
        text += f"; {more} more could not be tested, for want of common questions"
    if only:
        text += f"; {only} more {'is' if only == 1 else 'are'} marked by the published rule only"
    unsized, beyond = (sum(doubt(cell) == sign for cell in cells) for sign in "?!")
    if unsized:
        text += f"; in {unsized} the answers do not fix how large a gap is"
    if beyond:
        text += f"; in {beyond} the curves say more than any level shows, which is not supported"
    return "behind" if behind else "", text + "."
