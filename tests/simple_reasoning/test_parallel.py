"""The parallel wording: the same puzzle in every language, confirmed from the prompt alone."""

from __future__ import annotations

import json
import re
import shutil
from typing import Any

import pytest

import xlgo_dataset as xd
import xlgo_metric as xm
from tests.looping import looped
from xlgo_cli.harness.task_names import expand, in_languages
from xlgo_dataset.families.simple_reasoning import prompts

from .checks.confirm import confirm_parallel

simple_reasoning: Any = xd.family("simple_reasoning")

TASKS = ("logic_eval", "logic_negation", "proof_tree", "irrelevant", "travel")
LANGUAGES = sorted(xd.available(), key=lambda code: code != "en")
SETTINGS: dict[str, Any] = {
    "logic_eval": [{"depth": 4, "vocabulary": v} for v in ("movies", "letters", "rand20")],
    "logic_negation": [{"depth": 4, "vocabulary": v} for v in ("movies", "letters", "rand20")],
    "proof_tree": [{"depth": 6, "diverse": True}, {"depth": 6, "diverse": False}],
    "irrelevant": [{"trees": 1, "sentences": 20}],
    "travel": [{"cities": 10, "visit": 4, "modes": 10}],
}


@looped("language", LANGUAGES)
@looped("task", TASKS)
def test_every_language_is_confirmed_from_the_prompt(task, language):
    """In one of the settings; the next language takes the next one."""
    index = LANGUAGES.index(language) % len(SETTINGS[task])
    question = simple_reasoning.generate(task, index=index, **SETTINGS[task][index])
    confirm_parallel(question, language)


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("task", TASKS)
def test_the_whole_grid_is_confirmed_from_the_prompt(task, language):
    for row in simple_reasoning.rows(task, [language], n=3, text="parallel"):
        reference = json.loads(row["reference"])
        params = {**reference["params"]}
        confirm_parallel(simple_reasoning.generate(task, index=row["index"], **params), language)


def test_languages_differ_in_nothing_but_the_language():
    """Digits, signs, names, marks and the order of lines are the same in every language."""
    for task in TASKS:
        instance = simple_reasoning.generate(task, index=5, **SETTINGS[task][-1])
        shapes = set()
        for language in LANGUAGES:
            prompt = simple_reasoning.render(instance, language, "parallel")
            frame = [re.findall(r"[0-9]+|[=→↔>×−+∧∨¬∀∃$]", line) for line in prompt.split("\n")]
            shapes.add(json.dumps([sorted(line) for line in frame]))
        assert len(shapes) == 1, task


def test_the_example_is_isolated_as_the_query_is():
    for language, text in (("ar", "parallel"), ("ur", "parallel"), ("ar", "paper")):
        instance = simple_reasoning.generate("travel")
        prompt = simple_reasoning.render(instance, language, text)
        outside = re.sub("\u2068[^\u2068\u2069]*\u2069", "", prompt)
        words = [line for line in outside.split("\n") if "→" in line or "', '" in line]
        assert not any(
            re.search("[\u0600-\u06ff]", line.partition("(")[0].partition("[")[2])
            for line in words
            if "'Oslo'" not in line
        )


def test_a_new_language_is_one_file(tmp_path, monkeypatch):
    """A made-up language: every string of English, backwards in its words."""
    folder = tmp_path / "parallel"
    shutil.copytree(prompts.PARALLEL, folder)
    text = (folder / "en.toml").read_text("utf-8").replace('language = "en"', 'language = "qq"')
    strange = re.sub(r'(?<=")[A-Za-z][^"{}]*(?=")', lambda m: "q" + m[0].swapcase(), text)
    strange = strange.replace("number of {items} {name} has", "qo {name}, {items}")
    (folder / "qq.toml").write_text(strange, encoding="utf-8")
    monkeypatch.setattr(prompts, "PARALLEL", folder)
    for task in TASKS:
        assert "qq" in simple_reasoning.languages(task)
        instance = simple_reasoning.generate(task, index=3, **SETTINGS[task][0])
        prompt = simple_reasoning.render(instance, "qq", "parallel")
        assert prompt != simple_reasoning.render(instance, "en", "parallel")
        assert next(simple_reasoning.rows(task, ["qq"], n=1, text="parallel"))["language"] == "qq"


def test_marks_of_direction_and_native_digits_in_answers():
    row = next(simple_reasoning.rows("travel", ["ar"], n=1, text="parallel"))
    answer = json.loads(row["answer"])["itinerary"]
    marked = ", ".join(f"('{u}', '{v}', '\u2068{mode}\u2069')" for u, v, mode in answer)
    assert xm.grade(f"[{marked}]", row["reference"]).correct
    digits = {
        "ar": "٠١٢٣٤٥٦٧٨٩", "ur": "۰۱۲۳۴۵۶۷۸۹", "hi": "०१२३४५६७८९", "bn": "০১২৩৪৫৬৭৮৯",
        "ta": "௦௧௨௩௪௫௬௭௮௯", "te": "౦౧౨౩౪౫౬౭౮౯", "th": "๐๑๒๓๔๕๖๗๘๙", "ja": "０１２３４５６７８９",
    }  # fmt: skip
    for language, ten in digits.items():
        row = next(simple_reasoning.rows("proof_tree", [language], n=1, text="parallel"))
        number = json.loads(row["answer"])["number"]
        native = "".join(ten[int(d)] for d in str(number))
        for reply in (f"$\\boxed{{{native}}}$", f"… **\\boxed{{{native}}}**"):
            assert xm.grade(reply, row["reference"]).correct
        wrong = "".join(ten[int(d)] for d in str(number + 1))
        assert not xm.grade(f"$\\boxed{{{wrong}}}$", row["reference"]).correct


def test_languages_on_the_command_line_choose_the_tasks():
    tasks, _ = expand(["simple_travel", "simple_irrelevant"])
    assert list(in_languages(tasks, {"languages": "en,te"})) == [
        "simple_travel_en",
        "simple_travel_te",
        "simple_irrelevant_en",
        "simple_irrelevant_te",
    ]
    assert in_languages(tasks, {}) == tasks
    tasks, _ = expand(["simple_char_count"])
    assert list(in_languages(tasks, {"languages": "en"})) == ["simple_char_count_en"]
    with pytest.raises(ValueError, match="no such task in"):
        in_languages(tasks, {"languages": "fr"})


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("ar", "paper"),
        ("ar", "parallel"),
        ("fa", "parallel"),
        ("ur", "parallel"),
        ("he", "parallel"),
    ],
)
def test_options_and_formulas_are_drawn_from_left_to_right(language: str, text: str) -> None:
    """Lines begin with a Latin letter, and what runs the other way is isolated."""
    for task in ("logic_eval", "logic_negation"):
        instance = simple_reasoning.generate(task, depth=4, vocabulary="movies")
        prompt = simple_reasoning.render(instance, language, text)
        lines = [line for line in prompt.split("\n") if re.match("[A-F]: ", line)]
        assert [line[0] for line in lines] == ["F", *"ABCD"]
        for line in lines:
            outside = re.sub("\u2068[^\u2068\u2069]*\u2069", "", line)
            assert not re.search("[\u0590-\u08ff]", outside), line
