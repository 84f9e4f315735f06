"""English of a language's length, counted here with the tokenizers themselves."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any

import pytest

import xlgo_dataset as xd
from xlgo_dataset.families.xlgobench.conditions.length import pool
from xlgo_dataset.families.xlgobench.instances import PUZZLES
from xlgo_dataset.text.document import Scanner

FAMILY = xd.family("xlgobench")
SIZES = {"slt": [4, 40], "dsa": [4, 32], "prdsa": [9, 25], "graph_sp": [12, 70], "t_rank": [6, 100]}


@lru_cache(maxsize=2)
def tokens(name: str) -> Any:
    if name == "tekken":
        pytest.importorskip("mistral_common")
        from mistral_common.tokens.tokenizers.mistral import MistralTokenizer

        encode = MistralTokenizer.v3(is_tekken=True).instruct_tokenizer.tokenizer.encode
        return lambda text: len(encode(text, False, False))
    dashscope = pytest.importorskip("dashscope")
    encode = dashscope.get_tokenizer("qwen-turbo").encode
    return lambda text: len(encode(text))


@pytest.mark.parametrize("task", SIZES)
def test_lengths_are_within_two_percent(task: str) -> None:
    check("tekken", task, ["zh", "te"])


def check(name: str, task: str, codes: list[str]) -> None:
    count = tokens(name)
    found = list(FAMILY.rows(
        task, codes, complexities=SIZES[task], per_level=1, conditions="plain,length_matched",
        condition_tokenizer=name,
    ))  # fmt: skip
    for plain, matched in zip(found[::2], found[1::2]):
        wanted, reached = count(plain["prompt"]), count(matched["prompt"])
        assert abs(reached - wanted) <= 0.02 * wanted
        reference = json.loads(matched["reference"])
        assert reference["tokenizer"] == name
        assert reference["tokens"] == [wanted, reached]
        assert reference["language"] == matched["language"] == plain["language"]
        assert FAMILY.prompt(reference, "paper") == matched["prompt"]  # without the tokenizer
        english = xd.render(xd.read(task, plain["prompt"], plain["language"]), "en")
        left = [line for line in matched["prompt"].splitlines() if line in english.splitlines()]
        assert left == english.splitlines()  # nothing of it is lost or moved


@pytest.mark.parametrize("task", SIZES)
def test_filler_says_nothing_of_the_puzzle(task: str) -> None:
    strings = xd.load_language("en").strings(task)
    template = PUZZLES[task].template(strings)
    forbidden = re.compile(
        r"\d|[A-Z]\d|\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|first|second|third|"
        r"twice|once|half|hundred|dozen|gold|silver|keys?|rooms?|friends?|neighbou?rs?|classmates?|"
        r"coworkers?|relatives?|gifts?|gifted|fees?|factor|multiplied|balance|"
        r"defeat(?:ed)?|beat|won|lost|winner|"
        r"probability|trigger|transition|chain|path|rank(?:ing)?|shortest)\b",
        re.IGNORECASE,
    )
    assert len(set(pool(task))) == len(pool(task)) >= 25
    for sentence in pool(task):
        assert not forbidden.search(sentence), sentence
        assert sentence.endswith(".")
        for line in (f"- {sentence}\n", f"{sentence}\n"):
            for numbered in (False, True):
                with pytest.raises(ValueError, match="should stand"):
                    Scanner(line, template).lines(numbered=numbered)
