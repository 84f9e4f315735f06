"""``xlgo run --design adaptive``: its rounds, and going on after an end of any kind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from xlgo_cli.cli import main
from xlgo_cli.harness import adaptive
from xlgo_lm_eval.answers import rows_of
from xlgo_lm_eval.replies import Answer, missing

CURVES = {"en": {"q": 8, "r": 0.04}, "te": {"q": 8, "r": 0.06}, "hi": {"q": 8, "r": 0.05}}
COMMAND = [
    "run", "--model", "xlgo-sim", "--model_args", "profile=profile.json", "--design", "adaptive",
    "--tasks", "xlgo_slt", "--languages", "en,te", "--budget", "40", "--c-min", "3",
    "--c-max", "7", "-o", "out",
]  # fmt: skip


def answers(folder: Path) -> dict[str, Any]:
    """The response to every question, by its id."""
    found = {}
    for path in folder.rglob("samples_*.jsonl"):
        for line in path.read_text("utf-8").splitlines():
            sample = json.loads(line)
            found[sample["doc"]["id"]] = sample["resps"]
    return found


def test_a_larger_budget_after_a_look_is_recorded_and_reported(folder: Path, capsys) -> None:
    (folder / "profile.json").write_text(json.dumps({"tasks": {"slt": CURVES}}))
    assert main(COMMAND) == 0
    assert main([*COMMAND, "--budget", "50"]) == 0
    assert "changed after answers had been seen" in capsys.readouterr().out
    (path,) = (folder / "out").glob("xlgo_answers*.ndjson")
    settings = [row for *_, row in rows_of(path) if row.get("kind") == "settings"]
    assert [event["settings"]["budget"] for event in settings] == [40, 50]
    assert [event["answered"] for event in settings] == [0, 80]
    assert len(answers(folder / "out")) == 100
    designs = {
        json.loads(json.loads(line)["doc"]["reference"])["design"]
        for path in folder.rglob("samples_*.jsonl")
        for line in path.read_text("utf-8").splitlines()
    }
    assert designs == {"adaptive-pooled5-extended"}


def test_a_missing_answer_is_not_right_in_the_round_that_settles_what_is_asked_next() -> None:
    def sample(language: str, index: int, answer: Answer) -> dict[str, Any]:
        reference = {"task": "slt", "language": language, "complexity": 3, "index": index}
        about = {"doc": {"reference": json.dumps(reference)}, "resps": [[answer]]}
        return about | ({"acc": 1.0} if answer.text else {})

    there, lost = Answer("right"), missing("HTTP 500")
    of_both = [sample("en", i, there) for i in (0, 1)]
    samples = [*of_both, sample("te", 0, there), sample("te", 1, lost)]
    found = adaptive.outcomes({"xlgo_slt": samples}, {"slt": {3: (0, 1)}})
    assert found == {"slt": [(3, 0, {"en": True, "te": True}), (3, 1, {"en": True, "te": False})]}
