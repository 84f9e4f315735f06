"""``xlgo compare`` where one of two models alone chose the questions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from xlgo_cli.cli import main
from xlgo_cli.harness import adaptive

TASK = ["--tasks", "xlgo_slt", "--languages", "en,te"]
RANGE = ["--c-min", "3", "--c-max", "7"]


def ask(name: str, out: str, *more: str) -> Path:
    """A run of the simulated model ``name``; returns its folder."""
    model = ["--model", "xlgo-sim", "--model_args", f"profile={name}.json"]
    assert main(["run", *model, *TASK, *more, "-o", out]) == 0
    return Path(out)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Three models with profiles in the folder of the tests; the first made a plan."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("made"))
        yield plan_of_one()


def plan_of_one() -> Path:
    for name, half in (("one", 5.0), ("two", 4.5), ("three", 5.5)):
        curves = {code: {"q": 8, "r": (x / half) ** 2} for code, x in (("en", 1), ("te", 1.2))}
        Path(f"{name}.json").write_text(json.dumps({"tasks": {"slt": curves}}))
    out = ask("one", "one", "--design", "adaptive", "--budget", "40", *RANGE)
    return out / adaptive.FOLDER / adaptive.PLAN


def compared(capsys: Any, *folders: Path) -> tuple[int, Any]:
    capsys.readouterr()
    code = main(["compare", *map(str, folders), "--json"])
    printed = capsys.readouterr()
    return code, json.loads(printed.out) if code == 0 else printed.err


def test_exact_only_where_neither_alone_made_the_plan(made: Path, capsys: Any) -> None:
    design = json.loads(made.read_text("utf-8"))["design"]
    assert design == "plan-of-xlgo-sim-one"
    two, three = (
        ask("two", "two", "--plan", str(made)),
        ask("three", "three", "--plan", str(made)),
    )
    again = ask("one", "again", "--plan", str(made))

    # Others on the plan of the first: exact between themselves, not with the first.
    code, found = compared(capsys, two, three)
    assert code == 0
    assert [pair["n"] for pair in found["pairs"]] == [40, 40]
    code, told = compared(capsys, again, two)
    assert code == 2
    assert "slt: xlgo-sim-one chose questions by its own answers" in told
    assert "xlgo-sim-two" not in told


def test_two_adaptive_runs_name_both(made: Path, capsys: Any) -> None:
    two = ask("two", "adaptive two", "--design", "adaptive", "--budget", "40", *RANGE)
    code, told = compared(capsys, Path("one"), two)
    assert code == 2
    assert "slt: xlgo-sim-one and xlgo-sim-two chose" in told


@pytest.mark.slow  # quick: tests/report/compare
def test_two_fixed_runs_are_compared_as_ever(made: Path, capsys: Any) -> None:
    fixed = ["--complexities", "4,6", "--per-level", "5"]
    folders = [ask(name, f"fixed-{name}", *fixed) for name in ("one", "two")]
    code, found = compared(capsys, *folders)
    assert code == 0
    assert len(found["pairs"]) == 2
