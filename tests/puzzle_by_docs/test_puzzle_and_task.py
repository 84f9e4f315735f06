"""A puzzle and a task of simple reasoning, made by following docs/adding_a_puzzle.md in a copy."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PACKAGES = ("xlgo_dataset", "xlgo_metric", "scripts/xlgo_cli", "lm_eval_tasks/xlgo_lm_eval")


PUZZLES = "xlgo_dataset/families/xlgobench"
TASKS = "xlgo_dataset/families/simple_reasoning"
TASKS_METRIC = "xlgo_metric/families/simple_reasoning/tasks.py"


EDITS = (
    (f"{PUZZLES}/instances.py", "graph_sp, prdsa, slt", "graph_sp, lockers, prdsa, slt"),
    (f"{PUZZLES}/instances.py", "graph_sp, t_rank)", "graph_sp, t_rank, lockers)"),
    ("xlgo_metric/families/xlgobench/puzzles/__init__.py", "    \"t_rank\"",
     "    \"lockers\": Puzzle(\"locker\", read_room),\n    \"t_rank\""),
    (f"{TASKS}/questions.py", "    irrelevant,\n", "    irrelevant,\n    lift,\n"),
    (f"{TASKS}/questions.py", "irrelevant, travel,", "irrelevant, travel, lift,"),
    (TASKS_METRIC, '    Task("unpuzzles", ',
     '    Task("lift", "Lifts", grading.graded_number),\n    Task("unpuzzles", '),
)  # fmt: skip
"""A line for each file."""
WITH_TASKS = """
import sys
from xlgo_cli.cli import main
written = main(['tasks', '--out', 'xlgo_lm_eval/tasks'])
sys.exit(written or main(['run', *sys.argv[1:]]))
"""


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python in the copy."""
    return subprocess.run(
        [sys.executable, "-c", *words], cwd=folder, env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the packages with both: files, strings, and a line for each file."""
    copy = tmp_path_factory.mktemp("copy")
    for source in PACKAGES:
        shutil.copytree(ROOT / source, copy / Path(source).name)
    for name, path in (
        ("lockers_data.txt", f"{PUZZLES}/lockers.py"),
        ("lift_data.txt", f"{TASKS}/tasks/lift.py"),
    ):
        shutil.copy(HERE / name, copy / path)
    for path, old, new in EDITS:
        text = (copy / path).read_text("utf-8")
        assert old in text, path
        (copy / path).write_text(text.replace(old, new, 1), "utf-8")
    for strings, folder in (
        ("strings.toml", "xlgo_dataset/text/languages"),
        ("lift_strings.toml", f"{TASKS}/languages"),
    ):
        for part in re.split(r"(?m)^(?=\[de\.)", (HERE / strings).read_text("utf-8"), maxsplit=1):
            code = "de" if part.startswith("[de.") else "en"
            with (copy / folder / f"{code}.toml").open("a", encoding="utf-8") as file:
                file.write("\n" + part.replace(f"[{code}.", "["))
    return copy


def test_both_are_solved_by_hand(packages: Path) -> None:
    program = """
import re, xlgo_dataset as xd
family = xd.family("simple_reasoning")
assert family.languages("lift") == xd.family("xlgobench").languages("lockers") == ("en", "de")
for code, up in (("en", "up"), ("de", "hinauf")):
    for index in range(20):
        question = family.generate("lift", moves=1 + index, index=index)
        floor = 1000
        for line in family.render(question, code).splitlines()[1:-1]:
            (floors,) = re.findall("[0-9]+", line)
            floor += int(floors) * (1 if up in line else -1)
        assert family.solve(question) == {"number": floor}
        puzzle = xd.generate("lockers", complexity=1 + index, index=index)
        prompt = xd.render(puzzle, code)
        assert xd.read("lockers", prompt, code) == puzzle
        place, *pairs = re.findall(r"[A-Z][0-9]{4}", prompt)
        for one, other in zip(pairs[::2], pairs[1::2]):
            place = {one: other, other: one}.get(place, place)
        assert xd.solve(puzzle) == {"locker": place}
"""
    found = run(packages, program)
    assert found.returncode == 0, found.stderr


def test_a_run_of_the_simulated_model_gives_a_report_without_a_warning(packages: Path) -> None:
    done = run(
        packages, WITH_TASKS,
        "--model", "xlgo-sim", "--tasks", "lockers_en,lockers_de,simple_lift,simple_lift_de",
        "--preset", "smoke", "--output_path", "out",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "warning" not in done.stderr.lower()
    (scores,) = (packages / "out").rglob("scores.json")
    families = json.loads(scores.read_text("utf-8"))["families"]
    puzzles, simple = families["xlgobench"], families["simple_reasoning"]
    assert puzzles["tasks"]["lockers"]["languages"]["de"]["paired"]["n"] == 80
    assert not puzzles["warnings"]
    lift = simple["tasks"]["lift"]["languages"]
    assert set(lift) == {"en", "de"}
    assert all(0 < part["accuracy"] < 1 for part in lift.values())
    assert all(part["strict"] > 0.5 for part in lift.values())
    # The simulated model leaves some answers unfinished, which is said.
    assert all("were truncated" in text for text in simple["warnings"])
    (page,) = (packages / "out").rglob("report.html")
    assert "Lockers" in page.read_text("utf-8")
    assert "Lifts" in page.read_text("utf-8")
