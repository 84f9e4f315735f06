"""An exported folder holds just what the generators give, and only that."""

import hashlib
import itertools
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest

import xlgo_dataset as xd
from tests.hub.helpers import SMALL, make, manifest, small, tree
from xlgo_cli import cli, folders
from xlgo_cli.export import card, command
from xlgo_cli.export.command import Request, export

data: Any = xd.family("xlgobench")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small export in several shards."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(command, "TEXT_PER_BLOCK", 30_000)
        return make(tmp_path_factory.mktemp("export") / "xlgo", splits=["test", "validation"])


def test_two_processes_and_another_shard_order_give_the_same_bytes(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "TEXT_PER_BLOCK", 30_000)
    request = small(splits=["test", "validation"], languages=["te", "ar", "en", "te"])
    export(request, tmp_path / "xlgo", processes=2)
    assert tree(tmp_path / "xlgo") == tree(folder)
    assert [path.name for path in tmp_path.iterdir()] == ["xlgo"]


def test_a_damaged_folder_is_repaired(tmp_path: Path) -> None:
    out = make(tmp_path / "xlgo")
    whole = tree(out)
    assert tree(make(out)) == whole  # the same command again changes nothing
    shard = next((out / "slt_te").iterdir())
    shard.write_bytes(shard.read_bytes()[:-100])
    (out / "t_rank_en" / "test-00000-of-00001.parquet").unlink()
    make(out)
    assert tree(out) == whole


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


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"tasks": ["sltt"]}, "unknown task 'sltt'"),
        ({"tasks": ["polymath"]}, "polymath is loaded, not generated"),
        ({"tasks": ["unpuzzles"]}, "unpuzzles is loaded, not generated"),
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


def test_two_exports_into_one_folder_at_a_time_are_refused(tmp_path: Path) -> None:
    (tmp_path / ".xlgo.partial").mkdir()
    with (
        folders.locked(tmp_path / ".xlgo.partial" / "lock"),
        pytest.raises(ValueError, match="another process is writing"),
    ):
        make(tmp_path / "xlgo")


LIMITED = """
import resource, sys
from xlgo_cli.cli import main
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux's file size limit")
def test_a_full_disk_is_one_clear_line_and_leaves_the_old_folder(tmp_path: Path) -> None:
    out = make(tmp_path / "xlgo", tasks=["slt"], languages=["en"])
    before = tree(out)
    # A measurement of coverage could not write its own file on the full disk.
    environment = {name: x for name, x in os.environ.items() if not name.startswith("COVERAGE")}
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, "export", "--out", str(out), "--tasks", "dsa",
         "--languages", "en", "--preset", "smoke", "--processes", "1"],
        capture_output=True, text=True, timeout=600, check=False, env=environment,
    )  # fmt: skip
    assert done.returncode == 2
    (line,) = [text for text in done.stderr.splitlines() if text.startswith("xlgo:")]
    assert "free some space and give the same command again" in line
    assert "Traceback" not in done.stderr
    assert tree(out) == before


_PROGRAM = """
import hashlib, json, os, sys
from datasets import get_dataset_config_names, load_dataset

report = {}
configs = get_dataset_config_names("./xlgo")
for config in configs:
    data = load_dataset("./xlgo", config)
    for split, rows in data.items():
        digest = hashlib.sha256()
        for row in rows:
            digest.update(json.dumps(row, sort_keys=True).encode())
        report[f"{config}/{split}"] = [len(rows), digest.hexdigest()]
