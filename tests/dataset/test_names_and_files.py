"""Names of languages, wordings, tokenizers and files: each means one thing, whatever is beside."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import xlgo_dataset as xd
from tests.looping import looped
from xlgo_dataset.family import has_few, isomorphism_hash
from xlgo_dataset.text.language_codes import code_of
from xlgo_dataset.text.languages import check_readable
from xlgo_dataset.text.tokenizers import counter, label


@looped(
    ("text", "code"),
    [
        ("zh-CN", "zh"), ("zh_sg", "zh"), ("zho_Hans", "zh"), ("cmn", "zh"), ("zh-TW", None),
        ("zh-HK", None), ("zh_MO", None), ("zho_Hant", None), ("es-419", "es"), ("es_MX", "es"),
        ("en-GB", "en"), ("pt-BR", "pt"), ("en_Deva", None), ("tel_Telu", "te"), ("swh_Latn", "sw"),
        ("urd_Arab", "ur"), ("urd_Latn", None), ("hin_Deva", "hi"), ("hin_Latn", None),
        ("pa_Guru", "pa"), ("pnb_Arab", None), ("iw", "he"), ("in", "id"), ("jw", "jv"),
        ("arb", "ar"), ("ara", "ar"), ("fas", "fa"), ("pes_Arab", "fa"), ("tl", "fil"),
        ("Mandarin", "zh"), ("Farsi", "fa"), ("Panjabi", "pa"), ("xx", None), ("", None),
    ],
)  # fmt: skip
def test_codes_of_scripts_and_regions(text: str, code: str | None) -> None:
    """ISO 639, FLORES-200 and BCP 47; what is in another script than the prompts is itself."""
    assert code_of(text) == (text if code is None else code)


def test_each_of_several_default_languages_must_be_readable() -> None:
    check_readable(xd.LANGUAGES)
    with pytest.raises(ValueError, match="'qaa' cannot be a default language"):
        check_readable([*xd.LANGUAGES, "qaa"])


@looped(
    ("name", "short"),
    [
        ("tekken", "tekken"), ("org/model-7b", "org/model-7b"), ("/data/a/model", "model"),
        ("./x/model/", "model"), ("../model", "model"), ("a\\b\\model", "model"), ("a/b/c", "c"),
        ("org/mo|del: 7", "org/mo_del_7"),
    ],
)  # fmt: skip
def test_a_tokenizer_is_called_by_its_name_or_its_folder(name: str, short: str) -> None:
    assert label(name) == short


def test_marks_of_beginning_and_end_count_where_they_are_asked_for(monkeypatch: Any) -> None:
    class Fake:
        @staticmethod
        def from_pretrained(name: str) -> Any:
            def encode(text: str, add_special_tokens: bool = True) -> list[int]:
                return [0] * (len(text.split()) + 2 * add_special_tokens)

            return SimpleNamespace(encode=encode)

    monkeypatch.setitem(sys.modules, "transformers", SimpleNamespace(AutoTokenizer=Fake))
    counter.cache_clear()
    assert counter("a/b")("one two three") == 3
    assert counter("a/b", marks=True)("one two three") == 5
    assert counter("characters", marks=True)("one two") == 7
    counter.cache_clear()


def test_splits_and_slices_load_all_that_they_name(tmp_path: Path) -> None:
    given: dict[str, Any] = {
        "preset": "smoke",
        "levels": 2,
        "per_level": 2,
        "cache_dir": str(tmp_path),
    }
    both = xd.load_dataset("t_rank_te", split="train[:1]+validation", **given)
    rows = {
        split: list(
            xd.family("xlgobench").rows(
                "t_rank", ["te"], split=split, preset="smoke", levels=2, per_level=2
            )
        )
        for split in ("train", "validation")
    }
    assert both["id"] == [row["id"] for row in (*rows["train"][:1], *rows["validation"])]


@pytest.mark.parametrize(
    ("task", "sizes"), [("slt", (2, 3)), ("t_rank", (3, 8, 11, 12, 19, 20)), ("dsa", (3, 5))]
)
def test_questions_are_few_where_two_of_twenty_have_the_structure_of_others(
    task: str, sizes: Any
) -> None:
    """One that comes back may be chance."""
    repeated = {}
    for size in sizes:
        try:
            drawn = [xd.generate(task, complexity=size, index=i, split="train") for i in range(20)]
        except ValueError:
            continue
        repeated[size] = 20 - len({isomorphism_hash(one) for one in drawn})
    assert {size: has_few(task, size) for size in repeated} == {
        s: n >= 2 for s, n in repeated.items()
    }
