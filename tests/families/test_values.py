"""Every option of every task: its ends are allowed, what is beyond is not, and each of several."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

import xlgo_dataset as xd
import xlgo_metric as xm
from tests.looping import looped
from xlgo_dataset.core.question_plan import MOST_QUESTIONS, read_plan
from xlgo_metric.option import Option

from .test_contract import GIVEN

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


def values(option: Option) -> Iterator[tuple[Any, bool]]:
    """Values of an option by its declaration, and whether it takes them."""
    allowed = list(option.allowed)
    if option.kind == "integer":
        if allowed:
            yield from ((allowed[0], True), (allowed[-1], True))
            yield from ((allowed[0] - 1, False), (allowed[-1] + 1, False))
        if option.least is not None:
            yield from ((option.least, True), (option.least - 1, False))
        yield from ((True, False), ("1", False), (1.5, False))
    elif option.kind in ("choice", "names"):
        yield from ((one, True) for one in allowed)
        yield from ((OTHER, False), ([], False))
        if option.kind == "choice":  # no flag is taken for a number, nor a number for a flag
            flags = [one for one in allowed if isinstance(one, bool)]
            yield from ((int(one), False) for one in flags)
            yield from ((bool(one), False) for one in allowed if one in (0, 1) and not flags)
    elif option.kind == "flag":
        yield from ((True, True), ("False", True), (1, False), (OTHER, False))
    elif option.kind == "text":
        yield 1, False
        if not option.several:
            yield ["a", "b"], False


def several(option: Option) -> Iterator[tuple[Any, bool]]:
    """The same in a list behind another value: the last one decides as the first does."""
    singles = list(values(option))
    good = next((value for value, is_allowed in singles if is_allowed), None)
    if option.kind == "names":
        yield [option.allowed[0], OTHER], False
        yield f"{option.allowed[-1]},{OTHER}", False
        yield list(option.allowed), True
    elif option.several and good is not None:
        yield from (([good, value], is_allowed) for value, is_allowed in singles if value != [])


@looped(("name", "task"), TASKS)
def test_options_take_what_they_say_and_nothing_beyond(name: str, task: str) -> None:
    family = xd.family(name)
    for option in family.task_options(task):
        for value, is_allowed in (*values(option), *several(option)):
            where = f"{task}: {option.name}={value!r}"
            if is_allowed:
                assert option.checked(value) is not None, where
                continue
            given = {**needed(name, task), option.name: value}
            with pytest.raises(ValueError, match=option.name):  # noqa: PT012
                family.options(task, **given)
                pytest.fail(f"{where} is taken")


@looped(
    ("plan", "message"),
    [
        ({"cells": {"4": MOST_QUESTIONS}}, ""),
        ({"cells": {"4": MOST_QUESTIONS, "5": 1}}, "more than 1,000,000 questions"),
        ({"cells": {"4": MOST_QUESTIONS + 1}}, "a number of questions above 0 or a list"),
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
        assert list(read_plan(whole)["dsa"].cells) == [4]
        return
    with pytest.raises(ValueError, match=f"dsa: .*{message}"):
        read_plan(json.dumps(whole))


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
