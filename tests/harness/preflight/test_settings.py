"""What the words of ``xlgo run`` mean: each option, a file of them, and what goes together."""

import io
import json
import sys
from collections import Counter
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

import xlgo_dataset as xd
from tests.looping import looped
from xlgo_cli.cli import main
from xlgo_cli.harness import running
from xlgo_cli.harness.judging.asking import Outcome, tell
from xlgo_cli.harness.make_tasks import expand, harness_tasks, in_languages, one_language_each
from xlgo_cli.harness.options import parse, words_of
from xlgo_cli.harness.prepared import (
    MOST_TOKENS,
    Size,
    _price,
    announce,
    confirm,
    most_of,
    prepared,
    run_of,
    size_of,
)
from xlgo_cli.logs.questions import challenge_problem, seed_of
from xlgo_lm_eval.answers import Answer, Answers, own_file
from xlgo_lm_eval.arguments import CHALLENGE

PUZZLES = ["xlgo"]
SMALLEST = ["xlgo_graph_sp", "xlgo_t_rank"]


def request(*words: str) -> Any:
    return parse(["--model", "dummy", *words])


@looped(
    "size",
    [
        "--preset lite", "--levels 3", "--per-level 3", "--c-min 9", "--c-max 90",
        "--complexities 4,9", "--limit 3", "--limit 0.5", "--design adaptive",
    ],
)  # fmt: skip
def test_a_size_that_was_chosen_asks_all_puzzles(size: str) -> None:
    """Without one the two with the shortest prompts are asked, in the smallest usual way."""
    usual = request()
    assert (usual.tasks, usual.metadata["preset"], usual.is_size_chosen) == (
        SMALLEST,
        "quick",
        False,
    )
    asked = request(*size.split())
    assert (asked.tasks, asked.metadata.get("preset"), asked.is_size_chosen) == (
        PUZZLES, "lite" if "lite" in size else None, True,
    )  # fmt: skip
    assert request(*size.split(), "--tasks", "slt").tasks == ["slt"]
    for other in ("--text paper", "--xlgo-seed 3", "--languages en,te", "--repeats 2"):
        assert request(*other.split()).tasks == SMALLEST


@looped(
    ("tasks", "text"),
    [
        ("slt dsa", "revised"), ("xlgo", "revised"), ("slt travel", None), ("travel slt", None),
        ("travel", None), ("polymath", None), ("slt polymath", "revised"),
        ("slt arc_easy", "revised"),
    ],
)  # fmt: skip
def test_the_revised_wording_is_usual_where_every_task_has_it(tasks: str, text: str | None) -> None:
    """Of the tasks that have wordings at all."""
    assert request("--tasks", *tasks.split()).metadata.get("text") == text
    assert request("--tasks", *tasks.split(), "--text", "paper").metadata["text"] == "paper"


def test_files_are_named_by_their_whole_path(folder: Path) -> None:
    wording = folder / "mine.toml"
    wording.write_text('[slt]\nformat = "x"\n')
    assert request("--tasks", "slt", "--text", "mine.toml").metadata["text"] == str(wording)
    plan = {"schema": 1, "seed": 8, "tasks": {"slt": {"cells": {"4": 1}}}}
    (folder / "plan.json").write_text(json.dumps(plan))
    for given, kept in (
        ("plan.json", str(folder / "plan.json")),
        (json.dumps(plan), json.dumps(plan)),
    ):
        asked = request("--tasks", "slt", "--plan", given)
        assert (asked.metadata["plan"], asked.metadata["xlgo_seed"]) == (kept, 8)
        assert request("--plan", given).tasks == PUZZLES
        assert request("--plan", given, "--xlgo-seed", "9").metadata["xlgo_seed"] == 9
        with pytest.raises(ValueError, match="--challenge makes the seed: leave out --xlgo-seed"):
            request("--plan", given, "--challenge", "N")
    with pytest.raises(ValueError, match="--challenge makes the seed: leave out --xlgo-seed"):
        request("--xlgo-seed", "9", "--challenge", "N")
    assert request("--challenge", "N").metadata["xlgo_seed"] == seed_of("N") != seed_of("M")


def test_the_seed_of_a_challenge_is_no_other() -> None:
    options: dict[str, Any] = dict(request("--challenge", "N").metadata)
    assert challenge_problem(options) is None
    assert challenge_problem({}) is challenge_problem({"xlgo_seed": 3}) is None
    expected = options["xlgo_seed"]
    for seed in (expected + 1, None, str(expected), seed_of("M")):
        assert challenge_problem(options | {"xlgo_seed": seed}) == (
            f"the seed is {seed!r}; the challenge gives {expected}"
        )
    for nonce in ("", " ", 3):
        assert "the challenge is" in str(challenge_problem(options | {CHALLENGE: nonce}))
    assert seed_of("N") == seed_of("N") != seed_of("n")


