"""Killed at any moment, an export leaves the old folder or the new one, whole, at worst aside."""

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.hub.helpers import SMALL, make, small, tree
from xlgo_cli.export import plan, shards
from xlgo_cli.export.command import export

OLD: dict[str, Any] = {"tasks": ["slt"], "languages": ["en", "te"], "options": SMALL}
NEW: dict[str, Any] = OLD | {"options": SMALL | {"seed": 1}}


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
