"""Names of languages, wordings, tokenizers and files: each means one thing, whatever is beside."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import xlgo_dataset as xd
from tests.looping import looped
from xlgo_dataset.sources import read_records
from xlgo_dataset.text.languages import check_readable, code_of
from xlgo_dataset.text.tokenizers import label


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


def test_of_files_with_one_name_the_outermost_is_read(tmp_path: Path) -> None:
    for folder, value in (("archive", 1), ("", 2), ("new", 3)):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "x.json").write_text(json.dumps([{"value": value}]))
    assert read_records(tmp_path, "x.json") == ({"value": 2},)
    assert read_records(tmp_path, ("y.json", "new/x.json")) == ({"value": 3},)


def test_a_required_column_has_a_value_in_every_row(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    for row in ({"question": "2 + 2?", "answer": None}, {"question": "2 + 2?"}):
        path.write_text(json.dumps([{"question": "1 + 1?", "answer": ""}, row]))
        os.utime(path, ns=(1, path.stat().st_mtime_ns + 10**9))
        with pytest.raises(ValueError, match="row 1 has no 'answer'"):
            read_records(path, "x.json", ("question", "answer"))
