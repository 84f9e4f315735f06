"""Families from outside: of another package, of a page of the docs, registered by a test."""

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

import xlgo_dataset as xd
import xlgo_metric as xm
from tests.looping import looped
from tests.toy import dataset, metric
from xlgo_cli.cli import main
from xlgo_cli.harness.make_tasks import FOLDER, stale_files, task_files
from xlgo_dataset.core import HarnessTask
from xlgo_dataset.families import BUILT_IN as DATA
from xlgo_metric.families import BUILT_IN as METRIC

TOY = Path(__file__).parents[1] / "toy"


def installed(folder: Path, points: str = "[xlgo.families]\ntoy = xlgo_toy\n") -> Path:
    """What an installer would leave of the toy family: the package and what is known of it."""
    shutil.copytree(TOY, folder / "xlgo_toy", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "xlgo_toy" / "__init__.py").touch()
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


def test_a_family_of_another_package_works_everywhere(tmp_path: Path) -> None:
    done = run(installed(tmp_path / "site"), tmp_path, "-c", IN_ONE_PROCESS)
    assert done.returncode == 0, done.stderr
    assert "left out" not in done.stderr
    (page,) = (tmp_path / "out").rglob("report.html")
    assert {"Toys", "task:toy_sum"} <= set(re.findall("Toys|task:toy_sum", page.read_text("utf-8")))


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


PAGE = Path(__file__).parents[2] / "docs" / "adding_a_paper.md"
QUESTIONS = [
    {"en": "Capital of France? A Lyon B Paris C Nice D Metz",
     "de": "Hauptstadt Frankreichs? A Lyon B Paris C Nizza D Metz", "answer": "B"},
    {"en": "Capital of Peru? A Lima B Cusco C Ica D Puno",
     "de": "Hauptstadt Perus? A Lima B Cusco C Ica D Puno", "answer": "A"},
]  # fmt: skip


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A folder with the data; the package of the page is registered."""
    code = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert len("".join(code).splitlines()) <= 120
    monkeypatch.syspath_prepend(str(tmp_path))
    for side, text in zip(("dataset", "metric"), code, strict=True):
        folder = tmp_path / "xlgo_capitals" / side
        folder.mkdir(parents=True)
        (folder / "__init__.py").write_text(text, encoding="utf-8")
        (folder / "citation.bib").write_text("@misc{capitals,\n  title = {Capitals}\n}\n")
    (tmp_path / "xlgo_capitals" / "__init__.py").touch()
    lines = [json.dumps(question) for question in QUESTIONS]
    (tmp_path / "capitals.jsonl").write_text("\n".join(lines), encoding="utf-8")
    xd.register(importlib.import_module("xlgo_capitals.dataset").FAMILY)
    xm.register(importlib.import_module("xlgo_capitals.metric").FAMILY)
    yield str(tmp_path)
    for registry in (xd.FAMILIES, xm.FAMILIES):
        registry.remove("capitals")
    for name in [name for name in sys.modules if name.startswith("xlgo_capitals")]:
        del sys.modules[name]


def test_the_page_makes_a_paper(source: str, tmp_path: Path) -> None:
    rows = list(xd.family("capitals").rows("capitals", ["en", "de"], source=source))
    assert [row["prompt"] for row in rows[:2]] == [QUESTIONS[0]["en"], QUESTIONS[0]["de"]]
    answers = ["The answer is B.", "B", "Antwort: C", None]
    score = xm.score(answers, [row["reference"] for row in rows])
    found = {table.name: table for table in xm.tables(score)}
    assert [row[:3] for row in found["capitals"].rows] == [("en", 2, 0.5), ("de", 2, 0.5)]
    assert {"by_language", "readings"} <= found.keys()
    with pytest.raises(ValueError, match="a folder with capitals"):
        list(xd.family("capitals").rows("capitals", ["en"]))
    assert main(["tasks", "--out", str(tmp_path / "tasks")]) == 0
    assert (tmp_path / "tasks" / "capitals" / "xlgo_capitals.yaml").is_file()
    with pytest.raises(ValueError, match="is called as its group"):
        HarnessTask("capitals", "capitals", ("en",), "capitals", "capitals")
    loaded = xd.load_dataset("capitals_de", split="test", source=source, streaming=True)
    assert [row["id"] for row in loaded] == ["capitals-0-de", "capitals-1-de"]


@pytest.fixture
def toy() -> Iterator[None]:
    xd.register(dataset.FAMILY)
    xm.register(metric.FAMILY)
    yield
    xd.FAMILIES.remove("toy")
    xm.FAMILIES.remove("toy")


@pytest.mark.usefixtures("toy")
def test_task_files_are_those_of_this_package_and_a_missing_one_is_noticed() -> None:
    assert "toy/toy_sum.yaml" in stale_files(FOLDER, task_files())
    # The installed files are those of this package.
    assert main(["tasks", "--check"]) == 0, "out of date: run xlgo tasks --check"


@pytest.mark.usefixtures("toy")
@looped(
    ("register", "message"),
    [
        (lambda: xd.register(replace(dataset.FAMILY, name="empty", labels={})),
         "the family empty has no task: labels are empty"),
        (lambda: xd.register(cast("xd.Family", object())), "must be a value of the class Family"),
        (lambda: xd.register(replace(dataset.FAMILY, name="twin")),
         "'toy_sum' belongs to the family 'toy'"),
        (lambda: xm.Family(name="empty"),  # type: ignore[call-arg]
         "'grade', 'summarize', and 'tables'"),
        (lambda: xm.register(cast("xm.Family", object())), "must be a value of the class Family"),
    ],
)  # fmt: skip
def test_a_family_that_lacks_something_is_refused(
    register: Callable[[], object], message: str
) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        register()
