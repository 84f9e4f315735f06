"""From graded responses to the section of a score: accuracies, rates, steps and rounds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from statistics import fmean
from typing import Any

from ...core import ACCURACY, MISSING, STRICT, Measure, Record, common, counted, grouped, signature
from .measures import FORMAT_FAILURES, PASS_RATES, REAL_LIFE, SCORES
from .names import CATEGORIES, CORRECTION, FRESH, MIXED_TASKS, STEPS, TRICK
from .shapes import (
    Block,
    ByKind,
    Fresh,
    Kind,
    KorSection,
    Round,
    Scores,
    Short,
    Types,
)  # fmt: skip
from .studies import experiments

CATEGORY_TASKS: Mapping[str, str] = {f"kor_{category}": category for category in CATEGORIES}
NO_RULE = "_no_rule"
"""Behind the name of a task in a section: its questions were asked without their rules."""
UNTYPED = "untyped"
_KINDS: Mapping[Kind, str] = {"by_rule": "rule_id", "by_tag": "tag", "by_format": "format"}
"""The field of a question that parts them, in its reference or in the details of a grade."""


def summarize(records: Sequence[Record]) -> KorSection:
    """The section of this family.

    Args:
        records: graded responses. Several to one question share its ``instance_id``; each question
            weighs the same.

    Returns:
        Plain JSON types, shares as fractions:

        * ``tasks[task]``: ``questions``, ``responses``, ``accuracy`` with the exact 95% interval
          ``low`` to ``high``, ``score_default``, ``score_paper``, ``format_failures``, ``strict``,
          ``statuses``; ``real_life_rate`` of counterfactual questions (of all of them, lower is
          better), ``pass_rate`` of mixed ones, ``types`` of cipher steps with their ``error_rate``,
          ``rounds`` of self-correction.
        * ``overall``: accuracy over all questions, if all five categories are there. ``mixed``: the
          mean of the three settings, if all are there.
        * ``models[model][setting][task]``: both scores, where references name a model; the task
          ``overall`` where all five categories are there.
        * ``by_rule``, ``by_tag``, ``by_format``: accuracy in each category by rule, by the rule's
          tag and by the format of the reference answer, of the questions with their rules.
        * ``trick``, ``rules``: a paired comparison of the puzzles without and with their hint, and
          of the questions of each category with and without their rules, where both are there.
          Questions without their rules are tasks of their own, ``kor_logic_no_rule`` and so on.
        * ``subsets``: see ``experiments.subsets``, where a run has all five categories.
        * ``fresh``: released against fresh ciphers, if both are there, in all and by rule.
        * ``signature``, ``warnings``.
    """
    asked = grouped(records, _name)
    there = (record for record in records if not record.grade.details.get(MISSING))
    tasks = grouped(there, _name)
    section: KorSection = {
        "signature": _signature(records),
        "tasks": {task: _task(task, rows) for task, rows in tasks.items()},
        "warnings": _warnings(asked),
    }
    if (overall := _overall(tasks)) is not None:
        section["overall"] = overall
    if (overall := _overall(tasks, NO_RULE)) is not None:
        section["overall_no_rule"] = overall
    if all(task in tasks for task in MIXED_TASKS):
        blocks = [section["tasks"][task] for task in MIXED_TASKS]
        section["mixed"] = {
            name: fmean(block[name] for block in blocks)
            for name in ("accuracy", "pass_rate", "score_default", "score_paper")
        }
    models = _models([record for rows in tasks.values() for record in rows])
    if models:
        section["models"] = models
    _experiments(section, tasks)
    runs = sum(map(len, models.values()))
    if runs > 1:
        section["warnings"].append(
            f"the numbers by task pool {runs} runs of {len(models)} models: those by model keep "
            "them apart"
        )
    if FRESH in tasks and "kor_cipher" in tasks:
        section["fresh"] = _fresh(tasks["kor_cipher"], tasks[FRESH])
    return section


def _name(record: Record) -> str:
    """The task; questions without their rules are a task of their own."""
    task = str(record.reference.get("task"))
    return task if record.reference.get("rule_shown", True) else task + NO_RULE


def _overall(tasks: Mapping[str, Sequence[Record]], suffix: str = "") -> Block | None:
    """All five categories as one, if they are there."""
    if not all(task + suffix in tasks for task in CATEGORY_TASKS):
        return None
    return _block([record for task in CATEGORY_TASKS for record in tasks[task + suffix]])


def _experiments(section: KorSection, tasks: Mapping[str, Sequence[Record]]) -> None:
    """Add the studies besides accuracy that the records allow."""
    asked = [record for task in CATEGORY_TASKS for record in tasks.get(task, ())]
    for kind, field in _KINDS.items():
        if found := _kinds(tasks, field):
            section[kind] = found
    if trick := experiments.paired(tasks.get("kor_puzzle", ()), tasks.get(TRICK, ())):
        section["trick"] = trick
    rules = {
        category: compared
        for task, category in CATEGORY_TASKS.items()
        if (compared := experiments.paired(tasks.get(task, ()), tasks.get(task + NO_RULE, ())))
    }
    if rules:
        section["rules"] = rules
    if runs := experiments.whole_runs(asked):
        section["subsets"] = experiments.subsets(runs)


def _kinds(tasks: Mapping[str, Sequence[Record]], name: str) -> ByKind:
    """The accuracy in each category by a field of the questions, where they have it."""
    return {
        category: found
        for task, category in CATEGORY_TASKS.items()
        if (found := experiments.by(tasks.get(task, ()), partial(_known, name=name), _short))
    }


def _known(record: Record, name: str) -> Any:
    return record.reference.get(name) or record.grade.details.get(name)


def _signature(records: Sequence[Record]) -> str:
    references = [record.reference for record in records]
    tasks = sorted({str(reference.get("task")) for reference in references})
    fields = {
        "family": "korbench",
        "tasks": ",".join(tasks),
        "n": len(records),
        "revision": common(references, "revision"),
        "prompt": common(references, "prompt"),
        "mode": common([record.grade.details for record in records], "mode") or "default",
        "shots": common(references, "shots"),
        "rules": _rules(references),
        "rounds": common(references, "rounds"),
        "feedback": common(references, "feedback"),
        "needle": _needle(references),
        "seed": common(references, "seed"),
        "math_verify": version("math-verify"),
    }
    return signature(fields)


def _rules(references: Sequence[Mapping[str, object]]) -> str | None:
    """``no`` where questions were asked without their rules; ``None`` where none was."""
    shown = {bool(reference.get("rule_shown", True)) for reference in references}
    return None if shown == {True} else "no" if shown == {False} else "mixed"


def _needle(references: Sequence[Mapping[str, object]]) -> str | None:
    """Whether the rule sentences stood before the retries; ``None`` without self-correction."""
    shown = [{"needle": "yes" if one["needle"] else "no"} for one in references if "needle" in one]
    return common(shown, "needle")


def _warnings(tasks: Mapping[str, Sequence[Record]]) -> list[str]:
    found = []
    for task, rows in tasks.items():
        cut = sum(record.grade.status == "truncated" for record in rows)
        if cut:
            found.append(f"{task}: {cut} responses were truncated")
        if task == CORRECTION:
            found.append(f"{task}: the feedback to the model came from the reference")
            missing = sum(bool(record.grade.details.get(MISSING)) for record in rows)
            if missing:
                found.append(
                    f"{task}: {len(rows) - missing} of {len(rows)} questions: requests of the "
                    "others failed, and they are not counted"
                )
    return found


# Blocks of numbers


def _questions(records: Iterable[Record]) -> list[list[Record]]:
    """Records by question; one without a name is a question of its own."""
    groups = grouped(enumerate(records), lambda one: one[1].reference.get("instance_id", one[0]))
    return [[record for _, record in group] for group in groups.values()]


def _mean(measure: Measure, questions: Sequence[Sequence[Record]]) -> float:
    """The mean of a measure that every record has; each question weighs the same."""
    found = measure.mean(questions)
    assert found is not None
    return found


def interval(mean: float, n: int) -> tuple[float, float]:
    """The exact (Clopper-Pearson) 95% interval of a share over ``n`` independent questions.

    For means of repeated responses, whose spread is smaller, it is wider than it need be.

    Raises:
        ValueError: ``n`` is not positive or ``mean`` not between 0 and 1.
    """
    if n < 1 or not 0 <= mean <= 1:
        raise ValueError(f"no interval for a mean of {mean} over {n} questions")
    from scipy.stats import beta

    right = mean * n
    low = float(beta.ppf(0.025, right, n - right + 1)) if right > 0 else 0.0
    high = float(beta.ppf(0.975, right + 1, n - right)) if right < n else 1.0
    return low, high


def _block(records: Sequence[Record]) -> Block:
    questions = _questions(records)
    accuracy = _mean(ACCURACY, questions)
    low, high = interval(accuracy, len(questions))
    return {
        "questions": len(questions),
        "responses": len(records),
        "correct": sum(record.grade.correct for record in records),
        "accuracy": accuracy,
        "low": low,
        "high": high,
        "score_default": _mean(SCORES[0], questions),
        "score_paper": _mean(SCORES[1], questions),
        "format_failures": _mean(FORMAT_FAILURES, [records]),
        "strict": _mean(STRICT, [records]),
        "statuses": counted(records),
    }


def _task(task: str, records: Sequence[Record]) -> Block:
    block = _block(records)
    questions = _questions(records)
    details = [record.grade.details for record in records]
    if all("real_life" in one for one in details):
        rate = _mean(REAL_LIFE, questions)
        low, high = interval(rate, len(questions))
        block["real_life_rate"], block["real_life_low"], block["real_life_high"] = rate, low, high
    if all("pass_rate" in one for one in details):
        rates = (_mean(measure, questions) for measure in PASS_RATES)
        block["pass_rate"], block["pass_rate_default"], block["pass_rate_paper"] = rates
    if task == STEPS:
        block["types"] = _types(records)
    if all("rounds" in one for one in details):
        block["rounds"] = _rounds(records)
    return block


def _types(records: Sequence[Record]) -> dict[str, Types]:
    """Accuracy and error rate of each type of step, the most frequent first."""
    groups = grouped(records, lambda record: str(record.grade.details.get("type", UNTYPED)))
    found: dict[str, Types] = {}
    for name, rows in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
        block = _block(rows)
        found[name] = {
            "steps": block["questions"],
            "error_rate": 1 - block["accuracy"],
            "low": 1 - block["high"],
            "high": 1 - block["low"],
        }
    return found


def _rounds(records: Sequence[Record]) -> list[Round]:
    """Accuracy after each round, and the share of earlier errors that it corrected."""
    verdicts = [record.grade.details["rounds"] for record in records]
    asked = [int(record.reference.get("rounds") or 0) for record in records]
    by_round: list[Round] = []
    right_before = 0
    for number in range(1, max(*map(len, verdicts), *asked) + 1):
        right = sum(any(rounds[:number]) for rounds in verdicts)
        unresolved = len(verdicts) - right_before
        low, high = interval(right / len(verdicts), len(verdicts))
        by_round.append(
            {
                "round": number,
                "accuracy": right / len(verdicts),
                "low": low,
                "high": high,
                "unresolved": unresolved,
                "corrected": (right - right_before) / unresolved if unresolved else None,
                "by_category": _after(records, number),
                "corrected_by_category": _put_right(records, number),
            }
        )
        right_before = right
    return by_round


def _after(records: Sequence[Record], number: int) -> dict[str, float]:
    """Accuracy after a round in each category."""
    groups = grouped(records, _category)
    return {name: _right_by(groups[name], number) for name in CATEGORIES if name in groups}


def _put_right(records: Sequence[Record], number: int) -> dict[str, float | None]:
    """Of the questions of each category that were wrong before a round, the share put right."""
    wrong = [one for one in records if not any(one.grade.details["rounds"][: number - 1])]
    groups, known = grouped(wrong, _category), set(map(_category, records))
    return {
        name: _right_by(groups[name], number) if name in groups else None
        for name in CATEGORIES
        if name in known
    }


def _category(record: Record) -> str:
    return str(record.reference.get("category"))


def _right_by(records: Sequence[Record], number: int) -> float:
    """The share of questions that were right by the end of a round."""
    return fmean(any(record.grade.details["rounds"][:number]) for record in records)


def _models(records: Sequence[Record]) -> dict[str, dict[str, dict[str, Scores]]]:
    """Both scores by model, setting and task."""
    named = [record for record in records if record.reference.get("model") is not None]
    found: dict[str, dict[str, dict[str, Scores]]] = defaultdict(dict)
    for (model, setting), rows_of_run in grouped(named, _run).items():
        tasks = grouped(rows_of_run, _name)
        scores = {task: _scores(rows) for task, rows in tasks.items()}
        if all(task in tasks for task in CATEGORY_TASKS):
            pooled = [record for task in CATEGORY_TASKS for record in tasks[task]]
            scores["overall"] = _scores(pooled)
        found[model][setting] = scores
    return dict(found)


def _run(record: Record) -> tuple[str, str]:
    return str(record.reference["model"]), str(record.reference.get("setting", ""))


def _scores(records: Sequence[Record]) -> Scores:
    block = _block(records)
    return {
        "questions": block["questions"],
        "score_default": block["score_default"],
        "score_paper": block["score_paper"],
    }


def _fresh(released: Sequence[Record], fresh: Sequence[Record]) -> Fresh:
    """Released beside fresh cipher questions, in all and for each rule that both have."""
    sides = {"released": released, "fresh": fresh}
    by_rule = {
        name: grouped(rows, lambda record: str(record.reference.get("rule_id")))
        for name, rows in sides.items()
    }
    shared = set(by_rule["released"]) & set(by_rule["fresh"])
    return {
        "released": _short(released),
        "fresh": _short(fresh),
        "rules": [
            {
                "rule_id": rule,
                "released": _short(by_rule["released"][rule]),
                "fresh": _short(by_rule["fresh"][rule]),
            }
            for rule in sorted(shared, key=lambda rule: (len(rule), rule))
        ],
    }


def _short(records: Sequence[Record]) -> Short:
    block = _block(records)
    return {
        "questions": block["questions"],
        "accuracy": block["accuracy"],
        "low": block["low"],
        "high": block["high"],
    }
