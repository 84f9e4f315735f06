"""What every family owes (``xlgo_dataset.family``, ``xlgo_metric.family``), for all of them."""

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, cast

import pytest

import xlgo_dataset as xd
import xlgo_metric as xm
from tests.looping import looped
from tests.polymath.fixture import FIXTURE
from tests.toy import dataset, metric
from xlgo_cli.cli import main
from xlgo_cli.harness.make_tasks import FOLDER, FoundTask, stale_files, task_files, tasks_by_family
from xlgo_dataset.core import COLUMNS, HarnessTask, question_plan
from xlgo_dataset.families import BUILT_IN as DATA
from xlgo_metric.core import values_of
from xlgo_metric.families import BUILT_IN as METRIC
from xlgo_metric.families.xlgobench import summary as xlgobench
from xlgo_metric.family import family as grading_family

SOURCES: dict[str, dict[str, Any]] = {
    "polymath": {"polymath_path": str(FIXTURE)},
    "korbench": {"source": str(Path(__file__).parents[1] / "korbench" / "fixture")},
}
"""Where the data of families that are loaded stand, as options of their rows."""

GIVEN: dict[str, dict[str, Any]] = {"lit_custom": {"chain": "en,te,hi,en"}}
"""Options that a task must have."""

FAMILIES = list(xd.FAMILIES)
GENERATED = [(name, task) for name, family in xd.FAMILIES.items() for task in family.generated]
HOSTILE = (None, "", "I do not know.", "{" * 5000, "<think>", "\x00\ud800", "9" * 5000)


def rows(name: str, task: str, count: int = 4, languages: int = 2) -> list[dict[str, Any]]:
    """A few rows of a task; none where its data are not here."""
    family = xd.family(name)
    try:
        given = {} if task in family.generated else SOURCES.get(name, {})
        given = given | GIVEN.get(task, {})
        return list(islice(family.rows(task, family.languages(task)[:languages], **given), count))
    except ValueError as error:
        assert "source" in str(error)  # noqa: PT017
        return []


def test_both_sides_know_the_same_families() -> None:
    assert list(xm.FAMILIES) == [*FAMILIES, "parallel"]  # graded by others, asked by others
    tasks = [task for family in xd.FAMILIES.values() for task in family.TASKS]
    assert len(set(tasks)) == len(tasks)


@pytest.mark.parametrize("name", FAMILIES)
def test_names_labels_and_citation(name: str) -> None:
    family = xd.family(name)
    assert (family.name, grading_family(name).name) == (name, name)
    assert family.title
    assert "{tasks}" in family.source
    for task in family.TASKS:
        assert re.fullmatch(r"[a-z][a-z0-9_]*", task)
        assert "" not in vars(family.labels[task]).values(), task
        assert set(family.default_languages(task)) <= set(family.languages(task))
        assert set(family.splits(task)) <= set(xd.SPLITS)
        with pytest.raises(ValueError, match="no_such_option"):
            family.options(task, no_such_option=1)
    with pytest.raises(ValueError, match="unknown task 'nothing'"):
        family.languages("nothing")
    assert all(re.match(r"@\w+\{\w+,\n.*\}$", x, re.S) for x in family.citation.split("\n\n"))


@pytest.mark.parametrize("name", FAMILIES)
def test_harness_tasks_have_files_and_metrics(name: str) -> None:
    family, grader = xd.family(name), grading_family(name)
    found = family.harness_tasks()
    assert len({task.name for task in found}) == len(found) > 0
    for task in found:
        assert task.task in family.TASKS
        assert set(task.languages) <= set(family.languages(task.task))
        assert set(task.options) <= {one.name for one in family.task_options(task.task)}
        file = FOLDER / FoundTask(name, task).path
        assert file.is_file(), "task files are out of date: run xlgo tasks --check"
        names = [one.name for one in grader.measures(task.task, task.languages)]
        assert len(set(names)) == len(names) > 0
        assert not grader.is_binary or {"acc", "parsed"} <= set(names)
    with pytest.raises(ValueError, match="no measure 'no_such': allowed are"):
        grader.measure("no_such")
    every = [task for tasks in tasks_by_family().values() for task in tasks]
    assert len(set(every)) == len(every)


