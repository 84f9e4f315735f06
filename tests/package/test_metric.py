"""The metric as a user of evaluate, and as a user without evaluate, calls it."""

import json
import os
import pickle
import re
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import datasets
import evaluate
import pytest

import xlgo_dataset as xd
import xlgo_metric as xm
from xlgo_dataset.families.simple_reasoning import counting

ROOT = Path(__file__).parent.parent.parent


def plain(value: Any) -> bool:
    """Whether a value consists of plain JSON types only."""
    if isinstance(value, dict):
        return all(type(key) is str and plain(item) for key, item in value.items())
    if isinstance(value, list):
        return all(plain(item) for item in value)
    return value is None or type(value) in (str, int, float, bool)


@pytest.fixture(scope="module")
def data() -> tuple[list[str], list[str]]:
    """Answers, right below half of the range and wrong above, in English and Telugu."""
    found = [
        row
        for task in xd.TASKS
        for row in xd.family("xlgobench").rows(task, ["en", "te"], preset="smoke", per_level=4)
    ]
    answers = [row["answer"] if row["level"] < 4 else "I do not know" for row in found]
    return answers, [row["reference"] for row in found]


@pytest.fixture(scope="module")
def ours_and_theirs(data: tuple[list[str], list[str]]) -> tuple[Any, Any]:
    """The score of the package, and that of evaluate."""
    answers, references = data
    theirs = evaluate.load(xm.path()).compute(predictions=answers, references=references)
    return xm.score(answers, references), theirs


def test_evaluate_gives_what_the_package_gives(ours_and_theirs: tuple[Any, Any]) -> None:
    found, scores = ours_and_theirs
    ours = found["headline"] | {key: found[key] for key in found if key != "headline"}  # flat
    assert json.loads(json.dumps(scores)) == json.loads(json.dumps(ours))
    assert scores["signature"] == ours["signature"]
    assert f"version:{xm.__version__}" in scores["signature"]
    assert plain(ours)


def test_a_score_is_a_dict_that_prints_in_a_few_lines(ours_and_theirs: tuple[Any, Any]) -> None:
    for score in ours_and_theirs:
        assert isinstance(score, dict)
        lines = repr(score).splitlines()
        assert len(lines) <= 12
        assert max(map(len, lines)) <= 100
        assert any(line.startswith("  accuracy: 0.") for line in lines)
        assert pickle.loads(pickle.dumps(score)) == score == json.loads(json.dumps(score))
    assert repr(xm.Score()) == "xlgo score: no families\n  signature: \n  keys: "
    assert "\x1b" not in repr(xm.Score(headline={"\x1b[2J": 1}))


def test_swapped_arguments_are_one_error(
    data: tuple[list[str], list[str]], caplog: pytest.LogCaptureFixture
) -> None:
    answers, references = data
    with pytest.raises(ValueError, match="predictions and references are swapped"):
        xm.score(references, answers)
    assert caplog.records == []
    # An output that imitates a reference, beside one bad reference, is no reason to stop.
    assert xm.score([references[0], answers[1]], ["?", references[1]])["unusable"] == 1


def test_load_by_name_from_the_root() -> None:
    code = (
        "import evaluate; m = evaluate.load('xlgo_metric'); "
        'r = \'{"task": "dsa", "language": "en", "answer": {"state": "E2679"}}\'; '
        's = m.compute(predictions=[\'{"state": "Room E2679"}\'], references=[r]); '
        "print(s['families']['xlgobench']['tasks']['dsa']['languages']['en']['accuracy'])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"HF_HUB_OFFLINE": "1"},
    )
    assert run.stdout.strip() == "1.0", run.stderr


def test_added_in_batches(data: tuple[list[str], list[str]]) -> None:
    answers, references = data
    metric = evaluate.load(xm.path())
    for answer, reference in zip(answers[:40], references[:40]):
        metric.add(prediction=answer, reference=reference)
    assert metric.compute()["families"] == xm.score(answers[:40], references[:40])["families"]


REFERENCE = '{"task": "slt", "language": "en", "answer": {"chain": [1]}}'


