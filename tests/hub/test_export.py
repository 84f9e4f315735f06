"""An exported folder holds just what the generators give, and only that."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import xlgo_dataset as xd
from xlgo_cli import cli, workers
from xlgo_cli.export import plan
from xlgo_cli.export.command import export
from xlgo_cli.export.plan import Request
from xlgo_cli.folders import locked

from .helpers import SMALL, die, make, manifest, read, small, tree


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small export in several shards."""
    out = tmp_path_factory.mktemp("export") / "xlgo"
    before, plan.TEXT_PER_BLOCK = plan.TEXT_PER_BLOCK, 30_000
    try:
        return make(out, splits=["test", "validation"])
    finally:
        plan.TEXT_PER_BLOCK = before


@pytest.mark.parametrize("task", ["slt", "t_rank"])
@pytest.mark.parametrize("languages", [("en", "ar", "te"), ("te",)])
def test_rows_are_those_of_the_generator_in_order(
    folder: Path, task: str, languages: tuple[str, ...]
) -> None:
    config = task if len(languages) > 1 else f"{task}_{languages[0]}"
    for split in ("test", "validation"):
        expected = list(xd.family("xlgobench").rows(task, languages, split=split, **SMALL))
        by_language = sorted(expected, key=lambda row: languages.index(row["language"]))
        assert read(folder, config, split).to_pylist() == by_language
        assert len(expected) == 3 * 4 * len(languages)
    assert len(list((folder / f"{task}_te").glob("test-*"))) > 1


def test_two_processes_and_another_shard_order_give_the_same_bytes(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "TEXT_PER_BLOCK", 30_000)
    request = small(splits=["test", "validation"], languages=["te", "ar", "en", "te"])
    export(request, tmp_path / "xlgo", processes=2)
    assert tree(tmp_path / "xlgo") == tree(folder)
    assert [path.name for path in tmp_path.iterdir()] == ["xlgo"]


def test_the_prompt_column_has_no_dictionary_and_no_statistics(folder: Path) -> None:
    for path in folder.rglob("*.parquet"):
        group = pq.ParquetFile(path).metadata.row_group(0)
        columns = {group.column(i).path_in_schema: group.column(i) for i in range(11)}
        prompt = columns["prompt"]
        assert prompt.compression == "ZSTD"
        assert not prompt.has_dictionary_page
        assert prompt.statistics is None
        assert columns["language"].has_dictionary_page
        assert columns["level"].statistics.has_min_max


def test_row_groups_are_closed_at_a_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("xlgo_cli.export.shards.ROW_GROUP_BYTES", 20_000)
    out = make(tmp_path / "xlgo", tasks=["slt"], languages=["en"])
    (path,) = (out / "slt_en").glob("*.parquet")
    sizes = [
        pq.ParquetFile(path).metadata.row_group(i).num_rows
        for i in range(pq.ParquetFile(path).metadata.num_row_groups)
    ]
    assert len(sizes) > 1
    assert sum(sizes) == 12


def test_the_same_command_again_changes_nothing(tmp_path: Path) -> None:
    found = export(small(), tmp_path / "xlgo", processes=1)
    files = tree(tmp_path / "xlgo")
    assert export(small(), tmp_path / "xlgo", processes=1) == found
    assert tree(tmp_path / "xlgo") == files


def test_another_command_replaces_the_folder(tmp_path: Path) -> None:
    out = make(tmp_path / "xlgo")
    make(out, tasks=["dsa"], languages=["en"], options=SMALL | {"seed": 5})
    assert manifest(out)["recipe"]["tasks"]["dsa"]["options"]["seed"] == 5
    assert {path.name for path in out.iterdir() if path.is_dir()} == {"dsa_en"}
    assert read(out, "dsa_en")["seed"].unique().to_pylist() == [5]


