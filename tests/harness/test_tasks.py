"""The task files: current, all of them loadable, and what their questions hold."""

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from math import comb
from pathlib import Path
from typing import Any

import pytest
from lm_eval.tasks import TaskManager

import xlgo_dataset as xd
import xlgo_metric as xm
from tests.harness.answering import right, wrong
from tests.harness.conftest import Evaluate, manager
from xlgo_cli.cli import main
from xlgo_cli.harness import make_tasks
from xlgo_cli.harness.make_tasks import (
    _HEADER,
    harness_names,
    stale_files,
    tasks_by_family,
)
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


@pytest.fixture(autouse=True, scope="module")
def _files_are_made_once() -> Iterator[None]:
    """Every command would make the same hundreds of files again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(make_tasks, "task_files", cache(make_tasks.task_files))
        yield


def test_check_notices_every_kind_of_change(tmp_path, capsys) -> None:
    assert main(["tasks", "--folder", str(tmp_path)]) == 0
    assert main(["tasks", "--folder", str(tmp_path), "--check"]) == 0
    (tmp_path / "xlgobench" / "xlgo_slt.yaml").write_text("task: xlgo_slt\n")
    (tmp_path / "xlgobench" / "languages" / "xlgo_dsa_te.yaml").unlink()
    (tmp_path / "extra.yaml").write_text(_HEADER + "task: extra\n")
    assert stale_files(tmp_path, make_tasks.task_files(None)) == [
        "extra.yaml",
        "xlgobench/languages/xlgo_dsa_te.yaml",
        "xlgobench/xlgo_slt.yaml",
    ]
    capsys.readouterr()
    assert main(["tasks", "--folder", str(tmp_path), "--check"]) == 1
    assert capsys.readouterr().err.count("not current") == 3


def test_task_files_of_others_are_left_alone(tmp_path) -> None:
    mine, odd, old = (tmp_path / f"{name}.yaml" for name in ("mine", "odd", "xlgo_slt_xx"))
    mine.write_text("task: mine\n")
    odd.write_bytes(b"task: \xff\n")
    old.write_text(_HEADER + "task: xlgo_slt_xx\n")
    assert main(["tasks", "--folder", str(tmp_path)]) == 0
    assert [path.exists() for path in (mine, odd, old)] == [True, True, False]
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
    assert [r["complexity"] for r in references] == [7, 7, 8, 8, 9, 9] * 2
    assert {(r["seed"], r["split"]) for r in references} == {(3, "validation")}
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
    assert [(r["level"], r["language"]) for r in head] == [
        (level, code) for level in range(4) for code in ("en", "te")
    ]
    assert len({r["instance_id"] for r in head}) == 4


SINGLE = [name for name, task in tasks_by_family()["xlgobench"].items() if not task.spec.in_group]


ONE_IN = pytest.mark.parametrize("one_in", [3, pytest.param(1, marks=pytest.mark.slow)])
"""A third of the tasks of one language: each language in two puzzles or more."""


@ONE_IN
def test_every_task_in_every_language(one_in: int, evaluate: Evaluate) -> None:
    """The answers are right at the first of two levels and wrong at the second."""
    single = SINGLE[::one_in]
    found = evaluate(
        lambda reference: (wrong if reference["level"] else right)(reference),
        ["xlgo", *single],
        **SMALL,
    )
    results = found["results"]
    assert results.keys() == {"xlgo", *(f"xlgo_{task}" for task in xd.TASKS), *single}
    for name, row in results.items():
        assert (row["acc,none"], row["truncated,none"]) == (0.5, 0.0), name
        if name != "xlgo":
            assert row["parsed,none"] == 1.0, name
    for samples in found["samples"].values():
        for sample in samples:
            reference = json.loads(sample["doc"]["reference"])
            assert sample["acc"] == (reference["level"] == 0), reference["id"]


ONE = {"n": 1, "depth": [4, 8], "size": "small", "vocabulary": "letters"}


def test_all_answers_are_asked_kept_and_their_mean_is_shown(evaluate: Evaluate) -> None:
    asked: Counter[str] = Counter()

    def answer(reference: dict[str, Any]) -> str:
        """The first question is right in two of five answers, the second in none."""
        name = reference["instance_id"]
        asked[name] += 1
        good = reference["level"] == 0 and asked[name] in (2, 5)
        key = reference["answer"]["choice"]
        return f"<answer>{key if good else 'ABCD'['ABCD'.index(key) - 1]}</answer>"

    results = evaluate(answer, ["simple_logic_eval_en"], repeats=5, **ONE)
    assert list(asked.values()) == [5, 5]
    row = results["results"]["simple_logic_eval_en"]
    assert (row["acc,none"], row["parsed,none"]) == (pytest.approx(0.2), 1.0)
    samples = results["samples"]["simple_logic_eval_en"]
    assert [(len(sample["filtered_resps"][0]), sample["acc"]) for sample in samples] == [
        (5, pytest.approx(0.4)), (5, 0.0),
    ]  # fmt: skip
    texts = [text for sample in samples for text in sample["resps"][0]]
    references = [sample["doc"]["reference"] for sample in samples for _ in range(5)]
    for k in (2, 5):
        score = xm.score(texts, references, k=k)["families"]["simple_reasoning"]
        part = score["tasks"]["logic_eval"]["languages"]["en"]
        # Of the first question 2 in 5 are right: 1 - C(3, k) / C(5, k); of the second none.
        assert part["pass_at"][str(k)]["accuracy"] == pytest.approx(
            (1 - comb(3, k) / comb(5, k)) / 2
        )


def test_one_answer_that_waits_for_a_judge_leaves_the_question_open() -> None:
    row = {
        "family": "easy", "task": "unpuzzles", "language": "en", "instance_id": "x",
        "question": "Q?", "solution": "S.", "domain": None, "answer": {"text": "yes"},
    }  # fmt: skip
    doc = {"id": "x", "language": "en", "reference": json.dumps(row)}
    told = utils.process_results(doc, [["My final answer is: yes", "My final answer is: perhaps"]])
    assert "acc" not in told
    assert told["needs_judge"] == 0.5
    assert utils.process_results(doc, ["My final answer is: yes"])["acc"] == 1.0


TASKS = {
    name: task
    for name, task in tasks_by_family()["simple_reasoning"].items()
    if task.spec.group == "simple_reasoning_languages"
}
SIMPLE = {
    "n": 1, "depth": 3, "size": "small", "vocabulary": "movies", "diverse": True, "trees": 1,
    "sentences": 5, "cities": 4, "visit": 3, "modes": 2, "k": 2, "m": 50,
}  # fmt: skip


@ONE_IN
def test_every_simple_task_in_every_language(one_in: int, evaluate: Evaluate) -> None:
    # Five tasks have a parallel text in every language, the counting ones in 9 and in 7.
    assert len(TASKS) >= 5 * len(xd.available()) + 9 + 7
    family = xd.family("simple_reasoning")
    results = evaluate(
        lambda reference: family.response(reference["answer"], reference["task"]),
        asked := list(TASKS)[::one_in],
        **SIMPLE,
    )
    assert [*results["results"]] == asked
    for name, row in results["results"].items():
        assert (row["acc,none"], row["parsed,none"], row["strict,none"]) == (1.0, 1.0, 1.0), name
    for name, samples in results["samples"].items():
        assert {sample["doc"]["language"] for sample in samples} == set(TASKS[name].spec.languages)