def test_designs_ask_every_language_of_a_task_in_the_range() -> None:
    run = prepared([
        "--model", "xlgo-sim", "--tasks", "slt_te", "slt_en", "dsa", "slt_te",
        "--design", "adaptive",
        "--c-min", "11", "--c-max", "77", "--budget", "50",
    ])  # fmt: skip
    slt, dsa = run.designs["slt"], run.designs["dsa"]
    assert (slt.names, slt.languages) == (("xlgo_slt_te", "xlgo_slt_en"), ("te", "en"))
    assert (dsa.names, dsa.languages) == (("xlgo_dsa",), xd.LANGUAGES)
    for one in (slt, dsa):
        assert (one.design.c_min, one.design.c_max, one.design.languages, one.design.budget) == (
            11, 77, len(one.languages), 50,
        )  # fmt: skip
    with pytest.raises(ValueError, match="simple_travel has no complexities to choose"):
        prepared(["--model", "xlgo-sim", "--tasks", "slt", "travel", "--design", "adaptive"])


OPTIONS: dict[str, Any] = {
    "tasks": ["slt_te", "dsa"], "languages": ["en", "te"], "levels": 3, "per-level": 2, "limit": 4,
    "one_by_one": False, "seed": [1, 2, 3, 4], "apply_chat_template": True, "write_out": False,
    "metadata": {"x": [1, 2], "y": {"z": 3}}, "model_args": {"pretrained": "a/b", "dtype": "auto"},
    "output_path": "there", "text": None, "xlgo_seed": 0, "gen_kwargs": "temperature=0.5",
}  # fmt: skip
TYPED = [
    "--tasks", "slt_te", "dsa", "--languages", "en", "te", "--levels", "3", "--per-level", "2",
    "--limit", "4", "--no-one-by-one", "--seed", "1,2,3,4", "--apply_chat_template",
    "--metadata", "x=[1,2],y={'z': 3}", "--model_args", "pretrained=a/b", "dtype=auto",
    "--out", "there", "--xlgo-seed", "0", "--gen_kwargs", "temperature=0.5",
]  # fmt: skip


def test_a_file_of_options_means_what_its_words_mean(folder: Path) -> None:
    """What the command line gives, too, is its own; all else stays as the file has it."""
    typed = request(*TYPED)
    assert request(*words_of(OPTIONS)) == typed
    assert typed.passed_on == [
        "--seed",
        "1,2,3,4",
        "--apply_chat_template",
        "--gen_kwargs",
        "temperature=0.5",
    ]
    (folder / "run.yaml").write_text(yaml.safe_dump(OPTIONS, sort_keys=False))
    typed.config = Path("run.yaml")
    assert request("--config", "run.yaml") == typed
    for words in (["--languages", "hi"], ["--languages=hi"]):
        given = vars(request("--config", "run.yaml", *words))
        assert given["metadata"].pop("languages") == given.pop("languages") == "hi"
        rest = {**vars(typed), "metadata": {**typed.metadata}}
        del rest["languages"], rest["metadata"]["languages"]
        assert given == rest


CHANGES = {
    "--xlgo-seed 3": True, "--text paper": True, "--levels 4": True, "--c-max 50": True,
    "--gen_kwargs temperature=0.5": True, "--seed 3": True, "--system_instruction Think": True,
    "--apply_chat_template": True, "--model_args seed=2": True,
    "--model_args profile=glm-5-1": True,
    "--metadata xlgo_split=train": True, "--conditions plain,english_rules": True,
    "--languages en,bn": False, "--per-level 4": False, "--repeats 3": False, "--limit 3": False,
    "--batch_size 8": False, "--device cpu": False, "--one-by-one": False, "--judge none": False,
    "--yes": False, "--quiet": False, "--out there": False,
    "--partial": False, "--tasks dsa": False,
}  # fmt: skip
"""Whether it is another run than without, whose answers must not stand in one folder."""


def test_what_makes_another_run(folder: Path) -> None:
    """What is added to a run, or how it is carried out, leaves it the same."""

    def identity(words: str = "") -> str:
        run = prepared(
            ["--model", "xlgo-sim", "--tasks", "slt", "--preset", "smoke", *words.split()]
        )
        return json.dumps(run_of(run.request, run.config), default=str)

    usual = identity()
    assert {words: identity(words) != usual for words in CHANGES} == CHANGES
    assert json.loads(usual)["design"]["data"] == xd.DATA_VERSION


