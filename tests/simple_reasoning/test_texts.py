"""The texts of the counting tasks, and the prompt files."""

from __future__ import annotations

from typing import Any

import pytest

import xlgo_dataset as xd
from xlgo_dataset.families.simple_reasoning import counting

from .checks.texts import check_char_count, check_word_count

simple_reasoning: Any = xd.family("simple_reasoning")


def test_wikitext_comes_from_the_hub_at_run_time(monkeypatch):
    datasets = pytest.importorskip("datasets")
    asked = []

    def fake(*names, split):
        asked.append((*names, split))
        if split == "train":
            raise OSError("no network")
        return {"text": [" = Title = \n", *(["word " * 60 + "\n"] * 3)]}

    monkeypatch.setattr(datasets, "load_dataset", fake)
    counting.load.cache_clear()
    try:
        assert len(counting.load("wikitext", "test").articles[0]) == 3
        with pytest.raises(ValueError, match=r"no network.*own"):
            counting.load("wikitext", "train")
    finally:
        counting.load.cache_clear()
    assert asked[0] == ("Salesforce/wikitext", "wikitext-2-v1", "test")


def test_many_passages_of_a_made_up_text(tmp_path):
    """Words drawn at random, so that the ranking of words has many ties."""
    import random

    rng = random.Random(1)
    stock = [
        "with",
        "that",
        "from",
        "were",
        "river",
        "of",
        "the",
        "a-b",
        "x",
        ",",
        ".",
        "@-@",
        "<unk>",
    ]
    lines = [" ".join(rng.choices(stock, k=rng.randint(50, 390))) for _ in range(150)]
    path = tmp_path / "text.txt"
    path.write_text("\n\n".join(lines), encoding="utf-8")
    settings: list[dict[str, Any]] = [
        {"k": 1},
        {"k": 3, "m": 150},
        {"k": 6, "min_length": 1, "m": 150},
    ]
    for index in range(60):
        for params in settings:
            instance = simple_reasoning.generate(
                "word_count", source=str(path), index=index, **params
            )
            counts = simple_reasoning.solve(instance)["counts"]
            check_word_count(
                simple_reasoning.render(instance, "en"), counts, params.get("min_length", 4)
            )
        instance = simple_reasoning.generate("char_count", source=str(path), index=index)
        check_char_count(
            simple_reasoning.render(instance, "en"), simple_reasoning.solve(instance)["counts"][0]
        )
