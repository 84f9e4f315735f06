"""The parallel wording: the same puzzle in every language, confirmed from the prompt alone."""

import json
from typing import Any

import pytest

import xlgo_dataset as xd
from tests.looping import looped
from xlgo_cli.harness.task_names import expand, in_languages

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
