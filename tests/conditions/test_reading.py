"""Every condition, puzzle and language: what the text says is the instance, and nothing else."""

import importlib.util
import re
from typing import Any

import pytest

import xlgo_dataset as xd
from tests.looping import looped
from xlgo_dataset.families.xlgobench.conditions import CONDITIONS
from xlgo_dataset.families.xlgobench.conditions.romanised import LANGUAGES as ROMANISED

FAMILY = xd.family("xlgobench")
SIZES = {"slt": 12, "dsa": 6, "prdsa": 10, "graph_sp": 30, "t_rank": 33}
LIBRARIES = ("uroman", "pypinyin", "cutlet", "unidic_lite")
OTHERS = len(xd.available()) - 1
SIZE = {"romanised": len(ROMANISED)}
"""Languages of a condition, without English."""


def languages(name: str) -> list[str]:
    """The languages that a condition has."""
    codes = [code for code in xd.available() if code != "en"]
    if name == "romanised":
        codes = [code for code in codes if code in ROMANISED]
    return codes


def prompts(
    task: str, name: str, text: str = "paper", codes: list[str] | None = None
) -> list[tuple[str, str]]:
    """Languages and prompts of one instance, through the rows."""
    codes = languages(name) if codes is None else codes
    options: dict[str, Any] = {"condition_tokenizer": "characters"}
    if name == "length_matched":
        pytest.importorskip("mistral_common")
        options["condition_tokenizer"] = "tekken"
    rows = FAMILY.rows(
        task, codes, complexities=[SIZES[task]], per_level=1, seed=9, conditions=name, text=text,
        **options,
    )  # fmt: skip
    return [(row["language"], row["prompt"]) for row in rows]


@pytest.mark.parametrize("task", SIZES)
@pytest.mark.parametrize("name", CONDITIONS)
@pytest.mark.parametrize("third", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 2))])
def test_prompts_are_read_back_and_solved(task: str, name: str, third: int) -> None:
    """By default in a third of the languages: every two of task, condition, language meet."""
    if name == "english_names" and task not in ("dsa", "prdsa"):
        pytest.skip("its lines name no rooms or keys")
    if name == "romanised" and not all(map(importlib.util.find_spec, LIBRARIES)):
        pytest.skip("the libraries are not installed")
    instance = xd.generate(task, complexity=SIZES[task], seed=9)
    texts = xd.TEXTS[1:] if name == "length_matched" else xd.TEXTS
    codes = languages(name)
    assert len(codes) == SIZE.get(name, OTHERS)
    # Each language in one of the wordings; the six tasks begin at another one.
    first = list(SIZES).index(task)
    for number, text in enumerate(texts):
        asked = codes[(number + first) % len(texts) :: len(texts)]
        asked = asked[(third + first + list(CONDITIONS).index(name)) % 3 :: 3]
        for language, prompt in prompts(task, name, text, asked):
            again = xd.read(task, prompt, language, text, condition=name)
            assert again == instance, (language, text)
            assert xd.solve(again) == xd.solve(instance)


def lines_of(prompt: str) -> list[str]:
    """The lines with data, told by two identifiers in them."""
    return [
        re.sub("[A-Z][0-9]{4}", "#", line)
        for line in prompt.splitlines()
        if line.startswith("- ") or re.match(r"\d+\. .*[A-Z]\d{4}.*[A-Z]\d{4}", line)
    ]


def around(prompt: str) -> list[str]:
    """The lines of a prompt without data."""
    data = re.compile(r"- |\d+\. .*[A-Z]\d{4}.*[A-Z]\d{4}")
    return [line for line in prompt.splitlines() if not data.match(line)]


@looped("language", ["te", "ar", "ja", "es"])
@looped("task", ["slt", "graph_sp", "t_rank"])
def test_blocks_come_from_the_language_that_they_should(task: str, language: str) -> None:
    """Without names, the prompts of two conditions are those of two languages, lines swapped."""
    instance = xd.generate(task, complexity=SIZES[task], seed=4)
    english, own = xd.render(instance, "en"), xd.render(instance, language)
    rules = xd.render(instance, language, condition="english_rules")
    lines = xd.render(instance, language, condition="english_lines")
    assert lines_of(rules) == lines_of(own) != lines_of(english)
    assert lines_of(lines) == lines_of(english)
    assert around(rules) == around(english)
    assert around(lines)[:-1] == around(own)[:-1]  # the last paragraph is the format, in English
    assert around(lines)[-1] == around(own)[-1] == around(english)[-1]
    assert xd.render(instance, language, condition="english_format") == own
