"""The size of a run is said before anything is asked; a large one needs consent."""

from __future__ import annotations

import io
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import xlgo_dataset as xd
from xlgo_cli.cli import main
from xlgo_cli.harness import several
from xlgo_cli.harness.judging.asking import Outcome, tell
from xlgo_cli.harness.options import parse
from xlgo_cli.harness.preflight.size import MOST_TOKENS, Size, _price, announce, confirm, size_of
from xlgo_cli.harness.prepared import prepared
from xlgo_cli.harness.task_names import expand
from xlgo_lm_eval.answers import Answers, own_file
from xlgo_lm_eval.replies import Answer

DUMMY = ["run", "--model", "dummy"]


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
    assert found.tokens <= MOST_TOKENS
    assert parse([*DUMMY[1:], "--preset", "smoke"]).tasks == ["xlgo"]
    assert main([*DUMMY, "--tasks", "xlgo"]) == 2  # five tasks, and nobody said how many questions
    printed = capsys.readouterr()
    assert "size: 1,400 prompts" in printed.out
    assert "add --yes" in printed.err
    assert not list(folder.iterdir())


LARGE = Size(10, 10 * MOST_TOKENS)


def test_a_size_that_nobody_chose_needs_yes() -> None:
    with pytest.raises(ValueError, match="add --yes to run them all"):
        confirm(LARGE, parse(["--model", "dummy"]))
    for sure in (["--model", "dummy", "--yes"], ["--model", "xlgo-sim"]):
        confirm(LARGE, parse(sure))
    confirm(Size(10, 3 * MOST_TOKENS), parse(["--model", "dummy"]))
    confirm(LARGE, parse(["--model", "dummy", "--preset", "paper"]))


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


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (Size(1200, 9_000), "1,200 prompts, about 3,000 tokens (estimated from their size)"),
        (Size(1200, 9_000, is_limit=True),
         "up to 1,200 prompts, up to 3,000 tokens (estimated from their size)"),
        (Size(1200, 9_000, ("a", "b", "c")),
         "1,200 prompts, about 3,000 tokens (estimated); the rest is not known before the data of "
         "a and 2 more is loaded"),
        (Size(5, 30, ("a",), is_limit=True),
         "up to 5 prompts, up to 10 tokens (estimated); the rest is not known before the data of a "
         "is loaded"),
        (Size(0, 0, ("a",)), "not known before the data of a is loaded"),
    ],
)  # fmt: skip
def test_a_size_in_words(found: Size, words: str) -> None:
    assert str(found) == words


def test_what_is_kept_and_what_the_rest_costs(folder: Path, capsys) -> None:
    """10 prompts of about 3,000 bytes each, of which 4 are answered: 6,000 of 10,000 tokens."""
    (folder / "prices.toml").write_text('currency = "USD"\ninput = 1000\noutput = 2000\n')
    words = ["--model", "dummy", "--tasks", "slt", "--languages", "en", "--complexities", "3",
             "--per-level", "10", "--prices", "prices.toml", "--out", "out"]  # fmt: skip
    run = prepared(words)
    whole = announce(run)
    [size, price] = capsys.readouterr().out.splitlines()
    assert size == f"size: {whole}"
    assert (whole.prompts, whole.unknown) == (10, ())
    dollars = float(price.split()[2])
    assert dollars == pytest.approx(whole.tokens / 1000, rel=0.01)
    assert f"{2000 * 10 * 1000 / 10**6:.2f} USD for every 1000 tokens" in price
    with Answers(own_file(run.request.folder), {}) as answers:
        answers.note("planned", parts=run.parts(alone=False))
        for number in range(4):
            answers.add(str(number), Answer("x"))
    assert announce(run) == whole
    [_, kept, price] = capsys.readouterr().out.splitlines()
    assert kept == "kept: 4 answers, which are not asked for again"
    assert float(price.split()[2]) == pytest.approx(0.6 * dollars, rel=0.01)
    announce(prepared([*words, "--per-level", "11"]))  # which may be other questions
    assert "kept" not in capsys.readouterr().out


def test_a_price_is_that_of_prompts_and_of_a_thousand_tokens_an_answer(tmp_path: Path) -> None:
    path = tmp_path / "prices.toml"
    path.write_text('currency = "EUR"\ninput = 0.5\noutput = 4\n')
    size = Size(2_000, 9_000_000)
    assert size.tokens == 3_000_000
    line = _price(size, path)
    assert "about 1.50 EUR for prompts, and 8.00 EUR for every 1000 tokens" in line


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("input = 1", "output is missing"),
        ("input = -1\noutput = 2", "input must be a number from 0"),
        ("input = true\noutput = 2", "input must be a number from 0"),
        ("input = nan\noutput = 2", "input must be a number from 0"),
        ("inputs = 3", "unknown 'inputs'"),
    ],
)
def test_prices_that_cannot_be_used_are_told(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "prices.toml"
    path.write_text(text)
    with pytest.raises(ValueError, match=f"--prices .*{message}"):
        _price(Size(1, 1), path)


def test_where_a_model_stands_by_all_parts_of_its_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(several, "check_folder", lambda run: None)
    run: Any = SimpleNamespace(request=SimpleNamespace(folder=tmp_path))
    assert several.standing(run) == (several.WAITING, "")
    for name in ("a.json", "b.json", "c.json"):
        (tmp_path / name).write_text("{}")

    def noted(*wrote: tuple[str, list[str], int]) -> tuple[str, str]:
        for path in tmp_path.glob("*.ndjson*"):
            path.unlink()
        with Answers(own_file(tmp_path), {}) as answers:
            answers.add("k", Answer("x"))
            answers.note("planned", parts={"first": ["t"], "second": ["u"]})
            for command, files, missing in wrote:
                answers.note("wrote", command=command, files=files, missing=missing)
        return several.standing(run)

    whole = ("first", ["a.json", "b.json"], 0)
    assert noted(whole) == (several.STOPPED, "")
    assert noted(whole, ("second", ["c.json"], 0)) == (several.DONE, "")
    assert noted(whole, ("second", ["c.json"], 2))[0] == several.STOPPED
    assert noted(whole, ("second", ["c.json"], 2), ("second", ["c.json"], 0))[0] == several.DONE
    assert noted(whole, ("second", ["c.json", "d.json"], 0))[0] == several.STOPPED
    (tmp_path / several.LOG).write_text("xlgo: first: why\nerror: second\nother: line\n")
    assert noted(whole) == (several.STOPPED, "second")


def test_judgements_of_several_kinds_of_question_are_added_up(
    capsys: pytest.CaptureFixture[str],
) -> None:
    outcome = Outcome("critic", reason="HTTP 500")
    outcome.counts = {
        "mqm": Counter({"ok": 10, "unparsed": 3, "error": 2}),
        "direct": Counter({"ok": 5, "error": 4}),
    }
    assert (outcome.read, outcome.failed) == (15, 6)
    tell(outcome)
    said = capsys.readouterr()
    assert said.out.splitlines() == [
        "direct: 5 ok, 0 unparsed, 4 error",
        "mqm: 10 ok, 3 unparsed, 2 error",
    ]
    assert said.err == "6 requests failed (HTTP 500): the same command asks for them again\n"
    outcome.counts = {"mqm": Counter({"ok": 40})}
    assert outcome.failed == 0
