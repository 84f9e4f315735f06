"""Options are data: what checks them, the command line and the docs read the same."""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path

import pytest

import xlgo_dataset as xd
from tests.looping import looped
from xlgo_cli.cli import main
from xlgo_metric.family import family as grading_family
from xlgo_metric.option import Option, resolved

TASKS = [(name, task) for name, family in xd.FAMILIES.items() for task in family.TASKS]
DOCS = Path(__file__).parents[2] / "docs"


@looped(("family", "task"), TASKS)
def test_options_say_what_they_are(family: str, task: str) -> None:
    found = xd.family(family).task_options(task)
    assert len({option.name for option in found}) == len(found)
    for option in found:
        assert option.help
        assert not option.help.endswith(".")
        if option.default not in (None, ""):
            assert option.checked(option.default, task) == option.default


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


@pytest.mark.parametrize(
    ("option", "given", "taken"),
    [
        (Option("n", "integer", "x", least=1), 3, 3),
        (Option("flag", "flag", "x"), "TRUE", True),
        (Option("mode", "choice", "x", allowed=("a", "b")), "b", "b"),
        (Option("names", "names", "x", allowed=("a", "b", "c")), "c,a", "a,c"),
        (Option("names", "names", "x", allowed=("a", "b")), ["b"], "b"),
        (Option("m", "integer", "x", allowed=range(1, 9), several=True), [2, 8], (2, 8)),
        (Option("m", "integer", "x", allowed=range(1, 9), several=True), 2, (2,)),
        (Option("path", "text", "x"), Path("a/b"), "a/b"),
        (Option("own", "other", "x", check=lambda value: value * 2), 4, 8),
    ],
)
def test_values_that_are_taken(option: Option, given: object, taken: object) -> None:
    assert resolved("t", [option], {option.name: given}) == {option.name: taken}
    assert resolved("t", [option], {option.name: None}) == {option.name: None}


@looped(
    ("option", "given", "told"),
    [
        (Option("n", "integer", "x", least=1), 0, "t: n=0 must be an integer from 1"),
        (Option("n", "integer", "x"), True, "n=True must be an integer"),
        (Option("n", "integer", "x"), 1.5, "n=1.5 must be an integer"),
        (Option("n", "integer", "x", allowed=range(1, 9)), 9, "an integer from 1 to 8"),
        (Option("flag", "flag", "x"), 1, "flag=1 must be True or False"),
        (Option("shots", "choice", "x", allowed=(0, 3)), False, "must be one of 0, 3"),
        (Option("names", "names", "x", allowed=("a",)), "a,z", "must be names of a"),
        (Option("names", "names", "x", allowed=("a",)), [["a"]], "must be names of a"),
        (Option("names", "names", "x", allowed=("a",)), "", "must be names of a"),
        (Option("m", "integer", "x", several=True), [], "m has no value"),
        (Option("path", "text", "x"), "", "must be a text"),
        (Option("path", "text", "x", needed="a folder"), None, "t needs path=..., a folder"),
    ],
)
def test_values_that_are_refused(option: Option, given: object, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        resolved("t", [option], {option.name: given})


def test_an_unknown_option_is_named() -> None:
    with pytest.raises(ValueError, match="t: unknown option 'm': allowed are n"):
        resolved("t", [Option("n", "integer", "x")], {"m": 1})


def test_a_command_lists_the_options_of_a_task(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tasks", "kor_self_correction"]) == 0
    told = capsys.readouterr().out
    assert "answers at most, the first included" in told
    assert "an integer from 1 to 20" in told
    assert main(["tasks", "nowhere"]) == 2
    assert "unknown task 'nowhere'" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["xlgobench", "simple_reasoning", "lit"])
def test_options_of_scores_have_the_defaults_that_are_said(name: str) -> None:
    module = importlib.import_module(f"xlgo_metric.families.{name}.summary")
    known = inspect.signature(module.summarize).parameters
    for option in grading_family(name).options:
        assert known[option.name].default == option.default
        assert option.checked(option.default) == option.default
        with pytest.raises(ValueError, match=f"{option.name}=.* must be {option.wanted}"):
            option.checked(None)
