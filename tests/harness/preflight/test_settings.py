"""What the words of ``xlgo run`` mean: each option, a file of them, and what goes together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

import xlgo_dataset as xd
from tests.looping import looped
from xlgo_cli.harness.options import LEVELS, parse, words_of
from xlgo_cli.harness.prepared import prepared, run_of
from xlgo_cli.harness.task_names import expand, harness_tasks, in_languages, one_language_each
from xlgo_cli.logs.challenge import OPTION, challenge_problem, seed_of
from xlgo_dataset.family import has_few

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
    assert (asked.tasks, asked.is_size_chosen) == (PUZZLES, True)
    assert asked.metadata.get("preset") == ("lite" if "lite" in size else None)
    assert request(*size.split(), "--tasks", "slt").tasks == ["slt"]
    for other in ("--text paper", "--xlgo-seed 3", "--languages en,te", "--repeats 2"):
        assert request(*other.split()).tasks == SMALLEST


def test_options_by_name_reach_the_run() -> None:
    asked = request(
        "--languages", "te", "en,bn", "--c-min", "slt=5,dsa=7", "--c-max", "slt=50,dsa=70,t_rank=9",

        "--complexities", "2,5", "--repeats", "3", "--conditions", "plain,english_rules",
        "--one-by-one", "--quiet", "--partial", "--fresh", "--prices", "p.toml", "--out", "o",
        "--tasks", "slt", "dsa,t_rank", "--verbosity", "debug", "--limit", "0.25",
    )  # fmt: skip
    assert asked.tasks == ["slt", "dsa", "t_rank"]
    assert asked.metadata == {
        "languages": "te,en,bn", "c_min": {"slt": 5, "dsa": 7},
        "c_max": {"slt": 50, "dsa": 70, "t_rank": 9}, "complexities": "2,5", "repeats": 3,
        "conditions": "plain,english_rules", "text": "revised",
    }  # fmt: skip
    assert (asked.one_by_one, asked.quiet, asked.partial, asked.fresh) == (True,) * 4
    assert (asked.output, asked.has_folder, asked.prices) == (Path("o"), True, Path("p.toml"))
    assert (asked.level, asked.is_verbose, asked.limit) == ("DEBUG", True, 0.25)
    usual = request()
    assert (usual.one_by_one, usual.quiet, usual.partial, usual.fresh) == (None, *(False,) * 3)
    assert (usual.has_folder, usual.prices, usual.level, usual.is_verbose) == (
        False,
        None,
        "WARNING",
        False,
    )
    verbose = {level: request("-v", level).is_verbose for level in LEVELS}
    assert [level for level, is_verbose in verbose.items() if is_verbose] == ["DEBUG", "INFO"]


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
    asked = request("--challenge", "N")
    assert asked.metadata["xlgo_seed"] == seed_of("N") != seed_of("M")


def test_the_seed_of_a_challenge_is_no_other() -> None:
    options: dict[str, Any] = dict(request("--challenge", "N").metadata)
    assert challenge_problem(options) is None
    assert challenge_problem({}) is challenge_problem({"xlgo_seed": 3}) is None
    expected = options["xlgo_seed"]
    for seed in (expected + 1, None, str(expected), seed_of("M")):
        problem = challenge_problem(options | {"xlgo_seed": seed})
        assert problem == f"the seed is {seed!r}; the challenge gives {expected}"
    for nonce in ("", " ", 3):
        assert "the challenge is" in str(challenge_problem(options | {OPTION: nonce}))
    assert seed_of("N") == seed_of("N") != seed_of("n")


def test_an_adaptive_run_takes_a_range_and_no_other_size() -> None:
    asked = request("--design", "adaptive", "--c-min", "3", "--c-max", "slt=80,dsa=90")
    found = asked.adaptive
    assert (found.budget, found.c_min) == (300, 3)
    assert found.c_max == {"slt": 80, "dsa": 90}
    assert not {"c_min", "c_max"} & asked.metadata.keys()
    assert request("--design", "adaptive", "--budget", "40").adaptive.budget == 40
    assert request("--design", "fixed").adaptive is None
    given = {"preset": "lite", "levels": 2, "per_level": 2, "complexities": "2,5", "repeats": 2,
             "conditions": "plain"}  # fmt: skip
    for name, value in given.items():
        option = f"--{name.replace('_', '-')}"
        with pytest.raises(ValueError, match=f"chooses what is asked: leave out {name}"):
            request("--design", "adaptive", option, str(value))
    for more, message in (("--limit 3", "give --budget instead"), ("--one-by-one", "in rounds")):
        with pytest.raises(ValueError, match=message):
            request("--design", "adaptive", *more.split())
    for low, high in (("9", "9"), ("9", "8")):
        with pytest.raises(ValueError, match=f"c_min {low} must be below c_max {high}"):
            prepared(
                [
                    "--model",
                    "xlgo-sim",
                    "--tasks",
                    "slt",
                    "--design",
                    "adaptive",
                    "--c-min",
                    low,
                    "--c-max",
                    high,
                ]
            )


def test_designs_ask_every_language_of_a_task_and_only_its_own_range() -> None:
    run = prepared([
        "--model", "xlgo-sim", "--tasks", "slt_te", "slt_en", "dsa", "slt_te",
        "--design", "adaptive",
        "--c-min", "slt=11", "--c-max", "dsa=77", "--budget", "50",
    ])  # fmt: skip
    slt, dsa = run.designs["slt"], run.designs["dsa"]
    assert (slt.names, slt.languages) == (("xlgo_slt_te", "xlgo_slt_en"), ("te", "en"))
    assert (dsa.names, dsa.languages) == (("xlgo_dsa",), xd.LANGUAGES)
    own = {task: xd.family_of(task).complexity_range(task) for task in run.designs}
    assert (slt.design.c_min, slt.design.c_max) == (11, own["slt"][1])
    assert (dsa.design.c_min, dsa.design.c_max) == (own["dsa"][0], 77)
    for one in (slt, dsa):
        assert one.design.budget == 50
        assert one.design.languages == len(one.languages)
    with pytest.raises(ValueError, match="simple_travel has no complexities to choose"):
        prepared(["--model", "xlgo-sim", "--tasks", "slt", "travel", "--design", "adaptive"])


def test_languages_that_are_asked_for_and_few_questions_decide_a_design() -> None:
    words = ["--model", "xlgo-sim", "--design", "adaptive", "--languages", "te,en", "--tasks"]
    run = prepared([*words, "t_rank", "slt"])
    assert {name: one.languages for name, one in run.designs.items()} == {
        "t_rank": ("te", "en"), "slt": ("te", "en"),
    }  # fmt: skip
    for task, one in run.designs.items():
        sizes = range(one.design.c_min, one.design.c_min + 8)
        assert [one.design.avoided(size) for size in sizes] == [has_few(task, s) for s in sizes]
    for tasks in (["slt", "arc_easy"], ["arc_easy"]):
        with pytest.raises(ValueError, match="arc_easy has no complexities to choose"):
            prepared([*words, *tasks])


def test_who_judges_and_who_need_not_agree_to_the_size() -> None:
    for words, judge, sure in (
        ("", None, False), ("--judge none", None, False), ("--judge hf", "hf", False),
        ("--model xlgo-sim", "xlgo-sim", True), ("--model xlgo-sim --judge none", None, True),
        ("--yes", None, True), ("--model xlgo-sim --judge hf", "hf", True),
    ):  # fmt: skip
        asked = request(*words.split())
        assert (asked.judge, asked.sure) == (judge, sure), words
    asked = request("--judge", "hf", "--judge-args", "a=1", "b=2", "--judge_gen_kwargs", "c=3")
    assert (asked.judge_args, asked.judge_gen_kwargs) == (["a=1", "b=2"], ["c=3"])
    for needy in (
        "--judge-args a=1",
        "--judge-gen-kwargs a=1",
        "--budget 3",
        "--status",
    ):
        with pytest.raises(ValueError, match=needy.split(maxsplit=1)[0]):
            request(*needy.split())


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
OTHERS = {
    "--tasks": ("t_rank", lambda one: one.tasks == ["t_rank"]),
    "--languages": ("hi", lambda one: one.metadata["languages"] == "hi"),
    "--levels": ("9", lambda one: one.metadata["levels"] == 9),
    "--per_level": ("9", lambda one: one.metadata["per_level"] == 9),
    "--limit": ("9", lambda one: one.limit == 9),
    "--output_path": ("here", lambda one: one.output == Path("here")),
    "--xlgo-seed": ("5", lambda one: one.metadata["xlgo_seed"] == 5),
    "--model_args": ("pretrained=c/d", lambda one: one.model_args == {"pretrained": "c/d"}),
}


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
    assert request("--config", "run.yaml") == typed
    for option, (value, holds) in OTHERS.items():
        for words in ([option, value], [f"{option}={value}"]):
            found = request("--config", "run.yaml", *words)
            assert holds(found), words
            rest = {
                name: vars(found)[name]
                for name in vars(typed)
                if vars(found)[name] != vars(typed)[name]
            }
            assert len(rest) == 1, (words, rest)
    assert request("--config", "run.yaml", "--one-by-one").one_by_one is True


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


def test_parts_are_the_same_where_the_same_is_asked() -> None:
    def parts(*words: str, alone: bool) -> dict[str, list[str]]:
        run = prepared(["--model", "xlgo-sim", "--preset", "smoke", *words])
        return run.parts(alone=alone)

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
    chosen = expand(["slt", "dsa"], strict=False)
    assert chosen == ({}, ["slt", "dsa"])
    every = one_language_each(expand(["xlgo_slt", "xlgo_t_rank"])[0], {})
    assert list(every) == [
        f"xlgo_{task}_{code}" for task in ("slt", "t_rank") for code in xd.LANGUAGES
    ]
    some = one_language_each(expand(["xlgo_slt", "xlgo_dsa"])[0], {"languages": "bn,te"})
    assert list(some) == [f"xlgo_{task}_{code}" for task in ("slt", "dsa") for code in ("bn", "te")]
    simple = in_languages(expand(["simple_travel"])[0], {"languages": "te,en"})
    assert list(simple) == ["simple_travel_te", "simple_travel_en"]
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


@looped(
    ("words", "message"),
    [
        ("--tasks slt dsa --languages en,te,xx", "unknown language 'xx'"),
        ("--tasks slt dsa --c-min slt=5,t_rank=9", "c_min: 't_rank' is no task that is asked"),
        ("--tasks slt dsa --c-max dsa=5,xx=9", "'xx' is no task that is asked: there are dsa, slt"),
        ("--tasks slt prdsa --c-min slt=5,prdsa=3", "prdsa.*complexity 3 is impossible"),
        ("--tasks slt dsa --conditions plain,xx", "unknown condition 'xx'"),
        ("--tasks slt prdsa --complexities 4,9,20", "complexity 4 is impossible"),
        ("--tasks slt --complexities 4,9,100000000", "complexity 100000000 is impossible"),
        ("--tasks slt --levels 9 --c-min 4 --c-max 8", "9 levels do not fit"),
        ("--metadata levels=2,perlevel=3", "unknown 'perlevel'"),
        ("--model_args seed=1,correlation=1.5", "correlation must lie between 0 and 1, got 1.5"),
    ],
)  # fmt: skip
def test_a_mistake_in_the_last_of_several_is_found_as_in_the_first(
    words: str, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        prepared(["--model", "xlgo-sim", *words.split()])
