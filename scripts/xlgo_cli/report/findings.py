"""The main results of families with gaps in sentences, for the first screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from xlgo_metric.comparison import Cell
from xlgo_metric.comparison.gaps import Counted
from xlgo_metric.comparison.section import asked_as, cells_of, cells_of_section
from xlgo_metric.core import grouped
from xlgo_metric.statistics.claims import is_significant as below_alpha

from ..display import labels
from ..display.formats import (
    count,
    ends,
    percent,
    points,
    right_of,
    several,
    sizes,
    spread,
)
from ..display.sentences import Said, joined, say
from . import experiments
from .gap_marks import (
    MARGIN_POINTS,
    CellScores,
    GapSection,
    base_name,
    baseline,
    chosen_tasks,
    compared_cells,
    gap_of,
    is_behind,
    is_chosen,
    is_identified,
    is_significant,
    is_supported,
    mark,
    ordered,
    verdicts_of,
)

if TYPE_CHECKING:
    from xlgo_metric.comparison.gaps import ByLanguage, ReadingGap

_FEW = 0.02  # share of unreadable responses that needs no mention
_FEW_OF_ONE = 0.05  # the same in one language and task
_UNREAD = ("truncated", "no_answer", "bad_format")
_MOST_GAPS = 3
_MOST_SILENT = 4
_MOSTLY = 0.5  # share of answers cut off from which that is the reason, not the size

Told = tuple[str, Said]
"""A kind (``behind``, ``ahead``, ``warn`` or "") and a sentence of the registry."""


def family_findings(name: str, section: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The sentences of a family without curves: how its languages compare, and its own."""
    from xlgo_metric.comparison.section import KEY, readings_by_cell
    from xlgo_metric.family import family

    found = section.get(KEY)
    told = by_language(found, readings_by_cell(section)) if found else []
    return [*told, *family(name).findings(section)]


def by_language(
    found: ByLanguage, readings: Mapping[tuple[str, str, str], ReadingGap] = {}
) -> list[Told]:
    """How the languages of a family without curves, or of a benchmark, compare with the baseline.

    Args:
        found: the comparison, all its cells tested together.
        readings: the gaps that depend on how answers are read; see ``readings_by_cell``.
    """
    base, cells = labels.language(found["baseline"]).name, cells_of_section(found)
    telling = [cell for cell in cells if not cell.refused]
    told = [_overall(telling, base)] if telling else []
    if quiet := [f"{_place(cell)} ({cell.refused})" for cell in cells if cell.refused]:
        more = f" and {len(quiet) - _MOST_SILENT} more" if len(quiet) > _MOST_SILENT else ""
        where = "; ".join(quiet[:_MOST_SILENT]) + more
        told.append(("warn", say("family.silent", where=where)))
    telling.sort(key=lambda cell: -abs(cell.difference))
    sure = [cell for cell in telling if cell.is_significant]
    readings_left = dict(readings)
    for cell in sure[:_MOST_GAPS]:
        sentence = language_gap(cell, base)
        gap = readings_left.pop((cell.task, asked_as(cell), cell.other), None)
        if gap is not None:
            sentence = joined([sentence, _reading(gap)], " But ", after=".")
        told.append(("behind" if cell.difference > 0 else "ahead", sentence))
    if telling and not sure:
        told.append(("", say("family.largest", sentence=language_gap(telling[0], base))))
    return [*told, *depending(base, [(task, code) for task, _, code in readings_left])]


def _overall(cells: Sequence[Cell], base: str) -> Told:
    """In how many cells a language is significantly behind, or ahead."""
    sure = [(cell.task, cell.other, cell.difference > 0) for cell in cells if cell.is_significant]
    behind = sum(way for *_, way in sure)
    ahead, pairs = len(sure) - behind, several(len(cells), "language-task pair")
    if not sure:
        return "", say("pairs.none", pairs=pairs, base=base)
    more = f", and ahead of it in {ahead}" if ahead else ""
    said = say("pairs.behind", behind=behind, pairs=pairs, base=base, ahead=more, ways=sure)
    return "behind" if behind else "", said


