"""Every condition, puzzle and language: what the text says is the instance, and nothing else."""

from __future__ import annotations

import importlib.util
import re
from typing import Any

import networkx as nx
import pytest

import xlgo_dataset as xd
from tests.looping import looped
from xlgo_dataset.families.xlgobench.conditions import CONDITIONS
from xlgo_dataset.families.xlgobench.conditions.length import pool
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


@pytest.mark.parametrize("task", ["dsa", "prdsa"])
def test_names_have_one_form_in_a_prompt(task: str) -> None:
    instance = xd.generate(task, complexity=SIZES[task], seed=4)
    own, english = xd.load_language("te").strings(task), xd.load_language("en").strings(task)
    for name, said, unsaid in (
        ("english_rules", own, english),
        ("english_lines", english, own),
        ("english_names", english, own),
    ):
        prompt = xd.render(instance, "te", "revised", name)
        for key in ("room", "gold", "silver"):
            word = xd.load_language("te" if said is own else "en").strings(task, "revised")[key]
            other = xd.load_language("en" if said is own else "te").strings(task, "revised")[key]
            assert word.replace("{id}", "").strip() in prompt
            assert other.replace("{id}", "").strip() + " " not in prompt, (name, key)
        assert unsaid is not said


def solved_by_pattern(task: str, prompt: str) -> Any:
    """The answer from the sentences that this function knows; it ignores all others."""
    name = "([A-Z][0-9]{4})"
    if task == "slt":
        start, capital = re.findall(rf"from {name} with an initial capital of (\d+)", prompt)[0]
        steps = {}
        for line in prompt.splitlines():
            if found := re.match(
                rf"- After ending business with {name}, the merchant set off to visit {name}\. .* "
                rf"factor of (-?\d)\. .*(fee of|gifted the merchant) (\d)\.$",
                line,
            ):
                before, person, a, kind, b = found.groups()
                steps[before] = person, int(a), int(b) if kind.startswith("gift") else -int(b)
        place, wealth, chain = start, int(capital), []
        while place in steps:
            place, a, b = steps[place]
            wealth = a * wealth + b
            chain.append(wealth)
        return chain
    if task == "graph_sp":
        edges = re.findall(rf"^\d+\. {name} and {name} are \w+\.$", prompt, re.MULTILINE)
        source, target = re.findall(rf"from {name} to {name}\?", prompt)[0]
        (path,) = nx.all_shortest_paths(nx.Graph(edges), source, target)
        return path
    if task == "t_rank":
        matches = re.findall(rf"^\d+\. Player {name} defeated Player {name}\.$", prompt, re.M)
        return list(nx.topological_sort(nx.DiGraph(matches)))
    moves = {
        (room, key): following
        for room, key, following in re.findall(
            rf"^- In Room {name}, if you use the (\w+) Key, you reach Room {name}\.$", prompt, re.M
        )
    }
    (room,) = re.findall(rf"^You start in Room {name}\.$", prompt, re.M)
    question = prompt.partition("following sequence of keys:")[2].partition("which room")[0]
    for key in re.findall(r"^\d+\. (\w+) Key", question, re.M):
        room = moves[room, key]
    return room


@pytest.mark.parametrize("task", ["slt", "dsa", "graph_sp", "t_rank"])
def test_who_ignores_unknown_sentences_finds_the_answer(task: str) -> None:
    instance = xd.generate(task, complexity=SIZES[task], seed=9)
    (answer,) = xd.solve(instance).values()
    assert solved_by_pattern(task, xd.render(instance, "en")) == answer
    for _, prompt in prompts(task, "length_matched"):
        assert any(sentence in prompt for sentence in pool(task))
        assert solved_by_pattern(task, prompt) == answer
