"""The command that runs all benchmarks: what is recorded, and what is said to miss its goal."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import goals
import run

LINES = """some output
ratio: export / bare writes: 2.31 (at most 2)
ratio: fits: 14.5 (at least 8)
ratio: no goal: 3
"""


def test_a_ratio_is_read_back_as_it_was_printed(capsys: pytest.CaptureFixture[str]) -> None:
    goals.tell("export / bare writes", 2.3111, most=2.0)
    goals.tell("fits", 14.5, least=8)
    short, met = found = goals.told(LINES)
    assert goals.told(capsys.readouterr().out) == found
    assert (short.is_short, met.is_short) == (True, False)
    assert goals.told(str(met)) == [met]
    with pytest.raises(ValueError, match="give most or least"):
        goals.tell("fits", 1.0)


def test_only_the_section_of_the_benchmark_changes() -> None:
    first, second = "## `python benchmarks/a.py --x 1`", "## `python benchmarks/b.py`"
    text = f"# Results\n\n{first}\n\nold a\n\n{second}\n\nb\n"
    again = run.with_section(text, "`python benchmarks/a.py --x 2`", "new a")
    assert again == text.replace("old a", "new a").replace("--x 1", "--x 2")
    more = run.with_section(again, "`python benchmarks/c.py`", "c")
    assert more == f"{again}\n## `python benchmarks/c.py`\n\nc\n"


def test_the_table_keeps_what_was_not_measured_again() -> None:
    page = run.PAGE.read_text("utf-8").partition("| Ratio |")[0] + run._HEAD
    short, met = goals.told(LINES)
    one = run.with_ratios(page, [(short, "a.py", "today"), (met, "b.py", "today")])
    assert "| export / bare writes | 2.31 | at most 2 | missed | `a.py`, today |" in one
    two = run.with_ratios(one, [(met, "b.py", "tomorrow")])
    assert two == one.replace("`b.py`, today", "`b.py`, tomorrow")


def test_every_benchmark_is_there() -> None:
    assert [name for name, *_ in run.BENCHMARKS if not (run.FOLDER / name).is_file()] == []
