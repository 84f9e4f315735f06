"""The part of an XLGoBench section that says where answers first go wrong, by language."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

import numpy as np

from xlgo_metric.comparison.compare import Draft, draft, drafts, settle
from xlgo_metric.comparison.table import AnswerTable, Side, on_common_questions
from xlgo_metric.core import Record
from xlgo_metric.families.xlgobench.puzzles.base import FirstError
from xlgo_metric.families.xlgobench.section import (
    Against,
    Faults,
    FaultSection,
    Position,
    Test,
    Tested,
    XlgoSection,
)
from xlgo_metric.table import Column, Table, interval

if TYPE_CHECKING:
    import pandas as pd

_QUARTERS = 4


def faults(cells: Mapping[str, Mapping[str, Side]], baseline: str) -> FaultSection | None:
    """Kinds and positions of first wrong steps, and how languages differ in them.

    Args:
        cells: plain answers by task and language; those that are wrong have ``fault`` in their
            details where it is known (see ``faults.fault``).
        baseline: the language that the others are compared with.

    Returns:
        ``tasks``: by task and language ``n`` (answers), ``wrong``, ``kinds`` (of each its answers
        ``n``, their ``share`` of all answers, and ``by_chance``, the answers of that kind to be
        expected were the wrong answers drawn at random), ``quarters`` (wrong steps known by
        quarter of the way) and ``against`` the baseline on the same questions (``None`` for
        itself): of each kind ``difference`` (share of the language minus that of the baseline),
        its 95% limits and ``p``, all of the section together;
        and of ``position``, over questions wrong in both, how often the step is ``earlier`` or
        ``later`` than in the baseline. ``None`` if no answer says where it goes wrong.
    """
    every = [cell for languages in cells.values() for cell in languages.values()]
    if not any("fault" in record.grade.details for cell in every for record in cell.records):
        return None
    tasks: dict[str, dict[str, Faults]] = {}
    tests: list[tuple[Tested, Draft]] = []
    for task, languages in cells.items():
        against: dict[str, Against] = {}
        if baseline in languages:
            against, more = _against(languages, baseline)
            tests += more
        tasks[task] = {
            language: _counted(of.records, against.get(language))
            for language, of in languages.items()
        }
    _settle(tests)
    return {"tasks": tasks}


def _fault(record: Record) -> FirstError:
    """Where an answer goes wrong; empty where that is not known."""
    value = record.grade.details.get("fault")
    return cast(FirstError, value) if isinstance(value, Mapping) else {}


def _counted(records: Sequence[Record], against: Against | None) -> Faults:
    kinds: Counter[str] = Counter()
    chance: defaultdict[str, float] = defaultdict(float)
    quarters = [0] * _QUARTERS
    for record in records:
        error = _fault(record)
        if not error:
            continue
        kinds[str(error["kind"])] += 1
        for kind, share in error.get("chance", {}).items():
            chance[kind] += share
        place = _place(error)
        if place is not None:
            quarters[min(int(place * _QUARTERS), _QUARTERS - 1)] += 1
    return {
        "n": len(records),
        "wrong": sum(record.grade.status == "wrong" for record in records),
        "kinds": {
            kind: {
                "n": n,
                "share": n / len(records),
                "by_chance": round(chance[kind], 1) if kind in chance else None,
            }
            for kind, n in sorted(kinds.items(), key=lambda item: (-item[1], item[0]))
        },
        "quarters": quarters,
        "against": against,
    }


def _place(found: FirstError) -> float | None:
    """How far on the way the first wrong step lies, from 0; ``None`` where it is not known."""
    step, of = found.get("step"), found.get("of")
    return None if step is None or not of else (step - 1) / of


def _against(
    languages: Mapping[str, Side], baseline: str
) -> tuple[dict[str, Against], list[tuple[Tested, Draft]]]:
    """Each language against the baseline on the questions that both answered, and their tests."""
    import pandas as pd

    frame = pd.concat([of.frame for of in languages.values()])
    kind = frame["record"].map(lambda record: _fault(record).get("kind"))
    found: dict[str, Against] = {}
    tests: list[tuple[Tested, Draft]] = []
    for language, of in languages.items():
        both = on_common_questions((languages[baseline].by_question, of.by_question))
        if language != baseline and len(both[0]):
            position, moved = _position(*both)
            found[language] = {"n": len(both[0]), "kinds": {}, "position": position}
            tests += [(position, moved)] if moved else []
    for name in sorted(set(kind.dropna())):
        of_kind = AnswerTable(frame.assign(**{name: kind == name}))
        for one in drafts(of_kind, "language", baseline, measure=name):
            test = cast(Test, {"difference": 0.0, "low": None, "high": None, "p": None})
            found[one.cell.other]["kinds"][name] = test
            tests.append((test, one))
    return found, tests


def _position(base: pd.DataFrame, other: pd.DataFrame) -> tuple[Position, Draft | None]:
    """How often a language goes wrong earlier than the baseline, or later, on the same questions.

    By how many steps does not count.
    """
    first, second = (
        side["record"].map(lambda record: _place(_fault(record))) for side in (base, other)
    )
    known = (first.notna() & second.notna()).to_numpy()
    moved = np.sign(second.to_numpy(dtype=np.float64) - first.to_numpy(dtype=np.float64))[known]
    found: Position = {
        "both": len(moved), "earlier": int((moved < 0).sum()), "later": int((moved > 0).sum()),
        "p": None,
    }  # fmt: skip
    if not len(moved):
        return found, None
    sides = {"later": moved > 0, "earlier": moved < 0}
    return found, draft(sides, cluster=other["cluster"][known])


def _settle(tests: Sequence[tuple[Tested, Draft]]) -> None:
    """Test all differences of the section together."""
    for (test, _), cell in zip(tests, settle([one for _, one in tests])):
        test["p"], test["claimed"] = cell.p_value, cell.is_significant
        if "difference" in test:
            turned, of_kind = cell.turned, cast(Test, test)
            of_kind["difference"] = turned.difference
            of_kind["low"], of_kind["high"] = turned.ci_low, turned.ci_high


_WHERE = (Column("task"), Column("language"))
_QUARTER_NAMES = ("first quarter", "second", "third", "fourth")


def tables(section: XlgoSection) -> list[Table]:
    """``faults`` (by kind) and ``first_wrong`` (by position); none where nothing is known."""
    found = section.get("faults")
    if found is None:
        return []
    return [_kinds(found, section["baseline"]), _positions(found, section["baseline"])]


def _kinds(found: FaultSection, baseline: str) -> Table:
    rows = []
    for task, language, cell in _cells(found):
        for kind, one in cell["kinds"].items():
            test = cell["against"]["kinds"].get(kind) if cell["against"] else None
            rows.append(
                (task, language, kind.replace("_", " "), one["n"], one["by_chance"], one["share"],
                 *((test["difference"], test["low"], test["high"], test["p"])
                   if test else (None,) * 4))
            )  # fmt: skip
    return Table(
        "faults",
        "Where answers first go wrong: kinds",
        (
            *_WHERE,
            Column("kind"),
            Column("answers", "count"),
            Column("by chance", "number", 1),
            Column("of all", "share", unit="%"),
            Column(f"more than in {baseline}", "difference", unit="points"),
            *interval("95% interval"),
            Column("p", "p"),
        ),
        tuple(rows),
        "Of wrong answers that could be read. By chance: answers of this kind to be expected were "
        "the wrong ones drawn at random; a kind that is not above it says nothing. Differences are "
        "paired by question; intervals and p hold for both tables together.",
    )


def _positions(found: FaultSection, baseline: str) -> Table:
    rows = []
    for task, language, cell in _cells(found):
        known = sum(cell["quarters"])
        test = cell["against"]["position"] if cell["against"] else None
        if known:
            rows.append(
                (task, language, cell["wrong"], known, *(n / known for n in cell["quarters"]),
                 *((test["earlier"], test["later"], test["p"]) if test else (None,) * 3))
            )  # fmt: skip
    return Table(
        "first_wrong",
        "Where answers first go wrong: positions",
        (
            *_WHERE,
            Column("wrong answers", "count"),
            Column("step known", "count"),
            *(Column(name, "share", unit="%") for name in _QUARTER_NAMES),
            Column(f"earlier than in {baseline}", "count"),
            Column("later", "count"),
            Column("p", "p"),
        ),
        tuple(rows),
        "Quarters of the way from the first step to the last. Earlier and later: over questions "
        "whose first wrong step is known in both languages.",
    )


def _cells(found: FaultSection) -> list[tuple[str, str, Faults]]:
    return [
        (task, language, cell)
        for task, languages in found["tasks"].items()
        for language, cell in languages.items()
    ]