def _place(cell: Cell) -> str:
    return f"{labels.language(cell.other).name}, {labels.task(cell.task).title}"


def language_gap(cell: Cell, base: str) -> Said:
    """A gap in words; its interval holds for all cells together.

    Args:
        base: the name of the baseline.
    """
    return say(
        "family.gap",
        name=labels.language(cell.other).name,
        task=labels.task(cell.task).title,
        base=base,
        accuracy=percent(cell.accuracy, 1),
        accuracy_base=percent(cell.baseline_accuracy, 1),
        **_size(cell),
        where=(cell.task, cell.other),
    )


def _size(cell: Cell) -> dict[str, Any]:
    """A difference with its interval and questions, as sentences have it."""
    limits = f"95% interval, all together: {ends(*cell.interval)}" if cell.interval else ""
    return {
        "difference": points(cell.difference, 0), "n": count(cell.n), "limits": cell.interval,
        "ends": limits or f"no interval, {cell.refused}",
    }  # fmt: skip


def _reading(gap: ReadingGap) -> Said:
    """A gap under each of the three readings."""
    shown = {name: _read(read) for name, read in gap["by_reading"].items()}
    return say("gap.reading", n=count(gap["n"]), **shown)


def _read(read: Mapping[str, Any]) -> str:
    if not read["baseline_accuracy"] and not read["accuracy"]:
        return "no correct answers"
    found = "significant" if read["is_significant"] else "not significant"
    return f"{points(read['difference'])} points, {found}"


def depending(base: str, rest: Sequence[tuple[str, str]]) -> list[Told]:
    """Gaps without a sentence of their own that depend on the reading: where, in one sentence.

    Args:
        base: what the gaps are to.
        rest: their tasks and codes of languages.
    """
    named = [f"{labels.language(code).name}, {labels.task(task).title}" for task, code in rest]
    more = len(named) - _MOST_GAPS
    where = "; ".join(dict.fromkeys(named[:_MOST_GAPS])) + (f"; {more} more" if more > 0 else "")
    return [("warn", say("readings.depend", base=base, where=where))] if named else []


def findings(section: GapSection, gaps: int = _MOST_GAPS) -> list[Told]:
    """The main results in sentences, each with its kind (``behind``, ``ahead``, ``warn`` or "").

    Args:
        section: see ``with_gaps``.
        gaps: how many of the largest get a sentence of their own.
    """
    compared = compared_cells(section)
    cells = [one for one in compared if gap_of(one[2]) is not None]
    telling = [one for one in cells if not (one[2].get("extreme") or one[2].get("unequal"))]
    sentences = _extremes(section, cells)
    stated: list[tuple[str, str]] = []
    if tasks := chosen_tasks(section):
        sentences.append(("warn", say("pairs.chosen", tasks=tasks)))
    if telling:
        counted = [one for one in telling if not is_chosen(one[2])]
        sentences += _pairs(counted, base_name(section)) if counted else []
        holds = [found for found in telling if is_significant(found[2])]
        # Intervals of gaps that were chosen without a test would fail too often
        # (benchmarks/sentences.py: 12% of reports without a gap). A gap that the wording may cause
        # comes after those that it does not.
        holds.sort(key=lambda one: ("†" in mark(one[2]), -abs(_difference(one[2]))))
        for name, code, cell in holds[:gaps]:
            kind = "behind" if is_behind(cell) else "ahead"
            sentences.append((kind, gap_sentence(name, code, cell)))
            stated.append((name, code))
    elif not cells:
        sentences += _alone(section)
    read = [
        (name, code)
        for name, code, cell in compared
        if cell.get("reading") and (name, code) not in stated
    ]
    sentences += depending(base_name(section), read)
    if lacking := [(name, code) for name, code, cell in cells if cell.get("unequal")]:
        places = [f"{labels.language(code).name}, {labels.task(n).title}" for n, code in lacking]
        said = say("pairs.unequal", base=base_name(section), where="; ".join(places))
        sentences.append(("warn", said))
    if section.get("why"):
        sentences += experiments.findings(section)
    unread = _unread(section)
    return [*sentences, ("warn", unread)] if unread else sentences


