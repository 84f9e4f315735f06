"""``xlgo report --against``: how each gap of a run changed since an earlier one.

The contrast is the one of two models (``comparison.contrasts``), with the two runs in their place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from xlgo_metric.table import Column, Table, interval

from ..display import labels
from ..display.formats import count, ends, points
from ..display.sentences import Said, say
from ..logs.lines import differences, fingerprint
from .compare.comparison import identity
from .findings import left_out
from .gap_marks import named, unequal

if TYPE_CHECKING:
    from xlgo_metric.comparison import AnswerTable, Cell

    from ..logs.graded_run import GradedRun

_EARLIER, _LATER = "earlier", "later"
_QUESTION = ["family", "task", "language", "question"]


@dataclass(frozen=True)
class Change:
    """How the gaps of a run changed since an earlier run of the same questions.

    Attributes:
        baseline: code of the language that the gaps are to.
        since: model and date of the earlier run.
        gaps: a cell for each language, all tested together; ``baseline_accuracy`` and ``accuracy``
            are the gaps of the earlier and the later run, ``difference`` is earlier minus later.
        left_out: why tasks do not count, by their name.
        unequal: languages that lack more or fewer answers than the baseline, without a cell.
        settings: how the settings of the two runs differ, in words.
    """

    baseline: str
    since: str
    gaps: tuple[Cell, ...]
    left_out: dict[str, str]
    unequal: tuple[str, ...]
    settings: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """It in plain JSON types, as ``scores.json`` has it in ``changes``."""
        return {**asdict(self), "gaps": [cell.as_json() for cell in self.gaps]}


def change(later: GradedRun, earlier: GradedRun) -> Change:
    """Compare the gaps of two runs on the same questions.

    Raises:
        ValueError: both are one run, their questions differ by more than answers that are missing,
            or no task counts for every language.
    """
    from xlgo_metric.comparison import common_tasks, gap_drafts, settle

    if identity(later) == identity(earlier):
        raise ValueError("--against: both folders hold the same run: give an earlier one")
    _check(later, earlier)
    base = str(later.options.get("baseline", labels.ENGLISH))
    counted, why = common_tasks(_answers(later, earlier), base)
    tasks = set(counted.frame["task"])
    doubted = {
        code for run in (later, earlier) for task, code in unequal(run.score) if task in tasks
    }
    drafts = gap_drafts(counted, "model", base)
    gaps = settle([one for one in drafts if one.cell.language not in doubted])
    if not drafts:
        reasons = f": {left_out(why)}" if why else ""
        raise ValueError(f"--against: no gap over tasks that count for every language{reasons}")
    prints = [
        fingerprint(s for of in run.settings.values() for s in of) for run in (earlier, later)
    ]
    same = earlier.run.model == later.run.model
    since = f"{earlier.run.model}, {earlier.run.date.partition('T')[0]}"
    told = tuple(differences(prints[0], prints[1], same))
    return Change(base, since, gaps, why, tuple(sorted(doubted)), told)


def _check(later: GradedRun, earlier: GradedRun) -> None:
    """Refuse runs of other questions; a question may lack its answer in one of them."""
    asked = [
        set(run.table.frame[_QUESTION].itertuples(index=False, name=None))
        for run in (later, earlier)
    ]
    only = len(asked[0] - asked[1]), len(asked[1] - asked[0])
    if only[0] > earlier.absent.total or only[1] > later.absent.total:
        raise ValueError(
            f"--against: the questions differ: {count(only[0])} are in this run only and "
            f"{count(only[1])} in the earlier one only: ask both the same tasks, languages, sizes "
            "and seed"
        )


def _answers(later: GradedRun, earlier: GradedRun) -> AnswerTable:
    import pandas as pd

    from xlgo_metric.comparison import AnswerTable

    frames = [earlier.table.frame.assign(model=_EARLIER), later.table.frame.assign(model=_LATER)]
    return AnswerTable(pd.concat(frames, ignore_index=True))


def findings(found: Change) -> list[tuple[str, Said]]:
    """Which gaps changed, in sentences; the largest change first."""
    base, told = labels.language(found.baseline).name, []
    for cell in sorted(found.gaps, key=lambda one: -abs(one.difference)):
        if not cell.is_significant:
            continue
        turned = cell.turned  # the later gap minus the earlier one
        said = say(
            "change.gap", language=named(cell), base=base,
            points=points(turned.difference), since=found.since,
            earlier=points(cell.baseline_accuracy), later=points(cell.accuracy),
            ends=_ends(cell), limits=turned.interval, code=cell.language,
        )  # fmt: skip
        told.append(("behind" if turned.difference > 0 else "ahead", said))
    if found.gaps and not told:
        said = say("change.none", base=base, since=found.since, languages=len(found.gaps))
        told.append(("", said))
    if found.unequal:
        told.append(("warn", say("change.unequal", languages=_names(found.unequal))))
    if found.left_out:
        told.append(("warn", say("verdict.left_out", reasons=left_out(found.left_out))))
    if found.settings:
        told.append(("warn", say("change.settings", text="; ".join(found.settings))))
    return told


def _ends(cell: Cell) -> str:
    limits = cell.turned.interval
    return f"95% interval {ends(*limits)}" if limits else cell.refused


def _names(codes: Sequence[str]) -> str:
    return ", ".join(labels.language(code).name for code in codes)


def table(found: Change) -> Table:
    """The gap of every language in both runs, and its change."""
    rows = tuple(
        (
            named(cell), cell.n, cell.baseline_accuracy, cell.accuracy,
            -cell.difference, "●" if cell.is_significant else "?" if cell.refused else None,
            cell.turned.ci_low, cell.turned.ci_high, cell.p_value,
        )
        for cell in found.gaps
    )  # fmt: skip
    base = labels.language(found.baseline).name
    return Table(
        "changes",
        f"Gaps to {base} since {found.since}",
        (
            Column("Language"),
            Column("Questions", "count"),
            Column("Earlier gap", "difference", unit="points"),
            Column("Gap", "difference", unit="points"),
            Column("Change", "difference", unit="points"),
            Column("Significant", after=" "),
            *interval("95% interval", "difference"),
            Column("p", "p"),
        ),
        rows,
        f"Gap: accuracy in {base} minus accuracy in the language, on the questions that both runs "
        "answered in both languages. ● significant at 5%, ? no mark can be given. Intervals and p "
        "hold for all rows together.",
    )
