"""``xlgo run --design adaptive`` with a language far behind, and killed in every round."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from xlgo_cli.cli import main
from xlgo_cli.harness import adaptive

from .conftest import Rounds
from .test_adaptive import answers, asked

FAR = "te"
CURVES = {
    "en": {"q": 20, "r": 0.0017},
    "hi": {"q": 20, "r": 0.0016},
    "bn": {"q": 20, "r": 0.0018},
    "ta": {"q": 20, "r": 0.0017},
    FAR: {"q": 20, "r": 0.03},
}


@pytest.fixture
def command(folder: Path) -> list[str]:
    """A run in which a half of the questions is right at 24 in most languages, at 6 in one."""
    (folder / "profile.json").write_text(json.dumps({"tasks": {"slt": CURVES}}))
    return [
        "run", "--model", "xlgo-sim", "--model_args", "profile=profile.json", "--design",
        "adaptive", "--tasks", "xlgo_slt", "--languages", ",".join(CURVES), "--budget", "100",
        "--c-min", "2", "--c-max", "90", "-o", "out",
    ]  # fmt: skip


def second_rounds(seen: Rounds) -> list[adaptive.Round]:
    return [planned for planned, _ in seen if planned.pair is not None]


def scores(folder: Path) -> Any:
    text = next(folder.rglob("scores.json")).read_text("utf-8")
    return json.loads(text)["families"]["xlgobench"]


def test_a_language_far_behind_is_asked_more_with_english(
    command,
    folder,
    rounds: Rounds,
    capsys,
) -> None:
    assert main(command) == 0
    out = folder / "out"
    second = second_rounds(rounds)
    assert second
    assert {planned.pair for planned in second} == {FAR}
    own = {
        (size, index)
        for planned in second
        for size, indexes in planned.cells["slt"].items()
        for index in indexes
    }
    found = answers(out)
    of = asked(found)
    assert of.keys() == CURVES.keys()
    assert of["hi"] == of["bn"] == of["ta"]
    assert of["en"] == of[FAR]
    assert len(of["en"] - of["hi"]) == len(own)
    assert f"slt: {len(own)} more in en and te" in capsys.readouterr().out

    # Questions of the second stage count where the two are compared, and nowhere else.
    section = scores(out)
    cells = section["tasks"]["slt"]["languages"]
    assert cells[FAR]["paired"]["n"] == 100 + len(own)
    assert {cells[code]["paired"]["n"] for code in ("hi", "bn", "ta")} == {100}
    assert section["signature"].startswith("design:adaptive-pooled5+adaptive-pooled5-pair|")
    told = " ".join(section["warnings"])
    assert f"more questions (en {len(own)}, te {len(own)})" in told
    assert "have no partner" not in told
    assert cells[FAR]["smd"] is None  # fewer than 200 questions
    assert cells[FAR]["paired"]["low"] > 0.5

    page = next(out.rglob("report.html")).read_text("utf-8")
    assert f"more questions (en {len(own)}, te {len(own)})" in page

    # The second plan asks another model the same; that of the first does so in `test_adaptive`.
    plan = out / adaptive.FOLDER / adaptive.PAIR_PLAN.format(FAR)
    again = [*command[:5], "--tasks", "xlgo_slt", "--languages", f"en,{FAR}", "--plan", str(plan),
             "-o", "again"]  # fmt: skip
    assert main(again) == 0
    repeated = answers(folder / "again")
    assert len(repeated) == 2 * len(own)
    assert repeated.items() <= found.items()


def test_without_a_second_stage_all_languages_have_the_same_questions(
    command,
    folder,
    rounds: Rounds,
) -> None:
    few = ["--languages", f"en,hi,{FAR}", "--budget", "60"]
    assert main([*command, *few, "--no-second-stage"]) == 0
    assert not second_rounds(rounds)
    assert len(answers(folder / "out")) == 60 * 3
    assert "have no partner" not in json.dumps(scores(folder / "out"))


def killed_after(command: list[str], folder: Path, answers: int) -> bool:
    """Run until so many answers are kept, and kill; whether the run was alive."""
    process = subprocess.Popen(
        [sys.executable, "-m", "xlgo_cli", *command],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    begun = time.monotonic()
    while process.poll() is None and keys(folder) < answers:
        assert time.monotonic() - begun < 600
        time.sleep(0.002)
    alive = process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.wait()
    return alive


def keys(folder: Path) -> int:
    """Answers that are kept."""
    return sum(path.read_bytes().count(b'{"key": ') for path in folder.glob("xlgo_answers*.ndjson"))


@pytest.mark.slow
def test_sigkill_at_many_moments_and_resume(command, folder: Path) -> None:
    assert main([*command[:-1], "whole"]) == 0
    total = keys(folder / "whole")
    killed = sum(killed_after(command, folder / "out", n) for n in range(25, total, total // 20))
    assert killed >= 15
    assert main(command) == 0
    assert keys(folder / "out") == total  # nothing was asked twice
    assert answers(folder / "out") == answers(folder / "whole")
    assert scores(folder / "out") == scores(folder / "whole")
