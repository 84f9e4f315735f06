"""Through the harness: correct answers score 1 and changed ones 0, for every task and language."""

import json
from collections import Counter
from math import comb
from typing import Any

import pytest

import xlgo_dataset as xd
import xlgo_metric as xm
from tests.harness.answering import right, wrong
from tests.harness.conftest import Evaluate
from xlgo_cli.harness.make_tasks import FOLDER, tasks_by_family
from xlgo_lm_eval.tasks import utils

SMALL = {"preset": "smoke", "levels": 2, "per_level": 1}
SINGLE = [name for name, task in tasks_by_family()["xlgobench"].items() if not task.spec.in_group]


def right_at_first(reference: dict[str, Any]) -> str:
    """Right at the first of two levels, wrong at the second."""
    return (wrong if reference["level"] else right)(reference)


def test_every_task_in_every_language(evaluate: Evaluate) -> None:
    found = evaluate(right_at_first, ["xlgo", *SINGLE], **SMALL)
    results = found["results"]
    assert results.keys() == {"xlgo", *(f"xlgo_{task}" for task in xd.TASKS), *SINGLE}
    for name, row in results.items():
        assert row["acc,none"] == 0.5, name
        assert row["truncated,none"] == 0.0, name
        if name != "xlgo":
            assert row["parsed,none"] == 1.0, name
    for samples in found["samples"].values():
        for sample in samples:
            reference = json.loads(sample["doc"]["reference"])
            assert sample["acc"] == (reference["level"] == 0), reference["id"]


ONE = {"n": 1, "depth": [4, 8], "size": "small", "vocabulary": "letters"}


def choice(letter: str) -> str:
    return f"<answer>{letter}</answer>"


def test_all_answers_are_asked_kept_and_their_mean_is_shown(evaluate: Evaluate) -> None:
    asked: Counter[str] = Counter()

    def answer(reference: dict[str, Any]) -> str:
        """The first question is right in two of five answers, the second in none."""
        name = reference["instance_id"]
        asked[name] += 1
        good = reference["level"] == 0 and asked[name] in (2, 5)
        key = reference["answer"]["choice"]
        return choice(key if good else "ABCD"["ABCD".index(key) - 1])

    results = evaluate(answer, ["simple_logic_eval_en"], repeats=5, **ONE)
    assert list(asked.values()) == [5, 5]
    row = results["results"]["simple_logic_eval_en"]
    assert row["acc,none"] == pytest.approx(0.2)
    assert row["parsed,none"] == 1.0
    samples = results["samples"]["simple_logic_eval_en"]
    assert [len(sample["filtered_resps"][0]) for sample in samples] == [5, 5]
    assert [sample["acc"] for sample in samples] == [pytest.approx(0.4), 0.0]
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


def test_every_simple_task_in_every_language(evaluate: Evaluate) -> None:
    # Five tasks have a parallel text in every language, the counting ones in 9 and in 7.
    assert len(TASKS) >= 5 * len(xd.available()) + 9 + 7
    files = [FOLDER / task.path for task in TASKS.values()]
    current = all(path.is_file() for path in files)
    assert current, "task files are out of date: run xlgo tasks --check"
    results = evaluate(oracle, list(TASKS), **SIMPLE)
    assert results["results"].keys() == TASKS.keys()
    for name, row in results["results"].items():
        assert row["acc,none"] == 1.0, name
        assert row["parsed,none"] == 1.0, name
        assert row["strict,none"] == 1.0, name
    for name, samples in results["samples"].items():
        assert {sample["doc"]["language"] for sample in samples} == set(TASKS[name].spec.languages)