SENTENCES = {
    "word_count": "The words appear {} times.",
    "char_count": "The character appears {} times.",
    "proof_tree": "The final answer is {}.",
    "irrelevant": "The final answer is {}.",
}
"""Prompts that ask for a sentence around the answer; others for the answer alone."""


@looped(("name", "task"), GENERATED)
def test_an_answer_in_the_prompts_own_form_is_strict(name: str, task: str) -> None:
    for row in rows(name, task):
        answer = xd.family(name).response(json.loads(row["answer"]), task)
        text = answer if isinstance(answer, str) else json.dumps(answer)
        text = SENTENCES.get(task, "{}").replace("{}", text)
        grade = xm.grade(text, row["reference"])
        assert (grade.correct, grade.strict) == (True, True), (
            f"{task}: its own answer {text!r} in the form that the prompt asks for is "
            f"{grade.status}, strict {grade.strict}: see read and compare on the metric's side"
        )


@looped(("name", "task"), [(n, t) for n in FAMILIES for t in xd.family(n).TASKS])
def test_rows_grades_scores_and_tables(name: str, task: str) -> None:
    found = rows(name, task, 2)
    if not found:
        pytest.skip("its data are not here")
    grader = grading_family(name)
    for row in found:
        assert set(row) == set(COLUMNS)
        reference = json.loads(row["reference"])
        assert grading_family(reference["family"]) is grader
        assert (reference["task"], reference["language"]) == (row["task"], row["language"])
        measures = grader.measures(task, [row["language"]])
        for text in HOSTILE:
            grade = xm.grade(text, row["reference"])
            assert grade.status in xm.STATUSES
            assert grade.correct == (grade.status == "correct")
            values = values_of(measures, grade, reference | {"languages": [row["language"]]})
            assert set(values) <= {one.name for one in measures}
            json.dumps(grade.to_json(), allow_nan=False)
    references = [row["reference"] for row in found]
    score = xm.score(["I do not know."] * len(found), references, draws=20, permutations=20)
    json.dumps(score, allow_nan=False)
    section = score["families"][name]
    assert section["signature"] == score["signature"]
    assert section["signature"].endswith(f"version:{xm.__version__}")
    assert {type(text) for text in section["warnings"]} <= {str}
    assert all(isinstance(value, float) for value in grader.headline(section).values())
    tables = xm.tables(score)
    assert len({table.name for table in tables}) == len(tables) > 0
    for table in tables:
        assert len(set(table.names)) == len(table.columns), table.name
        for column, cells in zip(table.columns, zip(*table.rows)):
            kinds = str | int | float | None if column.kind == "text" else int | float | None
            assert all(isinstance(cell, kinds) for cell in cells), (table.name, column)


OTHER = "no_such"
TASKS = [(name, task) for name, family in xd.FAMILIES.items() for task in family.TASKS]
NEEDED: dict[str, dict[str, Any]] = {
    **GIVEN,
    "unpuzzles": {"source": "x"},
    "released": {"source": "x"},
}


def needed(name: str, task: str) -> dict[str, Any]:
    """What must be given of a task, whatever it is."""
    own = {one.name: "." for one in xd.family(name).task_options(task) if one.needed}
    return own | NEEDED.get(task, {})


def values(option: xm.Option) -> tuple[list[Any], list[Any]]:
    """Values of an option that it takes by its declaration, and such that it refuses."""
    allowed = list(option.allowed)
    ends = [allowed[0], allowed[-1]] if allowed else []
    least = [] if option.least is None else [option.least]
    taken: list[Any] = []
    refused: list[Any] = []
    if option.kind == "integer":
        taken = [*ends, *least]
        refused = [True, "1", 1.5, *(end - 1 for end in (*ends[:1], *least))]
        refused += [end + 1 for end in ends[1:]]
    elif option.kind == "flag":
        taken, refused = [True, "False"], [1, OTHER]
    elif option.kind == "text":
        refused = [1, ""] if option.several else [1, "", ["a", "b"]]
    elif option.kind in (
        "choice",
        "names",
    ):  # no flag is taken for a number, nor a number for a flag
        flags = [int(one) for one in allowed if isinstance(one, bool)]
        taken, refused = allowed, [OTHER, [], *flags]
        refused += [bool(one) for one in allowed if one in (0, 1) and not flags]
    if option.kind == "names":
        return [*taken, allowed], [*refused, [allowed[0], OTHER], f"{allowed[-1]},{OTHER}"]
    if option.several and taken:  # in a list the last value decides as the first does
        refused += [[taken[0], value] for value in refused if value != []]
        taken += [[taken[0], value] for value in taken]
    return taken, refused


