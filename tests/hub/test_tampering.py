"""Every kind of tampering is caught, though all checksums and numbers were made to agree."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import xlgo_dataset as xd
from xlgo_cli import cli
from xlgo_cli.export import plan, recipe
from xlgo_cli.export.readback import rows
from xlgo_cli.export.verify import verify
from xlgo_cli.folders import write_checksums

from .helpers import agree, make, manifest
from .tampering import EDITS
from .tampering_rows import OPTIONS, REQUEST, SHARD

DOCS = Path(__file__).parents[2] / "docs" / "trust.md"


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    before, plan.TEXT_PER_BLOCK = plan.TEXT_PER_BLOCK, 130_000
    try:
        out = make(tmp_path_factory.mktemp("tampering") / "xlgo", **REQUEST)
    finally:
        plan.TEXT_PER_BLOCK = before
    assert (out / SHARD).is_file()
    return out


@pytest.mark.parametrize(
    ("kind", "what"),
    [
        pytest.param(kind, what, marks=[pytest.mark.slow] if number % 4 else [])
        for kind, edits in EDITS.items()
        for number, what in enumerate(edits)  # every fourth of a kind by default
    ],
)
def test_it_is_caught(good: Path, tmp_path: Path, kind: str, what: str) -> None:
    folder = Path(shutil.copytree(good, tmp_path / "xlgo"))
    EDITS[kind][what](folder)
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


def test_the_docs_have_the_number_of_edits_of_each_kind() -> None:
    number, page = sum(map(len, EDITS.values())), DOCS.read_text(encoding="utf-8")
    assert number >= 60
    for where in (page, DOCS.with_name("publishing.md").read_text(encoding="utf-8")):
        assert str(number) in where
    assert [kind for kind, edits in EDITS.items() if f"| {kind} | {len(edits)} |" not in page] == []


def test_a_recipe_that_is_changed_everywhere_cannot_be_seen(
    good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make(tmp_path / "xlgo", **REQUEST | {"options": OPTIONS | {"seed": 5}})
    assert cli.main(["verify", str(folder), "--processes", "1"]) == 0
    said = capsys.readouterr().out
    assert "Not shown by this: that these options, seed and splits are the ones you want" in said
    assert "seed:5" in said
    assert "Nor that" not in said


def test_who_made_a_folder_is_a_claim_and_said_to_be_one(
    good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Path(shutil.copytree(good, tmp_path / "xlgo"))
    found = manifest(folder)
    made = found["recipe"] | {"code": "0" * 32, "version": "7.0"}
    found |= {"recipe": made, "signature": recipe.signature(made)}
    (folder / "export.json").write_text(recipe.dumps(found), encoding="utf-8")
    agree(folder)
    assert cli.main(["verify", str(folder), "--processes", "1"]) == 0
    said = capsys.readouterr().out
    assert "Nor that it was made as it says: its code, version (000000000000, 7.0)" in said


def test_what_git_and_the_hub_add_at_the_top_does_not_matter(good: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(good, tmp_path / "xlgo"))
    (folder / ".gitattributes").write_text("*.parquet filter=lfs\n", encoding="utf-8")
    (folder / ".cache").mkdir()
    (folder / ".cache" / "x.lock").write_text("", encoding="utf-8")
    verify(folder, 1)


@pytest.mark.parametrize("again", [False, True])
def test_a_wording_of_ones_own_is_part_of_the_proof(tmp_path: Path, again: bool) -> None:
    wording = tmp_path / "short.toml"
    wording.write_text('[dsa]\nintro = "A building has rooms."\n', encoding="utf-8")
    options = OPTIONS | {"text": str(wording)}
    folder = make(tmp_path / "xlgo", tasks=["dsa"], languages=["en"], options=options)
    if not again:  # a wording is read once a process
        verify(folder, 1, read=True)
    (folder / "short.toml").write_text('[dsa]\nintro = "A tower has rooms."\n', encoding="utf-8")
    if again:
        from xlgo_lm_eval.replies import sha256_of

        found = manifest(folder)
        found["recipe"]["wording"] = sha256_of(folder / "short.toml")
        (folder / "export.json").write_text(recipe.dumps(found), encoding="utf-8")
        agree(folder)
    else:
        write_checksums(folder, {})
    with pytest.raises(ValueError, match="prompt differs" if again else "is not the wording"):
        verify(folder, 1)


def test_reading_back_needs_nothing_from_the_generator(
    good: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A generator that gives a wrong answer, twice the same: only reading back can see it."""
    from xlgo_dataset.families.xlgobench import rows as puzzle_rows

    solve = puzzle_rows.solve
    monkeypatch.setattr(
        puzzle_rows,
        "solve",
        lambda instance: {"chain": [*solve(instance)["chain"], 0]},  # type: ignore[misc]
    )
    out = make(tmp_path / "xlgo", tasks=["slt"], languages=["en"], options=OPTIONS)
    verify(out, 1)
    with pytest.raises(ValueError, match=r"slt_en/.*row 0: .*the prompt's answer is"):
        verify(out, 1, read=True)


def test_rows_side_by_side_are_those_of_the_generator(good: Path) -> None:

    expected = list(xd.family("xlgobench").rows("slt", ["en", "te"], split="train", **OPTIONS))
    assert list(rows(good, "slt", "train")) == expected
    with pytest.raises(ValueError, match="has no task 'dsa'"):
        list(rows(good, "dsa"))
    assert json.loads(expected[0]["answer"])
