"""The main results in sentences: a verdict over tasks, then a line for each thing to know.

``brief`` is the end of a run on a terminal: sentences, gaps, costs and signature in one screen.

No sentence claims a gap that a wording may cause (†): the verdict stands on tasks whose wording is
alike in all compared languages, and the others name the cells without †.
"""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Collection, Mapping, Sequence
from operator import itemgetter

import xlgo_dataset as xd
from xlgo_metric.comparison import Cell
from xlgo_metric.comparison.section import KEY, ByLanguage, cells_of, cells_of_section
from xlgo_metric.core import field_of, grouped
from xlgo_metric.family import Section, family as grading_family

from ..display import labels
from ..display.formats import Fields, Statement, count, percent, right_of, say, several
from ..logs.costs import cost_line
from .grid import (
    MARGIN_POINTS,
    GapSection,
    base_name,
    baseline,
    chosen_tasks,
    compared_cells,
    depending_cells,
    gap_sentence,
    gaps_of,
    language_with_note,
    listed_names,
    of_score,
    ordered,
    size_of,
    unequal_cells,
    verdicts_of,
    with_gaps,
    wordings,
)

_FEW = 0.02  # share of unreadable responses that needs no mention
_FEW_OF_ONE = 0.05  # the same in one language and task
_UNREAD = ("truncated", "no_answer", "bad_format")
_MOST_GAPS = 3
_MOSTLY = 0.5  # share of answers that have a status, from which it is the reason, not the size
_REVISED = "revised"
_SIZE = 20  # of the puzzle whose prompts are compared, or the least that its task allows

Told = tuple[str, Statement]
"""A kind (``behind``, ``ahead``, ``warn`` or "") and a sentence of the registry."""


def verdict(section: GapSection) -> list[Told]:
    """Which language is the most affected, over the tasks that count for every language.

    Each task has the same weight. Where no task counts, a sentence says why, and what settles it.
    """
    over, base, compared = section.get("over_tasks"), base_name(section), compared_cells(section)
    if not over or not compared:
        return []
    lacking = {code for name, code in unequal_cells(section) if name in over["tasks"]}
    every = {code: gap for code, gap in verdicts_of(section).items() if code not in lacking}
    if not every:
        return [] if lacking else _no_claim(section)
    of_all: Fields = {"base": base, "over": _scope(over["tasks"], len(over["left_out"]))}
    apart = [gap for gap in every.values() if gap.is_unaudited and not section.get("unaudited")]
    named_gaps = {code: gap for code, gap in every.items() if gap not in apart}
    sentences = _most_affected(
        named_gaps, over["last"], of_all, lacking=bool(lacking), apart=bool(apart)
    )
    sure = sorted(
        (gap for gap in apart if gap.is_significant and gap.difference > 0),
        key=lambda gap: -gap.difference,
    )
    seen = {c for name, c, cell in compared if name in over["tasks"] and not cell.get("extreme")}
    equal = [gap for gap in every.values() if gap.is_equal and gap.other in seen]
    return [
        *sentences,
        *(("behind", say(
            "verdict.behind", name=language_with_note(gap), code=gap.other, **of_all,
            **size_of(gap),
        )) for gap in sure[:_MOST_GAPS]),
        *([("warn", say("verdict.left_out", reasons=left_out(over["left_out"])))]
          if over["left_out"] else []),
        *([("", say(
            "verdict.equal", margin=MARGIN_POINTS, names=", ".join(map(language_with_note, equal)),
            codes=[gap.other for gap in equal], **of_all,
        ))] if equal else []),
        *_wordings(gaps_of(section).values()),
    ]  # fmt: skip


def _most_affected(
    every: Mapping[str, Cell],
    last: Sequence[str],
    about: Fields,
    *,
    lacking: bool,
    apart: bool,
) -> list[Told]:
    """The verdict over languages with an audit, or why there is none.

    Args:
        every: their gaps.
        last: the languages that no other can be worse than.
        about: the fields of its sentences.
        lacking, apart: languages stand aside that lack answers, or an audit.
    """
    if not every:
        return [("", say("verdict.unaudited"))]
    code = max(every, key=lambda language: every[language].difference)
    worst = every[code]
    alike = [
        gap
        for gap in every.values()
        if (gap.difference, gap.interval) == (worst.difference, worst.interval)
    ]
    names = {"name": _language_subject(alike), "code": code, **about, **size_of(worst)}
    if worst.is_significant and worst.difference > 0:
        is_last = last == [code] and len(every) + apart > 1 and not lacking
        return [("behind", say("verdict.most" if is_last else "verdict.behind", **names))]
    which = "language with an audit" if apart else "language"
    if lacking:
        return []
    kind = "verdict.none" if worst.difference > 0 else "verdict.no_observed"
    return [("", say(kind, which=which, **names))]