def gap_sentence(task: str, code: str, cell: CellScores) -> Said:
    """Describe a gap: first the counts, then the fitted curves."""
    language = labels.language(code).name
    place = f"{language}, {labels.both_names(task)}: "
    about = {"task": task, "code": code, "base": base_name(cell)}
    reading = [_reading(cell["reading"])] if cell.get("reading") else []
    if cell.get("extreme"):
        told = [say("gap.extreme", extreme=cell["extreme"], **about), *reading]
        return joined(told, ". ", before=place, after=".")
    parts = []
    if gap := gap_of(cell):
        kind = "gap.chosen" if gap.is_chosen else "gap.difference"
        parts.append(say(kind, language=language, **_size(gap), **about))
    if pooled := cell.get("pooled"):
        parts.append(_counted("gap.counted", pooled, about))
    if not is_identified(cell):
        parts.append(say("gap.unidentified", language=language, **about))
    elif not is_supported(cell):
        parts.append(say("gap.unsupported", **about))
    elif cell.get("small"):
        parts += _small(cell, about)
    elif cell.get("smd") is not None:
        parts.append(_curves(task, language, cell, about))
    if (cell.get("paired") or {}).get("interval") == "union" and not cell.get("small"):
        parts.append(_misfit(cell, about))
    if crossing := cell.get("crossing"):
        parts.append(_counted("gap.reverses", crossing, about))
    elif _differs(cell) and not is_significant(cell):
        parts.append(say("gap.somewhere", **about))
    if "†" in mark(cell):
        parts.append(say("gap.wording", language=language, **about))
    return joined([*parts, *reading], ". ", before=place, after=".")


def _differs(cell: CellScores) -> bool:
    """Whether the two languages differ at some size, whatever their means."""
    return below_alpha((cell.get("paired") or {}).get("p_holm"))


def _difference(cell: CellScores) -> float:
    gap = gap_of(cell)
    return 0.0 if gap is None else gap.difference


def _small(cell: CellScores, about: Mapping[str, str]) -> list[Said]:
    """The largest gap where there are few questions a level: an interval, no SMD."""
    paired = cell.get("paired") or {}
    if paired.get("free_low") is None:
        return []
    levels = max(len(cell["levels"]), 1)
    limits = together(paired, "free_low", "free_high")
    told = {"n": count(round(paired["n"] / levels)), "ends": ends(*limits, between="and")}
    return [say("gap.small", limits=limits, **told, **about)]


def _misfit(cell: CellScores, about: Mapping[str, str]) -> Said:
    """That the curve does not fit, where that widened the interval."""
    size = (cell.get("paired") or {}).get("misfit_size") or 0.0
    return say("gap.misfit", size=points(size, 0, signed=False), **about)


def _curves(task: str, language: str, cell: CellScores, about: Mapping[str, str]) -> Said:
    """What the fitted curves say of the largest gap."""
    size = f"SMD {points(cell['smd'])} {spread(cell.get('smd_sd'))} points".replace("  ", " ")
    if (c_star := cell.get("c_star")) is None or cell.get("f_l") is None:
        return say("gap.smd", size=size, **about)
    told = {
        "at": sizes([c_star], labels.task(task).unit),
        "language": language, "f_l": percent(cell["f_l"]), "f_en": percent(cell["f_en"]),
        "size": size, **about,
    }  # fmt: skip
    paired = cell.get("paired") or {}
    if paired.get("low") is None:
        return say("gap.curves_only", **told)
    limits = together(paired)
    return say("gap.curves", ends=ends(*limits, between="and"), limits=limits, **told)


