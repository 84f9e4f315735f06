"""A new puzzle, made by following docs/adding_a_puzzle.md in a copy of the packages."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PACKAGES = {
    "xlgo_dataset": "xlgo_dataset", "xlgo_metric": "xlgo_metric", "scripts": "xlgo_cli",
    "lm_eval_tasks": "xlgo_lm_eval",
}  # fmt: skip


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text, path
    path.write_text(text.replace(old, new, 1), "utf-8")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packages with the puzzle: one file a side, its strings, and a line for each file."""
    folder = tmp_path_factory.mktemp("copy")
    for source, name in PACKAGES.items():
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / source, folder / name, ignore=ignored)
    puzzles = folder / "xlgo_dataset" / "families" / "xlgobench"
    shutil.copy(HERE / "lockers_data.txt", puzzles / "lockers.py")
    edit(
        puzzles / "instances.py",
        "graph_sp, prdsa, slt, t_rank",
        "graph_sp, lockers, prdsa, slt, t_rank",
    )
    edit(puzzles / "instances.py", "t_rank, dsa_perm)", "t_rank, dsa_perm, lockers)")
    graders = folder / "xlgo_metric" / "families" / "xlgobench" / "puzzles"
    shutil.copy(HERE / "lockers_metric.txt", graders / "lockers.py")
    edit(graders / "__init__.py", "graph_sp, prdsa", "graph_sp, lockers, prdsa")
    edit(
        graders / "__init__.py", '    "dsa_perm"', '    "lockers": lockers.PUZZLE,\n    "dsa_perm"'
    )
    languages = folder / "xlgo_dataset" / "text" / "languages"
    strings = (HERE / "strings.toml").read_text("utf-8")
    english, german = strings.split("[de.", 1)
    for code, text in (("en", english), ("de", f"[de.{german}")):
        with (languages / f"{code}.toml").open("a", encoding="utf-8") as file:
            file.write("\n" + text.replace(f"[{code}.", "[lockers."))
    return folder


def run(copy: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words], cwd=copy, env={**os.environ, "PYTHONPATH": str(copy)},
        capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip


def test_it_is_read_back_and_solved_by_hand(copy: Path) -> None:
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
    found = run(copy, "-c", program)
    assert found.returncode == 0, found.stderr


def test_a_run_of_the_simulated_model_gives_a_report_without_a_warning(copy: Path) -> None:
    made = run(copy, "-m", "xlgo_cli", "tasks", "--out", "xlgo_lm_eval")
    assert made.returncode == 0, made.stderr
    done = run(copy, "-m", "xlgo_cli", "run", "--model", "xlgo-sim", "--tasks", "lockers",
               "--languages", "en,de", "--preset", "smoke", "--output_path", "out")  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "warning" not in done.stderr.lower()
    (scores,) = (copy / "out").rglob("scores.json")
    section = json.loads(scores.read_text("utf-8"))["families"]["xlgobench"]
    assert section["tasks"]["lockers"]["languages"]["de"]["paired"]["n"] == 80
    assert not section["warnings"]
    (page,) = (copy / "out").rglob("report.html")
    assert "Lockers" in page.read_text("utf-8")