def _wordings(cells: Collection[Cell]) -> list[Told]:
    words = wordings(cells)
    return [("", say("verdict.wordings", told=words))] if words else []


def _scope(tasks: Sequence[str], left_out: int) -> str:
    """What a verdict is about, behind the language; empty where only one task was asked."""
    if len(tasks) > 1:
        return f" over {len(tasks)} tasks"
    return f" in {labels.task(tasks[0]).short}" if left_out else ""


def _language_subject(gaps: Sequence[Cell]) -> str:
    """Languages with one and the same gap, as the subject of a sentence in the singular."""
    names = sorted(map(language_with_note, gaps))
    return names[0] if len(names) == 1 else f"Each of {listed_names(names, ' and ')}"


def _no_claim(section: GapSection) -> list[Told]:
    """That no task counts for every language, and the command that changes it."""
    reasons = section["over_tasks"]["left_out"]
    doubted = [pair for pair, gap in gaps_of(section).items() if gap.flagged]
    if not reasons or {task for task, _ in doubted} != set(reasons):
        return [("warn", say("verdict.no_tasks", reasons=left_out(reasons)))] if reasons else []
    names = ", ".join(labels.language(code).name for code in ordered(code for _, code in doubted))
    tasks = ", ".join(labels.task(task).short for task in reasons)
    is_paper = _REVISED not in (field_of(section["signature"], "text") or "")
    is_settled = is_paper and any(revised_differs(task, code) for task, code in doubted)
    return [
        ("", say("verdict.wording", names=names, tasks=tasks)),
        *([("", say("verdict.settle"))] if is_settled else []),
    ]


def revised_differs(task: str, code: str) -> bool:
    """Whether the revised wording of a language is another prompt than the paper's."""
    family = xd.FAMILIES.of_task(task)
    if family is None or _REVISED not in family.texts:
        return False
    low, high = family.complexity_range(task) or (_SIZE, _SIZE)
    instance = family.generate(task, complexity=min(max(_SIZE, low), high), seed=0, index=0)
    paper, revised = (family.render(instance, code, text) for text in ("paper", _REVISED))
    return bool(paper != revised)


def every_finding(
    score: Section, compared: Mapping[str, GapSection], gaps: int = _MOST_GAPS
) -> list[tuple[str, str]]:
    """The sentences of all families of a score.

    Args:
        score: of a run.
        compared: its families with gaps by complexity; see ``with_gaps``.
        gaps: how many of the largest get a sentence of their own.
    """
    return [
        finding
        for name, section in score["families"].items()
        for finding in (
            [*verdict(compared[name]), *findings(compared[name], gaps)]
            if name in compared
            else family_findings(name, section)
        )
    ]


def family_findings(name: str, section: Section) -> list[tuple[str, str]]:
    """The sentences of a family without curves: how its languages compare, and its own."""
    gaps = section.get(KEY)
    sentences = by_language(gaps, depending_cells(section)) if gaps else []
    return [*sentences, *grading_family(name).findings(section)]


def by_language(found: ByLanguage, depends: Sequence[Cell] = ()) -> list[Told]:
    """How the languages of a family without curves, or of a benchmark, compare with the baseline.

    Args:
        found: the comparison, all its cells tested together.
        depends: the gaps that depend on how answers are read.
    """
    base, cells = labels.language(found["baseline"]).name, cells_of_section(found)
    sentences = _summary(cells, base, _MOST_GAPS)
    audited = [cell for cell in cells if not cell.refused and not cell.is_unaudited]
    if audited and not any(cell.is_significant for cell in cells):
        largest = max(audited, key=lambda cell: abs(cell.difference))
        sentences.append(("", say("gap.largest", sentence=gap_sentence(largest))))
    return [*sentences, *depending(base, depends), *_wordings(cells)]


