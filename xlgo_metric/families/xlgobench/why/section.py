"""The part of an XLGoBench section that says where gaps come from."""

from __future__ import annotations

from collections.abc import Mapping

from xlgo_metric.comparison.table import Side
from xlgo_metric.core import PLAIN
from xlgo_metric.families.xlgobench.comparison import ENGLISH
from xlgo_metric.families.xlgobench.section import Asked, Why, WhySection
from xlgo_metric.families.xlgobench.why.answers import common_questions
from xlgo_metric.families.xlgobench.why.causes import CONDITIONS, OF_ENGLISH
from xlgo_metric.families.xlgobench.why.context import context_limit
from xlgo_metric.families.xlgobench.why.decomposition import (
    Decomposition,
    as_json,
    claim,
    decompose,
)
from xlgo_metric.families.xlgobench.why.reasoning import obeyed

_FEW = 0.8


def why(cells: Mapping[str, Mapping[str, Side]], baseline: str) -> tuple[WhySection, list[str]]:
    """Every gap that answers under several conditions take apart.

    Args:
        cells: answers under any conditions, by task and language.
        baseline: the language that the others are compared with.

    Returns:
        ``asked`` (correct answers by task, language and condition, over all levels; where a
        language of reasoning was asked for, how many were ``told`` and ``as_asked``) and ``tasks``
        (by task and language, see ``decomposition.as_json``); and warnings.
    """
    by_condition = {
        task: {language: cell.by("condition") for language, cell in languages.items()}
        for task, languages in cells.items()
    }
    warnings: list[str] = []
    gaps: dict[tuple[str, str], Decomposition] = {}
    for task, languages in by_condition.items():
        english = languages.get(baseline, {}).get(PLAIN)
        for language, conditions in languages.items():
            if language == baseline or len(conditions) < 2:
                continue
            where = f"{task}/{language}"
            if english is None or PLAIN not in conditions:
                missing = baseline if english is None else language
                warnings.append(
                    f"{where}: no plain questions in {missing!r}: the gap cannot be decomposed; "
                    "ask all conditions together with plain"
                )
                continue
            lead = [] if baseline == ENGLISH else [n for n in conditions if n in OF_ENGLISH]
            on_the_way = {name: of for name, of in conditions.items() if name not in lead}
            if lead:
                warnings.append(
                    f"{where}: {', '.join(lead)} lead from English to the language, not from "
                    f"{baseline!r}: left out of where the gap comes from"
                )
            asked, common, compared = common_questions(english, on_the_way)
            if common < _FEW * asked:
                warnings.append(
                    f"{where}: {common} of {asked} questions were answered under all of "
                    f"{', '.join(on_the_way)}, and in {baseline!r}: only these are compared"
                )
            if compared is not None:
                gaps[task, language] = decompose(compared)
    claim(gaps)
    tasks: dict[str, dict[str, Why]] = {}
    for (task, language), decomposed in gaps.items():
        answers = {"": by_condition[task][baseline][PLAIN], **by_condition[task][language]}
        tasks.setdefault(task, {})[language] = as_json(decomposed)
        tasks[task][language]["context_limit"] = context_limit(answers)
    asked_by = {
        task: {
            language: {name: _counted(conditions[name]) for name in _in_order(conditions)}
            for language, conditions in languages.items()
        }
        for task, languages in by_condition.items()
    }
    return {"asked": asked_by, "tasks": tasks}, warnings


def _in_order(conditions: dict[str, Side]) -> list[str]:
    known = [name for name in CONDITIONS if name in conditions]
    return known + sorted(set(conditions) - set(known))


def _counted(side: Side) -> Asked:
    parsed = side.frame["status"].isin(("correct", "wrong"))
    found: Asked = {
        "n": side.n, "correct": side.correct, "accuracy": side.correct / side.n,
        "parsed": int(parsed.sum()) / side.n,
    }  # fmt: skip
    if (told := obeyed(side.records)) is not None:
        found["told"], found["as_asked"] = told
    return found
