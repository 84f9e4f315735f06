"""A family of another package, found by its entry point, is like those of this one."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from xlgo_dataset.families import BUILT_IN as DATA
from xlgo_metric.families import BUILT_IN as METRIC

TOY = Path(__file__).parents[1] / "toy"
PROJECT = """
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "xlgo-toy"
version = "1.0"

[project.entry-points."xlgo.families"]
toy = "xlgo_toy"

[tool.setuptools]
packages = ["xlgo_toy", "xlgo_toy.dataset", "xlgo_toy.metric"]
package-data = {"xlgo_toy.dataset" = ["citation.bib"]}
"""
POINTS = "[xlgo.families]\ntoy = xlgo_toy\n"


def project(folder: Path) -> Path:
    """A project with the toy family, ready to be installed."""
    shutil.copytree(TOY, folder / "xlgo_toy", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "xlgo_toy" / "__init__.py").touch()
    (folder / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    return folder


def installed(folder: Path, points: str = POINTS) -> Path:
    """What an installer would leave of the project: the package and what is known of it."""
    project(folder)
    known = folder / "xlgo_toy-1.0.dist-info"
    known.mkdir()
    (known / "METADATA").write_text("Metadata-Version: 2.1\nName: xlgo-toy\nVersion: 1.0\n")
    (known / "entry_points.txt").write_text(points)
    return folder


def run(site: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, with what is installed in ``site``."""
    path = os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH")]))
    return subprocess.run(
        [sys.executable, *words], cwd=folder, env={**os.environ, "PYTHONPATH": path},
        capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip


IN_ONE_PROCESS = """
import sys
from xlgo_cli.cli import main
import xlgo_dataset
from datasets import load_dataset
words = "run --model xlgo-sim --tasks toy_sum --languages en,te --output_path out"
assert main(words.split()) == 0
rows = load_dataset("xlgo", "toy_sum_te", split="test", splits="test")
assert "మొత్తం" in rows["prompt"][0]
assert main("tasks --out tasks".split()) == 0
assert main("export --tasks toy_sum --out data".split()) == 0
assert main("verify data".split()) == 0
from lm_eval import simple_evaluate
from lm_eval.tasks import TaskManager
# As its command does, but without its own 10,000 task files, which take seven seconds to find.
manager = TaskManager(include_path="tasks/toy", include_defaults=False)
plain = simple_evaluate("dummy", tasks=["toy_sum"], task_manager=manager)
assert plain["results"]["toy_sum"]["acc,none"] == 0.0
"""


def check_report(folder: Path) -> None:
    """The report of ``xlgo run``."""
    (page,) = (folder / "out").rglob("report.html")
    text = page.read_text("utf-8")
    assert "Toys" in text
    assert "task:toy_sum" in text


def test_a_family_of_another_package_works_everywhere(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    done = run(installed(site), tmp_path, "-c", IN_ONE_PROCESS)
    assert done.returncode == 0, done.stderr
    assert "left out" not in done.stderr
    check_report(tmp_path)


@pytest.mark.parametrize(
    ("points", "reason"),
    [
        ("[xlgo.families]\ntoy = no_such_package\n", "ModuleNotFoundError"),
        ("[xlgo.families]\nlit = xlgo_toy\n", "there is a family of that name already"),
    ],
)
def test_a_package_that_is_broken_is_named_and_the_others_work(
    tmp_path: Path, points: str, reason: str
) -> None:
    site = installed(tmp_path, points)
    program = (
        "import xlgo_dataset as xd, xlgo_metric as xm; "
        "print(len(xd.FAMILIES), len(xm.FAMILIES), xd.family('lit').title)"
    )
    done = run(site, tmp_path, "-c", program)
    assert done.stdout.split()[:2] == [str(len(DATA)), str(len(METRIC))]
    assert "xlgo-toy" in done.stderr
    assert reason in done.stderr
