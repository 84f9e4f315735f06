"""``xlgo verify`` finds what is wrong, whatever the way to tamper, and says where."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import xlgo_dataset as xd
from tests.hub.helpers import (
    SMALL,
    Rows,
    agree,
    dumps,
    edit_rows,
    make,
    manifest,
    swapped,
    tree,
    write_shard,
)
from xlgo_cli import cli, folders
from xlgo_cli.export import command
from xlgo_cli.export.verify import verify
from xlgo_dataset.core import COLUMNS

OPTIONS: dict[str, Any] = {"preset": "smoke", "levels": 2, "per_level": 4}
REQUEST: dict[str, Any] = {
    "tasks": ["slt", "t_rank"],
    "languages": ["en", "te"],
    "splits": ["test", "train"],
    "options": OPTIONS,
}
"""Of the folder that is tampered with; blocks are made so small that each split has several."""

SHARD = "slt_te/test-00000-of-00002.parquet"
OTHER = "slt_te/test-00001-of-00002.parquet"
ENGLISH = "slt_en/test-00000-of-00002.parquet"
TRAIN = "slt_te/train-00000-of-00002.parquet"


def edit_every_language(folder: Path, change: Callable[[Rows], Rows]) -> None:
    for path in (SHARD, ENGLISH):
        edit_rows(folder / path, change)


def edit_cell(folder: Path, edit: tuple[str, Callable[[Any], Any]]) -> None:
    column, change = edit

    def changed(rows: Rows) -> Rows:
        rows[1][column] = change(rows[1][column])
        return rows

    edit_rows(folder / SHARD, changed)


def edit_bytes(folder: Path, change: Callable[[bytes], bytes]) -> None:
    before = (folder / SHARD).read_bytes()
    (folder / SHARD).write_bytes(change(before))
    assert (folder / SHARD).read_bytes() != before


def edit_sums(folder: Path, change: Callable[[list[str]], list[str]]) -> None:
    path = folder / folders.CHECKSUMS
    path.write_text("".join(change(path.read_text().splitlines(keepends=True))))


def edit_card(folder: Path, edit: tuple[str, str]) -> None:
    text = (folder / "README.md").read_text(encoding="utf-8")
    assert edit[0] in text, edit
    (folder / "README.md").write_bytes(text.replace(*edit, 1).encode("utf-8", "surrogateescape"))
    folders.write_checksums(folder, {})


def edit_manifest(folder: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    found = manifest(folder)
    change(found)
    (folder / "export.json").write_text(found.pop("text", None) or dumps(found), encoding="utf-8")
    folders.write_checksums(folder, {})


def exchanged(rows: Rows, *columns: str) -> Rows:
    one, other = ({column: row[column] for column in columns} for row in rows[:2])
    return [rows[0] | other, rows[1] | one, *rows[2:]]


def made(
    rows: Rows, task: str = "slt", language: str = "", split: str = "test", **options: Any
) -> Rows:
    """As many rows as there were, from a generator with other options."""
    made = xd.family("xlgobench").rows(
        task, [language or rows[0]["language"]], split=split, **OPTIONS | options
    )
    return [row for row, _ in zip(made, rows)]


def under_the_same_ids(rows: Rows) -> Rows:
    """Other rows under the ids, levels and numbers of these."""
    names = ("id", "instance_id", "level", "index", "seed", "complexity")
    return [
        other | {name: row[name] for name in names} for row, other in zip(rows, made(rows, seed=1))
    ]


def in_json(change: Callable[[dict[str, Any]], Any], text: str) -> str:
    data = json.loads(text)
    change(data)
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def cast(name: str, kind: pa.DataType) -> Callable[[pa.Table], pa.Table]:
    return lambda t: t.set_column(COLUMNS.index(name), name, t[name].cast(kind))


def exchange(other: str, folder: Path) -> None:
    os.replace(folder / SHARD, folder / "aside")
    os.replace(folder / other, folder / SHARD)
    os.replace(folder / "aside", folder / other)


def unlisted(path: str, folder: Path) -> None:
    (folder / path).unlink()
    found = manifest(folder)
    found["shards"] = [shard for shard in found["shards"] if shard["path"] != path]
    (folder / "export.json").write_text(dumps(found), encoding="utf-8")


def one_more(path: str, folder: Path, *, listed: bool = False) -> None:
    (folder / path).parent.mkdir(exist_ok=True)
    (folder / path).write_bytes((folder / SHARD).read_bytes())
    found = manifest(folder)
    (record,) = (shard for shard in found["shards"] if shard["path"] == SHARD)
    more = [record | {"path": path}] if listed else []
    found["shards"] = sorted([*found["shards"], *more], key=lambda shard: str(shard["path"]))
    (folder / "export.json").write_text(dumps(found), encoding="utf-8")


def link(path: str, folder: Path) -> None:
    aside = folder.with_name("aside")
    os.replace(folder / path, aside)
    (folder / path).symlink_to(aside)


def put_in(*given: Any) -> None:
    """Put a value at the end of a path into a manifest: path, value, manifest."""
    *way, last, value, found = given
    for step in way:
        found = found[step]
    found[last] = value


put = partial(partial, put_in)


def seed_everywhere_but_in_the_rows(found: dict[str, Any]) -> None:
    made = found["recipe"]
    for part in (made, *made["tasks"].values()):
        part["options"]["seed"] = 5
    found |= {"command": command.command(made), "signature": command.signature(made)}


T = ("recipe", "tasks", "slt")
Kind = tuple[Callable[[Path, Any], object], bool, dict[str, Any]]
"""How an edit of the kind is made, whether all numbers agree afterwards, and the edits."""
EDITS: dict[str, Kind] = {
    "rows of a shard": (lambda folder, change: edit_rows(folder / SHARD, change), True, {
        "the first is dropped": lambda rows: rows[1:],
        "the last is dropped": lambda rows: rows[:-1],
        "one in the middle is dropped": lambda rows: rows[:1] + rows[2:],
        "all are dropped": lambda rows: [],
        "the last stands twice": lambda rows: [*rows, rows[-1]],
        "one takes the place of another": lambda rows: [rows[0], rows[0], *rows[2:]],
        "two are swapped": swapped,
        "their order is reversed": lambda rows: rows[::-1],
        "they are sorted by level": lambda rows: sorted(rows, key=lambda row: row["level"]),
        "one more, of another split": lambda rows: rows + made(rows, split="train")[:1],
        "they are of another split": partial(made, split="train"),
        "they are of another seed": partial(made, seed=1),
        "they are of other complexities": partial(made, c_min=5, c_max=7),
        "they are of another language": partial(made, language="hi"),
        "they are of another task": partial(made, task="dsa"),
        "they have another wording": partial(made, text="revised"),
        "one language has other instances under the same ids": under_the_same_ids,
        "the prompts of two are swapped": lambda rows: exchanged(rows, "prompt"),
        "the answers of two are swapped": lambda rows: exchanged(rows, "answer", "reference"),
        "the ids of two are swapped": lambda rows: exchanged(rows, "id", "instance_id"),
    }),
    "rows of all languages": (edit_every_language, True, {
        "all languages have other instances under the same ids": under_the_same_ids,
    }),
    "a cell of a row": (edit_cell, True, {
        "a digit of the prompt": ("prompt", lambda text: text.replace("1", "2", 1)),
        "a space after the prompt": ("prompt", lambda text: text + " "),
        "a letter that looks the same": ("prompt", lambda text: text.replace("A", "А", 1)),
        "an invisible character": ("prompt", lambda text: text[:9] + "\u200b" + text[9:]),
        "a line of the prompt is dropped": ("prompt", lambda text: text.split("\n", 1)[1]),
        "the prompt is empty": ("prompt", lambda text: ""),
        "the prompt is null": ("prompt", lambda text: None),
        "a wrong answer": ("answer", partial(in_json, lambda data: data["chain"].append(1))),
        "the answer laid out in another way": ("answer", lambda text: text.replace(",", ", ")),
        "the answer is null": ("answer", lambda text: None),
        "a wrong answer in the reference":
            ("reference", partial(in_json, lambda data: data["answer"]["chain"].append(1))),
        "another language in the reference":
            ("reference", partial(in_json, lambda data: data.update(language="en"))),
        "another family in the reference":
            ("reference", partial(in_json, lambda data: data.update(family="toy"))),
        "one more entry in the reference":
            ("reference", partial(in_json, lambda data: data.update(easy=True))),
        "a reference that is no JSON": ("reference", lambda text: text[:-1]),
        "the id": ("id", lambda text: text + "-x"),
        "the id of another row": ("id", lambda text: text.replace("-c40-", "-c4-")),
        "the instance_id": ("instance_id", lambda text: text.replace("-i0", "-i9")),
        "the task": ("task", lambda text: "dsa"),
        "the language": ("language", lambda text: "en"),
        "the complexity": ("complexity", lambda value: value + 1),
        "the level": ("level", lambda value: value + 1),
        "the index": ("index", lambda value: value + 1),
        "the seed": ("seed", lambda value: value + 1),
    }),
    "the form of a Parquet file": (lambda folder, change: write_shard(
        folder / SHARD, change(pq.read_table(folder / SHARD, partitioning=None))
    ), True, {
        "columns in another order": lambda table: table.select(list(COLUMNS[::-1])),
        "numbers of 32 bits": cast("seed", pa.int32()),
        "texts of 64-bit length": cast("prompt", pa.large_string()),
        "bytes in place of text": cast("answer", pa.binary()),
        "a column that may not be null": lambda table: table.cast(
            pa.schema([field.with_nullable(field.name != "seed") for field in table.schema])
        ),
        "one more column": lambda table: table.append_column("hint", table["answer"]),
        "a column is missing": lambda table: table.drop_columns(["seed"]),
        "a column of another name": lambda table: table.rename_columns([*COLUMNS[:-1], "notes"]),
        "metadata": lambda table: table.replace_schema_metadata({"author": "someone"}),
    }),
    "the bytes of a file": (edit_bytes, True, {
        "the second half is cut off": lambda data: data[: len(data) // 2],
        "the last byte is cut off": lambda data: data[:-1],
        "bytes after the end": lambda data: data + b"more",
        "the file is empty": lambda data: b"",
        "the file is text": lambda data: b"id,prompt\n1,2\n",
        "a bit of the data": lambda data: data[:900] + bytes([data[900] ^ 1]) + data[901:],
    }),
    "files": (lambda folder, change: change(folder), True, {
        "two shards of a language are swapped": partial(exchange, OTHER),
        "shards of two languages are swapped": partial(exchange, ENGLISH),
        "shards of two splits are swapped": partial(exchange, TRAIN),
        "a shard is missing": lambda folder: (folder / SHARD).unlink(),
        "a shard is missing, and not listed": partial(unlisted, SHARD),
        "the last shard is missing, and not listed": partial(unlisted, OTHER),
        "one more shard": partial(one_more, "slt_te/test-00002-of-00003.parquet"),
        "one more shard, listed":
            partial(one_more, "slt_te/test-00002-of-00003.parquet", listed=True),
        "a shard of one more language, listed":
            partial(one_more, "slt_hi/test-00000-of-00001.parquet", listed=True),
        "a shard that stands hidden": partial(one_more, "slt_te/.test-00009-of-00009.parquet"),
        "a hidden folder": partial(one_more, ".more/test.parquet"),
        "one more text": lambda folder: (folder / "NOTES.md").write_text("ours"),
        "an empty folder": lambda folder: (folder / "slt_hi").mkdir(),
        "a link in place of a shard": partial(link, SHARD),
    }),
    "files beside the data": (lambda folder, change: change(folder), False, {
        "a link in place of a folder": partial(link, "slt_te"),
        "a link in place of the card": partial(link, "README.md"),
        "a pipe": lambda folder: os.mkfifo(folder / ".pipe"),
        "the card is missing": lambda folder: (folder / "README.md").unlink(),
    }),
    "the list of checksums": (edit_sums, False, {
        "a file is not listed": lambda lines: lines[1:],
        "a file is listed twice": lambda lines: [*lines, lines[-1]],
        "two lines are swapped": lambda lines: [lines[1], lines[0], *lines[2:]],
        "a line more": lambda lines: [*lines, "all is well\n"],
        "a path outside": lambda lines: [*lines, f"{'0' * 64}  ../x\n"],
    }),
    "the card": (edit_card, False, {
        "a word of the card": ("synthetic:", "natural:"),
        "the state of a wording": ("| `te` |", "| `te` | audited |"),
        "the number of prompts": ("| 32 |", "| 3,200 |"),
        "the signature": ("seed:0", "seed:1"),
        "the command": ("--xlgo-seed 0", "--xlgo-seed 1"),
        "the licence": ("license: apache-2.0", "license: mit"),
        "the number of rows in the YAML": ("num_examples: 16", "num_examples: 15"),
        "the size in the YAML": ("download_size: ", "download_size: 1"),
        "the files of a configuration": ("slt_te/test-*.parquet", "slt_*/test-*.parquet"),
        "the default configuration": ("  default: true\n", ""),
        "a language in the YAML": ("- te\n", "- hi\n"),
        "a key that stands twice in the YAML": ("license:", "license: mit\nlicense:"),
        "a comment in the YAML": ("license:", "# audited\nlicense:"),
        "bytes that are no UTF-8": ("synthetic:", "synthetic\udcff:"),
    }),
    "the manifest alone": (edit_manifest, False, {
        "the rows of a shard": put("shards", 0, "rows", 9),
        "the size of a shard": put("shards", 0, "size", 9),
        "the sha256 of a shard": put("shards", 0, "sha256", "0" * 64),
        "the split of a shard": put("shards", 0, "split", "train"),
        "the path of a shard": put("shards", 0, "path", "slt_te/x.parquet"),
        "a number as a fraction": put("shards", 0, "rows", 8.0),
        "a shard is listed twice": lambda f: f["shards"].append(f["shards"][-1]),
        "one more entry of a shard": put("shards", 0, "note", "fine"),
        "the seed": put("recipe", "options", "seed", 7),
        "a key that stands twice":
            lambda f: f.update(text=dumps(f).replace('"schema": 3', '"schema": 1,\n "schema": 3')),
        "laid out in another way": lambda f: f.update(text=json.dumps(f)),
        "nested without end": lambda f: f.update(text="[" * 100_000),
        "no JSON": lambda f: f.update(text="{"),
        "an empty recipe": put("recipe", {}),
    }),
    "the manifest and all that follows from it": (edit_manifest, True, {
        "a shard is not listed": lambda f: f["shards"].pop(),
        "shards in another order": lambda f: f["shards"].reverse(),
        "the seed of a task": put(*T, "options", "seed", 7),
        "the seed, everywhere but in the rows": seed_everywhere_but_in_the_rows,
        "the questions per level": put(*T, "options", "per_level", 5),
        "the levels": put(*T, "levels", [4, 41]),
        "the order of languages": put(*T, "languages", ["te", "en"]),
        "a language less": put(*T, "languages", ["en"]),
        "the folders of a configuration": put(*T, "configs", "slt", ["slt_en"]),
        "a split more": lambda f: f["recipe"]["splits"].append("validation"),
        "a split less": lambda f: f["recipe"]["splits"].pop(),
        "a task less": lambda f: f["recipe"]["tasks"].pop("t_rank"),
        "the data version": put(*T, "data", 99),
        "the family": put(*T, "family", "toy"),
        "the wording": put("recipe", "options", "text", "revised"),
        "the command": lambda f: f.update(command=f["command"] + " --now"),
        "the signature": lambda f: f.update(signature=f["signature"] + "|ok"),
        "a lower schema": lambda f: f.pop("schema"),
        "a higher schema": put("schema", 99),
        "one more entry of the recipe": put("recipe", "note", "fine"),
        "one more entry of the manifest": put("note", "fine"),
    }),
}  # fmt: skip
"""All ways by kind."""


def tamper(folder: Path, kind: str, what: str) -> None:
    """Make one edit in a folder."""
    edit, agreeing, edits = EDITS[kind]
    edit(folder, edits[what])
    if agreeing:
        agree(folder)


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
    for words in (
        "64 prompts generated again, all as they stand here",
        "Proved: every byte of these files.",
        "Not shown by this: that these options, seed and splits",
    ):
        assert words in said.out
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
    assert tree(folder) == tree(good)
