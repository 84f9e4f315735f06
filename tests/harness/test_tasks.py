"""The task files: current, all of them loadable, and what their questions hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lm_eval.tasks import TaskManager

import xlgo_dataset as xd
from tests.harness.conftest import Evaluate, manager
from xlgo_cli.cli import main
from xlgo_cli.harness.make_tasks import (
    _HEADER,
    FOLDER,
    stale_files,
    task_files,
    tasks_by_family,
)
from xlgo_cli.harness.task_names import harness_names
from xlgo_lm_eval.tasks import utils

SMALL: dict[str, Any] = {"preset": "smoke", "levels": 2, "per_level": 1}
PUZZLE = {
    "xlgo_family": "xlgobench",
    "xlgo_options": "preset,seed,levels,per_level,c_min,c_max,text,complexities",
}
KOR = Path(__file__).parents[1] / "korbench" / "fixture"
ALL = {name: task for tasks in tasks_by_family().values() for name, task in tasks.items()}
NEEDY = {"simple_released", "unpuzzles_original", "unpuzzles_unpuzzle", "unpuzzles_context_shifted"}
"""Tasks that need a source of data."""
OUT_OF_DATE = "task files are out of date: run xlgo tasks --check"


def test_check_notices_every_kind_of_change(tmp_path, capsys) -> None:
    assert main(["tasks", "--folder", str(tmp_path)]) == 0
    assert main(["tasks", "--folder", str(tmp_path), "--check"]) == 0
    (tmp_path / "xlgobench" / "xlgo_slt.yaml").write_text("task: xlgo_slt\n")
    (tmp_path / "xlgobench" / "languages" / "xlgo_dsa_te.yaml").unlink()
    (tmp_path / "extra.yaml").write_text(_HEADER + "task: extra\n")
    files = task_files()
    assert stale_files(tmp_path, files) == [
        "extra.yaml",
        "xlgobench/languages/xlgo_dsa_te.yaml",
        "xlgobench/xlgo_slt.yaml",
    ]
    capsys.readouterr()
    assert main(["tasks", "--folder", str(tmp_path), "--check"]) == 1
    assert capsys.readouterr().err.count("not current") == 3


def test_task_files_of_others_are_left_alone(tmp_path) -> None:
    mine, odd = tmp_path / "mine.yaml", tmp_path / "odd.yaml"
    mine.write_text("task: mine\n")
    odd.write_bytes(b"task: \xff\n")
    (tmp_path / "xlgo_slt_xx.yaml").write_text(_HEADER + "task: xlgo_slt_xx\n")
    assert main(["tasks", "--folder", str(tmp_path)]) == 0
    assert mine.exists()
    assert odd.exists()
    assert not (tmp_path / "xlgo_slt_xx.yaml").exists()
    # The folder can be used: what the task files call is there too.
    tasks = TaskManager(include_path=str(tmp_path), include_defaults=False)
    assert tasks.load(["xlgo_slt_te"])["tasks"]["xlgo_slt_te"].eval_docs


@pytest.fixture(scope="module")
def managers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, TaskManager]:
    """By family, or by task where one needs others: options that make it small, no network."""
    mathematics = tmp_path_factory.mktemp("polymath")
    for language in xd.family("polymath").languages("polymath"):
        (mathematics / language).mkdir()
        for level in ("low", "medium", "high", "top"):
            row = json.dumps({"id": "1", "question": f"1 + 1 ({level})?", "answer": "2"})
            (mathematics / language / f"{level}.jsonl").write_text(row + "\n")
    return {
        "xlgobench": manager(**SMALL),
        "polymath": manager(polymath_path=str(mathematics)),
        "simple_reasoning": manager(source="own", n=1),
        "korbench": manager(source=str(KOR)),
        "lit": manager(),
        "lit_custom": manager(chain="en,te,en"),
        "kor_cipher_fresh": manager(per_rule=1),  # of all rules; the source has a few of them
    }


@pytest.mark.parametrize(
    ("given", "meant"),
    [("slt", "xlgo_slt"), ("slt_te", "xlgo_slt_te"), ("travel", "simple_travel"),
     ("travel_te", "simple_travel_te"), ("xlgo", "xlgo"), ("perm", "perm"), ("xlgo_*", "xlgo_*"),
     ("kor_logic", "kor_logic"), ("lit", "lit"), ("arc_easy", "arc_easy")],
)  # fmt: skip
def test_a_task_may_be_named_as_in_the_data_set(given: str, meant: str) -> None:
    assert harness_names([given]) == [meant]
    if meant in ALL:
        assert xd.task_named(meant) == ALL[meant].spec.task


def _is_evaluated(name: str) -> bool:
    """Whether the oracles of this folder evaluate the task: one of a language that is generated."""
    languages, family = ALL[name].spec.languages, ALL[name].metadata["xlgo_family"]
    return family in ("xlgobench", "simple_reasoning") and list(languages) not in (["en"], [])


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow) if _is_evaluated(name) or number % 3 else name
        for number, name in enumerate(sorted(ALL.keys() - NEEDY))
    ],
)
def test_the_harness_loads_every_task(name: str, managers: dict[str, TaskManager]) -> None:
    family = str(ALL[name].metadata["xlgo_family"])
    assert (FOLDER / ALL[name].path).is_file(), OUT_OF_DATE
    (task,) = managers.get(name, managers[family]).load([name])["tasks"].values()
    doc = task.eval_docs[0]
    assert task.doc_to_text(doc).strip()
    assert json.loads(str(doc["reference"]))["task"]
    # The engine of chains passes an empty list on; the harness alone would stop at a blank line.
    assert task.config.generation_kwargs["until"] not in (
        [["\n\n"]] if ALL[name].spec.step else [[], ["\n\n"]]
    )
    assert task.config.generation_kwargs["max_gen_toks"] >= 8192
    assert task.config.num_fewshot == 0
    values = task.process_results(doc, ["I do not know."])
    assert values.keys() <= task.aggregation().keys()
    for metric, value in values.items():
        task.aggregation()[metric]([value])


@pytest.mark.parametrize("name", sorted(NEEDY))
def test_a_task_that_needs_a_source_says_so_and_is_in_no_group(name: str) -> None:
    assert not ALL[name].spec.in_group
    with pytest.raises(ValueError, match="needs source"):
        manager().load([name])


@pytest.mark.parametrize("task", xd.TASKS)
def test_questions_hold_no_prompt_and_prompts_are_those_of_the_data_set(task: str) -> None:
    languages = ["te", "en", "bn"]  # in an order of their own, with an added one
    (docs,) = utils.load(
        xlgo_task=task, **PUZZLE, languages=languages, xlgo_seed=5, **SMALL
    ).values()
    rows = list(xd.family_of(task).rows(task, languages, seed=5, **SMALL))
    assert [doc["id"] for doc in docs] == [row["id"] for row in rows]
    for doc, row in zip(docs, rows):
        assert utils.doc_to_text(doc) == row["prompt"]
        assert json.loads(str(doc["reference"])) == json.loads(row["reference"])
        assert json.loads(utils.doc_to_target(doc)) == json.loads(row["answer"])
        assert row["prompt"][:40] not in json.dumps(doc, ensure_ascii=False)


def test_options_reach_the_questions(tmp_path) -> None:
    wording = tmp_path / "mine.toml"
    wording.write_text('[slt]\nformat = "Answer as {\\"chain\\": [...]}"\n')
    docs = utils.load(
        xlgo_task="slt", **PUZZLE, languages="en,ja", xlgo_seed=3, levels=3, per_level=2,
        c_min=7, c_max=9,
        text=str(wording), xlgo_split="validation", pretrained="a/model", seed=99, device="cpu",
    )["test"]  # fmt: skip
    references = [json.loads(str(doc["reference"])) for doc in docs]
    assert len(docs) == 2 * 3 * 2
    assert [r["complexity"] for r in references[:6]] == [7, 7, 8, 8, 9, 9]
    assert {r["seed"] for r in references} == {3}
    assert {r["split"] for r in references} == {"validation"}
    assert utils.doc_to_text(docs[0]).endswith('Answer as {"chain": [...]}')
    assert docs[0]["id"] == "slt-validation-s3-c7-i0-en-mine"


def test_a_misspelt_option_is_refused_and_an_argument_of_the_model_is_not() -> None:
    options = {**PUZZLE, "xlgo_language": "en", "preset": "smoke", "max_length": 7, "seed": 1}
    utils.load(xlgo_task="slt", **options, per_level=1)
    with pytest.raises(ValueError, match="unknown 'per_levl': did you mean 'per_level'"):
        utils.load(xlgo_task="slt", **options, per_level=1, per_levl=3)


def test_a_limit_keeps_levels_balanced_and_languages_paired(evaluate: Evaluate) -> None:
    docs = utils.load(
        xlgo_task="dsa", **PUZZLE, languages="en,te", preset="smoke", levels=4, per_level=3
    )
    head = [json.loads(str(doc["reference"])) for doc in docs["test"][:8]]
    assert [r["level"] for r in head] == [0, 0, 1, 1, 2, 2, 3, 3]
    assert [r["language"] for r in head] == ["en", "te"] * 4
    assert len({r["instance_id"] for r in head}) == 4