config = configs[-1]
split = next(iter(load_dataset("./xlgo", config)))
first = load_dataset("./xlgo", config, split=split)[0]
assert load_dataset("xlgo", config, split=split)[0] == first, "load_dataset('xlgo') differs"
assert load_dataset("./xlgo")[split][0]["task"], "there is no default configuration"
stream = load_dataset("xlgo", config, split=split, streaming=True)
assert next(iter(stream)) == first, "the stream differs"
assert not [name for name in sys.modules if name.startswith("xlgo")], "our code was imported"
print(json.dumps(report), flush=True)
os._exit(0)  # threads of a stream that was not read to its end can crash older releases at the end
"""


def test_every_configuration_loads_without_our_code(folder: Path, tmp_path: Path) -> None:
    assert len(list((folder / "slt_te").glob("test-*"))) > 1
    shutil.copytree(folder, tmp_path / "work" / "xlgo")
    environment = {"HF_HOME": str(tmp_path / "home"), "HF_HUB_OFFLINE": "1", "PYTHONPATH": ""}
    done = subprocess.run(
        [sys.executable, "-I", "-c", _PROGRAM],
        cwd=tmp_path / "work", env=os.environ | environment,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    expected = {}
    for task in ("slt", "t_rank"):
        for config, codes in {task: ("en", "ar", "te"), f"{task}_te": ("te",)}.items():
            for split in ("test", "validation"):
                rows = [
                    json.dumps(row, sort_keys=True)
                    for code in codes
                    for row in data.rows(task, [code], split=split, **SMALL)
                ]
                digest = hashlib.sha256("".join(rows).encode())
                expected[f"{config}/{split}"] = [len(rows), digest.hexdigest()]
    made = json.loads(done.stdout.splitlines()[-1])
    assert expected.items() <= made.items()
    assert len(made) == 2 * 2 * 4


DOCS = Path(__file__).parents[2] / "docs" / "long_runs.md"


def program(number: int, **constants: object) -> str:
    """A program of the page, with other values for its constants."""
    text = re.findall(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)[number]
    for name, value in constants.items():
        text, found = re.subn(rf"(?m)^{name} = .*$", f"{name} = {value!r}", text)
        assert found == 1
    return text


def test_processes_of_a_training_job_share_the_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path / "xlgo", tasks=["slt"], splits=["train"])
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "program.py"
    path.write_text(program(1), encoding="utf-8")
    parts = [
        [row["id"] for row in runpy.run_path(str(path), {"RANK": rank, "WORLD_SIZE": 3})["mine"]]
        for rank in range(3)
    ]
    rows = data.rows("slt", ["en", "ar", "te"], split="train", **SMALL)
    assert sorted(id for part in parts for id in part) == sorted(row["id"] for row in rows)
    assert [len(part) for part in parts] == [12, 12, 12]


class LocalDataset:
    """What the program needs of a dataset of Ray, without a cluster."""

    def __init__(self, parts: list[int]) -> None:
        self.parts = parts

    def map_batches(self, make: Any, *, batch_size: int, batch_format: str) -> Any:
        assert (batch_size, batch_format) == (1, "pyarrow")
        self.made = [t for part in self.parts for t in make(pa.table({"item": [part]}))]
        return self

    def write_parquet(self, folder: str, compression: str) -> None:
        self.rows = [row for table in self.made for row in table.to_pylist()]


@pytest.mark.parametrize(("per_level", "step"), [(1, 200), (7, 2), (7, 7)])
def test_what_the_ray_tasks_make_is_every_row_once(
    per_level: int, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    data_module = SimpleNamespace(from_items=lambda parts, override_num_blocks: LocalDataset(parts))
    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(data=data_module))
    names: dict[str, Any] = {}
    exec(program(0, PER_LEVEL=per_level, STEP=step), names)
    made = names["rows"].rows
    rows = data.rows("slt", ["en", "te"], split="train", preset="paper", per_level=per_level)
    assert {row["id"]: row for row in made} == {row["id"]: row for row in rows}
    assert len(made) == per_level * 20 * 2


OLD: dict[str, Any] = {"tasks": ["slt"], "languages": ["te"], "options": SMALL}


def _dying(
    function: Callable[..., Any], steps: Iterator[int], last: int, *args: Any, **options: Any
) -> Any:
    if next(steps) == last:
        os._exit(9)
    return function(*args, **options)


def _export_dying_at(step: int, out: Path, kind: dict[str, Any]) -> int:
    """Export in a child that ends, with no clean-up, at its n-th change of the file system."""
    if child := os.fork():
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    steps = itertools.count(1)
    for module, name in ((os, "replace"), (os, "unlink"), (os, "rmdir"), (os, "mkdir"),
                         (command, "sha256_of")):  # fmt: skip
        setattr(module, name, partial(_dying, getattr(module, name), steps, step))
    try:
        export(small(**kind), out, processes=1)
        os._exit(0)
    finally:
        os._exit(1)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
@pytest.mark.parametrize("stride", [5, pytest.param(1, marks=pytest.mark.slow)])
def test_death_at_every_change_of_the_file_system(
    stride: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "TEXT_PER_BLOCK", 70_000)
    seen = {"old": 0, "new": 0}
    kinds = {"old": OLD, "new": OLD | {"options": SMALL | {"seed": 1}}}
    many = {name: tree(make(tmp_path / name / "xlgo", **kind)) for name, kind in kinds.items()}
    assert len(list((tmp_path / "new").rglob("*.parquet"))) == 3
    for step in range(1, 200, stride):
        out = tmp_path / str(step) / "xlgo"
        shutil.copytree(tmp_path / "old" / "xlgo", out)
        code = _export_dying_at(step, out, kinds["new"])
        if code == 0:
            break
        assert code == 9
        found = tree(out if out.exists() else out.parent / ".xlgo.partial" / "replaced")
        state = next((name for name, files in many.items() if files == found), None)
        assert state is not None, f"half a folder after step {step}"
        seen[state] += 1
        make(out, **kinds["new"])
        assert tree(out) == many["new"]
        assert [path.name for path in out.parent.iterdir()] == ["xlgo"]
    assert seen["old"] > 10 / stride
    assert seen["new"] >= 3 / stride


LANGUAGES = {"slt": ["en", "te"], "dsa": ["en", "hi", "te"], "proof_tree": ["ja"]}
SPLITS = ["test", "validation"]
LEVELS = {"slt": [4, 8, 20], "dsa": [5], "proof_tree": None}
ROWS = {
    (task, code, split): 10 * len(task) + 3 * len(code) + place + number
    for task, codes in LANGUAGES.items()
    for place, code in enumerate(codes)
    for number, split in enumerate(SPLITS)
}
"""In the first shard of two; the second has one row."""


def made(**options: Any) -> Any:
    """A manifest whose shards are out of order."""
    shards = [
        {
            "path": f"{task}_{code}/{split}-{number:05d}-of-00002.parquet", "split": split,
            "rows": 1 if number else n, "size": 1000 * n + number, "sha256": "0" * 64,
        }
        for number in (1, 0)
        for (task, code, split), n in reversed(ROWS.items())
    ]  # fmt: skip
    tasks = {
        task: {
            "family": "simple_reasoning" if task == "proof_tree" else "xlgobench",
            "data": 3 if task == "dsa" else 1,
            "languages": codes,
            "configs": {
                task: [f"{task}_{code}" for code in codes],
                **{f"{task}_{code}": [f"{task}_{code}"] for code in codes},
            },
            "levels": LEVELS[task],
            "options": {
                "text": "revised" if task == "dsa" else "paper", "seed": 7,
                **({"n": 5} if task == "proof_tree" else {"preset": "lite", "per_level": 9}),
            },
        }
        for task, codes in LANGUAGES.items()
    }  # fmt: skip
    found = {
        "tasks": tasks, "splits": SPLITS, "options": {"seed": 7, "text": "paper"} | options,
        "code": "abcdef0123456789", "pyarrow": "1", "version": "0.2",
    }  # fmt: skip
    return {
        "schema": command.SCHEMA, "command": command.command(found),
        "signature": command.signature(found), "recipe": found, "shards": shards,
    }  # fmt: skip


def rows(task: str = "", code: str = "", split: str = "") -> int:
    return sum(
        n + 1
        for (own, language, part), n in ROWS.items()
        if task in ("", own) and code in ("", language) and split in ("", part)
    )


def test_prompts_are_counted_by_task_and_in_all() -> None:
    manifest = made()
    assert card.count_prompts(manifest) == rows()
    assert {task: card.count_prompts(manifest, task) for task in LANGUAGES} == {
        task: rows(task) for task in LANGUAGES
    }


def test_every_configuration_has_its_own_files_and_sizes() -> None:
    head = card.metadata(made())
    assert (head["language"], head["size_categories"]) == (["en", "te", "hi", "ja"], ["n<1K"])
    info = {one["config_name"]: one for one in head["dataset_info"]}
    assert info.keys() == {
        *LANGUAGES, *(f"{task}_{code}" for task, codes in LANGUAGES.items() for code in codes),
    }  # fmt: skip
    for name, one in info.items():
        (task,) = (task for task in LANGUAGES if name == task or name.startswith(f"{task}_"))
        code = name.removeprefix(task).removeprefix("_")
        assert {part["name"]: part["num_examples"] for part in one["splits"]} == {
            split: rows(task, code, split) for split in SPLITS
        }
        assert one["download_size"] == sum(
            2000 * n + 1 for (own, c, _), n in ROWS.items() if own == task and code in ("", c)
        )
    configs = {one["config_name"]: one for one in head["configs"]}
    assert [name for name, one in configs.items() if one.get("default")] == ["slt"]
    assert configs["dsa"]["data_files"] == [
        {"split": split, "path": [f"dsa_{code}/{split}-*.parquet" for code in LANGUAGES["dsa"]]}
        for split in SPLITS
    ]
    assert configs["proof_tree"]["data_files"][1]["path"] == "proof_tree_ja/validation-*.parquet"
    assert configs["slt_te"]["data_files"][0]["path"] == "slt_te/test-*.parquet"
    shards = card.configs(made())["slt"]["validation"]
    assert [shard["path"].split("/")[0] for shard in shards] == ["slt_en"] * 2 + ["slt_te"] * 2


def test_the_command_and_the_signature_hold_every_task_and_option() -> None:
    manifest = made(levels=3, per_level=2)
    assert manifest["command"] == (
        "xlgo export --out xlgo --tasks slt dsa proof_tree --splits test validation --xlgo-seed 7 "
        "--text paper --levels 3 --per-level 2"
    )
    alike = made()["recipe"]
    for entry in alike["tasks"].values():
        entry["languages"] = ["en", "te"]
    assert "--languages en te --splits" in command.command(alike)
    assert made()["signature"] == (
        "tasks:slt,dsa,proof_tree|languages:en,te,hi,ja|splits:test,validation|preset:lite|n:9,5|"
        "text:paper,revised|seed:7|data:1,3|code:abcdef012345|version:0.2"
    )
    again = command.request_of(manifest["recipe"])
    assert (again.languages, again.splits, again.options) == (
        LANGUAGES, SPLITS, {"seed": 7, "text": "paper", "levels": 3, "per_level": 2},
    )  # fmt: skip


def test_a_recipe_spells_the_options_that_all_its_tasks_have() -> None:
    """Itineraries have a seed and no preset; puzzles have both."""
    both = command.recipe_of(Request(["slt", "travel"], ["en", "te"], ["test", "validation"], {}))
    assert (both["options"], both["splits"]) == (
        {"seed": 0, "text": "paper"}, ["test", "validation"],
    )  # fmt: skip
    assert {task: (one["family"], one["languages"]) for task, one in both["tasks"].items()} == {
        "slt": ("xlgobench", ["en", "te"]), "travel": ("simple_reasoning", ["en", "te"]),
    }  # fmt: skip
    alone = command.recipe_of(Request(["slt", "dsa"], ["en"], ["test"], {"levels": 2, "seed": 3}))
    assert alone["options"] == {"levels": 2, "preset": "quick", "seed": 3, "text": "paper"}
    assert [len(one["levels"]) for one in alone["tasks"].values()] == [2, 2]
    assert command.recipe_of(command.request_of(both)) == both
