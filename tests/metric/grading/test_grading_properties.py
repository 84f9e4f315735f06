"""Properties of grading: correct answers stay right in any dress, wrong ones never become right."""

from __future__ import annotations

import json
import random
import unicodedata
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from xlgo_metric.core import STATUSES
from xlgo_metric.families.xlgobench.grading import grade
from xlgo_metric.reading.objects import LENIENT_RULES

from .grading_cases import SCRIPTS, TASKS

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


@st.composite
def spellings(draw: st.DrawFn, value: Any) -> str:
    """An entry of an answer in one of the forms that are forgiven."""
    script = draw(st.sampled_from(sorted(SCRIPTS)))
    digits = SCRIPTS[script].digits if draw(st.booleans()) else str
    quote = draw(st.sampled_from(['""', "''", "“”", "„“", "«»", "「」", "‘’", "＂＂"]))
    if isinstance(value, int):
        text = digits(str(value)).replace("-", draw(st.sampled_from("-−－–‐")))
        text += draw(st.sampled_from(["", ".0", "e0"])) if draw(st.booleans()) else ""
        return f"{quote[0]}{text}{quote[1]}" if draw(st.booleans()) else text
    text = value.lower() if draw(st.booleans()) else value
    text = digits(text)
    if draw(st.booleans()):
        glued = "{}" + SCRIPTS[script].glue + "{}"
        text = draw(st.sampled_from(["{} {}", glued, "\u2067{}\u2069\u200e {}\u200f"])).format(
            SCRIPTS[script].room, text
        )
    text += SCRIPTS[script].suffix if draw(st.booleans()) else ""
    return f"{quote[0]}{text}{quote[1]}"


@st.composite
def spelled(draw: st.DrawFn, answer: dict[str, Any]) -> str:
    """An object with an answer, spelled in some way that is forgiven."""
    ((key, value),) = answer.items()
    gap = draw(st.sampled_from(["", " ", "\n  ", "\u3000", "\u200b", " /* so } */ ", " // ]\n"]))
    comma = draw(st.sampled_from([",", "，", "、", "،"]))
    if isinstance(value, list):
        items = [gap + draw(spellings(item)) for item in value]
        end = draw(st.sampled_from(["", comma])) if items else ""
        opening, closing = draw(st.sampled_from([("[", "]"), ("［", "］")]))
        text = f"{opening}{comma.join(items)}{end}{gap}{closing}"
    else:
        text = draw(spellings(value))
    key = draw(st.sampled_from([key, key.upper(), key.capitalize()]))
    name = draw(st.sampled_from([f'"{key}"', f"'{key}'", f"“{key}”", key]))
    before = draw(st.sampled_from(["", '"n": {"m": [1, "}"]},', "'n': null,"]))
    after = draw(st.sampled_from(["", ', "n": [{}]', "，“n”：“}”"]))
    opening, closing = draw(st.sampled_from([("{", "}"), ("｛", "｝")]))
    colon = draw(st.sampled_from([":", "：", " : "]))
    text = f"{opening}{before}{name}{colon}{text}{after}{gap}{closing}"
    return f'{{"answer": {text}}}' if draw(st.booleans()) else text


noise = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"]),
        st.sampled_from("{}[]\"'“”:,\\/*#\n0123456789A- "),
    ),
    max_size=60,
)
# Noise that does not open a marker, string, comment or object, which would take in what follows.
prose = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="{}｛｝<◁[|"), max_size=60
)
before = st.one_of(
    prose,
    st.builds("<think>{}</think>".format, noise.filter(lambda text: "think" not in text)),
    st.builds("{}\n```json\n".format, prose),
    st.sampled_from(['{"x": "', '{"chain": [1, {"state": ["', "{'path': 'it's", '{"a": [', "{{{{"]),
)


@given(st.data())
def test_a_right_answer_in_any_dress_is_correct(data: st.DataObject) -> None:
    reference = data.draw(references())
    text = data.draw(before) + "\n" + data.draw(spelled(reference["answer"])) + "\n"
    graded = grade(text + data.draw(prose), reference)
    assert graded.status == "correct", text
    (answer,) = reference["answer"].values()
    assert graded.answer == answer


def mutated(answer: Any, task: str, rng: random.Random) -> Any:
    """An answer that is not right, as a model may slip."""
    if isinstance(answer, str):
        digit = rng.randrange(1, 5)
        return answer[:digit] + str((int(answer[digit]) + 1) % 10) + answer[digit + 1 :]
    wrong = list(answer)
    place = rng.randrange(len(wrong))
    kind = rng.randrange(4)
    if kind == 0:
        del wrong[place]
    elif kind == 1:
        wrong.insert(place, wrong[rng.randrange(len(wrong))])
    elif kind == 2 or task == "prdsa" or len(set(wrong)) == 1:
        slip = wrong[place]
        wrong[place] = slip + 1 if isinstance(slip, int) else mutated(slip, task, rng)
    else:
        other = next(i for i, entry in enumerate(wrong) if entry != wrong[place])
        wrong[place], wrong[other] = wrong[other], wrong[place]
    return wrong


@given(st.data(), st.integers(0, 2**32))
def test_a_mutated_answer_is_never_correct(data: st.DataObject, seed: int) -> None:
    reference = data.draw(references())
    ((key, answer),) = reference["answer"].items()
    wrong = mutated(answer, reference["task"], random.Random(seed))
    if reference["task"] == "prdsa" and set(wrong) == set(answer) and len(wrong) == len(answer):
        return
    text = data.draw(before) + "\n" + data.draw(spelled({key: wrong})) + "\n" + data.draw(prose)
    graded = grade(text, reference)
    assert graded.status == "wrong", text
    # The right answer before it does not help.
    text = json.dumps(reference["answer"]) + "\n" + data.draw(spelled({key: wrong}))
    assert not grade(text, reference).correct


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