def test_a_damaged_folder_is_repaired(tmp_path: Path) -> None:
    out = make(tmp_path / "xlgo")
    whole = tree(out)
    shard = next((out / "slt_te").iterdir())
    shard.write_bytes(shard.read_bytes()[:-100])
    (out / "t_rank_en" / "test-00000-of-00001.parquet").unlink()
    make(out)
    assert tree(out) == whole


def test_a_prompt_is_stored_once(tmp_path: Path) -> None:
    out = make(tmp_path / "xlgo", tasks=["slt"])
    assert {path.name for path in out.iterdir() if path.is_dir()} == {"slt_ar", "slt_en", "slt_te"}
    found = manifest(out)
    assert found["schema"] == 3
    assert found["recipe"]["tasks"]["slt"]["configs"] == {
        "slt": ["slt_en", "slt_ar", "slt_te"],
        "slt_en": ["slt_en"],
        "slt_ar": ["slt_ar"],
        "slt_te": ["slt_te"],
    }
    ids = [row["id"] for path in out.rglob("*.parquet") for row in pq.read_table(path).to_pylist()]
    assert len(ids) == len(set(ids)) == 36


def test_named_complexities_are_exported_and_verified(tmp_path: Path) -> None:
    words = ["export", "--out", str(tmp_path / "xlgo"), "--tasks", "slt", "--languages", "en,te",
             "--complexities", "2,5,11", "--per-level", "2", "--processes", "1"]  # fmt: skip
    assert cli.main(words) == 0
    assert read(tmp_path / "xlgo", "slt_te")["complexity"].to_pylist() == [2, 5, 11] * 2
    assert "--complexities 2,5,11" in manifest(tmp_path / "xlgo")["command"]
    assert cli.main(["verify", str(tmp_path / "xlgo"), "--processes", "1"]) == 0


def test_the_recorded_command_makes_the_same_folder(tmp_path: Path) -> None:
    words = ["export", "--out", str(tmp_path / "xlgo"), "--tasks", "slt,t_rank", "--languages",
             "te", "en", "--levels", "2", "--per-level", "2", "--preset", "smoke",
             "--xlgo-seed", "3"]  # fmt: skip
    assert cli.main([*words, "--processes", "1"]) == 0
    recorded = manifest(tmp_path / "xlgo")["command"].split()
    assert recorded[:4] == ["xlgo", "export", "--out", "xlgo"]
    recorded[3] = str(tmp_path / "again" / "xlgo")
    assert cli.main([*recorded[1:], "--processes", "1"]) == 0
    assert tree(tmp_path / "again" / "xlgo") == tree(tmp_path / "xlgo")


def test_a_wording_of_ones_own_travels_with_the_folder(tmp_path: Path) -> None:
    wording = tmp_path / "short.toml"
    wording.write_text('[dsa]\nintro = "A building has rooms."\n', encoding="utf-8")
    out = make(
        tmp_path / "xlgo", tasks=["dsa"], languages=["en"], options=SMALL | {"text": str(wording)}
    )
    assert (out / "short.toml").read_bytes() == wording.read_bytes()
    assert read(out, "dsa_en")["prompt"][0].as_py().startswith("A building has rooms.")
    assert str(tmp_path) not in (out / "export.json").read_text(encoding="utf-8")
    assert cli.main(["verify", str(out), "--processes", "1"]) == 0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"tasks": ["sltt"]}, "unknown task 'sltt'"),
        ({"tasks": ["polymath"]}, "polymath cannot be exported: its questions are not generated"),
        ({"tasks": ["unpuzzles"]}, "unpuzzles cannot be exported"),
        ({"languages": ["xx"]}, "unknown language 'xx'"),
        ({"splits": ["tst"]}, "unknown split 'tst': allowed are test"),
        ({"options": {"levels": 0}}, "levels=0 must be an integer from 1"),
        ({"options": {"text": "paperr"}}, "unknown text 'paperr'"),
    ],
)
def test_an_impossible_request_is_refused_before_anything_is_written(
    tmp_path: Path, changes: dict, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        export(small(**changes), tmp_path / "xlgo", processes=1)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_ours_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "thesis.tex").write_text("years of work", encoding="utf-8")
    with pytest.raises(ValueError, match=r"no export has written \(thesis.tex\)"):
        make(tmp_path / "notes")
    out = make(tmp_path / "xlgo", tasks=["slt"], languages=["en"])
    (out / ".git").mkdir()
    (out / ".git" / "config").write_text("[core]", encoding="utf-8")
    before = tree(out)
    with pytest.raises(ValueError, match=r".git/config"):
        make(out, tasks=["dsa"], languages=["en"])
    assert tree(out) == before