def test_the_usual_folder_is_that_of_the_same_request_and_names_no_key(folder: Path) -> None:
    def usual(*words: str, model: str = "m") -> str:
        return str(prepared([
            "--model", "dummy", "--model_args", f"pretrained={model}", "--preset", "smoke", *words,
        ]).request.folder)  # fmt: skip

    names = [usual(), usual("--limit", "3"), usual("--tasks", "slt,dsa"), usual("--text", "paper"),
             usual("--languages", "te"), usual("--per-level", "2"), usual(model="n")]  # fmt: skip
    assert len({*names}) == len(names)
    assert usual("--tasks", "dsa", "slt") == names[2]
    assert names[0].startswith("xlgo_results/m-smoke-")
    assert "hf_abcdefghijklmnopqrstuvwxyzABCDEFGH" not in usual(
        model="http://x/hf_abcdefghijklmnopqrstuvwxyzABCDEFGH"
    )


def test_a_judge_is_only_of_tasks_that_need_one(folder: Path) -> None:
    words = [
        "--model", "dummy", "--preset", "smoke", "--judge", "dummy", "--judge-args", "pretrained=j",
        "--judge-gen-kwargs", "temperature=1", "--tasks",
    ]  # fmt: skip
    assert prepared([*words, "slt"]).judge is None
    named = prepared([*words, "lit_e_asia"]).judge
    assert (named.model, named.model_args, named.gen_kwargs["temperature"]) == (
        "dummy", {"pretrained": "j"}, 1,
    )  # fmt: skip


def test_parts_are_the_same_where_the_same_is_asked() -> None:
    def parts(*words: str, alone: bool) -> dict[str, list[str]]:
        return prepared(["--model", "xlgo-sim", "--preset", "smoke", *words]).parts(alone=alone)

    asked = ["--tasks", "slt", "dsa", "--languages", "en,te"]
    together = parts(*asked, alone=False)
    assert [sorted(names) for names in together.values()] == [["xlgo_dsa", "xlgo_slt"]]
    alone = parts(*asked, alone=True)
    assert sorted(name for (name,) in alone.values()) == [
        "xlgo_dsa_en", "xlgo_dsa_te", "xlgo_slt_en", "xlgo_slt_te",
    ]  # fmt: skip
    assert parts("--tasks", "dsa,slt", *asked[3:], alone=False).keys() == together.keys()
    keys = [*together, *alone]
    for other in ("--limit 2", "--xlgo-seed 4", "--per-level 2", "--repeats 2", "--text paper"):
        keys += parts(*asked, *other.split(), alone=False)
        keys += parts(*asked, *other.split(), alone=True)
    assert len(set(keys)) == 6 * 5


def test_languages_choose_among_the_tasks_of_one_language() -> None:
    named = expand(["xlgo_slt_te", "xlgo_dsa_en", "xlgo_t_rank"])[0]
    assert list(in_languages(named, {})) == list(named)
    assert expand(["slt", "dsa"], strict=False) == ({}, ["slt", "dsa"])
    assert list(one_language_each(expand(["xlgo_slt", "xlgo_t_rank"])[0], {})) == [
        f"xlgo_{task}_{code}" for task in ("slt", "t_rank") for code in xd.LANGUAGES
    ]
    some = one_language_each(expand(["xlgo_slt", "xlgo_dsa"])[0], {"languages": "bn,te"})
    assert list(some) == [f"xlgo_{task}_{code}" for task in ("slt", "dsa") for code in ("bn", "te")]
    assert list(in_languages(expand(["simple_travel"])[0], {"languages": "te,en"})) == [
        "simple_travel_te", "simple_travel_en",
    ]  # fmt: skip
    group, foreign = expand(["xlgo", "kor", "hellaswag", "arc", "hellaswag"])
    assert foreign == ["hellaswag", "arc"]
    assert [name for name in group if name.startswith("kor")] == [
        f"kor_{name}" for name in ("operation", "logic", "cipher", "puzzle", "counterfactual")
    ]
    (once,) = harness_tasks(["xlgo_slt", "xlgo", "xlgo_sl?", "xlgo"], {})
    assert once.child_names == [f"xlgo_{t}" for t in ("slt", "dsa", "prdsa", "graph_sp", "t_rank")]
    with pytest.raises(ValueError, match="simple_travel: languages: there is no such task in 'xx'"):
        in_languages(expand(["simple_travel"])[0], {"languages": "te,xx"})
    with pytest.raises(ValueError, match="xlgo_slt_te: languages: there is no such task in 'en'"):
        in_languages(expand(["xlgo_slt_te", "xlgo_slt"])[0], {"languages": "en"})


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
    assert found.bytes == pytest.approx(sum(len(row["prompt"].encode()) for row in rows), rel=0.1)
    assert size_of(tasks, {**options, "repeats": 3}, None).prompts == 3 * len(rows)
    for limit, prompts in ((4, 2 * 4), (0.5, len(rows) / 2), (1, 2)):  # a number: of each task
        assert size_of(tasks, options, limit).prompts == prompts
    assert size_of(expand(["polymath_en"])[0], {}, None) == Size(0, 0, ("polymath_en",))
    lost = "not known before the data of a and 2 more is loaded"
    for size, text in (
        (Size(1200, 9000), "1,200 prompts, about 3,000 tokens (estimated from their size)"),
        (Size(7, 3, is_limit=True), "up to 7 prompts, up to 1 tokens (estimated from their size)"),
        (Size(7, 3, ("a", "b", "c")), f"7 prompts, about 1 tokens (estimated); the rest is {lost}"),
        (Size(0, 0, ("a", "b", "c")), lost),
    ):
        assert str(size) == text


