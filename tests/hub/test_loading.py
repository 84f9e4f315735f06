"""An exported folder is loaded by ``datasets`` alone, and its card says what it holds."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import datasets
import pytest
import yaml
from datasets.distributed import split_dataset_by_node

import xlgo_dataset as xd
from xlgo_cli.export import card, plan

from .helpers import SMALL, make, manifest, tree

_PROGRAM = """
import hashlib, json, os, sys
from datasets import __version__, get_dataset_config_names, load_dataset

report = {"datasets": __version__, "rows": {}}
configs = get_dataset_config_names("./xlgo")
for config in configs:
    data = load_dataset("./xlgo", config)
    for split, rows in data.items():
        digest = hashlib.sha256()
        for row in rows:
            digest.update(json.dumps(row, sort_keys=True).encode())
        report["rows"][f"{config}/{split}"] = [len(rows), digest.hexdigest()]
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


def load(folder: Path, python: str) -> dict[str, object]:
    """Load every configuration with another Python; its report: version, rows and hashes.

    Args:
        folder: as written by ``xlgo export``.
        python: the interpreter of an environment that has ``datasets``.

    Raises:
        ValueError: loading failed; the last lines of the error.
    """
    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        shutil.copytree(folder, top / "work" / "xlgo")
        environment = os.environ | {
            "HF_HOME": str(top / "home"),
            "HF_HUB_OFFLINE": "1",
            "PYTHONPATH": "",
        }
        done = subprocess.run(
            [python, "-I", "-c", _PROGRAM],
            cwd=top / "work",
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        raise ValueError("\n".join(done.stderr.strip().splitlines()[-5:]))
    report: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return report


ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    before, plan.TEXT_PER_BLOCK = plan.TEXT_PER_BLOCK, 60_000
    try:
        return make(tmp_path_factory.mktemp("loading") / "xlgo", splits=["test", "train"])
    finally:
        plan.TEXT_PER_BLOCK = before


@pytest.fixture(scope="module")
def metadata(folder: Path) -> dict:
    text = (folder / "README.md").read_text(encoding="utf-8")
    found: dict = yaml.safe_load(text.split("---\n")[1])
    return found


def test_every_configuration_loads_without_our_code(folder: Path) -> None:
    report = load(folder, sys.executable)
    expected = {}
    for task in ("slt", "t_rank"):
        for config, codes in {task: ("en", "ar", "te"), f"{task}_te": ("te",)}.items():
            for split in ("test", "train"):
                digest = hashlib.sha256()
                rows = [
                    row
                    for code in codes
                    for row in xd.family("xlgobench").rows(task, [code], split=split, **SMALL)
                ]
                for row in rows:
                    digest.update(json.dumps(row, sort_keys=True).encode())
                expected[f"{config}/{split}"] = [len(rows), digest.hexdigest()]
    made: Any = report["rows"]
    assert isinstance(made, dict)
    assert expected.items() <= made.items()
    assert len(made) == 2 * 2 * 4


def test_a_folder_that_lost_a_shard_does_not_load(folder: Path, tmp_path: Path) -> None:
    for name, data in tree(folder).items():
        if not name.startswith("slt_te/test-00001"):
            (tmp_path / "xlgo" / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "xlgo" / name).write_bytes(data)
    with pytest.raises(ValueError, match=r"Splits|splits"):
        load(tmp_path / "xlgo", sys.executable)


def test_shards_are_divided_among_machines(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path)
    stream = datasets.load_dataset(str(folder), "slt", split="test", streaming=True)
    parts = [[row["id"] for row in split_dataset_by_node(stream, rank, 2)] for rank in range(2)]
    everything = [row["id"] for row in stream]
    assert sorted(parts[0] + parts[1]) == sorted(everything)
    assert len(set(everything)) == len(everything) == 36
    assert all(parts)


def test_the_card_declares_every_configuration_once_and_one_as_default(
    folder: Path, metadata: dict
) -> None:
    names = [config["config_name"] for config in metadata["configs"]]
    assert names == [
        f"{task}{code}" for task in ("slt", "t_rank") for code in ("", "_en", "_ar", "_te")
    ]
    assert [c["config_name"] for c in metadata["configs"] if c.get("default")] == ["slt"]
    for config in metadata["configs"]:
        assert [entry["split"] for entry in config["data_files"]] == ["test", "train"]
        for entry in config["data_files"]:
            paths = [entry["path"]] if isinstance(entry["path"], str) else entry["path"]
            assert len(paths) == (1 if "_" in config["config_name"].removeprefix("t_") else 3)
            assert all(len(list(folder.glob(path))) > 1 for path in paths)
    info = {entry["config_name"]: entry for entry in metadata["dataset_info"]}
    assert [split["num_examples"] for split in info["slt"]["splits"]] == [36, 36]
    assert info["slt"]["download_size"] == sum(
        path.stat().st_size for path in folder.glob("slt_*/*")
    )


def test_the_card_says_what_the_hub_wants_to_know(folder: Path, metadata: dict) -> None:
    assert metadata["language"] == ["en", "ar", "te"]
    assert metadata["task_categories"] == ["question-answering", "text-generation"]
    assert metadata["size_categories"] == ["n<1K"]
    assert metadata["license"] == "apache-2.0"
    assert "Apache License" in (ROOT / "LICENSE").read_text(encoding="utf-8")
    text = (folder / "README.md").read_text(encoding="utf-8")
    found = manifest(folder)
    assert found["command"] in text
    assert found["signature"] in text
    assert "{" not in text.split("---\n", 2)[2].replace("{q", "")


@pytest.mark.parametrize(
    ("rows", "label"),
    [(999, "n<1K"), (1000, "1K<n<10K"), (35_000, "10K<n<100K"), (1_000_000, "1M<n<10M")],
)
def test_size_categories(folder: Path, rows: int, label: str) -> None:
    found = manifest(folder)
    found["shards"] = [shard for shard in found["shards"] if shard["path"].startswith("slt_te")]
    found["shards"] = [found["shards"][0] | {"rows": rows}]
    head = card.readme(found).split("---\n")[1]
    assert yaml.safe_load(head)["size_categories"] == [label]


def test_no_file_lets_another_tool_grade_by_its_own_rules(folder: Path) -> None:
    assert not (folder / "eval.yaml").exists()


def test_the_card_of_every_task_has_its_description(tmp_path: Path) -> None:
    out = make(
        tmp_path / "xlgo",
        tasks=list(xd.TASKS),
        languages=["en"],
        options=SMALL | {"levels": 1, "per_level": 1},
    )
    text = (out / "README.md").read_text(encoding="utf-8")
    for task in xd.TASKS:
        (line,) = [line for line in text.splitlines() if line.startswith(f"| `{task}` |")]
        assert len(line.split("|")[2]) > 20
