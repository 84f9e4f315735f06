"""Killed at any moment, an export leaves the old folder or the new one, whole, at worst aside."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from xlgo_cli.export import plan, shards
from xlgo_cli.export.command import export
from xlgo_cli.export.plan import Request

from .helpers import SMALL, make, manifest, small, tree

OLD: dict[str, Any] = {"tasks": ["slt"], "languages": ["en", "te"], "options": SMALL}
NEW: dict[str, Any] = OLD | {"options": SMALL | {"seed": 1}}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, bytes]]:
    """What the old and the new folder hold if nothing goes wrong."""
    top = tmp_path_factory.mktemp("whole")
    return {
        "old": tree(make(top / "1" / "xlgo", **OLD)),
        "new": tree(make(top / "2" / "xlgo", **NEW)),
    }


def _dying(count: int, function: Callable[..., Any], left: list[int]) -> Callable[..., Any]:
    def stand_in(*args: Any, **kwargs: Any) -> Any:
        left[0] -= 1
        if left[0] == 0:
            os._exit(9)
        return function(*args, **kwargs)

    return stand_in


def _export_dying_at(step: int, out: Path, kind: dict[str, Any]) -> int:
    """Export in a child that ends, with no clean-up, at its n-th change of the file system."""
    child = os.fork()
    if child == 0:
        left = [step]
        for module, name in ((os, "replace"), (os, "unlink"), (os, "rmdir"), (os, "mkdir"),
                             (shards, "sha256_of")):  # fmt: skip
            setattr(module, name, _dying(step, getattr(module, name), left))
        code = 1
        try:
            export(small(**kind), out, processes=1)
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
@pytest.mark.parametrize("stride", [3, pytest.param(1, marks=pytest.mark.slow)])
def test_death_at_every_change_of_the_file_system(
    stride: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "TEXT_PER_BLOCK", 70_000)
    seen = {"old": 0, "new": 0}
    kinds = {"old": OLD | {"languages": ["te"]}, "new": NEW | {"languages": ["te"]}}
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


def test_a_death_between_the_two_steps_of_a_replacement_is_undone(
    tmp_path: Path, whole: dict[str, dict[str, bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = make(tmp_path / "xlgo", **OLD)
    replace = os.replace

    def fail_second(source: Any, target: Any) -> None:
        if Path(target) == out:
            raise OSError(5, "Input/output error", str(target))
        replace(source, target)

    monkeypatch.setattr(os, "replace", fail_second)
    with pytest.raises(ValueError, match="Input/output error"):
        make(out, **NEW)
    monkeypatch.setattr(os, "replace", replace)
    assert not out.exists()
    make(out, **NEW)
    assert tree(out) == whole["new"]
    assert [path.name for path in tmp_path.iterdir()] == ["xlgo"]


def kill_at_random(top: Path, times: int, request: dict[str, Any], processes: int) -> list[str]:
    """SIGKILL exports at random moments; what the folder held after each, checked to be whole."""
    random_moments = random.Random(20)
    trees = {}
    for name, seed in (("old", 0), ("new", 1)):
        options = request["options"] | {"seed": seed}
        export(Request(**request | {"options": options}), top / name / "xlgo", processes=1)
        trees[name] = tree(top / name / "xlgo")
    options = [f"--{key.replace('_', '-')}={value}" for key, value in request["options"].items()]
    words = [sys.executable, "-m", "xlgo_cli", "export", "--processes", str(processes),
             "--seed", "1", "--tasks", *request["tasks"], *options]  # fmt: skip
    if "languages" in request:
        words += ["--languages", *request["languages"]]
    start = time.monotonic()
    subprocess.run([*words, "--out", top / "timed"], check=True, capture_output=True)
    duration = time.monotonic() - start
    found = []
    for number in range(times):
        out = top / "killed" / "xlgo"
        if not out.exists() or manifest(out)["recipe"]["tasks"]["slt"]["options"]["seed"] == 1:
            shutil.rmtree(top / "killed", ignore_errors=True)
            shutil.copytree(top / "old" / "xlgo", out)
        process = subprocess.Popen(
            [*words, "--out", out],
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        # Some of the moments lie after the end: a run that resumes is shorter.
        time.sleep(random_moments.uniform(0.2, 1.05) * duration)
        process.send_signal(signal.SIGKILL)
        process.wait()
        _wait_until_empty(process.pid)
        left = tree(out if out.exists() else out.parent / ".xlgo.partial" / "replaced")
        state = "old" if left["export.json"] == trees["old"]["export.json"] else "new"
        differing = [name for name, _ in left.items() ^ trees[state].items()]
        assert not differing, f"half a folder after kill {number}"
        found.append(state)
    subprocess.run([*words, "--out", out], check=True, capture_output=True)
    assert tree(out) == trees["new"]
    assert [path.name for path in out.parent.iterdir()] == ["xlgo"]
    return found


def _wait_until_empty(group: int) -> None:
    """The workers of a killed export must end by themselves."""
    deadline = time.monotonic() + 120
    while _alive(group):
        assert time.monotonic() < deadline, "workers outlive the export that started them"
        time.sleep(0.02)


def _alive(group: int) -> bool:
    """Whether a process of the group still runs; one that nobody has waited for does not."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, its_group = path.read_text(encoding="utf-8").rsplit(")", 1)[1].split()[:3]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(its_group) == group and state not in "ZX":
            return True
    return False


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux's /proc")
def test_five_kills_at_random_moments(tmp_path: Path) -> None:
    request = {
        "tasks": ["slt", "graph_sp"],  # two blocks: both processes are at work
        "languages": ["en", "te"],
        "options": SMALL | {"per_level": 60},
    }
    kill_at_random(tmp_path, 5, request, processes=2)


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux's /proc")
def test_twenty_kills_at_random_moments(tmp_path: Path) -> None:
    request: dict[str, Any] = {
        "tasks": ["slt", "dsa"],
        "options": {"preset": "paper", "per_level": 10},
    }
    states = kill_at_random(tmp_path, 20, request, processes=2)
    print(
        f"after 20 kills: {states.count('old')} times the old folder, "
        f"{states.count('new')} times the new one"
    )
