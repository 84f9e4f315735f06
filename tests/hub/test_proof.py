"""What ``xlgo verify`` says that it proves of an export: every byte, or every row."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from xlgo_cli import cli
from xlgo_cli.export import recipe
from xlgo_cli.export.verify import verify
from xlgo_cli.folders import write_checksums
from xlgo_lm_eval.replies import sha256_of

from .helpers import agree, make, manifest, write_shard


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("proof") / "xlgo", tasks=["slt"], languages=["en", "te"])


@pytest.fixture
def folder(good: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(good, tmp_path / "xlgo"))


def proved(folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert cli.main(["verify", str(folder), "--processes", "1", "--json"]) == 0
    return str(json.loads(capsys.readouterr().out)["proved"])


def test_bytes_where_this_installation_made_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert proved(folder, capsys) == "bytes"
    assert cli.main(["verify", str(folder), "--processes", "1"]) == 0
    assert "Proved: every byte of these files." in capsys.readouterr().out


def test_rows_where_another_made_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = manifest(folder)
    made = found["recipe"] | {"code": "0" * 32}
    found |= {"recipe": made, "signature": recipe.signature(made)}
    (folder / "export.json").write_text(recipe.dumps(found), encoding="utf-8")
    agree(folder)
    assert proved(folder, capsys) == "rows"


def test_rows_where_something_is_beside(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / ".gitattributes").write_text("*.parquet filter=lfs\n")
    assert proved(folder, capsys) == "rows"
    assert cli.main(["verify", str(folder), "--processes", "1"]) == 0
    assert "Not looked at: .gitattributes" in capsys.readouterr().out


def _encoded(**form: object) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        path = next((folder / "slt_te").glob("*.parquet"))
        write_shard(path, pq.read_table(path), **form)
        agree(folder)

    return edit


def _text(name: str, old: bytes, new: bytes) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        path = folder / name
        data = path.read_bytes()
        assert old in data
        path.write_bytes(data.replace(old, new))
        write_checksums(folder, {})

    return edit


def _marked(name: str) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        (folder / name).write_bytes(b"\xef\xbb\xbf" + (folder / name).read_bytes())
        write_checksums(folder, {})

    return edit


def _footer(folder: Path) -> None:
    """An unknown field with a payload at the end of the Thrift footer."""
    path = next((folder / "slt_te").glob("*.parquet"))
    data = path.read_bytes()
    size = int.from_bytes(data[-8:-4], "little")
    footer = data[-8 - size : -8]
    assert footer.endswith(b"\0")  # the stop of the struct
    # Compact protocol: a long-form field header (binary, id 99), then a length and the payload.
    more = footer[:-1] + b"\x08\xc6\x01" + b"\x06secret" + b"\0"
    path.write_bytes(data[: -8 - size] + more + len(more).to_bytes(4, "little") + b"PAR1")
    pq.read_table(path)  # it still reads
    agree(folder)


TEXTS = ("export.json", "README.md")
FORMS: dict[str, Callable[[Path], None]] = {
    "another level of compression": _encoded(compression_level=9),
    "another data page": _encoded(data_page_version="2.0"),
    "another encoding": _encoded(column_encoding={"level": "DELTA_BINARY_PACKED"}),
    "another version of the format": _encoded(version="1.0"),
    "an unknown field of the footer": _footer,
    **{f"CR in {name}": _text(name, b"\n", b"\r\n") for name in TEXTS},
    **{f"a mark in {name}": _marked(name) for name in TEXTS},
    "a number spelt otherwise": _text("README.md", b"num_examples: 12", b"num_examples: 0xC"),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_other_forms_of_the_same_values_fail(form: str, folder: Path) -> None:
    FORMS[form](folder)
    with pytest.raises(ValueError, match=r"bytes|no export writes|not as an export|not what this"):
        verify(folder, 1)


def test_a_wording_that_changed_between_two_calls(tmp_path: Path) -> None:
    wording = tmp_path / "short.toml"
    wording.write_text('[dsa]\nintro = "A building has rooms."\n', encoding="utf-8")
    options = {"preset": "smoke", "levels": 2, "per_level": 2, "text": str(wording)}
    folder = make(tmp_path / "xlgo", tasks=["dsa"], languages=["en"], options=options)
    verify(folder, 1)
    own = folder / "short.toml"
    own.write_text('[dsa]\nintro = "A tower has rooms."\n', encoding="utf-8")
    found = manifest(folder)
    found["recipe"]["wording"] = sha256_of(own)
    (folder / "export.json").write_text(recipe.dumps(found), encoding="utf-8")
    agree(folder)
    with pytest.raises(ValueError, match="prompt differs"):
        verify(folder, 1)


def test_a_folder_of_another_version_is_unproved(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = manifest(folder)
    found["recipe"]["tasks"]["slt"]["data"] = 99
    (folder / "export.json").write_text(recipe.dumps(found), encoding="utf-8")
    write_checksums(folder, {})
    assert cli.main(["verify", str(folder)]) == 3
    assert capsys.readouterr().out.startswith("unproved: ")
