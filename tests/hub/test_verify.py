"""``xlgo verify`` finds what is wrong and says where."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.hub.helpers import (
    SMALL,
    Rows,
    agree,
    edit_rows,
    make,
    manifest,
    swapped,
    write_shard,
)
from tests.hub.tampering import EDITS, REQUEST, SHARD, edit_manifest, put, tamper
from xlgo_cli import cli
from xlgo_cli.export import command
from xlgo_cli.export.verify import verify


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An export in blocks so small that each split has several."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(command, "TEXT_PER_BLOCK", 130_000)
        out = make(tmp_path_factory.mktemp("verify") / "xlgo", **REQUEST)
        assert (out / SHARD).is_file()
        yield out


@pytest.fixture
def folder(good: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(good, tmp_path / "xlgo"))


@pytest.mark.parametrize("processes", ["1", "2"])
def test_a_whole_folder_passes(
    good: Path, processes: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["verify", str(good), "--processes", processes]) == 0
    said = capsys.readouterr()
    assert "64 prompts generated again, all as they stand here" in said.out
    assert "Proved: every byte of these files." in said.out
    assert "Not shown by this: that these options, seed and splits" in said.out
    assert "6/6" in said.err  # the progress bar


def test_every_puzzle_wording_and_split_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "TEXT_PER_BLOCK", 20_000)
    out = make(tmp_path / "xlgo", tasks=None, languages=["ja", "hi"], splits=["train", "test"],
               options=SMALL | {"text": "revised", "per_level": 2, "seed": 4})  # fmt: skip
    assert verify(out, 1)[0]["recipe"]["splits"] == ["train", "test"]


def test_itineraries_in_the_words_of_each_language_pass(tmp_path: Path) -> None:
    out = make(tmp_path / "xlgo", tasks=["travel"], languages=["en", "te"], options={"n": 1})
    verify(out, 1)

    def dearer(rows: Rows) -> Rows:
        answer = json.loads(rows[0]["answer"])
        rows[0]["answer"] = json.dumps({"itinerary": answer["itinerary"][:-1]})
        return rows

    edit_rows(out / "travel_te/test-00000-of-00001.parquet", dearer)
    agree(out)
    with pytest.raises(ValueError, match=r"row 0: .*answer differs"):
        verify(out, 1)


def test_of_several_errors_the_first_is_named(folder: Path) -> None:
    edit_rows(folder / SHARD, swapped)
    edit_rows(folder / "t_rank_te/test-00000-of-00001.parquet", swapped)
    agree(folder)
    with pytest.raises(ValueError, match=r"t_rank_te/test-.*row 0"):  # tasks of few blocks first
        verify(folder, 1)


def test_damage_without_new_checksums_is_found_at_once(folder: Path) -> None:
    shard = folder / SHARD
    data = bytearray(shard.read_bytes())
    data[len(data) // 2] ^= 1
    shard.write_bytes(data)
    with pytest.raises(ValueError, match=rf"{SHARD} is damaged"):
        verify(folder, 1)
    shard.unlink()
    with pytest.raises(ValueError, match=rf"{SHARD} is missing"):
        verify(folder, 1)


@pytest.mark.parametrize("place", ["slt_te", "t_rank_en"])
@pytest.mark.parametrize(
    "name", [".git", ".gitattributes", ".gitignore", ".cache", ".huggingface", ".DS_Store"]
)
def test_what_is_hidden_beside_the_data_is_refused(folder: Path, place: str, name: str) -> None:
    """What git, the Hub and desktops add stands at the top; anything further down is data."""
    shard, hidden = next((folder / place).glob("*.parquet")), folder / place / name
    for hide in (hidden.mkdir, lambda: shutil.copy(shard, hidden)):
        hide()
        with pytest.raises(ValueError, match=f"{place}/{name} does not belong to this export"):
            verify(folder, 1)
    shutil.rmtree(hidden)
    hidden.symlink_to(shard)
    with pytest.raises(ValueError, match=f"{place}/{name} is a link or no plain file"):
        verify(folder, 1)


def proved(folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert cli.main(["verify", str(folder), "--processes", "1", "--json"]) == 0
    return str(json.loads(capsys.readouterr().out)["proved"])


def test_a_folder_of_another_installation_passes(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = manifest(folder)["recipe"] | {"code": "0" * 32}
    edit_manifest(folder, put("recipe", made))
    edit_manifest(folder, put("signature", command.signature(made)))
    agree(folder)
    assert proved(folder, capsys) == "bytes"


def test_rows_where_another_writer_of_parquet_wrote_the_same_values(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / SHARD
    write_shard(path, pq.read_table(path), compression_level=9)
    agree(folder)
    assert proved(folder, capsys) == "rows"
    data = path.read_bytes()  # what no reader reads, before the footer
    end = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    path.write_bytes(data[:end] + b"unread" + data[end:])
    agree(folder)
    assert cli.main(["verify", str(folder), "--processes", "1"]) == 0
    said = capsys.readouterr().out
    assert "Proved: every row." in said
    assert f"Not proved: what else 1 of 12 Parquet files ({SHARD}) hold" in said


def test_a_folder_of_another_version_is_unproved(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit_manifest(folder, put("recipe", "tasks", "slt", "data", 99))
    assert cli.main(["verify", str(folder)]) == 3
    assert capsys.readouterr().out.startswith("unproved: ")


@pytest.mark.parametrize(
    ("kind", "what"),
    [
        pytest.param(kind, what, marks=[pytest.mark.slow] if number % 4 else [])
        for kind, (_, _, edits) in EDITS.items()
        for number, what in enumerate(edits)  # every fourth of a kind by default
    ],
)
def test_it_is_caught(folder: Path, kind: str, what: str) -> None:
    tamper(folder, kind, what)
    with pytest.raises(ValueError, match=str(folder)) as error:
        verify(folder, 1)
    assert len(str(error.value).splitlines()) == 1
    assert len(str(error.value)) < 800


def test_the_tool_that_tampers_leaves_no_trace_of_its_own(good: Path, folder: Path) -> None:
    """Without an edit, all that ``agree`` writes again is as it was: the edits are what is seen."""
    agree(folder)
    verify(folder, 1)
    assert (folder / "README.md").read_bytes() == (good / "README.md").read_bytes()
    assert (folder / "export.json").read_bytes() == (good / "export.json").read_bytes()
