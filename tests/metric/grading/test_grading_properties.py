"""Properties of grading: correct answers stay right in any dress, wrong ones never become right."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from xlgo_metric.core import STATUSES
from xlgo_metric.families.xlgobench.grading import grade
from xlgo_metric.reading.forms import LENIENT_RULES

from .grading_cases import TASKS

settings.register_profile("grading", derandomize=True, deadline=None, max_examples=30)
settings.load_profile("grading")

KEYS = {"slt": "chain", "dsa": "state", "prdsa": "states", "graph_sp": "path", "t_rank": "ranking"}
ids = st.builds(
    "{}{}".format, st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), st.integers(1000, 9999)
)


@st.composite
def references(draw: st.DrawFn) -> dict[str, Any]:
    task = draw(st.sampled_from(TASKS))
    answer: Any
    if task == "slt":
        answer = draw(st.lists(st.integers(-9, 9), min_size=1, max_size=12))
    elif task == "dsa":
        answer = draw(ids)
    elif task == "prdsa":
        answer = draw(st.lists(ids, min_size=8, max_size=8, unique=True))
    else:
        answer = draw(st.lists(ids, min_size=2, max_size=10, unique=True))
    return {"task": task, "answer": {KEYS[task]: answer}}


noise = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"]),
        st.sampled_from("{}[]\"'“”:,\\/*#\n0123456789A- "),
    ),
    max_size=60,
)


@given(st.data())
def test_any_text_is_graded(data: st.DataObject) -> None:
    reference = data.draw(references())
    pieces = st.sampled_from(
        ["<think>", "</think>", "{", "}", "[", "]", '"', "'", "“", "\\", "//", "/*", "#", ",", ":"]
        + ["\n", "1", "-", "−", "१", "A1234", "chain", '"state"', "<|channel|>final<|message|>"]
        + [f'{{"{key}":' for key in KEYS.values()]
        + [json.dumps(reference["answer"])[:-1], json.dumps(reference["answer"])]
    )
    text = "".join(data.draw(st.lists(st.one_of(pieces, noise), max_size=30)))
    graded = grade(text, reference)
    assert graded.status in STATUSES
    assert graded.correct == (graded.status == "correct")
    assert not (graded.strict and graded.status not in ("correct", "wrong"))
    assert set(graded.details["lenient"]) <= set(LENIENT_RULES)
    json.dumps(graded.to_json(), ensure_ascii=False).encode()
    if graded.correct:
        (right,) = reference["answer"].values()
        same = sorted if reference["task"] == "prdsa" else list
        assert same(graded.answer) == same(right)
        upper = unicodedata.normalize("NFKC", text).upper()
        assert KEYS[reference["task"]].upper() in upper