def together(found: Mapping[str, Any], low: str = "low", high: str = "high") -> tuple[float, float]:
    """Limits that hold for all cells together; those of the cell where there are none."""
    first, second = (float(found.get(f"{end}_all", found[end])) for end in (low, high))
    return first, second


def _counted(kind: str, found: Counted, about: Mapping[str, str]) -> Said:
    """Correct answers of both languages over some levels."""
    return say(
        kind,
        sizes=sizes(found["levels"], labels.task(about["task"]).unit),
        right=right_of(found["k_l"], found["n_l"]),
        language=labels.language(about["code"]).name,
        right_en=right_of(found["k_en"], found["n_en"]),
        levels=found["levels"],
        **about,
    )


def _extremes(section: GapSection, cells: Sequence[tuple[str, str, CellScores]]) -> list[Told]:
    """Where a model solves almost nothing, or almost everything, so that nothing can be found."""
    sentences: list[Told] = []
    for kind in ("nothing", "everything"):
        extreme_cells = [
            (name, code, cell) for name, code, cell in cells if cell.get("extreme") == kind
        ]
        if not extreme_cells:
            continue
        tasks = list(dict.fromkeys(name for name, _, _ in extreme_cells))
        asked = {
            (name, code): section["tasks"][name]["languages"][code]
            for name, one, _ in extreme_cells
            for code in (one, baseline(section))
            if code in section["tasks"][name]["languages"]
        }
        right = sum(cell["correct"] for cell in asked.values())
        total = sum(cell["n"] for cell in asked.values())
        if len(extreme_cells) == len(cells):
            where = ""
        else:
            pairs = [f"{labels.task(name).title}" for name in tasks]
            where = f" on {', '.join(pairs)}"
            if any(one.get("extreme") != kind for name, _, one in cells if name in tasks):
                where += " in " + ", ".join(
                    dict.fromkeys(labels.language(code).name for _, code, _ in extreme_cells)
                )
        cut = sum(cell["statuses"].get("truncated", 0) for cell in asked.values())
        if kind == "nothing" and cut > _MOSTLY * total:
            amounts = {"cut": count(cut), "total": count(total), "right": count(right)}
            sentences.append(("warn", say("extreme.cut", where=where, **amounts)))
            continue
        easier = "smaller" if kind == "nothing" else "larger"
        sentences.append(
            (
                "warn",
                say(
                    "extreme.some" if where else "extreme.all",
                    kind=kind, where=where, right=count(right), total=count(total), easier=easier,
                ),
            )
        )  # fmt: skip
    return sentences


def _alone(section: GapSection) -> list[Told]:
    """A run that cannot be compared: how much of it is right, by language."""
    languages = grouped(cells_of(section["tasks"]), itemgetter(1))
    told: list[Told] = []
    for code in ordered(languages):
        cells = [cell for *_, cell in languages[code]]
        right, total = sum(cell["correct"] for cell in cells), sum(cell["n"] for cell in cells)
        name = labels.language(code).name
        kinds = {cell.get("solves") for cell in cells}
        if len(kinds) == 1 and (kind := kinds.pop()):
            counted = {"right": count(right), "total": count(total)}
            told.append(("warn", say("alone.extreme", name=name, kind=kind, **counted)))
        else:
            told.append(("", say("alone.solves", name=name, right=right_of(right, total))))
    if baseline(section) not in languages:
        told.append(("", say("alone.no_english", base=base_name(section))))
    return told


def _unread(section: GapSection) -> Said | None:
    """How many responses held no answer that could be read; ``None`` if few everywhere."""
    cells = {(name, code): cell for name, code, cell in cells_of(section["tasks"])}
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
        return None
    (name, code), most = max(shares.items(), key=lambda item: item[1], default=(("", ""), 0.0))
    many_of_one = most > _FEW_OF_ONE and most * cells[name, code]["n"] > 1
    if sum(lost.values()) <= _FEW * total and not many_of_one:
        return None
    kinds = ", ".join(
        f"{percent(number / total, 1)} {labels.STATUSES[status][0]}"
        for status, number in lost.items()
        if number
    )
    return say(
        "unread",
        share=percent(sum(lost.values()) / total, 1),
        kinds=kinds,
        language=labels.language(code).name,
        task=labels.task(name).title,
        most=percent(most, 1),
    )


