"""A new task of simple reasoning, made by following docs/adding_a_puzzle.md in a copy."""

from __future__ import annotations

import json

import pytest

from .conftest import HERE, Copy

DATA = "xlgo_dataset/families/simple_reasoning"
METRIC = "xlgo_metric/families/simple_reasoning/tasks.py"


@pytest.fixture(scope="module")
def task(copy: Copy) -> Copy:
    """The packages with the task: one file a side, its strings, and a line for each file."""
    copy.add("lift_data.txt", f"{DATA}/tasks/lift.py")
    copy.edit(f"{DATA}/questions.py", "    irrelevant,\n", "    irrelevant,\n    lift,\n")
    listed = "irrelevant, travel,"
    copy.edit(f"{DATA}/questions.py", listed, "irrelevant, travel, lift,")
    last = '    Task("unpuzzles", '
    copy.edit(METRIC, last, f'    Task("lift", "Lifts", grading.graded_number),\n{last}')
    english, german = (HERE / "lift_strings.toml").read_text("utf-8").split("[de.", 1)
    for code, text in (("en", english), ("de", f"[de.{german}")):
        copy.append(f"{DATA}/languages/{code}.toml", text.replace(f"[{code}.", "["))
    return copy


def test_it_is_solved_by_hand(task: Copy) -> None:
    program = """
import re, xlgo_dataset as xd
family = xd.family("simple_reasoning")
assert family.languages("lift") == ("en", "de")
for code, up in (("en", "up"), ("de", "hinauf")):
    for index in range(20):
        question = family.generate("lift", moves=1 + index, index=index)
        prompt = family.render(question, code)
        floor = 1000
        for line in prompt.splitlines()[1:-1]:
            (floors,) = re.findall("[0-9]+", line)
            floor += int(floors) * (1 if up in line else -1)
        assert family.solve(question) == {"number": floor}
"""
    found = task.run("-c", program)
    assert found.returncode == 0, found.stderr


def test_a_run_of_the_simulated_model_gives_a_report_without_a_warning(task: Copy) -> None:
    done = task.run_with_tasks("--model", "xlgo-sim", "--output_path", "out", "--tasks",
                               "simple_lift,simple_lift_de", "--limit", "40")  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "warning" not in done.stderr.lower()
    (scores,) = (task.folder / "out").rglob("scores.json")
    section = json.loads(scores.read_text("utf-8"))["families"]["simple_reasoning"]
    found = section["tasks"]["lift"]["languages"]
    assert set(found) == {"en", "de"}
    assert all(0 < part["accuracy"] < 1 for part in found.values())
    assert all(part["strict"] > 0.5 for part in found.values())
    # The simulated model leaves some answers unfinished, which is said.
    assert all("were truncated" in text for text in section["warnings"])
    (page,) = (task.folder / "out").rglob("report.html")
    assert "Lifts" in page.read_text("utf-8")
