"""The paper's five printed instances in seven languages: prompts byte for byte, and answers."""

import json
from pathlib import Path

import pytest

import xlgo_dataset as xd
from tests.looping import looped

GOLDEN = Path(__file__).parent.parent / "golden" / "xlgobench"
PROMPTS = json.loads((GOLDEN / "prompts.json").read_text(encoding="utf-8"))
"""Lines of each prompt, by task and language."""
INSTANCES = json.loads((GOLDEN / "instances.json").read_text(encoding="utf-8"))
CELLS = [(task, language) for task in xd.TASKS for language in xd.LANGUAGES]


def golden(task: str, language: str) -> str:
    return "\n".join(PROMPTS[f"{task}.{language}"])


@looped(("task", "language"), CELLS)
def test_renders_byte_for_byte(task: str, language: str) -> None:
    instance = xd.instance_from_json(task, INSTANCES[task])
    assert xd.render(instance, language) == golden(task, language)


@looped(("task", "language"), CELLS)
def test_reads_the_printed_prompt(task: str, language: str) -> None:
    instance = xd.read(task, golden(task, language), language)
    assert instance == xd.instance_from_json(task, INSTANCES[task])


@pytest.mark.parametrize("task", xd.TASKS)
def test_solves_the_printed_instance(task: str) -> None:
    data = INSTANCES[task]
    expected = data["top3"] if task == "prdsa" else data["answer"]
    assert xd.solve(xd.instance_from_json(task, data)) == {data["answer_key"]: expected}


def test_printed_distribution_is_exact() -> None:
    from xlgo_dataset.core import ids
    from xlgo_dataset.families.xlgobench import prdsa

    codes, masses = prdsa.distribution(prdsa.from_json(INSTANCES["prdsa"]))
    printed = {p["room"]: int(p["exact_decimal_e15"]) for p in INSTANCES["prdsa"]["distribution"]}
    assert {ids.name(code): mass for code, mass in zip(codes, masses.tolist())} == printed
