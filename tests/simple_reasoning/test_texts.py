"""The texts of the counting tasks, and the prompt files."""

from typing import Any

import pytest

import xlgo_dataset as xd
from xlgo_dataset.families.simple_reasoning import counting

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
