"""``xlgo run --design adaptive``: its rounds, and going on after an end of any kind."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from xlgo_cli.cli import main
from xlgo_cli.harness import adaptive
from xlgo_cli.simulate.model import SimulatedModel
from xlgo_lm_eval.replies import Answer, missing

CURVES = {"en": {"q": 8, "r": 0.04}, "te": {"q": 8, "r": 0.06}, "hi": {"q": 8, "r": 0.05}}
RANGE = ["--c-min", "3", "--c-max", "7"]  # five levels in the pilot
ROUNDS = 6


COMMAND = [
    "run", "--model", "xlgo-sim", "--model_args", "profile=profile.json", "--design", "adaptive",
    "--tasks", "xlgo_slt", "--languages", "en,te", "--budget", "40", *RANGE, "-o", "out",
]  # fmt: skip


@pytest.fixture
def command(folder: Path) -> list[str]:
    (folder / "profile.json").write_text(json.dumps({"tasks": {"slt": CURVES}}))
    return COMMAND


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of the command, made once."""
    top = tmp_path_factory.mktemp("once")
    (top / "profile.json").write_text(json.dumps({"tasks": {"slt": CURVES}}))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(top)
        assert main(COMMAND) == 0
    return top / "out"


@pytest.fixture
def finished(command: list[str], folder: Path, once: Path) -> list[str]:
    """A command of which the results are there already."""
    shutil.copytree(once, folder / "out")
    return command


def answers(folder: Path) -> dict[str, Any]:
    """The response to every question, by its id."""
    found = {}
    for path in folder.rglob("samples_*.jsonl"):
        for line in path.read_text("utf-8").splitlines():
            sample = json.loads(line)
            found[sample["doc"]["id"]] = sample["resps"]
    return found


def asked(ids: Iterable[str]) -> dict[str, set[str]]:
    """The puzzles of each language: an id ends in its language and wording."""
    of: dict[str, set[str]] = {}
    for name in ids:
        puzzle, language, text = name.rsplit("-", 2)
        assert text == "revised"  # the default of runs
        of.setdefault(language, set()).add(puzzle)
    return of


def test_rounds_ask_all_languages_the_same_and_load_the_model_once(
    command, folder: Path, made, rounds: Rounds, capsys
) -> None:
    assert main(command) == 0
    assert len(made) == 1
    out = folder / "out"
    found = answers(out)
    assert len(found) == 80
    of = asked(found)
    assert of.keys() == {"en", "te"}
    assert of["en"] == of["te"]
    assert len(rounds) == ROUNDS
    cells = [planned for planned, _ in rounds]
    assert cells[:5] == [{"slt": {c: (0, 1, 2, 3, 4)}} for c in (3, 4, 5, 6, 7)]
    assert all(right.keys() == {"en", "te"} for _, of in rounds for *_, right in of["slt"])
    assert len(list(out.rglob("samples_*.jsonl"))) == 1
    printed = capsys.readouterr().out
    assert "[round 6] slt 15 at" in printed
    assert "slt: 40 questions, budget used up" in printed
    assert next(out.rglob("report.html")).is_file()

    # Nothing is left to ask, and the plan asks another model the same.
    first = list(rounds)
    assert main(command) == 0
    assert rounds[ROUNDS:] == first
    assert answers(out) == found
    plan = out / adaptive.FOLDER / adaptive.PLAN
    again = ["run", "--model", "xlgo-sim", "--tasks", "xlgo_slt", "--languages", "en,te"]
    assert (
        main([*again, "--model_args", "profile=profile.json", "--plan", str(plan), "-o", "again"])
        == 0
    )
    assert answers(folder / "again") == found


def test_what_a_kill_has_cut_is_asked_again_and_nothing_else(
    finished, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (path,) = (folder / "out").glob("xlgo_answers*.ndjson")
    complete = answers(folder / "out")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:50]) + lines[50][:9])  # killed while it was written
    kept = sum(b'"key": ' in line for line in lines[:50])
    sent: list[Any] = []
    whole = SimulatedModel.generate_until

    def counted(self: Any, requests: Any, **options: Any) -> Any:
        sent.extend(requests)
        return whole(self, requests, **options)

    monkeypatch.setattr(SimulatedModel, "generate_until", counted)
    assert main(finished) == 0
    assert len(sent) == 80 - kept
    assert answers(folder / "out") == complete


def test_a_larger_budget_after_a_look_is_recorded_and_reported(
    finished, folder: Path, capsys
) -> None:
    more = [*finished, "--budget", "50"]
    for again in (more, more):
        assert main(again) == 0
        assert len(answers(folder / "out")) == 100
        designs = {
            json.loads(json.loads(line)["doc"]["reference"])["design"]
            for path in folder.rglob("samples_*.jsonl")
            for line in path.read_text("utf-8").splitlines()
        }
        assert designs == {"adaptive-pooled5-extended"}
    assert capsys.readouterr().out.count("changed after answers had been seen: this is rec") == 1
    page = (folder / "out" / "report" / "report.html").read_text("utf-8")
    assert "the budget was changed after answers had been seen" in page


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


Cells = dict[str, adaptive.Cells]
Rounds = list[tuple[Cells, dict[str, list[adaptive.Outcome]]]]


@pytest.fixture
def rounds(monkeypatch: pytest.MonkeyPatch) -> Rounds:
    """The rounds of the runs that follow, with what came of them."""
    seen: Rounds = []
    outcomes = adaptive.outcomes

    def seen_outcomes(samples: Any, cells: Cells) -> dict[str, list[adaptive.Outcome]]:
        seen.append((cells, outcomes(samples, cells)))
        return seen[-1][1]

    monkeypatch.setattr(adaptive, "outcomes", seen_outcomes)
    return seen
