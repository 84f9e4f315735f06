"""A new puzzle, made by following docs/adding_a_puzzle.md in a copy of the packages."""

from __future__ import annotations

import json

import pytest

from .conftest import HERE, Copy

DATA = "xlgo_dataset/families/xlgobench"
METRIC = "xlgo_metric/families/xlgobench/puzzles"


@pytest.fixture(scope="module")
def puzzle(copy: Copy) -> Copy:
    """The packages with the puzzle: one file a side, its strings, and a line for each file."""
    copy.add("lockers_data.txt", f"{DATA}/lockers.py")
    listed = "graph_sp, prdsa, slt, t_rank"
    copy.edit(f"{DATA}/instances.py", listed, "graph_sp, lockers, prdsa, slt, t_rank")
    copy.edit(f"{DATA}/instances.py", "graph_sp, t_rank)", "graph_sp, t_rank, lockers)")
    copy.add("lockers_metric.txt", f"{METRIC}/lockers.py")
    copy.edit(f"{METRIC}/__init__.py", "graph_sp, prdsa", "graph_sp, lockers, prdsa")
    line = '    "lockers": lockers.PUZZLE,\n    "t_rank"'
    copy.edit(f"{METRIC}/__init__.py", '    "t_rank"', line)
    english, german = (HERE / "strings.toml").read_text("utf-8").split("[de.", 1)
    for code, text in (("en", english), ("de", f"[de.{german}")):
        strings = text.replace(f"[{code}.", "[lockers.")
        copy.append(f"xlgo_dataset/text/languages/{code}.toml", strings)
    return copy


def test_it_is_read_back_and_solved_by_hand(puzzle: Copy) -> None:
    program = """
import json, re, xlgo_dataset as xd
assert xd.family("xlgobench").languages("lockers") == ("en", "de")
for code in ("en", "de"):
    for index in range(20):
        puzzle = xd.generate("lockers", complexity=1 + index, index=index)
        prompt = xd.render(puzzle, code)
        assert xd.read("lockers", prompt, code) == puzzle
        place, *pairs = re.findall(r"[A-Z][0-9]{4}", prompt)
        for one, other in zip(pairs[::2], pairs[1::2]):
            place = {one: other, other: one}.get(place, place)
        assert xd.solve(puzzle) == {"locker": place}
"""
    found = puzzle.run("-c", program)
    assert found.returncode == 0, found.stderr


def test_a_run_of_the_simulated_model_gives_a_report_without_a_warning(puzzle: Copy) -> None:
    done = puzzle.run_with_tasks(
        "--model", "xlgo-sim", "--tasks", "lockers", "--languages", "en,de", "--preset", "smoke",
        "--output_path", "out",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "warning" not in done.stderr.lower()
    (scores,) = (puzzle.folder / "out").rglob("scores.json")
    section = json.loads(scores.read_text("utf-8"))["families"]["xlgobench"]
    assert section["tasks"]["lockers"]["languages"]["de"]["paired"]["n"] == 80
    assert not section["warnings"]
    (page,) = (puzzle.folder / "out").rglob("report.html")
    assert "Lockers" in page.read_text("utf-8")
