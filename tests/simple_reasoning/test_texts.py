"""The texts of the counting tasks, and the prompt files."""

from __future__ import annotations

from typing import Any

import pytest

import xlgo_dataset as xd
from xlgo_dataset.families.simple_reasoning import counting

from .checks.texts import check_char_count, check_word_count

simple_reasoning: Any = xd.family("simple_reasoning")

ARTICLE = (
    " = A Title = \n \n One two three , four <unk> five six . \n\n Seven EIGHT nine ten @-@ x . \n"
)


@pytest.fixture
def wikitext(tmp_path):
    """A folder in the layout of WikiText-2, with parts that differ."""
    for part, mark in (("test", "alpha"), ("valid", "beta"), ("train", "gamma")):
        lines = [f" = Heading {mark} = "]
        lines += [" ".join([f"{mark} filler Word"] * 20) + f" number{i} ." for i in range(4)]
        (tmp_path / f"wiki.{part}.tokens").write_text("\n \n".join(lines), encoding="utf-8")
    return str(tmp_path)


def test_paragraphs_are_lower_case_single_spaced_and_without_headings(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text(ARTICLE, encoding="utf-8")
    corpus = counting.load(str(path), "test")
    first = "one two three , four <unk> five six ."
    assert corpus.articles == ((first, "seven eight nine ten @-@ x ."),)
    assert counting.passages(str(path), "test", 8, 12)[0] == (first,)
    # Too short alone, long enough together.
    joined = counting.passages(str(path), "test", 12, 20)[0]
    assert joined == (" ".join(corpus.articles[0]),)
    with pytest.raises(ValueError, match="no passage"):
        counting.passages(str(path), "test", 100, 200)


def test_the_parts_of_wikitext_serve_the_splits(wikitext):
    for split, mark in (("test", "alpha"), ("validation", "beta"), ("train", "gamma")):
        instance = simple_reasoning.generate("word_count", source=wikitext, split=split, k=3)
        assert mark in instance.structure["words"]
        check_word_count(
            simple_reasoning.render(instance, "en"), simple_reasoning.solve(instance)["counts"]
        )
        assert wikitext not in str(instance.instance_id)
        row = next(simple_reasoning.rows("word_count", ["en"], source=wikitext, split=split, n=1))
        assert wikitext not in row["reference"] + row["id"]


def test_parquet_files_of_the_hub_are_read(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    folder = tmp_path / "wikitext-2-v1"
    folder.mkdir()
    lines = ["", " = Title = \n", "", *(f" some words of line {i} \n" for i in range(5))]
    table = pyarrow.table({"text": lines})
    parquet.write_table(table, folder / "test-00000-of-00001.parquet")
    corpus = counting.load(str(tmp_path), "test")
    assert corpus.articles == (tuple(f"some words of line {i}" for i in range(5)),)


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