def test_an_empty_folder_and_missing_parents_are_fine(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert (make(tmp_path / "empty", tasks=["slt"]) / "README.md").is_file()
    assert (make(tmp_path / "a" / "b" / "xlgo", tasks=["slt"]) / "README.md").is_file()


def test_a_link_to_a_folder_is_followed(tmp_path: Path) -> None:
    out = make(tmp_path / "real", tasks=["slt"], languages=["en"])
    (tmp_path / "xlgo").symlink_to(out)
    make(tmp_path / "xlgo", tasks=["dsa"], languages=["en"])
    assert (tmp_path / "xlgo").is_symlink()
    assert (out / "dsa_en").is_dir()


def test_two_exports_into_one_folder_at_a_time_are_refused(tmp_path: Path) -> None:
    (tmp_path / ".xlgo.partial").mkdir()
    with (
        locked(tmp_path / ".xlgo.partial" / "lock"),
        pytest.raises(ValueError, match="another process is writing"),
    ):
        make(tmp_path / "xlgo")


def test_a_killed_worker_is_one_clear_line() -> None:
    with pytest.raises(ValueError, match="a worker process was killed"):
        list(workers.in_order(die, enumerate([1, 2, 3]), 2, patience=0))


LIMITED = """
import os, resource, sys
{setup}
from xlgo_cli.cli import main
sys.exit(main(sys.argv[1:]))
"""


def _words(out: Path) -> list[str]:
    return ["export", "--out", str(out), "--tasks", "dsa", "--languages", "en", "--preset",
            "smoke", "--processes", "1"]  # fmt: skip


def _run(setup: str, out: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", LIMITED.format(setup=setup), *_words(out)],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        # A measurement of coverage could not write its own file on the full disk.
        env={name: text for name, text in os.environ.items() if not name.startswith("COVERAGE")},
    )


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux's file size limit")
def test_a_full_disk_is_one_clear_line_and_leaves_the_old_folder(tmp_path: Path) -> None:
    out = make(tmp_path / "xlgo", tasks=["slt"], languages=["en"])
    before = tree(out)
    done = _run("resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))", out)
    assert done.returncode == 2
    (line,) = [text for text in done.stderr.splitlines() if text.startswith("xlgo:")]
    assert "free some space and give the same command again" in line
    assert "Traceback" not in done.stderr
    assert tree(out) == before


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux's /proc")
def test_a_place_that_cannot_be_written_is_one_clear_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    for out in (Path("/proc/xlgo"), tmp_path / "file" / "xlgo", tmp_path / "file"):
        assert cli.main(_words(out)) == 2
        said = capsys.readouterr().err
        assert said.splitlines()[-1].startswith("xlgo: ")
        assert str(out.parent) in said


def test_a_large_split_is_cut_into_many_blocks_and_a_huge_one_into_larger(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def count(per_level: int) -> int:
        request = Request(tasks=["slt"], options={"preset": "paper", "per_level": per_level})
        blocks = request.blocks()
        ranges = [block.indexes for block in blocks if block.indexes is not None]
        assert [r.start for r in ranges[1:]] == [r.stop for r in ranges[:-1]]
        assert (ranges[0].start, ranges[-1].stop) == (0, per_level)
        return len(blocks)

    assert 2 <= count(50) <= 6
    assert 200 <= count(5000) <= 500
    assert count(1_000_000) == plan.MAX_BLOCKS
