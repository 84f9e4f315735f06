"""Several answers to each question: asked, logged, graded and counted, for pass@k."""

from __future__ import annotations

import json
from collections import Counter
from math import comb, isnan
from pathlib import Path
from typing import Any

import pytest

import xlgo_dataset as xd
import xlgo_metric as xm
from xlgo_cli import cli
from xlgo_cli.harness.options import parse
from xlgo_cli.logs.graded_run import score_folder
from xlgo_lm_eval.tasks import utils

from .answering import right, wrong
from .conftest import Evaluate

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


def test_the_gap_of_the_harness_is_that_of_the_report(evaluate: Evaluate) -> None:
    """English is always right, Telugu in the first of two answers: a gap of 50 points."""
    small = {"preset": "smoke", "levels": 4, "per_level": 2, "languages": "en,te"}
    asked: Counter[str] = Counter()

    def answer(reference: dict[str, Any]) -> str:
        name = reference["instance_id"] + reference["language"]
        asked[name] += 1
        is_right = asked[name] == 1 or reference["language"] == "en"
        return right(reference) if is_right else wrong(reference)

    results = evaluate(answer, ["xlgo_slt"], repeats=2, **small)
    row = results["results"]["xlgo_slt"]
    assert row["acc,none"] == pytest.approx(0.75)
    assert row["diff_te,none"] == pytest.approx(0.5)
    assert row["diff_te_stderr,none"] == pytest.approx(0.0)
    assert isnan(row["smd_te,none"])  # 8 questions fix no curve
    samples = results["samples"]["xlgo_slt"]
    texts = [text for sample in samples for text in sample["resps"][0]]
    references = [sample["doc"]["reference"] for sample in samples for _ in range(2)]
    section = xm.score(texts, references)["families"]["xlgobench"]
    gap = section["tasks"]["slt"]["languages"]["te"]["difference"]
    assert (gap["n"], gap["difference"]) == (8, row["diff_te,none"])


def test_the_command_reads_all_of_them(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    given = ["--tasks", "simple_logic_eval_te", "--metadata", json.dumps(ONE), "--repeats", "5"]
    where = str(tmp_path / "results")
    assert cli.main(["run", "--model", "xlgo-sim", *given, "--output_path", where]) == 0
    scored = score_folder(tmp_path / "results", quiet=True)
    part = scored.score["families"]["simple_reasoning"]["tasks"]["logic_eval"]["languages"]["te"]
    assert (part["questions"], part["responses"]) == (2, 10)
    assert part["pass_at"]["5"]["accuracy"] is not None
    assert any("repeats=5 without sampling" in record.message for record in caplog.records)


@pytest.mark.parametrize("value", ["0", "-1"])
def test_a_wrong_number_is_refused(value: str) -> None:
    with pytest.raises(ValueError, match=rf"repeats must be an integer from 1, got {value}"):
        parse(["--model", "xlgo-sim", "--repeats", value])
    with pytest.raises(ValueError, match="leave out repeats"):
        parse(["--model", "xlgo-sim", "--design", "adaptive", "--repeats", "2"])


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


def test_the_authors_questions_are_a_task_of_the_harness(
    evaluate: Evaluate, tmp_path: Path
) -> None:
    simple: Any = xd.family("simple_reasoning")
    depth = simple.generate("logic_eval", depth=6, index=2)
    count = simple.generate("char_count", m=60)
    released = [
        {"task": "logic_evaluation", "question": simple.render(depth, "en"), "answer":
         simple.solve(depth)["choice"]},
        {"task": "character_count", "question": simple.render(count, "en"),
         "answer": simple.solve(count)["counts"]},
        {"task": "mathgap_diverse", "question": "Q", "answer": 13, "depth": "9"},
        {"task": "logic_negation", "question": "other words", "answer": "D"},
    ]  # fmt: skip
    path = tmp_path / "simple_reasoning.json"
    path.write_text(json.dumps(released), encoding="utf-8")
    rows = list(simple.rows("released", ["en"], source=str(path)))
    # Only what an entry names or its answer shows: no prompt is measured.
    assert [row["complexity"] for row in rows] == [0, 0, 9, 0]

    def answer(reference: dict[str, Any]) -> str:
        told = reference["answer"]
        if "choice" in told:
            return choice(told["choice"])
        if "number" in told:
            return f"\\boxed{{{told['number']}}}"
        return f"The character appears #{told['counts'][0]}# times."

    found = evaluate(answer, ["simple_released"], source=str(path))["results"]["simple_released"]
    assert found["acc,none"] == 1.0
    assert not [name for name in found if name.startswith("floor")]