def findings(section: GapSection, gaps: int = _MOST_GAPS) -> list[Told]:
    """The main results in sentences, each with its kind (``behind``, ``ahead``, ``warn`` or "").

    Args:
        section: see ``with_gaps``.
        gaps: how many of the largest get a sentence of their own.
    """
    base, cells = base_name(section), gaps_of(section)
    lacking, adaptive = unequal_cells(section), chosen_tasks(section)
    sentences = [
        *_extremes(section),
        *([("warn", say("pairs.chosen", tasks=adaptive))] if adaptive else []),
        *_summary([gap for pair, gap in cells.items() if pair not in lacking], base, gaps),
    ]
    where = _gap_list([*lacking.values()])
    return [
        *(sentences if sentences or cells else _alone(section)),
        *depending(base, section.get("depends", ())),
        *([("warn", say("pairs.unequal", base=base, where=where))] if lacking else []),
        *_unread(section),
    ]


def _summary(cells: Sequence[Cell], base: str, most: int) -> list[Told]:
    """In how many cells without † a language is behind, or ahead, and the largest of these gaps."""
    claimed = [cell for cell in cells if not cell.refused and not cell.flagged]
    sure = sorted(
        (cell for cell in claimed if cell.is_significant), key=lambda cell: -abs(cell.difference)
    )
    tested = [cell for cell in claimed if not cell.is_chosen]
    ways = [(one.task, one.other, one.difference > 0) for one in sure if not one.is_chosen]
    quiet = [cell for cell in cells if cell.refused]
    behind = sum(way for *_, way in ways)
    pairs = several(len(tested), "language-task pair")
    ahead = f", and ahead of it in {len(ways) - behind}" * (behind < len(ways))
    more = f", and {len(quiet) - 1} more" * (len(quiet) > 1)
    of_pairs = (
        ("behind" if behind else "",
         say("pairs.behind", behind=behind, pairs=pairs, base=base, ahead=ahead, ways=ways))
        if ways else ("", say("pairs.none", pairs=pairs, base=base))
    )  # fmt: skip
    return [
        *([of_pairs] if ways or tested else []),
        *(("behind" if cell.difference > 0 else "ahead", gap_sentence(cell))
          for cell in sure[:most]),
        *(("warn", say("pairs.refused", where=f"{_gap_list([cell])} ({cell.refused}){more}"))
          for cell in quiet[:1]),
    ]  # fmt: skip


def _gap_list(cells: Sequence[Cell]) -> str:
    return _pair_list([(language_with_note(cell), cell.task) for cell in cells])


def _pair_list(names: Sequence[tuple[str, str]]) -> str:
    """Languages and tasks, the first of them in full."""
    texts = [f"{name}, {labels.task(task).short}" for name, task in names]
    more = f"; {len(texts) - _MOST_GAPS} more" if len(texts) > _MOST_GAPS else ""
    return "; ".join(dict.fromkeys(texts[:_MOST_GAPS])) + more


def depending(base: str, cells: Sequence[Cell]) -> list[Told]:
    """Gaps that depend on how answers are read: where, in one sentence.

    Args:
        base: what the gaps are to.
        cells: the gaps.
    """
    sentence = say("readings.depend", base=base, where=_gap_list(cells))
    return [("warn", sentence)] if cells else []


def _extremes(section: GapSection) -> list[Told]:
    """Where a model solves almost nothing, or almost everything, so that nothing can be found."""
    sentences: list[Told] = []
    compared = compared_cells(section)
    for kind in ("nothing", "everything"):
        pairs = [(name, code) for name, code, cell in compared if cell.get("extreme") == kind]
        if not pairs:
            continue
        cells = {
            (name, code): section["tasks"][name]["languages"][code]
            for name, language in pairs
            for code in (language, baseline(section))
            if code in section["tasks"][name]["languages"]
        }
        total = sum(cell["n"] for cell in cells.values())
        names = _pair_list([(labels.language(code).name, name) for name, code in pairs])
        amounts = {
            "where": "" if len(pairs) == len(compared) else f" ({names})",
            "right": count(sum(cell["correct"] for cell in cells.values())),
            "total": count(total),
            "kind": kind,
        }
        lost = {
            status: sum(cell["statuses"].get(status, 0) for cell in cells.values())
            for status in _UNREAD
        }
        if kind == "nothing" and lost["truncated"] > _MOSTLY * total:
            sentence = say("extreme.cut", cut=count(lost["truncated"]), **amounts)
        elif kind == "nothing" and sum(lost.values()) > _MOSTLY * total:
            sentence = say("extreme.unread", lost=count(sum(lost.values())), **amounts)
        else:
            sentence = say(
                "extreme.solved", easier="smaller" if kind == "nothing" else "larger", **amounts
            )
        sentences.append(("warn", sentence))
    return sentences