@pytest.mark.parametrize(
    ("predictions", "references", "message"),
    [
        ([], [], "predictions must be a list with one string per answer"),
        (None, [REFERENCE], "predictions must be a list"),
        ("{}", [REFERENCE], "predictions must be a list"),
        ([3], [REFERENCE], r"predictions\[0\] must be a string, got int"),
        (["{}"], ["{"], "row 0: a reference is not valid JSON"),
        (["{}"], ["[]"], "row 0: a reference must be a JSON object"),
        (["{}"], ['{"task": "slt"}'], "row 0: a reference has no 'answer'"),
        (["{}"], ['{"task": "slt", "answer": {}, "family": "x"}'], "unknown family 'x'"),
        (["{}"], ['{"task": "chess", "answer": {}}'], "unknown task 'chess'"),
    ],
)
def test_mistakes_are_named(predictions: Any, references: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        evaluate.load(xm.path(), keep_in_memory=True).compute(
            predictions=predictions, references=references
        )


def test_nothing_to_score() -> None:
    with pytest.raises(ValueError, match="nothing to score"):
        xm.score([], [])


def test_none_counts_as_no_answer() -> None:
    assert xm.grade(None, REFERENCE).status == "no_answer"
    scores = evaluate.load(xm.path()).compute(predictions=[None], references=[REFERENCE])
    cell = scores["families"]["xlgobench"]["tasks"]["slt"]["languages"]["en"]
    assert cell["statuses"]["no_answer"] == 1


@pytest.mark.parametrize(
    ("code", "heavy"),
    [
        (f"import xlgo_metric; xlgo_metric.grade('1', {REFERENCE!r})",
         "scipy numpy sympy datasets evaluate langdetect mpmath matplotlib lm_eval torch"),
        ("import xlgo_metric.families.simple_reasoning, xlgo_metric.families.korbench",
         "scipy numpy pandas sympy"),
        ("import xlgo_dataset",
         "datasets torch lm_eval scipy pyarrow sympy evaluate matplotlib transformers pandas"),
    ],
)  # fmt: skip
def test_import_and_the_grade_of_a_puzzle_are_quick(code: str, heavy: str) -> None:
    code += f"; import sys; print([m for m in '{heavy}'.split() if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


@pytest.mark.slow  # a type checker reads every package from nothing
def test_every_public_name_has_a_type(tmp_path: Path) -> None:
    names = [f"xd.{name}" for name in vars(xd)["__all__"]]
    names += [f"xm.{name}" for name in vars(xm)["__all__"]]
    names += ['xd.family("xlgobench").rows', 'xd.family("xlgobench").TASKS']
    lines = ["import xlgo_dataset as xd", "import xlgo_metric as xm"]
    lines += [f"reveal_type({name})" for name in names]
    file = tmp_path / "user.py"
    file.write_text("\n".join(lines) + "\n")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", str(file)]
    environment = os.environ | {"MYPYPATH": str(Path(__file__).parents[2])}
    run = subprocess.run(
        command, capture_output=True, text=True, cwd=tmp_path, env=environment, check=False
    )
    assert not re.findall(r"user\.py:\d+: error: .*", run.stdout)
    found = re.findall(r'Revealed type is "(.*)"', run.stdout)
    assert len(found) == len(names)
    assert not [name for name, kind in zip(names, found) if kind == "Any"]


SMALL: dict[str, Any] = {"preset": "smoke", "levels": 2, "per_level": 2}


@pytest.fixture
def load(tmp_path: Path) -> Any:
    def loaded(name: str, **options: Any) -> Any:
        return datasets.load_dataset("xlgo", name, cache_dir=str(tmp_path), **options)

    return loaded


def test_an_edited_source_is_not_served_from_the_cache(load, tmp_path: Path) -> None:
    source = tmp_path / "words.txt"
    for word in ("apple", "river"):
        counting.load.cache_clear()
        counting.passages.cache_clear()
        source.write_text(" = Title = \n" + f"The {word} is here and there . \n" * 400)
        row = load("char_count", split="test", n=1, m=20, source=source)[0]
        assert word in row["prompt"]
        assert source.name not in row["reference"]  # a path is not told


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("slt", {"languages": []}, "give at least one language"),
        ("slt", {"languages": 3}, "languages must be names"),
        ("slt", {"splits": 3}, "splits must be names"),
        ("slt_te", {"languages": "en"}, "'slt_te' has the language 'te' only: give 'slt'"),
        ("slt_te", {"revision": "v1"}, "revision 'v1' has no meaning here"),
    ],
)
def test_what_cannot_be_is_refused(load, name: str, options: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        load(name, split="test", **options, **SMALL)


def test_splits_in_every_form_that_datasets_knows(tmp_path: Path) -> None:
    def rows(split: Any) -> Any:
        return xd.load_dataset("slt_te", split=split, cache_dir=str(tmp_path), **SMALL)

    for split, count in (
        (datasets.Split.TEST, 4), (datasets.ReadInstruction("test", to=3, unit="abs"), 3),
        ("all", 12), ("train[:2]+test[:1]", 3),
    ):  # fmt: skip
        assert len(rows(split)) == count
    assert list(map(len, rows(["test", "train[:1]"]))) == [4, 1]
    with pytest.raises(ValueError, match="unknown split 'tset'"):
        rows("tset")


def test_an_exported_folder_is_not_passed_over_in_silence(load, tmp_path, monkeypatch) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        load("slt_te", split="test", **SMALL)
    (here / "xlgo").mkdir()
    (here / "xlgo" / "export.json").write_text("{}")
    with pytest.warns(UserWarning, match=r'load_dataset\("\./xlgo"\)'):
        load("slt_te", split="test", **SMALL)


@pytest.mark.parametrize(
    "first", ["datasets", pytest.param("xlgo_dataset", marks=pytest.mark.slow)]
)
def test_the_wrapped_function_keeps_its_signature_and_can_be_pickled(first: str) -> None:
    program = f"""
import {first}, datasets, xlgo_dataset, datasets.inspect, inspect, pickle
for module in (datasets.load, datasets.inspect):
    wrapped = module.dataset_module_factory
    assert "wrapped_by_xlgo" in vars(wrapped)
    assert inspect.signature(wrapped) == inspect.signature(wrapped.__wrapped__)
    assert pickle.loads(pickle.dumps(wrapped)) is wrapped
"""
    subprocess.run([sys.executable, "-c", program], check=True)