def _pairs(found: Sequence[tuple[str, str, CellScores]], base: str) -> list[Told]:
    """In how many of the gaps the paired test finds something, and how many have no size."""
    gaps = [(name, code, gap) for name, code, cell in found if (gap := gap_of(cell)) is not None]
    tested = [
        replace(gap, where={"task": name}, other=code)
        for name, code, gap in gaps
        if gap.p_value is not None
    ]
    if not tested:
        return [("", joined([say("pairs.untested", base=base)], after="."))]
    kind, first = _overall(tested, base)
    sentences = [first]
    if len(gaps) > len(tested):
        number = count(len(gaps) - len(tested))
        sentences.append(say("pairs.more_untested", number=number))
    unsized = sum(not is_identified(cell) for *_, cell in found)
    if unsized:
        sentences.append(say("pairs.unsized", number=unsized))
    return [(kind, joined(sentences, after="."))]


def worst_sentence(section: GapSection) -> list[Told]:
    """Which language is the most affected, as far as the answers distinguish it.

    Over the tasks that count for every language, each with the same weight; where none does, a
    sentence says so.
    """
    verdicts, base = section.get("over_tasks"), base_name(section)
    lacking = {
        code for name, code, cell in compared_cells(section)
        if cell.get("unequal") and verdicts and name in verdicts["tasks"]
    }  # fmt: skip
    every = {code: gap for code, gap in verdicts_of(section).items() if code not in lacking}
    if not verdicts or not compared_cells(section):
        return []
    uncounted = left_out(verdicts["left_out"])
    if not every:
        said = say("verdict.no_tasks", reasons=uncounted, base=base)
        return [("warn", said)] if uncounted and not lacking else []
    code = max(every, key=lambda other: every[other].difference)
    worst, name = every[code], labels.language(code).name
    tasks = several(len(verdicts["tasks"]), "task")
    counted = say("verdict.difference", base=base, **_size(worst))
    about = {"name": name, "counted": counted, "tasks": tasks, "limits": worst.interval,
             "code": code, "base": base}  # fmt: skip
    behind = worst.is_significant and worst.difference > 0
    sentences: list[Told] = []
    if behind and (len(every) == 1 or lacking):  # no largest one where some are not known
        sentences.append(("behind", say("verdict.only_language", **about)))
    elif behind and verdicts["last"] == [code]:
        sentences.append(("behind", say("verdict.most", **about)))
    elif behind:
        others = [labels.language(other).name for other in verdicts["last"] if other != code]
        alike = say("verdict.alike", name=name, others=", ".join(others), codes=verdicts["last"])
        lowest = say("verdict.lowest", **about)
        sentences.append(("behind", joined([lowest, alike] if others else [lowest], " ")))
    elif worst.difference > 0 and not lacking:
        sentences.append(("", say("verdict.none", **about)))
    elif not lacking:
        sentences.append(("", say("verdict.no_observed", base=base)))
    if uncounted:
        sentences.append(("warn", say("verdict.left_out", reasons=uncounted)))
    if equal := [other for other, gap in every.items() if gap.is_equal]:
        names = ", ".join(labels.language(other).name for other in equal)
        said = say("verdict.equal", margin=MARGIN_POINTS, names=names, codes=equal, base=base)
        sentences.append(("", said))
    return sentences


def left_out(reasons: Mapping[str, str]) -> str:
    """Why tasks do not count, in words."""
    return "; ".join(f"{labels.task(task).title} ({why})" for task, why in reasons.items())
