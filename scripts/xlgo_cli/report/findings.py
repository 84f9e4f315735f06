"""The main results of families with gaps in sentences, for the first screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from xlgo_metric.comparison.gaps import Counted
from xlgo_metric.comparison.section import cells_of
from xlgo_metric.core import grouped
from xlgo_metric.statistics.claims import (
    OverTasks,
    is_significant,
    is_silent,
    standing,
    within_everywhere,
)

from ..display import labels
from ..display.formats import (
    count,
    ends,
    p_value,
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
    Behind,
    CellScores,
    GapSection,
    base_name,
    baseline,
    compared_cells,
    crosses,
    doubt,
    is_behind,
    is_identified,
    is_supported,
    mark,
    most_behind,
    ordered,
    over_all,
)

if TYPE_CHECKING:
    from xlgo_metric.comparison.gaps import ByLanguage, LanguageCell, ReadingGap

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
        found: the comparison, corrected for all its cells together.
        readings: the gaps that depend on how answers are read; see ``readings_by_cell``.
    """
    base = labels.language(found["baseline"]).name
    telling = [cell for cell in found["cells"] if not silent(cell)]
    told = [_compared(telling, base)] if telling else []
    if quiet := [_place(cell) for cell in found["cells"] if silent(cell)]:
        more = f" and {len(quiet) - _MOST_SILENT} more" if len(quiet) > _MOST_SILENT else ""
        where = "; ".join(quiet[:_MOST_SILENT]) + more
        told.append(("warn", say("family.silent", where=where)))
    telling.sort(key=lambda cell: -abs(cell["difference"]))
    sure = [cell for cell in telling if is_significant(cell["p_holm"])]
    readings_left = dict(readings)
    for cell in sure[:_MOST_GAPS]:
        sentence = language_gap(cell, base)
        gap = readings_left.pop((cell["task"], cell["asked_as"], cell["language"]), None)
        if gap is not None:
            sentence = joined([sentence, _reading(gap)], " But ", after=".")
        told.append(("behind" if cell["difference"] > 0 else "ahead", sentence))
    if any(sentence.reaches_zero for _, sentence in told):
        told.append(("", say("reaches.stepped", each="pair")))
    if telling and not sure:
        told.append(("", say("family.largest", sentence=language_gap(telling[0], base))))
    return [*told, *depending(base, [(task, code) for task, _, code in readings_left])]


def silent(cell: LanguageCell) -> bool:
    """Whether a cell has too few discordant questions for a test."""
    return is_silent(cell["only_base"], cell["only_language"])


def _compared(cells: Sequence[LanguageCell], base: str) -> Told:
    """In how many comparisons a language is significantly behind, or ahead."""
    sure = [cell["difference"] > 0 for cell in cells if is_significant(cell["p_holm"])]
    behind, ahead = sum(sure), len(sure) - sum(sure)
    pairs = several(len(cells), "comparison")
    if not sure:
        return "", say("family.none", pairs=pairs, base=base)
    more = f", and ahead of it in {ahead}" if ahead else ""
    said = say("family.behind", behind=behind, pairs=pairs, base=base, ahead=more)
    return "behind" if behind else "", said


def _place(cell: LanguageCell) -> str:
    return f"{labels.language(cell['language']).name}, {labels.task(cell['task']).title}"


def language_gap(cell: LanguageCell, base: str) -> Said:
    """A gap in words, counts first; its interval holds for all cells together.

    Args:
        base: the name of the baseline.
    """
    limits = together(cell)
    return say(
        "family.gap",
        name=labels.language(cell["language"]).name,
        task=labels.task(cell["task"]).title,
        base=base,
        right=right_of(round(cell["accuracy"] * cell["n"]), cell["n"]),
        right_base=right_of(round(cell["accuracy_base"] * cell["n"]), cell["n"]),
        only_base=count(cell["only_base"] or 0),
        only_other=count(cell["only_language"] or 0),
        difference=points(cell["difference"], 0),
        ends=ends(*limits),
        p=p_value(cell["p_holm"]),
        limits=limits,
        where=(cell["task"], cell["language"]),
    )


