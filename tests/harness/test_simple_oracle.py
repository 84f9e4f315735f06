"""Through the harness itself: every simple-reasoning task in every language, right and wrong."""

from __future__ import annotations

import json
from typing import Any

import xlgo_dataset as xd
import xlgo_metric as xm
from xlgo_cli.harness.make_tasks import FOLDER, tasks_by_family

from .conftest import Evaluate

TASKS = {
    name: task
    for name, task in tasks_by_family()["simple_reasoning"].items()
    if task.spec.group == "simple_reasoning_languages"
}
SMALL = {
    "n": 1, "depth": 3, "size": "small", "vocabulary": "movies", "diverse": True, "trees": 1,
    "sentences": 5, "cities": 4, "visit": 3, "modes": 2, "k": 2, "m": 50,
}  # fmt: skip


def oracle(reference: dict[str, Any]) -> str:
    """The key of the reference in the form that the parallel prompts ask for."""
    answer = reference["answer"]
    if "choice" in answer:
        return f"<answer>{answer['choice']}</answer>"
    if "number" in answer:
        return f"$\\boxed{{{answer['number']}}}$"
    if reference["task"] == "char_count":
        return f"#{answer['counts'][0]}#"
    if "counts" in answer:
        return json.dumps(answer["counts"])
    return str([tuple(leg) for leg in answer["itinerary"]])


def mutated(reference: dict[str, Any]) -> str:
    """The same with one thing changed."""
    answer = json.loads(json.dumps(reference["answer"]))
    if "choice" in answer:
        answer["choice"] = "ABCD"["ABCD".index(answer["choice"]) - 1]
    elif "number" in answer:
        answer["number"] += 1
    elif "counts" in answer:
        answer["counts"][-1] += 1
    else:
        answer["itinerary"][-1][1] = answer["itinerary"][0][0]
    return oracle({**reference, "answer": answer})


def test_every_task_in_every_language(evaluate: Evaluate) -> None:
    """The oracle is right; what it says with one thing changed is wrong."""
    # Five tasks have a parallel text in every language, the counting ones in 9 and in 7.
    assert len(TASKS) >= 5 * len(xd.available()) + 9 + 7
    files = [FOLDER / task.path for task in TASKS.values()]
    current = all(path.is_file() for path in files)
    assert current, "task files are out of date: run xlgo tasks --check"
    results = evaluate(oracle, list(TASKS), **SMALL)
    assert results["results"].keys() == TASKS.keys()
    for name, row in results["results"].items():
        assert row["acc,none"] == 1.0, name
        assert row["parsed,none"] == 1.0, name
        assert row["strict,none"] == 1.0, name
    for name, samples in results["samples"].items():
        assert {sample["doc"]["language"] for sample in samples} == set(TASKS[name].spec.languages)
        for sample in samples:
            reference = json.loads(sample["doc"]["reference"])
            assert xm.grade(mutated(reference), reference).status == "wrong", name
