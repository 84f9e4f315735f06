"""The authors' release: fixed questions, blank entries and corrected answers."""

import json
from pathlib import Path
from typing import Any

import pytest

import xlgo_dataset as xd
import xlgo_metric as xm

from .test_unpuzzles import ITEMS, PLAIN, RELEASED, rows

simple_reasoning: Any = xd.family("simple_reasoning")


def test_the_authors_questions_load_and_are_graded(tmp_path):
    path = tmp_path / "simple_reasoning.json"
    path.write_text(json.dumps(RELEASED), encoding="utf-8")
    found = list(simple_reasoning.rows("released", ["en"], source=str(tmp_path)))
    assert [r["prompt"] for r in found] == [f"Q{i}" for i in range(1, 8)]
    assert [r["complexity"] for r in found] == [2, 50, 4, 0, 3, 0, 2]  # the last: cities to visit
    right = [
        "The words appear [3, 2] times.", "The character appears #7# times.", "<answer>B</answer>",
        "<answer>D</answer>", "\\boxed{13}", "\\boxed{25}", "[('Oslo', 'Moss', 'bus')]",
    ]  # fmt: skip
    for text, row in zip(right, found):
        assert xm.grade(text, row["reference"]).correct, row
    over = xm.grade("[('Oslo', 'Moss', 'car')]", found[-1]["reference"])
    assert over.details["violation"] == "over_budget"
    xm.tables(xm.score(right, [r["reference"] for r in found]))  # type: ignore[misc]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"task": "chess"}, "chess"),
        ({"question": ""}, "no question"),
        ({"answer": "many"}, "answer"),
    ],
)
def test_released_questions_out_of_form_are_named(tmp_path, change, words):
    path = tmp_path / "simple_reasoning.json"
    path.write_text(json.dumps([RELEASED[4] | change]), encoding="utf-8")
    with pytest.raises(ValueError, match=words):
        list(simple_reasoning.rows("released", ["en"], source=str(path)))


def test_wrong_answers_of_the_release_are_corrected_by_default(tmp_path):
    items = json.loads(json.dumps(ITEMS))
    items[0].update(
        puzzle_name="Circle of Lights",
        shifted_unpuzzle_answer="N",
        shifted_unpuzzle_domain="symbols",
    )
    items[1].update(
        puzzle_name="Cutting a chocolate bar",
        original_answer="m * (n-1) steps",
        original_domain="int",
    )
    path = tmp_path / "shifted_unpuzzles.json"
    path.write_text(json.dumps(items), encoding="utf-8")
    found = {
        (r["item"], r["params"]["variant"]): r
        for r in (json.loads(row["reference"]) for row in rows(str(path)))
    }
    lights = found["Circle of Lights", "context_shifted"]
    assert (lights["answer"]["text"], lights["domain"]) == ("50", "integer")
    assert found["Circle of Lights", "original"]["answer"]["text"] == "6"  # as the release has it
    bar = found["Cutting a chocolate bar", "original"]
    assert (bar["answer"]["text"], bar["domain"]) == ("m * n - 1", None)
    score = xm.score(["My final answer is: 50"], [json.dumps(lights)])
    assert "|corrections:1|" in score["signature"]
    assert (
        score["families"]["simple_reasoning"]["tasks"]["unpuzzles"]["languages"]["en"]["accuracy"]
        == 1
    )
    with pytest.warns(UserWarning, match="not in its domain 'symbols'"):
        plain = [json.loads(r["reference"]) for r in rows(str(path), corrections="none")]
    assert {r["corrections"] for r in plain} == {"none"}
    assert [r["answer"]["text"] for r in plain if r["item"] == "Circle of Lights"][2] == "N"
    with pytest.raises(ValueError, match="corrections='some' must be one of project, none"):
        rows(str(path), corrections="some")


@pytest.mark.parametrize(
    ("corrections", "answer"), [("project", "m * n - 1"), ("none", "m * (n-1) steps")]
)
def test_answers_are_corrected_where_the_release_has_no_domains(
    tmp_path: Path, corrections: str, answer: str
) -> None:
    item = {**ITEMS[0], "puzzle_name": "Cutting a chocolate bar"}
    plain = {key: item[key] for key in PLAIN} | {"original_answer": "m * (n-1) steps"}
    (tmp_path / "unpuzzles.json").write_text(json.dumps([plain]), encoding="utf-8")
    (row,) = rows(str(tmp_path), variant="original", items="all", corrections=corrections)
    assert json.loads(row["reference"])["answer"] == {"text": answer}