@looped(("name", "task"), TASKS)
def test_options_take_what_they_say_and_nothing_beyond(name: str, task: str) -> None:
    family = xd.family(name)
    for option in family.task_options(task):
        taken, refused = values(option)
        for value in taken:
            assert option.checked(value) is not None, (option.name, value)
        for value in refused:
            given = {**needed(name, task), option.name: value}
            with pytest.raises(ValueError, match=option.name):  # noqa: PT012
                family.options(task, **given)
                pytest.fail(f"{task}: {option.name}={value!r} is taken")


@looped(
    ("plan", "message"),
    [
        ({"cells": {"4": question_plan.MOST_QUESTIONS}}, ""),
        ({"cells": {"4": question_plan.MOST_QUESTIONS, "5": 1}}, "more than 1,000,000 questions"),
        (
            {"cells": {"4": question_plan.MOST_QUESTIONS + 1}},
            "a number of questions above 0 or a list",
        ),
        ({"cells": {"4": True}}, "a number of questions above 0 or a list"),
        ({"cells": {"4": [False, 1]}}, "a list of rising indexes"),
        ({"cells": {"4": [0, 2, 1]}}, "a list of rising indexes"),
        ({"cells": {"4": [-1, 1]}}, "a list of rising indexes"),
        ({"cells": {"4": []}}, "a list of rising indexes"),
        ({"cells": {"4": 1}, "range": [True, 4]}, "two rising integers"),
        ({"cells": {"4": 1}, "range": [0, 4]}, "two rising integers"),
        ({"cells": {"4": 1}, "range": [4, 4]}, ""),
        ({"cells": {"4": 1}, "range": [4, 5, 6]}, "two rising integers"),
        ({"cells": {"-4": 1}}, "a complexity must be an integer"),
        ({"cells": {"²": 1}}, "a complexity must be an integer"),
    ],
)
def test_plans_take_whole_numbers_within_their_ends(plan: Any, message: str) -> None:
    """Of the last task of a plan as of the first."""
    whole = {"schema": 1, "tasks": {"slt": {"cells": {"4": 1}}, "dsa": plan}}
    if not message:
        assert list(question_plan.read_plan(whole)["dsa"].cells) == [4]
        return
    with pytest.raises(ValueError, match=f"dsa: .*{message}"):
        question_plan.read_plan(json.dumps(whole))


REFERENCE: dict[str, Any] = {
    "family": "xlgobench", "task": "slt", "answer": {"chain": [1]}, "language": "en",
    "instance_id": "i", "complexity": 4, "seed": 0, "data": 1, "text": "paper",
}  # fmt: skip
BIG = 10**15


@looped(
    ("field", "good", "bad"),
    [
        *((name, "x" * 100, "x" * 101) for name in ("instance_id", "text", "split", "structure")),
        *((name, "a b", "a|b") for name in ("text", "split", "data", "tokenizer", "romaniser")),
        *((name, "a.b", "a:b") for name in ("language", "text", "condition", "tokenizer")),
        *((name, BIG, BIG + 1) for name in ("complexity", "level", "index", "seed", "data")),
        *((name, -BIG, -BIG - 1) for name in ("complexity", "level", "index", "seed")),
        *((name, 1, True) for name in ("complexity", "level", "index", "seed", "data")),
        *((name, 1.5, float("nan")) for name in ("complexity",)),
        *((name, 0.0, float("inf")) for name in ("complexity",)),
        *((name, 1, "1") for name in ("complexity", "index", "seed")),
        *((name, 1, 1.0) for name in ("index", "seed", "data")),
        *((name, "é", "a\n") for name in ("language", "prompt", "model", "tier", "item", "type")),
        *((name, "é", "\x1b[0m") for name in ("rule_id", "category", "setting", "control")),
        *(
            (name, {"a": BIG, "b": -BIG}, {"a": 1, "b": BIG + 1})
            for name in ("covariates", "params")
        ),
        *((name, {"a": "é"}, {"a": "é", "b": "\x1b"}) for name in ("covariates", "params")),
        *((name, {"a": 1}, {"a": 1, "b\n": 1}) for name in ("covariates", "params")),
        *((name, {}, []) for name in ("covariates", "params")),
    ],
)
def test_fields_of_references_within_their_ends(field: str, good: Any, bad: Any) -> None:
    """What steers a terminal, parts a signature or is no number of a question is refused."""
    assert xm.grade("", REFERENCE | {field: good}).status == "no_answer"
    assert xm.grade("", REFERENCE | {field: None}).status == "no_answer"
    with pytest.raises(ValueError, match=f"'{field}' of a reference"):
        xm.grade("", REFERENCE | {field: bad})


