"""The size of a run is said before anything is asked; a large one needs consent."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

import xlgo_dataset as xd
from tests.chat_server import ChatServer, message
from tests.lit.chains.client import RUN, items, model
from tests.lit.chains.running import run_chains
from xlgo_cli.cli import main
from xlgo_cli.harness.options import parse
from xlgo_cli.harness.preflight.size import MOST_TOKENS, Size, confirm, size_of
from xlgo_cli.harness.task_names import expand
from xlgo_lm_eval.answers import Answers

DUMMY = ["run", "--model", "dummy"]
LARGE = Size(10, 10 * MOST_TOKENS)


def test_prompts_and_bytes_are_those_of_the_rows() -> None:
    options = {"preset": "smoke", "levels": 5, "per_level": 2, "languages": "en,te"}
    tasks = expand(["xlgo_slt", "xlgo_dsa"])[0]
    rows = [
        row
        for task in ("slt", "dsa")
        for row in xd.family_of(task).rows(
            task, ["en", "te"], preset="smoke", levels=5, per_level=2
        )
    ]
    found = size_of(tasks, options, None)
    assert found.prompts == len(rows)
    true = sum(len(row["prompt"].encode()) for row in rows)
    assert found.bytes == pytest.approx(true, rel=0.1)
    assert size_of(tasks, {**options, "repeats": 3}, None).prompts == 3 * len(rows)
    assert size_of(tasks, options, 4).prompts == 2 * 4  # of each task
    assert size_of(tasks, options, 0.5).prompts == len(rows) / 2
    assert size_of(expand(["polymath_en"])[0], {}, None) == Size(0, 0, ("polymath_en",))


def test_a_run_without_a_size_is_small(folder: Path, capsys) -> None:
    request = parse(DUMMY[1:])
    assert request.metadata["preset"] == "quick"
    found = size_of(expand(request.tasks)[0], request.metadata, None)
    assert found.prompts == 2 * 7 * 8 * 5
    assert 0.5 * MOST_TOKENS < found.tokens <= MOST_TOKENS
    assert parse([*DUMMY[1:], "--preset", "smoke"]).tasks == ["xlgo"]
    assert main([*DUMMY, "--tasks", "xlgo"]) == 2  # five tasks, and nobody said how many questions
    printed = capsys.readouterr()
    assert "size: 1,400 prompts" in printed.out
    assert "add --yes" in printed.err
    assert not list(folder.iterdir())


@pytest.mark.parametrize("quiet", [[], ["--quiet"]])
def test_without_a_terminal_a_size_that_nobody_chose_needs_yes(quiet: list[str], capsys) -> None:
    request = parse(["--model", "dummy", *quiet])
    with pytest.raises(ValueError, match="add --yes to run them all"):
        confirm(LARGE, request)
    assert ("size: 10 prompts" in capsys.readouterr().out) == (not request.quiet)
    confirm(LARGE, parse(["--model", "dummy", *quiet, "--yes"]))
    confirm(LARGE, parse(["--model", "xlgo-sim", *quiet]))
    confirm(Size(10, 3 * MOST_TOKENS), request)


@pytest.mark.parametrize(
    "chosen",
    [["--preset", "lite"], ["--levels", "3"], ["--limit", "3"], ["--metadata", "preset=lite"],
     ["--design", "adaptive"]],
)  # fmt: skip
def test_without_a_terminal_a_chosen_size_runs(chosen: list[str], capsys) -> None:
    confirm(LARGE, parse(["--model", "dummy", *chosen]))
    assert "size: 10 prompts" in capsys.readouterr().out


def test_tasks_that_cannot_count_their_prompts_are_named(capsys) -> None:
    request = parse(["--model", "dummy", "--tasks", "polymath"])
    confirm(Size(0, 0, ("polymath_en", "polymath_te")), request)
    assert capsys.readouterr().out == (
        "size: not known before the data of polymath_en and 1 more is loaded\n"
    )


def test_the_price_is_said_before_anything_is_asked(folder: Path, capsys) -> None:
    Path("prices.toml").write_text("input = 2.0\noutput = 10.0\n")
    server = ["--model", "local-chat-completions", "--prices", "prices.toml", "--yes"]
    request = parse([*server, "--model_args", "model=x,num_concurrent=4"])
    confirm(Size(1200, 3_000_000), request)
    assert capsys.readouterr().out.splitlines() == [
        "size: 1,200 prompts, about 1,000,000 tokens (estimated from their size)",
        "price: about 2.00 USD for prompts, and 12.00 USD for every 1000 tokens of each answer",
        "preset: quick, a first look; for more, --tasks xlgo with --preset lite or paper, or with "
        "--design adaptive",
    ]


def test_answers_that_are_kept_cost_nothing(folder: Path, capsys) -> None:
    Path("prices.toml").write_text("input = 2.0\noutput = 10.0\n")
    server = ["--model", "local-chat-completions", "--prices", "prices.toml", "--preset", "lite"]
    request = parse([*server, "--model_args", "model=x"])
    confirm(Size(1200, 3_000_000, answered=600), request)
    assert capsys.readouterr().out.splitlines() == [
        "size: 1,200 prompts, about 1,000,000 tokens (estimated from their size)",
        "kept: 600 answers, which are not asked for again",
        "price: about 1.00 USD for prompts, and 6.00 USD for every 1000 tokens of each answer",
    ]
    run = ["run", "--model", "xlgo-sim", "--tasks", "xlgo_slt", "--languages", "en,te", "--preset",
           "smoke", "--levels", "2", "--per-level", "1", "--out", "out"]  # fmt: skip
    assert main(run) == 0
    assert "kept" not in capsys.readouterr().out
    assert main(run) == 0
    assert "kept: 4 answers" in capsys.readouterr().out
    more = [word if word != "en,te" else "en,te,hi" for word in run]
    assert main(more) == 0  # the answers of the folder are to other questions, too
    assert "kept" not in capsys.readouterr().out
    assert main([*run, "--fresh"]) == 0
    assert "kept" not in capsys.readouterr().out


def test_an_adaptive_run_says_its_budget(folder: Path, capsys) -> None:
    adaptive = ["--design", "adaptive", "--tasks", "slt", "--languages", "en,te"]
    assert main(
        [*DUMMY, *adaptive, "--text", "paper", "--budget", "40", "--c-min", "2", "--c-max", "6"]
    ) in (0, 1)
    assert "size: up to 80 prompts, up to 85,880 tokens" in capsys.readouterr().out


def test_tasks_without_presets_get_none() -> None:
    assert "preset" not in parse(["--model", "dummy", "--tasks", "polymath_en"]).metadata


@pytest.mark.parametrize("chosen", [[], ["--preset", "paper"]])
@pytest.mark.parametrize(("answer", "runs"), [("y", True), ("", False), ("n", False)])
def test_a_terminal_is_asked(
    answer: str, runs: bool, chosen: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdin", Terminal(f"{answer}\n"))
    monkeypatch.setattr(sys, "stdout", Terminal())
    request = parse(["--model", "dummy", *chosen])
    if runs:
        confirm(LARGE, request)
    else:
        with pytest.raises(ValueError, match="no prompt was sent"):
            confirm(LARGE, request)


def test_the_bare_command_says_what_to_give(folder: Path, capsys) -> None:
    assert main(["run"]) == 2
    assert "which model? Give --model hf" in capsys.readouterr().err


def test_a_missing_tokenizer_package_is_named(folder: Path, monkeypatch, capsys) -> None:
    monkeypatch.setattr("xlgo_cli.harness.models.find_spec", lambda name: None)
    server = ["--model", "local-completions", "--model_args", "model=x,base_url=http://h/v1"]
    assert main(["run", *server, "--preset", "smoke"]) == 2
    assert "pip install 'xlgo[hf]'" in capsys.readouterr().err


def test_chains_say_how_many_requests_they_take() -> None:
    tasks, _ = expand(["lit_e_asia", "lit_africa"])
    found = size_of(tasks, {}, 3)
    assert found.prompts == 2 * 3 * 5  # to four languages and back
    assert found.is_limit
    assert not found.unknown


def test_chains_are_as_long_as_what_a_run_of_them_sends(tmp_path: Path) -> None:
    """A model that repeats the original, so that every answer is as long as it was taken to be."""
    rows: Any = xd.family("lit").rows("lit_e_asia", ["en"])
    originals = [json.loads(str(row["reference"]))["original"] for row in rows]
    respond = lambda prompt, body: (  # noqa: E731
        200,
        message(next(text for text in originals if text in prompt)),
    )
    with ChatServer(respond) as server, Answers(tmp_path / "l.jsonl", RUN) as answers:
        run_chains(model(server.url, 2), items(7), answers)
    tasks, _ = expand(["lit_e_asia"])
    found = size_of(tasks, {}, 7)
    assert found.prompts == len(server.prompts)
    assert found.bytes == sum(len(prompt.encode()) for prompt in server.prompts)
