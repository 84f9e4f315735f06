"""What ``xlgo tasks --upstream`` writes passes what the harness's own test of its tasks asks."""

import json
import re
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
import xlgo
from lm_eval import simple_evaluate
from lm_eval.api.registry import get_model
from lm_eval.tasks import TaskManager

import xlgo_dataset as xd
import xlgo_metric as xm
from xlgo_cli.cli import main
from xlgo_cli.harness.options import check_model
from xlgo_cli.simulate.model import SimulatedModel
from xlgo_cli.simulate.simulator import Simulator


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("upstream")
    assert main(["tasks", "--upstream", str(out)]) == 0
    return out / "xlgo"


@pytest.fixture(scope="module")
def manager(folder: Path) -> TaskManager:
    return TaskManager(include_path=str(folder.parent), include_defaults=False)


def rows(folder: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in (folder / "sample.jsonl").read_text("utf-8").splitlines()]


def test_every_task_has_documents_with_text_and_target(folder: Path, manager: TaskManager) -> None:
    assert (folder / "sample.jsonl").stat().st_size <= 1_000_000
    asked = {(row["task"], row["language"]) for row in rows(folder)}
    names = sorted(f"xlgo_{task}_{code}" for task, code in asked)
    assert sorted(manager.all_subtasks) == names
    readme = (folder / "README.md").read_text("utf-8")
    for name in (names[0], names[-1]):
        task = (
            manager.load([name])["tasks"][name]
            if hasattr(manager, "load")
            else (manager.load_task_or_group(name)[name])
        )
        docs = list(task.test_docs())
        assert len(docs) == 2
        for doc in docs:
            text, target = task.doc_to_text(doc), task.doc_to_target(doc)
            assert isinstance(text, str)
            assert text == text.rstrip()
            assert isinstance(target, str)
            assert target
    assert all(f"`{name}`" in readme for name in names)
    for heading in ("### Paper", "### Citation", "#### Groups", "#### Tasks", "### Checklist"):
        assert heading in readme


def test_the_harness_counts_what_the_grader_counts(folder: Path, manager: TaskManager) -> None:
    found = simple_evaluate(
        SimulatedModel(), tasks=["xlgo_dsa_en"], task_manager=manager, bootstrap_iters=0
    )
    simulator = Simulator()
    own = [row for row in rows(folder) if (row["task"], row["language"]) == ("dsa", "en")]
    right = [xm.grade(simulator.answer(row["prompt"]), row["reference"]).correct for row in own]
    assert found["results"]["xlgo_dsa_en"]["acc,none"] == sum(right) / len(right)


def test_a_folder_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "xlgo").mkdir()
    (tmp_path / "xlgo" / "mine.txt").write_text("mine")
    assert main(["tasks", "--upstream", str(tmp_path)]) == 2
    assert (tmp_path / "xlgo" / "mine.txt").is_file()


def test_the_harness_can_find_the_models_by_their_entry_points() -> None:
    """As it merged them: a name and an object, which registers itself under the same name."""
    text = Path("pyproject.toml").read_text("utf-8").partition('"lm_eval.models"]')[2]
    entries = re.findall(r'^(\S+) = "(.+)"$', text.partition("\n[")[0], re.MULTILINE)
    check_model("xlgo-sim")
    assert {name: EntryPoint(name, value, "lm_eval.models").load() for name, value in entries} == {
        name: get_model(name)
        for name in ("xlgo-sim", "xlgo-chat-completions", "xlgo-openai-chat-completions")
    }


BOTH = {"FAMILIES", "Family", "register"}
OF_VERIFIERS = {"XlgoTaskset"}  # there where verifiers is installed


def test_every_name_of_the_two_packages_is_there() -> None:
    for side in (xd, xm):
        for name in set(side.__all__) - BOTH:
            assert getattr(xlgo, name) is getattr(side, name)
            assert name in dir(xlgo)


def test_a_name_of_both_packages_is_refused_with_the_two_to_choose_from() -> None:
    for name in BOTH:
        with pytest.raises(AttributeError, match=rf"xlgo_dataset\.{name} or xlgo_metric\.{name}"):
            getattr(xlgo, name)
    assert not BOTH & {*dir(xlgo)}
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        vars(xlgo)["__getattr__"]("nothing")


def test_type_checkers_see_the_same_names() -> None:
    stub = Path(str(xlgo.__file__)).with_suffix(".pyi").read_text("utf-8")
    assert sorted(re.findall(r" as (\w+)(?:,|$)", stub, re.MULTILINE)) == sorted(
        set(vars(xlgo)["__all__"]) - OF_VERIFIERS
    )


def test_load_dataset_takes_the_name_for_the_data_and_not_for_a_folder(tmp_path: Path) -> None:
    program = (
        "import xlgo; from datasets import load_dataset; "
        "print(load_dataset('xlgo', 'slt_te', split='test', splits='test', preset='smoke', "
        f"cache_dir={str(tmp_path)!r})['id'][0])"
    )
    found = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(str(xlgo.__file__)).parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.strip() == "slt-test-s0-c4-i0-te"
