"""Every kind of tampering is caught, though all checksums and numbers were made to agree."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hub.helpers import agree, dumps, make, manifest
from tests.hub.tampering import EDITS, OPTIONS, REQUEST, SHARD, tamper
from xlgo_cli.export import plan
from xlgo_cli.export.verify import verify
from xlgo_cli.folders import write_checksums


@pytest.fixture(scope="module", autouse=True)
def small_blocks() -> Iterator[None]:
    """Blocks so small that each split has several."""
    before, plan.TEXT_PER_BLOCK = plan.TEXT_PER_BLOCK, 130_000
    yield
    plan.TEXT_PER_BLOCK = before


@pytest.fixture(scope="module")
def good(small_blocks: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = make(tmp_path_factory.mktemp("tampering") / "xlgo", **REQUEST)
    assert (out / SHARD).is_file()
    return out


@pytest.mark.parametrize(
    ("kind", "what"),
    [
        pytest.param(kind, what, marks=[pytest.mark.slow] if number % 4 else [])
        for kind, (_, _, edits) in EDITS.items()
        for number, what in enumerate(edits)  # every fourth of a kind by default
    ],
)
def test_it_is_caught(good: Path, tmp_path: Path, kind: str, what: str) -> None:
    folder = Path(shutil.copytree(good, tmp_path / "xlgo"))
    tamper(folder, kind, what)
    with pytest.raises(ValueError, match=str(folder)) as error:
        verify(folder, 1)
    assert len(str(error.value).splitlines()) == 1
    assert len(str(error.value)) < 800


def test_the_tool_that_tampers_leaves_no_trace_of_its_own(good: Path, tmp_path: Path) -> None:
    """Without an edit, all that ``agree`` writes again is as it was: the edits are what is seen."""
    folder = Path(shutil.copytree(good, tmp_path / "xlgo"))
    agree(folder)
    verify(folder, 1)
    assert (folder / "README.md").read_bytes() == (good / "README.md").read_bytes()
    assert (folder / "export.json").read_bytes() == (good / "export.json").read_bytes()


@pytest.mark.parametrize("again", [False, True])
def test_a_wording_of_ones_own_is_part_of_the_proof(tmp_path: Path, again: bool) -> None:
    wording = tmp_path / "short.toml"
    wording.write_text('[dsa]\nintro = "A building has rooms."\n', encoding="utf-8")
    options = OPTIONS | {"text": str(wording)}
    folder = make(tmp_path / "xlgo", tasks=["dsa"], languages=["en"], options=options)
    if not again:  # a wording is read once a process
        verify(folder, 1)
    (folder / "short.toml").write_text('[dsa]\nintro = "A tower has rooms."\n', encoding="utf-8")
    if again:
        from xlgo_lm_eval.replies import sha256_of

        found = manifest(folder)
        found["recipe"]["wording"] = sha256_of(folder / "short.toml")
        (folder / "export.json").write_text(dumps(found), encoding="utf-8")
        agree(folder)
    else:
        write_checksums(folder, {})
    with pytest.raises(ValueError, match="prompt differs"):
        verify(folder, 1)
