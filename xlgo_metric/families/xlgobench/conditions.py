"""The same questions under several conditions: paired contrasts with the plain ones.

Every condition changes one part of the prompt (docs/why.md). Each is compared with the plain
questions of its language; English text as long as a language's is compared with plain English, and
so is the language itself. All contrasts of a section are tested together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from xlgo_metric.comparison.compare import drafts, settle
from xlgo_metric.comparison.table import AnswerTable
from xlgo_metric.core import PLAIN, Grade, Record, condition

if TYPE_CHECKING:
    import pandas as pd

ENGLISH = "english"
"""Stands for the plain questions in the baseline, English as a rule, among the answers of a
language."""

LENGTH_MATCHED, LANGUAGE_OF_MATCHED = "length_matched", "en"
_WITHIN = ("task", "language")
_FEW = 0.8
_DETAIL = "reasoning_language"
_THINK = ("think_english", "think_language")
_MOST = 40_000
"""Characters at the beginning of a response that are examined; the reasoning is there."""


def contrasts(table: AnswerTable, baseline: str) -> tuple[dict[str, Any], list[str]]:
    """What every condition changes.

    Args:
        table: answers under any conditions.
        baseline: the language that the others are compared with.

    Returns:
        ``asked`` (by task, language and condition: ``n``, ``correct``, ``accuracy``, ``parsed``
        over all levels; where a language of reasoning was asked for, how many were ``told`` and
        ``as_asked``) and ``contrasts``: cells (``Cell.as_json``) about a task and language, whose
        baseline is ``plain``, or ``english`` for ``length_matched`` and for ``plain`` itself, the
        gap. And warnings: of conditions without plain questions, or with few in common with them.
    """
    frame = table.frame[table.frame["complexity"].notna()]
    of_plain = frame["condition"] != LENGTH_MATCHED
    beside = _with_baseline(frame, baseline)
    # Questions of matched length are English ones: they say nothing of another baseline.
    matched = (LENGTH_MATCHED,) if baseline == LANGUAGE_OF_MATCHED else ()
    of_english = beside["condition"].isin((ENGLISH, PLAIN, *matched))
    ways = {PLAIN: frame[of_plain], ENGLISH: beside[of_english]}
    cells = settle([
        one
        for against, rows in ways.items()
        for one in drafts(
            AnswerTable(rows[rows["language"] != baseline]), "condition", against, within=_WITHIN,
            required=False,
        )
    ])  # fmt: skip
    told = {(one.where["task"], one.where["language"], one.other): one.n for one in cells}
    asked = {
        (str(task), str(language), str(name)): own
        for (task, language, name), own in frame.groupby([*_WITHIN, "condition"], sort=False)
    }
    warnings = []
    for (task, language, name), own in asked.items():
        common = told.get((task, language, name), 0)
        if language != baseline and name == PLAIN and not common:
            warnings.append(f"{task}/{language}: no plain questions in {baseline!r}: no gap")
        if name == LENGTH_MATCHED and not matched:
            warnings.append(f"{task}/{language}: {name} is in English: no contrast to {baseline!r}")
        elif language != baseline and name != PLAIN and common < _FEW * len(own):
            warnings.append(
                f"{task}/{language}: {common} of {len(own)} questions under {name} were answered "
                "plainly, too: only these are compared; ask all conditions together with plain"
            )
    names = list(frame["condition"].unique())
    counts: dict[str, dict[str, dict[str, Any]]] = {}
    for task, language, name in sorted(asked, key=lambda key: names.index(key[2])):
        own = counts.setdefault(task, {}).setdefault(language, {})
        own[name] = _counted(asked[task, language, name])
    rank = sorted(cells, key=lambda one: names.index(one.other))
    return {"asked": counts, "contrasts": [one.as_json() for one in rank]}, warnings


def _with_baseline(frame: pd.DataFrame, baseline: str) -> pd.DataFrame:
    """The answers with those in the baseline among each language's own, as ``english``."""
    import pandas as pd

    base = frame[(frame["language"] == baseline) & (frame["condition"] == PLAIN)]
    others = [name for name in frame["language"].unique() if name != baseline]
    more = [base.assign(language=name, condition=ENGLISH) for name in others]
    return pd.concat([frame, *more])


def _counted(own: pd.DataFrame) -> dict[str, Any]:
    correct = int(own["correct"].eq(True).sum())
    found = {
        "n": len(own),
        "correct": correct,
        "accuracy": correct / len(own),
        "parsed": float(own["status"].isin(("correct", "wrong")).mean()),
    }
    if (known := obeyed(list(own["record"]))) is not None:
        found["told"], found["as_asked"] = known
    return found


def asked_language(reference: Mapping[str, object]) -> str | None:
    """The language of reasoning that a prompt asked for; ``None`` where it asked for none."""
    name = condition(reference)
    if name not in _THINK:
        return None
    return "en" if name == _THINK[0] else str(reference.get("language") or "") or None


def with_language(found: Grade, prediction: str | None, reference: Mapping[str, object]) -> Grade:
    """A grade with the language of the response among its details, where one was asked for.

    It is an empty text where too little was written to tell: the answer itself does not count.
    """
    if asked_language(reference) is None:
        return found
    from xlgo_metric.language.identify import identify_language

    told = identify_language((prediction or "")[:_MOST]).language
    return replace(found, details={**found.details, _DETAIL: told})


def obeyed(records: Sequence[Record]) -> tuple[int, int] | None:
    """How often reasoning was in the language asked for.

    Returns:
        The responses whose language can be told, and how many of them are as asked; ``None``
        where no language was asked for.
    """
    told = as_asked = 0
    wanted = [asked_language(record.reference) for record in records]
    for language, record in zip(wanted, records):
        found = str(record.grade.details.get(_DETAIL) or "")
        if language and found:
            told += 1
            as_asked += found.partition("-")[0] == language.partition("-")[0]
    return (told, as_asked) if any(wanted) else None