def _reading(gap: ReadingGap) -> Said:
    """A gap under each of the three readings."""
    shown = {name: _read(read) for name, read in gap["by_reading"].items()}
    return say("gap.reading", n=count(gap["n"]), **shown)


def _read(read: Mapping[str, Any]) -> str:
    if not read["accuracy_base"] and not read["accuracy"]:
        return "no correct answers"
    found = "significant" if read["significant"] else "not significant"
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
    cells = [one for one in compared if one[2].get("smd") is not None or one[2].get("pooled")]
    telling = [found for found in cells if not found[2].get("extreme")]
    sentences = _extremes(section, cells)
    stated: list[tuple[str, str]] = []
    if telling:
        sentences.append(_overall(telling))
        holds = [found for found in telling if mark(found[2]) == "●"]
        # Intervals of gaps that were chosen without a test would fail too often
        # (benchmarks/sentences.py: 12% of reports without a gap). A gap that the wording may cause
        # comes after those that it does not.
        holds.sort(key=lambda one: (bool(one[2].get("wording")), -abs(over_all(one[2]) or 0.0)))
        reaches = False
        for name, code, cell in holds[:gaps]:
            kind = "" if crosses(cell) else "behind" if is_behind(cell) else "ahead"
            told = gap_sentence(name, code, cell)
            sentences.append((kind, told))
            stated.append((name, code))
            reaches |= told.reaches_zero and not crosses(cell)
        if reaches:
            sentences.append(("", say("reaches.sizes")))
    elif not cells:
        sentences += _alone(section)
    read = [
        (name, code)
        for name, code, cell in compared
        if cell.get("reading") and (name, code) not in stated
    ]
    sentences += depending(base_name(section), read)
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
    whole = cell.get("difference")
    if whole:
        limits = together(whole)
        size = points(whole["difference"], 0)
        counted = {"n": count(whole["n"]), "difference": size, "ends": ends(*limits)}
        parts.append(say("gap.difference", limits=limits, language=language, **counted, **about))
    if pooled := cell.get("pooled"):
        parts.append(_counted("gap.counted", pooled, about))
    if not is_identified(cell):
        parts.append(say("gap.unidentified", language=language, **about))
        if mark(cell) == "●":
            parts.append(say("gap.but_significant", **about))
    elif not is_supported(cell):
        parts.append(say("gap.unsupported", **about))
    elif cell.get("small"):
        parts += _small(cell, about)
    elif cell.get("smd") is not None:
        parts.append(_curves(task, language, cell, about))
    if (cell.get("paired") or {}).get("interval") == "union" and not cell.get("small"):
        parts.append(_misfit(cell, about))
    if crosses(cell) and (crossing := cell.get("crossing")):
        parts.append(_counted("gap.reverses", crossing, about))
    if cell.get("wording"):
        parts.append(say("gap.wording", language=language, **about))
    return joined([*parts, *reading], ". ", before=place, after=".")


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
    """Correct answers of both languages over some levels, and the exact interval."""
    shares = found["k_en"] / found["n_en"], found["k_l"] / found["n_l"]
    limits = together(found)
    return say(
        kind,
        sizes=sizes(found["levels"], labels.task(about["task"]).unit),
        right=right_of(found["k_l"], found["n_l"]),
        language=labels.language(about["code"]).name,
        right_en=right_of(found["k_en"], found["n_en"]),
        difference=points(shares[0] - shares[1], 0),
        ends=ends(*limits),
        limits=limits,
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


def _overall(found: Sequence[tuple[str, str, CellScores]]) -> Told:
    """In how many of the gaps the paired test finds something, and of which kind it is."""
    cells = [cell for _, _, cell in found]
    tested = sum((cell.get("paired") or {}).get("p_holm") is not None for cell in cells)
    holds = [one for one in found if mark(one[2]) == "●"]
    ways = {"behind": [], "ahead": [], "crosses": [], "unclear": []}  # type: dict[str, list[Any]]
    for task, code, cell in holds:
        way = cell.get("direction") or ("behind" if is_behind(cell) else "ahead")
        ways[way].append((task, code))
    base = base_name(cells[0])
    pairs = several(tested, "language-task pair")
    behind, ahead, crossing = (len(ways[way]) for way in ("behind", "ahead", "crosses"))
    if not tested:
        sentences = [say("pairs.untested", base=base)]
    elif not behind + ahead + crossing:
        sentences = [say("pairs.none", pairs=pairs, base=base)] if not holds else []
    else:
        more = f", and behind at some sizes and ahead at others in {crossing}"
        sentences = [
            say(
                "pairs.behind",
                behind=behind,
                pairs=pairs,
                ahead=f", and ahead of it in {ahead}" if ahead else "",
                crossing=more if crossing else "",
                ways=ways,
                base=base,
            )
        ]
    if ways["unclear"]:
        sentences.append(say("pairs.unclear", number=len(ways["unclear"]), cells=ways["unclear"]))
    if tested and len(cells) > tested:
        sentences.append(say("pairs.more_untested", number=count(len(cells) - tested)))
    only = sum(mark(cell) == "○" for cell in cells)
    if only:
        sentences.append(say("pairs.published", number=only, are="is" if only == 1 else "are"))
    unsized, beyond = (sum(doubt(cell) == sign for cell in cells) for sign in "?!")
    if unsized:
        sentences.append(say("pairs.unsized", number=unsized))
    if beyond:
        sentences.append(say("pairs.unsupported", number=beyond))
    return "behind" if behind else "", joined(sentences, after=".")


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
        where = f"{len(found.holding)} of {several(len(found.tasks), 'task')}"
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
    tasks = several(worst["tasks"], "task")
    about = {"name": name, "counted": _points(worst, base), "tasks": tasks,
            "limits": (worst["low_all"], worst["high_all"]),
            "code": code, "base": base}  # fmt: skip
    behind = is_significant(worst["p_holm"]) and worst["difference"] > 0
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
        sentences.append(
            ("", say("verdict.equal", margin=MARGIN_POINTS, names=names, codes=equal, base=base))
        )
    return sentences


def _wording(section: GapSection, code: str, left_out: Sequence[str]) -> list[Told]:
    """The tasks in which the wording may cause a gap, and whether they count."""
    doubted = [
        name
        for name, task in section["tasks"].items()
        if code in task["languages"] and task["languages"][code].get("wording")
    ]
    if not doubted:
        return []
    kind = "verdict.left_out" if left_out else "verdict.wording"
    tasks = ", ".join(labels.task(task).title for task in doubted)
    name = labels.language(code).name
    return [("warn", say(kind, tasks=tasks, name=name, base=base_name(section)))]


def _nowhere(section: GapSection) -> list[Told]:
    """The languages whose largest gap, all levels together, is surely within the margin."""
    compared = grouped(compared_cells(section), itemgetter(1))
    codes = [code for code, cells in compared.items() if all(_is_within(one) for *_, one in cells)]
    if not codes:
        return []
    names = ", ".join(labels.language(code).name for code in codes)
    base = base_name(section)
    return [("", say("verdict.nowhere", margin=MARGIN_POINTS, names=names, codes=codes, base=base))]


def _is_within(cell: CellScores) -> bool:
    """Whether the largest gap of a cell is surely within the margin."""
    paired = cell.get("paired") or {}
    low, high = paired.get("free_low"), paired.get("free_high")
    return low is not None and high is not None and within_everywhere(low, high)


def _points(found: OverTasks, base: str) -> Said:
    """The difference of a verdict in words, with its interval."""
    return say(
        "verdict.difference",
        difference=points(found["difference"], 0),
        n=count(found["n"]),
        ends=ends(found["low_all"], found["high_all"]),
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
