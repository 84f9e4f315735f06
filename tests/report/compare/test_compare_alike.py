"""What ``xlgo compare`` refuses, and what it says of runs with different settings."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.report.logs import (
    LATER,
    response,
    rows,
    sample,
    write_run,
)
from xlgo_cli.cli import main
from xlgo_cli.display import labels
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.logs.lines import differences, fingerprint, fingerprint_line, settings_of
from xlgo_cli.report.compare.comparison import as_json, comparison, measure_table
from xlgo_metric.scoring import score


def described(folder: Path, **changes: Any) -> Path:
    """Change what the harness says of the only run in a folder."""
    [path] = folder.rglob("results_*.json")
    info = json.loads(path.read_text("utf-8"))
    config = info["config"] | changes.pop("config", {})
    path.write_text(json.dumps(info | changes | {"config": config}), "utf-8")
    return folder


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """The same model on the same questions, a day later."""
    write_run(tmp_path / "other", date=LATER)
    return tmp_path / "other"


def compare(first: Path, second: Path, *more: str) -> int:
    return main(["compare", str(first), str(second), "--out", str(second / "c.html"), *more])


SAMPLED = {"gen_kwargs": {"temperature": 0.7, "do_sample": True}}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"config": SAMPLED}, "sampling (default and temperature=0.7)"),
        ({"chat_template_sha": "f" * 64}, "template (none and ffffffff)"),
        # That each setting is one of a run's is shown where runs are put together (tests/logs).
        *(pytest.param(*case, marks=pytest.mark.slow) for case in (
            ({"system_instruction_sha": "e" * 64}, "system (none and eeeeeeee)"),
            ({"config": {"model_args": {"pretrained": "x", "enable_thinking": False}}},
             "thinking (default and off)"),
            ({"config": {"model_args": "pretrained=x,dtype=float16"}},
             "precision (default and float16)"),
            ({"config": {"gen_kwargs": {"max_gen_toks": 100}}}, "max_tokens (default and 100)"),
        )),
    ],
)  # fmt: skip
def test_differences_are_refused_and_allowed(
    results: Path, other: Path, changes: dict[str, Any], words: str, capsys: Any
) -> None:
    described(other, **changes)
    assert compare(results, other) == 2
    told = capsys.readouterr()
    assert words in told.err
    assert "--allow-differences" in told.err
    assert not (other / "c.html").exists()
    sentence = f"the two runs differ in their settings: {words}"
    if changes.get("config") is not SAMPLED:  # it is enough to write one page
        return
    assert compare(results, other, "--allow-differences") == 0
    assert capsys.readouterr().out.splitlines()[0] == f"warning: {sentence}"
    page = (other / "c.html").read_text("utf-8")
    assert page.index("<h1>") < page.index(sentence) < page.index('id="gains"')


def test_two_models_may_have_two_templates(results: Path, tmp_path: Path) -> None:
    a, b = (fingerprint([settings_of({"chat_template_sha": sha}, "t")]) for sha in "12")
    assert differences(a, b, same_model=False) == []
    assert differences(a, b, same_model=True) == ["template (1 and 2)"]
    none = fingerprint([settings_of({"chat_template_sha": None, "x": 1}, "t")])
    assert differences(a, none, same_model=False) == ["template (its own and none)"]


def test_a_lost_description_is_a_difference_of_one_and_a_note_of_both(
    results: Path, other: Path, tmp_path: Path
) -> None:
    write_run(tmp_path / "third", model="acme/lingua", date="2026-03-05T10-00-00.000001")
    for folder in (other, tmp_path / "third"):
        [path] = folder.rglob("results_*.json")
        path.unlink()
    runs = [score_folder(folder) for folder in (results, other, tmp_path / "third")]
    one = comparison(runs[0], runs[1])
    assert one.differences == ["settings (those of one run are not known)"]
    both = comparison(runs[1], runs[2])
    assert both.differences == []
    assert "not known of either run" in both.notes[0]


def test_a_run_is_not_compared_with_itself(results: Path, tmp_path: Path, capsys: Any) -> None:
    copied = shutil.copytree(results, tmp_path / "copy")
    for second in (results, copied):
        assert compare(results, second) == 2
        assert "the same run" in capsys.readouterr().err


def test_all_numbers_are_on_the_common_questions(results: Path, tmp_path: Path) -> None:
    """SMD, accuracies and signatures: as if only those had been asked."""
    some = [row for row in rows() if row["level"] < 3]
    lines = [sample(row, response(row), n) for n, row in enumerate(some)]
    write_run(tmp_path, model="some", samples=lines)
    found = comparison(score_folder(results), score_folder(tmp_path))
    direct = score([response(row) for row in some], [row["reference"] for row in some])
    whole = json.loads(json.dumps(found.scores[0]))
    assert whole["families"] == json.loads(json.dumps(direct["families"]))
    assert whole["signature"] == direct["signature"]
    smd = direct["families"]["xlgobench"]["tasks"]["slt"]["languages"]["te"]["smd"]
    told = as_json(found)
    [pair] = [pair for pair in told["pairs"] if pair["where"]["language"] == "te"]
    assert pair["smd"] == [smd, smd]
    assert pair["n"] == len(some) / 3
    assert found.notes == [
        f"{len(rows()) - len(some)} answers of acme/lingua to other questions are left out."
    ]


@pytest.mark.parametrize(
    ("info", "expected"),
    [
        ({"config": {"model_args": "a=b,enable_thinking=True"}}, "thinking:on"),
        ({"config": {"gen_kwargs": {"reasoning_effort": "low"}}}, "thinking:reasoning_effort=low"),
        ({"config": {"gen_kwargs": {"chat_template_kwargs": {"enable_thinking": False}}}},
         "thinking:off"),
        ({"config": {"gen_kwargs": "temperature=0"}}, "sampling:greedy"),
        ({"config": {"gen_kwargs": {"temperature": 0.6, "top_p": 0.95, "do_sample": True}}},
         "sampling:temperature=0.6,top_p=0.95"),
        ({"config": {"model_dtype": "torch.bfloat16", "model_args": {"quantization": "awq"}}},
         "precision:bfloat16,quantization=awq"),
        ({"config": {"model_args": {"max_model_len": 4096}}}, "context:4096"),
        ({"model_source": "xlgo-chat-completions"},
         "backend:local-chat-completions|template:of the server"),
        ({"n-shot": {"t": 3}, "config": {}}, "shots:3"),
        ({"configs": {"t": {"generation_kwargs": {"max_gen_toks": 7}}}}, "max_tokens:7"),
        ({"config": {"model_args": [], "gen_kwargs": 5}, "configs": 3, "n-shot": None},
         "precision:default"),
    ],
)  # fmt: skip
def test_the_fingerprint_of_what_the_harness_says(info: dict[str, Any], expected: str) -> None:
    assert expected in fingerprint_line(fingerprint([settings_of(info, "t")]))


@pytest.fixture(scope="module")
def better(tmp_path_factory):
    """A model that answers every question rightly."""
    folder = tmp_path_factory.mktemp("better")
    lines = [sample(row, row["answer"], n) for n, row in enumerate(rows())]
    write_run(folder, model="acme/better", samples=lines)
    return folder


def test_a_measure_is_compared_by_its_means(scored, better):
    other = score_folder(better)
    found = measure_table((scored, other), ("a", "b"), "acc")
    rows = {row[1]: row[2:] for row in found.rows}
    pairs = comparison(scored, other).pairs
    assert len(rows) == len(pairs)
    for pair in pairs:
        n, a, b, gain, low, high, p = rows[labels.language(pair.language).name]
        assert (n, a, b, gain) == (pair.n, pair.baseline_accuracy, pair.accuracy, -pair.difference)
        assert low <= gain <= high
        assert (p <= 0.05) == (low > 0)
    strict = measure_table((scored, other), ("a", "b"), "strict")
    assert strict.columns[5].written(strict.rows[0][5]).startswith("+")
    with pytest.raises(ValueError, match=r"measure 'mqm80'.*allowed are acc, parsed, strict"):
        measure_table((scored, other), ("a", "b"), "mqm80")
