"""Options are data: what checks them, the command line and the docs read the same."""

import re
from pathlib import Path

import pytest

import xlgo_dataset as xd
from xlgo_cli.cli import main
from xlgo_metric.family import family as grading_family
from xlgo_metric.option import Option, resolved

TASKS = [(name, task) for name, family in xd.FAMILIES.items() for task in family.TASKS]
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