DOCS = Path(__file__).parents[2] / "docs"


def test_the_docs_name_every_option() -> None:
    """Of the tasks that a page tells of: ``xlgo tasks TASK`` lists those of any other."""
    text = "".join(path.read_text("utf-8") for path in DOCS.rglob("*.md"))
    told = [(family, task) for family, task in TASKS if re.search(rf"`(\w+_)?{task}\b", text)]
    options = [one for family, task in told for one in xd.family(family).task_options(task)]
    names = {option.name for option in options if len(option.allowed) != 1}  # there is a choice
    names |= {option.name for name in xd.FAMILIES for option in grading_family(name).options}
    missing = [
        name
        for name in sorted(names)
        if not re.search(rf"`{name}\b|\b(xlgo_)?{name}=|--{name.replace('_', '-')}\b", text)
    ]
    assert not missing, missing


STORED = {"dsa": {"a": [(10.0, 0.5), (20.0, 0.3)], "b": [(10.0, 0.1), (20.0, 0.5)]}}


@looped(
    ("task", "ends", "floor"),
    [
        ("dsa", (10, 10), [(10, "a", 0.5)]),
        ("dsa", (12, 30), [(12, "a", pytest.approx(0.46)), (20, "b", 0.5)]),
        ("dsa", (18, 18), [(18, "b", pytest.approx(0.42))]),
        ("dsa", (9, 9), []),
        ("dsa", (21, 30), []),
        ("slt", (10, 20), []),
    ],
)
def test_the_strongest_shortcut(
    monkeypatch: pytest.MonkeyPatch, task: str, ends: tuple[int, int], floor: list[Any]
) -> None:
    monkeypatch.setattr(xlgobench, "measured_floors", lambda: STORED)
    points = xlgobench.floor_points(task, *ends)
    assert [(p["complexity"], p["heuristic"], p["accuracy"]) for p in points] == floor


def test_a_score_has_the_floor_of_its_range() -> None:
    sizes: dict[str, Any] = {"preset": "smoke", "levels": 3, "per_level": 2}
    rows = list(xd.family("xlgobench").rows("dsa", ["en", "te"], **sizes))
    answers, references = ([row[name] for row in rows] for name in ("answer", "reference"))
    score = xm.score(answers, references, draws=20, permutations=20)
    floor = score["families"]["xlgobench"]["tasks"]["dsa"]["floor"]
    assert (floor[0]["complexity"], floor[-1]["complexity"]) == (4.0, 64.0)
    assert all(0 < point["accuracy"] < 1 and point["heuristic"] for point in floor)


# Families from outside: of another package, of a page of the docs, registered by a test.


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
assert xlgo_dataset.family_of("slt").name == "xlgobench"
assert "xlgo_toy" not in sys.modules
assert xlgo_dataset.family_of("toy_sum").name == "toy"
assert "xlgo_dataset.families.lit" not in sys.modules
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


def test_a_family_without_citation_is_told_when_it_is_registered() -> None:
    with pytest.raises(ValueError, match=r"the package json has no file citation\.bib: add it"):
        xd.register(replace(xd.family("lit"), name="uncited", package="json"))


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
        "print(*xd.FAMILIES); print(*xm.FAMILIES); print(xd.family('lit').title)"
    )
    done = run(site, tmp_path, "-c", program)
    assert all(
        {*of} <= {*line.split()} for of, line in zip((DATA, METRIC), done.stdout.split("\n"))
    )
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