def test_the_most_that_an_adaptive_run_asks_is_its_budget_of_the_largest_questions() -> None:
    run = prepared([
        "--model", "dummy", "--design", "adaptive", "--tasks", "dsa,slt", "--languages", "te,hi",
        "--c-min", "3", "--c-max", "40", "--budget", "40",
    ])  # fmt: skip
    size = most_of(run.designs, run.request)
    rows = [
        row
        for task in ("dsa", "slt")
        for row in xd.family_of(task).rows(
            task, ["te", "hi"], complexities=[40], per_level=1, text="revised"
        )
    ]
    assert (size.prompts, size.is_limit) == (2 * 2 * 40, True)
    assert size.bytes == pytest.approx(
        40 * sum(len(row["prompt"].encode()) for row in rows), rel=0.1
    )


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
    with nullcontext() if runs else pytest.raises(ValueError, match="no prompt was sent"):
        confirm(LARGE, request)


def test_what_is_kept_and_what_the_rest_costs(folder: Path, capsys) -> None:
    """10 prompts of about 3,000 bytes each, of which 4 are answered: 6,000 of 10,000 tokens."""
    (folder / "prices.toml").write_text('currency = "USD"\ninput = 1000\noutput = 2000\n')
    words = ["--model", "dummy", "--tasks", "slt", "--languages", "en", "--complexities", "3",
             "--per-level", "10", "--prices", "prices.toml", "--out", "out"]  # fmt: skip
    run = prepared(words)
    whole = announce(run)
    [size, price] = capsys.readouterr().out.splitlines()
    assert (size, whole.prompts, whole.unknown) == (f"size: {whole}", 10, ())
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
    announce(prepared([*words, "--fresh"]))
    announce(prepared([*words, "--per-level", "11"]))  # which may be other questions
    assert "kept" not in capsys.readouterr().out


def test_a_price_is_that_of_prompts_and_of_a_thousand_tokens_an_answer(tmp_path: Path) -> None:
    path = tmp_path / "prices.toml"
    path.write_text('currency = "EUR"\ninput = 0.5\noutput = 4\n')
    size = Size(2_000, 9_000_000)
    assert size.tokens == 3_000_000
    assert "about 1.50 EUR for prompts, and 8.00 EUR for every 1000 tokens" in _price(size, path)


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
    monkeypatch.setattr(running, "check_folder", lambda run: None)
    run: Any = SimpleNamespace(request=SimpleNamespace(folder=tmp_path))
    assert running.standing(run) == (running.WAITING, "")
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
        return running.standing(run)

    whole = ("first", ["a.json", "b.json"], 0)
    done, lacking = ("second", ["c.json"], 0), ("second", ["c.json"], 2)
    for more, state in (
        ([], running.STOPPED), ([done], running.DONE), ([lacking], running.STOPPED),
        ([lacking, done], running.DONE), ([("second", ["c.json", "d.json"], 0)], running.STOPPED),
    ):  # fmt: skip
        assert noted(whole, *more) == (state, "")
    (tmp_path / running.LOG).write_text("xlgo: first: why\nerror: second\nother: line\n")
    assert noted(whole) == (running.STOPPED, "second")


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
