"""The builder of Hugging Face datasets as a user calls it; plans, names and files."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import huggingface_hub
import numpy as np
import pytest
from datasets.exceptions import DatasetGenerationError

import xlgo_dataset as xd
from tests.looping import looped
from xlgo_dataset import core, sources
from xlgo_dataset.core import question_plan
from xlgo_dataset.families.xlgobench import instances
from xlgo_dataset.hub import builder
from xlgo_dataset.text import languages, tokenizers
from xlgo_dataset.text.languages import check_readable, code_of
from xlgo_metric import option

data: Any = xd.family("xlgobench")


SMALL: dict[str, Any] = {"preset": "smoke", "levels": 3, "per_level": 4}


@pytest.fixture
def load(tmp_path: Path):
    from datasets import load_dataset

    return lambda *args, **options: load_dataset(*args, cache_dir=str(tmp_path), **options)


def test_load_dataset_by_name(load) -> None:
    found = load("xlgo", "slt_te", split="test", revision="main", seed=3, levels=4, per_level=2)
    assert tuple(found.column_names) == core.COLUMNS
    assert found.to_list() == list(data.rows("slt", ["te"], seed=3, levels=4, per_level=2))


@looped(
    ("name", "options"),
    [("dsa_zh", SMALL), ("travel_te", {"n": 2, "seed": 3, "cities": 5, "visit": 3})],
)
def test_the_public_way_gives_the_same(load, tmp_path: Path, name: str, options: Any) -> None:
    ours = xd.load_dataset(name, split="train", cache_dir=str(tmp_path / "b"), **options).to_list()
    assert ours == load("xlgo", name, split="train", **options).to_list()
    assert {json.loads(row["reference"])["split"] for row in ours} == {"train"}
    assert {row["seed"] for row in ours} == {options.get("seed", 0)}


def test_what_is_wrong_with_data_is_said(load, tmp_path: Path) -> None:
    with pytest.raises(DatasetGenerationError, match="has no file logic-sample"):
        load("xlgo", "kor_logic", split="test", source=str(tmp_path))


def test_files_of_the_user_are_those_that_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in "ab":
        (tmp_path / name).touch()
    files = xd.family("simple_reasoning").files("char_count", source=["own", "~/a", "~/b", "~/c"])
    assert files == (tmp_path / "a", tmp_path / "b")


def test_splits_slices_processes_and_streams_agree(load) -> None:
    whole = load("xlgo", "prdsa", split="validation", **SMALL).to_list()
    assert len(whole) == 3 * 4 * 7
    assert load("xlgo", "prdsa", split="validation[:5]", **SMALL).to_list() == whole[:5]
    streamed = load("xlgo", "prdsa", split="validation", streaming=True, **SMALL)
    assert (list(streamed), streamed.num_shards) == (whole, 4)
    fresh: dict[str, Any] = {**SMALL, "seed": 8}
    assert load("xlgo", "prdsa", split="validation", num_proc=2, **fresh).to_list() == list(
        data.rows("prdsa", xd.LANGUAGES, split="validation", **fresh)
    )


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("slt_te", {"sed": 3}, "unknown option 'sed': allowed are preset, seed"),
        ("slt_te", {"preset": "big"}, "paper, lite, smoke"),
        ("slt_te", {"levels": 0}, "levels=0 must be an integer from 1"),
        ("slt_te", {"levels": "20"}, "levels='20' must be an integer"),
        ("slt_te", {"c_min": 4, "c_max": 8, "levels": 9}, "at most 5"),
        ("slt_te", {"c_min": 9, "c_max": 8, "levels": 1}, "c_max must be c_min or more"),
        ("slt_te", {"text": "new"}, "paper, revised"),
        ("slt_te", {"languages": "en,xx"}, "unknown language 'xx'"),
        ("slt_te", {"languages": "en,te"}, "has the language 'te' only: give 'slt'"),
        ("slt_te", {"data_files": "x.json"}, "data_files"),
        ("slt_te", {"data_dir": "x"}, "data_dir"),
        ("slt_te", {"complexities": "5,4"}, "rising integers, each once"),
        ("slt_te", {"complexities": [4, 4]}, "rising integers, each once"),
        ("slt_te", {"complexities": [4], "c_max": 9}, "give complexities or c_max, not both"),
        ("slt_te", {"complexities": [4, 10**6]}, "complexity 1000000 is impossible"),
        *((name, {}, "unknown configuration.*'slt_te'") for name in ("slt_xx", "sl", None)),
    ],
)
def test_a_wrong_option_is_refused_by_name(load, name: Any, options: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        load("xlgo", name, split="test", **options)


def test_one_cache_serves_options_that_say_the_same(load) -> None:
    first, second = (
        load("xlgo", "slt_en", split="test", **options)
        for options in (
            {"seed": np.int64(3), "complexities": np.array([4, 6]), "per_level": 2},
            {"per_level": 2, "complexities": "4,6", "c_min": None, "seed": 3},
        )
    )
    assert first.cache_files == second.cache_files


def test_a_cache_is_of_every_file_that_rows_depend_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    digests, cached = [], tmp_path / "__pycache__"
    (path := tmp_path / "b" / "x").parent.mkdir()
    for change in (
        lambda: path.write_text("1"),
        lambda: path.write_text("2"),
        lambda: path.rename(tmp_path / "b" / "y"),
        lambda: path.parent.rename(tmp_path / "c"),
        lambda: shutil.copytree(tmp_path / "c", cached),
    ):
        change()
        digests.append(sources.digest_of([tmp_path]))
    assert (len(set(digests)), digests[-1]) == (4, digests[-2])
    monkeypatch.setattr(builder, "digest_of", list)
    assert builder.code_hash.__wrapped__() == [Path(xd.__file__).parent, Path(option.__file__)]


def test_other_data_sets_still_load(load, tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text('{"x": 1}\n{"x": 2}\n')
    assert load("json", data_files=str(file), split="train")["x"][:] == [1, 2]


def test_the_cache_notices_an_edited_override_file_and_an_edited_plan(load, tmp_path: Path) -> None:
    file, plan = tmp_path / "shout.toml", tmp_path / "plan.json"
    # Each of the two is edited while the other stays.
    for header, indexes in (("A", [0, 2]), ("B", [0, 2]), ("B", [1, 3]), ("B", [1, 2, 3])):
        cells = {"5": indexes, "7": indexes[1:]}
        design = {"schema": 1, "design": "plan", "seed": 0, "tasks": {"t_rank": {"cells": cells}}}
        plan.write_text(json.dumps(design))
        file.write_text(f'[t_rank]\nheader = "{header}:"\nformat = "{header}!"\n')
        languages._overrides.cache_clear()
        instances._template.cache_clear()
        rows = load("xlgo", "t_rank_en", split="test", text=str(file), plan=str(plan))
        assert {x[:3] + x[-3:] for x in rows["prompt"]} == {f"{header}:\n\n{header}!"}
        found = sorted((row["complexity"], json.loads(row["reference"])["index"]) for row in rows)
        assert found == [(int(size), index) for size in cells for index in cells[size]]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('[t_rnk]\nheader = "x"', "unknown task 't_rnk'"),
        ('[t_rank]\nheadr = "x"', "t_rank: unknown string 'headr': allowed are header"),
        ('[t_rank]\nmatch = "{winner} won."', "placeholders {loser}, {winner}"),
        ('[t_rank]\nmatch = "{winner} {loser} {n}"', "placeholders {loser}, {winner}"),
        ('[t_rank]\nheader = "x"\nheadr = "x"', "unknown string 'headr'"),
        ('[slt]\n[t_rank]\nheadr = "x"', "unknown string 'headr'"),
        ("[t_rank]\nheader = 3", "must be a string"),
        ("[t_rank", "not valid TOML"),
    ],
)
def test_a_wrong_override_file_is_refused(load, tmp_path: Path, content: str, message: str) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(content)
    with pytest.raises(ValueError, match=message):
        load("xlgo", "t_rank_en", split="test", text=str(file), **SMALL)


@pytest.mark.parametrize(
    "first",  # the test of a changed source imports our package first
    ["datasets", pytest.param("xlgo_dataset", marks=pytest.mark.slow)],
)
def test_either_import_order_works(first: str, tmp_path: Path) -> None:
    code = (
        f"import {first}; import xlgo_dataset; from datasets import load_dataset; "
        f"d = load_dataset('xlgo', 'slt_en', split='test', streaming=True, preset='smoke'); "
        "print(next(iter(d))['id'])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert run.stdout.strip() == "slt-test-s0-c4-i0-en"


PLAN = {
    "schema": 1,
    "design": "mine",
    "seed": 0,
    "tasks": {"slt": {"range": [2, 90], "cells": {"12": [0, 3], "5": 2}}},
}


def rows(plan, **given):
    return list(xd.family("xlgobench").rows("slt", ["en", "te"], plan=plan, **given))


def test_rows_are_ordered_by_index_level_language() -> None:
    assert [(r["index"], r["level"], r["complexity"], r["language"]) for r in rows(PLAN)] == [
        (0, 0, 5, "en"), (0, 0, 5, "te"), (0, 1, 12, "en"), (0, 1, 12, "te"),
        (1, 0, 5, "en"), (1, 0, 5, "te"), (3, 1, 12, "en"), (3, 1, 12, "te"),
    ]  # fmt: skip


def test_a_file_and_text_and_an_object_say_the_same(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(PLAN))
    assert rows(str(path)) == rows(path) == rows(f" {json.dumps(PLAN)}") == rows(PLAN)
    assert {row["seed"] for row in rows(PLAN | {"seed": None}, seed=3)} == {3}


def test_what_is_written_is_read_back() -> None:
    tasks = {"dsa": question_plan.TaskPlan({4: (0, 2), 9: (1,)}, 2, 90, "mine", 3)}
    assert (
        question_plan.read_plan(json.dumps(question_plan.plan_json(tasks, design="mine", seed=3)))
        == tasks
    )


@looped(
    ("plan", "options", "message"),
    [
        (PLAN | {"schema": 2}, {}, "schema must be 1, got 2"),
        (PLAN | {"tasks": {}}, {}, "has no tasks"),
        (PLAN | {"tasks": {"dsa": {"cells": {"4": 1}}}}, {}, "no questions of slt"),
        (PLAN | {"tasks": {"slt": {"cells": {}}}}, {}, "has no cells"),
        (PLAN | {"tasks": {"slt": {"cells": {"4": 0}}}}, {}, "complexity 4 must have"),
        (PLAN | {"tasks": {"slt": {"cells": {"4": [1, 1]}}}}, {}, "complexity 4 must have"),
        (PLAN | {"tasks": {"slt": {"cells": {"x": 1}}}}, {}, "must be an integer, got 'x'"),
        (PLAN | {"tasks": {"slt": {"range": [1, 9], "cells": {"0": 1}}}}, {},
         "complexity 0 is impossible"),
        (PLAN | {"tasks": {"slt": {"cells": {"4": 1, "04": 1}}}}, {}, "duplicate complexity"),
        (PLAN | {"tasks": {"slt": {"cells": {"4": 1}, "range": [9, 4]}}}, {},
         "two rising integers"),
        (PLAN | {"tasks": {"slt": {"cells": {"4": 1}, "ranges": []}}}, {}, "unknown key 'ranges'"),
        *((PLAN | {"design": text}, {}, "design must be") for text in ("a|b", "a:b", "a\n", "")),
        ('{"tasks": ' * 10**5, {}, "plan: cannot be read as JSON"),
        (PLAN | {"seed": 1}, {}, "seed 1, got seed 0"),
        *(
            (PLAN, {name: value}, f"give plan or {name}, not both")
            for name, value in (
                ("levels", 2), ("per_level", 2), ("c_min", 4), ("c_max", 4), ("complexities", "4"),
            )
        ),
        ("nowhere.json", {}, "cannot be read"),
    ],
)  # fmt: skip
def test_mistakes_are_named(plan: Any, options: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rows(plan, **options)


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
        ("telugu", "te"), ("EN", "en"), ("తెలుగు", "te"), ("fil", "fil"), ("arb_Arab", "ar"),
        ("Hindi", "hi"), ("swh", "sw"), ("zh_Hant", None), ("te_Latn", None),
        ("english_rules", None),
        (" TE ", "te"), ("Deutsch", "de"), ("tel-IN", "te"), ("English-US", None),
    ],
)  # fmt: skip
def test_codes_of_scripts_and_regions(text: str, code: str | None) -> None:
    """ISO 639, FLORES-200 and BCP 47; what is in another script than the prompts is itself."""
    assert code_of(text) == (text if code is None else code)


def test_an_edited_file_is_read_again(tmp_path: Path) -> None:
    """Also where its size is the same."""
    for time in (1, 2):
        (path := tmp_path / "rows.jsonl").write_text(json.dumps({"a": time}))
        os.utime(path, (time, time))
        assert sources.read_rows(path)[0]["a"] == time


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
    assert tokenizers.label(name) == short


def test_tokens_are_counted_without_the_marks_that_a_tokenizer_adds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = Mock(encode=lambda text, **given: [*text, *filter(None, given.values())])
    load = Mock(side_effect=[known, known, OSError("no\nsuch model")])
    monkeypatch.setitem(sys.modules, "transformers", Mock(AutoTokenizer=Mock(from_pretrained=load)))
    monkeypatch.setattr(importlib.util, "find_spec", {"dashscope": 1}.get)
    counter = tokenizers.counter.__wrapped__
    assert (counter("a/b")("abc"), counter("a/b", True)("abc")) == (3, 4)
    assert tokenizers.installed() == "qwen"
    for name, message in (
        ("a/c", r"\(no such model\): give"),
        ("tekken", "package mistral_common"),
    ):
        with pytest.raises(ValueError, match=message):
            counter(name)


def test_of_files_with_one_name_the_outermost_is_read(tmp_path: Path) -> None:
    for folder, value in (("archive", 1), ("", 2), ("new", 3)):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "x.json").write_text(json.dumps([{"value": value}]))
    assert sources.read_records(tmp_path, "x.json") == ({"value": 2},)
    assert sources.read_records(tmp_path, ("y.json", "new/x.json")) == ({"value": 3},)


def test_a_required_column_has_a_value_in_every_row(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    for row in ({"question": "2 + 2?", "answer": None}, {"question": "2 + 2?"}):
        path.write_text(json.dumps([{"question": "1 + 1?", "answer": ""}, row]))
        os.utime(path, ns=(1, path.stat().st_mtime_ns + 10**9))
        with pytest.raises(ValueError, match="row 1 has no 'answer'"):
            sources.read_records(path, "x.json", ("question", "answer"))


@looped(
    ("name", "content", "message"),
    [
        ("a.json", b"[" * 10**5, "a.json is not JSON"),
        ("a.json", b'{"a": 1}', "must hold a list of objects"),
        ("a.json", b'[{"a": 1}, 3]', "row 1 is no object"),
        ("a.json", b'["\xff"]', "is not UTF-8 text"),
        ("a.jsonl", b'{"a": 1}\n \n{"a"', "line 3: not valid JSON"),
        ("a.parquet", b"PAR1", "is no readable parquet file"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_in_a_line(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    (path := tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError, match=f"{name}.*{message}|{message}.*") as error:
        sources.read_rows(path)
    assert "\n" not in str(error.value)


def test_files_lie_in_the_home_and_end_in_capitals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "OF.JSONL").write_text('{"a": "1\u20282"}\n \n{"a": 3}\n', "utf-8")
    rows = ({"a": "1\u20282"}, {"a": 3})
    assert sources.read_records("~", "OF.JSONL") == sources.read_records("~/OF.JSONL", "x") == rows
    with pytest.raises(ValueError, match=r"no F\.JSONL at '~'"):
        sources.read_records("~", "F.JSONL")


def test_the_hub_is_asked_for_a_revision_and_its_refusal_is_a_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hub = Mock(side_effect=["/cache/commit", RuntimeError("401\n\nno v2")])
    monkeypatch.setattr(huggingface_hub, "snapshot_download", hub)
    found = sources.folder_of("a/b", "v1")
    about = (found.where, found.commit, hub.call_args.kwargs["revision"])
    assert about == ("a/b@commit", "commit", "v1")
    for name, said in (
        ("a/b", r"\(RuntimeError: 401 no v2\): give"),
        ("a/b/c", "neither a folder"),
    ):
        with pytest.raises(ValueError, match=said):
            sources.folder_of(name)