def _alone(section: GapSection) -> list[Told]:
    """A run that cannot be compared: how much of it is right, by language."""
    languages = grouped(cells_of(section["tasks"]), itemgetter(1))
    solved = [
        ("", say("alone.solves", name=labels.language(code).name, right=right_of(
            sum(cell["correct"] for cell in cells), sum(cell["n"] for cell in cells)
        )))
        for code in ordered(languages) for cells in [[cell for *_, cell in languages[code]]]
    ]  # fmt: skip
    lacks = ("", say("alone.no_english", base=base_name(section)))
    return [*solved, *([lacks] if baseline(section) not in languages else [])]


def _unread(section: GapSection) -> list[Told]:
    """How many responses held no answer that could be read; nothing if few everywhere."""
    cells = {(name, code): cell for name, code, cell in cells_of(section["tasks"])}
    total = sum(cell["n"] for cell in cells.values())
    lost = {
        status: sum(cell["statuses"].get(status, 0) for cell in cells.values())
        for status in _UNREAD
    }
    shares = {
        pair: sum(cell["statuses"].get(status, 0) for status in _UNREAD) / cell["n"]
        for pair, cell in cells.items()
    }
    if not total:
        return []
    (name, code), most = max(shares.items(), key=lambda item: item[1])
    many_of_one = most > _FEW_OF_ONE and most * cells[name, code]["n"] > 1
    if sum(lost.values()) <= _FEW * total and not many_of_one:
        return []
    kinds = ", ".join(
        f"{percent(number / total, 1)} {labels.STATUSES[status][0]}"
        for status, number in lost.items()
        if number
    )
    return [("warn", say(
        "unread", share=percent(sum(lost.values()) / total, 1), kinds=kinds, most=percent(most, 1),
        language=labels.language(code).name, task=labels.task(name).short,
    ))]  # fmt: skip


def left_out(reasons: Mapping[str, str]) -> str:
    """Why tasks do not count, in words, those of one reason together."""
    by_reason = grouped(reasons, lambda task: reasons[task])
    return "; ".join(
        f"{', '.join(labels.task(task).short for task in tasks)} ({why})"
        for why, tasks in by_reason.items()
    )


_WIDEST = 100
_NARROWEST = 40
_GAPS = 1
"""Gaps that get a sentence of their own; the table has the others."""


def brief(score: Section, *, width: int | None = None) -> str:
    """A score in one screen of text.

    Args:
        score: as ``GradedRun.score`` has it.
        width: columns; those of the terminal by default, at most 100.
    """
    columns = shutil.get_terminal_size((_WIDEST, 0)).columns if width is None else width
    wrapper = textwrap.TextWrapper(
        max(_NARROWEST, min(columns, _WIDEST)), subsequent_indent="  ", break_on_hyphens=False
    )
    lines = ["Summary"]
    for sentence in [*score.get("warnings", []), *sentences(score)]:
        lines += wrapper.wrap(f"- {sentence}")
    for grid in of_score(score, with_gaps(score)):
        if grid.cells:
            about = f"{grid.caption.partition(',')[0]}, percentage points"
            lines += ["", *wrapper.wrap(about), grid.text()]
            lines += wrapper.wrap("  ".join(grid.legend))
    if cost := cost_line(score):
        lines += ["", *wrapper.wrap(f"Cost: {cost}")]
    return "\n".join([*lines, "", score["signature"]])


def sentences(score: Section) -> list[str]:
    """The main results of all families."""
    return [sentence for _, sentence in every_finding(score, with_gaps(score), _GAPS)]
