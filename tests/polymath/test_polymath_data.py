"""Loading, prompts and rows of PolyMath."""

from __future__ import annotations

import json
import shutil
import socket

import huggingface_hub
import pytest

import xlgo_dataset as xd
from tests.looping import looped
from xlgo_dataset.families.polymath import problems as polymath

from .fixture import FIXTURE


def rows(languages, **options):
    return list(
        xd.family("polymath").rows("polymath", languages, polymath_path=str(FIXTURE), **options)
    )


def test_all_languages_and_levels_are_read():
    found = rows(polymath.LANGUAGES)
    cells = {(row["language"], json.loads(row["reference"])["level"]) for row in found}
    assert len(cells) == 18 * 4
    assert len(found) == 18 * 5  # two problems in low, one in each other level
    assert len({row["id"] for row in found}) == len(found)


@looped("control", polymath.CONTROLS)
@looped("language", polymath.LANGUAGES)
def test_prompt_is_problem_instruction_and_control(language, control):
    texts = polymath.INSTRUCTIONS
    prompt = polymath.prompt("Q?", language, control)
    expected = ["Q?", texts["answer"][language]]
    if control != "none":
        expected.append(texts["control"][control][language])
    assert prompt.split("\n\n") == expected
    assert r"$\boxed{}$" in expected[1]


def test_parquet_files_in_the_layout_of_the_hub(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")

    for file in FIXTURE.glob("sw/*.jsonl"):
        table = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        target = tmp_path / "sw" / f"{file.stem}.parquet"
        target.parent.mkdir(exist_ok=True)
        parquet.write_table(pyarrow.Table.from_pylist(table), target)
    found = list(xd.family("polymath").rows("polymath", ["sw"], polymath_path=str(tmp_path)))
    assert found == rows(["sw"])


def test_hub_is_asked_for_the_data_files_once(monkeypatch):
    asked = []

    def download(repository, *, repo_type, revision, allow_patterns):
        asked.append((repository, repo_type, revision, allow_patterns))
        return str(FIXTURE)

    monkeypatch.setattr(huggingface_hub, "snapshot_download", download)
    row = next(xd.family("polymath").rows("polymath", ["th", "en"], levels="high"))
    assert asked == [("Qwen/PolyMath", "dataset", None, ["*.jsonl", "*.json", "*.parquet"])]
    assert row == rows(["th"], levels="high")[0]


@pytest.mark.parametrize("is_set", [True, False])
def test_a_hub_without_an_address_is_not_asked_again_and_again(monkeypatch, tmp_path, is_set):
    tried = []

    def no_address(*where, **_):
        tried.append(where)
        raise socket.gaierror(-2, "Name or service not known")

    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(socket, "getaddrinfo", no_address)
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", is_set)
    with pytest.raises(ValueError, match="hf download Qwen/PolyMath") as caught:
        next(xd.family("polymath").rows("polymath", ["en"]))
    named = "HF_HUB_OFFLINE" if is_set else "Name or service not known"
    assert "on the local disk" in str(caught.value)
    assert named in str(caught.value)
    assert len(tried) == (0 if is_set else 1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": "low"}, "unknown option 'level'"),
        ({"levels": "middle"}, "levels='middle' must be names of low"),
        ({"control": "latin"}, "control='latin' must be one of none"),
        ({"split": "train"}, "unknown split 'train'"),
    ],
)
def test_wrong_options_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        rows(["en"], **options)


def test_broken_files_are_named(tmp_path):
    shutil.copytree(FIXTURE / "en", tmp_path / "en")
    (tmp_path / "en" / "low.jsonl").write_text('{"question": "Q", "answer": "1"}\n{"question"\n')
    with pytest.raises(ValueError, match=r"low\.jsonl, line 2"):
        list(xd.family("polymath").rows("polymath", ["en"], polymath_path=str(tmp_path)))
    (tmp_path / "en" / "medium.jsonl").write_text('{"question": "Q"}\n')
    with pytest.raises(ValueError, match="row 0 has no 'answer'"):
        list(
            xd.family("polymath").rows(
                "polymath", ["en"], levels="medium", polymath_path=str(tmp_path)
            )
        )
    with pytest.raises(ValueError, match=r"no de/low\.parquet"):
        list(xd.family("polymath").rows("polymath", ["de"], polymath_path=str(tmp_path)))
    (tmp_path / "en" / "high.parquet").write_bytes(b"not parquet")
    with pytest.raises(ValueError, match="no readable parquet"):
        list(
            xd.family("polymath").rows(
                "polymath", ["en"], levels="high", polymath_path=str(tmp_path)
            )
        )
