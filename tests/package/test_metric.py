"""The metric as a user of evaluate, and as a user without evaluate, calls it."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import xlgo_dataset as xd
import xlgo_metric as xm

ROOT = Path(__file__).parent.parent.parent


def plain(value: Any) -> bool:
    """Whether a value consists of plain JSON types only."""
    if isinstance(value, dict):
        return all(type(key) is str and plain(item) for key, item in value.items())
    if isinstance(value, list):
        return all(plain(item) for item in value)
    return value is None or type(value) in (str, int, float, bool)


@pytest.fixture(scope="module")
def data() -> tuple[list[str], list[str]]:
    """Answers, right below half of the range and wrong above, in English and Telugu."""
    found = [
        row
        for task in xd.TASKS
        for row in xd.family("xlgobench").rows(task, ["en", "te"], preset="smoke", per_level=4)
    ]
    answers = [row["answer"] if row["level"] < 4 else "I do not know" for row in found]
    return answers, [row["reference"] for row in found]


@pytest.fixture(scope="module")
def ours_and_theirs(data: tuple[list[str], list[str]]) -> tuple[Any, Any]:
    """The score of the package, and that of evaluate."""
    import evaluate

    answers, references = data
    theirs = evaluate.load(xm.path()).compute(predictions=answers, references=references)
    return xm.score(answers, references), theirs


def test_evaluate_gives_what_the_package_gives(ours_and_theirs: tuple[Any, Any]) -> None:
    found, scores = ours_and_theirs
    ours = found["headline"] | {key: found[key] for key in found if key != "headline"}  # flat
    assert json.loads(json.dumps(scores)) == json.loads(json.dumps(ours))
    assert scores["signature"] == ours["signature"]
    assert f"version:{xm.__version__}" in scores["signature"]
    assert plain(ours)


def test_a_score_is_a_dict_that_prints_in_a_few_lines(ours_and_theirs: tuple[Any, Any]) -> None:
    for score in ours_and_theirs:
        assert isinstance(score, dict)
        lines = repr(score).splitlines()
        assert len(lines) <= 12
        assert max(map(len, lines)) <= 100
        assert any(line.startswith("  accuracy: 0.") for line in lines)
        assert pickle.loads(pickle.dumps(score)) == score == json.loads(json.dumps(score))
    assert repr(xm.Score()) == "xlgo score: no families\n  signature: \n  keys: "
    assert "\x1b" not in repr(xm.Score(headline={"\x1b[2J": 1}))


def test_swapped_arguments_are_one_error(
    data: tuple[list[str], list[str]], caplog: pytest.LogCaptureFixture
) -> None:
    answers, references = data
    with pytest.raises(ValueError, match="predictions and references are swapped"):
        xm.score(references, answers)
    assert caplog.records == []
    # An output that imitates a reference, beside one bad reference, is no reason to stop.
    assert xm.score([references[0], answers[1]], ["?", references[1]])["unusable"] == 1


@pytest.mark.parametrize(("levels", "per_level"), [(1, 1), (2, 3), (3, 2), (5, 4)])
def test_scores_are_plain_json_however_little_there_is(levels: int, per_level: int) -> None:
    rows = list(
        xd.family("xlgobench").rows(
            "slt", ["en", "te"], preset="smoke", levels=levels, per_level=per_level
        )
    )
    for right in (0, 1, 2, 3):
        answers = [row["answer"] if i % 3 < right else "no" for i, row in enumerate(rows)]
        assert plain(xm.score(answers, [row["reference"] for row in rows]))


def test_load_by_name_from_the_root() -> None:
    code = (
        "import evaluate; m = evaluate.load('xlgo_metric'); "
        'r = \'{"task": "dsa", "language": "en", "answer": {"state": "E2679"}}\'; '
        's = m.compute(predictions=[\'{"state": "Room E2679"}\'], references=[r]); '
        "print(s['families']['xlgobench']['tasks']['dsa']['languages']['en']['accuracy'])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"HF_HUB_OFFLINE": "1"},
    )
    assert run.stdout.strip() == "1.0", run.stderr


def test_accuracy_is_counted_by_level(ours_and_theirs: tuple[Any, Any]) -> None:
    section = ours_and_theirs[0]["families"]["xlgobench"]
    for task in xd.TASKS:
        cell = section["tasks"][task]["languages"]["te"]
        assert [(level["n"], level["correct"]) for level in cell["levels"]] == (
            [(4, 4)] * 4 + [(4, 0)] * 4
        )
        assert cell["accuracy"] == 0.5
        assert cell["statuses"]["no_answer"] == 16
        assert cell["smd"] is None  # four questions a level


def test_added_in_batches(data: tuple[list[str], list[str]]) -> None:
    import evaluate

    answers, references = data
    metric = evaluate.load(xm.path())
    for answer, reference in zip(answers[:40], references[:40]):
        metric.add(prediction=answer, reference=reference)
    expected = xm.score(answers[:40], references[:40])
    assert metric.compute()["families"] == expected["families"]


REFERENCE = '{"task": "slt", "language": "en", "answer": {"chain": [1]}}'


@pytest.mark.parametrize(
    ("predictions", "references", "message"),
    [
        ([], [], "predictions must be a list with one string per answer"),
        (None, [REFERENCE], "predictions must be a list"),
        ("{}", [REFERENCE], "predictions must be a list"),
        ([3], [REFERENCE], r"predictions\[0\] must be a string, got int"),
        (["{}"], ["{"], "row 0: a reference is not valid JSON"),
        (["{}"], ["[]"], "row 0: a reference must be a JSON object"),
        (["{}"], ['{"task": "slt"}'], "row 0: a reference has no 'answer'"),
        (["{}"], ['{"task": "slt", "answer": {}, "family": "x"}'], "unknown family 'x'"),
        (["{}"], ['{"task": "chess", "answer": {}}'], "unknown task 'chess'"),
    ],
)
def test_mistakes_are_named(predictions: Any, references: Any, message: str) -> None:
    import evaluate

    with pytest.raises(ValueError, match=message):
        evaluate.load(xm.path()).compute(predictions=predictions, references=references)


def test_lengths_must_agree() -> None:
    with pytest.raises(ValueError, match="2 predictions but 1 references"):
        xm.score(["", ""], [REFERENCE])


def test_nothing_to_score() -> None:
    with pytest.raises(ValueError, match="nothing to score"):
        xm.score([], [])


def test_none_counts_as_no_answer() -> None:
    assert xm.grade(None, REFERENCE).status == "no_answer"
    import evaluate

    scores = evaluate.load(xm.path()).compute(predictions=[None], references=[REFERENCE])
    cell = scores["families"]["xlgobench"]["tasks"]["slt"]["languages"]["en"]
    assert cell["statuses"]["no_answer"] == 1


def test_every_public_name_exists() -> None:
    for name in vars(xm)["__all__"]:
        assert getattr(xm, name) is not None
        assert not isinstance(getattr(xm, name), type(sys)), f"{name} is hidden by a module"


@pytest.mark.parametrize(
    ("code", "heavy"),
    [
        (f"import xlgo_metric; xlgo_metric.grade('1', {REFERENCE!r})",
         "scipy numpy sympy datasets evaluate langdetect mpmath matplotlib lm_eval torch"),
        ("import xlgo_metric.families.simple_reasoning, xlgo_metric.families.korbench",
         "scipy numpy pandas sympy"),
        ("import xlgo_dataset",
         "datasets torch lm_eval scipy pyarrow sympy evaluate matplotlib transformers pandas"),
    ],
)  # fmt: skip
def test_import_and_the_grade_of_a_puzzle_are_quick(code: str, heavy: str) -> None:
    code += f"; import sys; print([m for m in '{heavy}'.split() if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_generation_and_grading_are_apart() -> None:
    """The metric, whose folder alone is its Space, imports nothing of the data."""
    for file in (ROOT / "xlgo_metric").rglob("*.py"):
        text = file.read_text(encoding="utf-8").replace(">>> import xlgo_dataset", "")
        assert "import xlgo_dataset" not in text, file
        assert "from xlgo_dataset" not in text, file
