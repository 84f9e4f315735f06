"""A type checker sees the signature of every public name."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import xlgo_dataset as xd
import xlgo_metric as xm


def revealed(tmp_path: Path, names: list[str]) -> list[str]:
    lines = ["import xlgo_dataset as xd", "import xlgo_metric as xm"]
    lines += [f"reveal_type({name})" for name in names]
    file = tmp_path / "user.py"
    file.write_text("\n".join(lines) + "\n")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", str(file)]
    environment = os.environ | {"MYPYPATH": str(Path(__file__).parents[2])}
    run = subprocess.run(
        command, capture_output=True, text=True, cwd=tmp_path, env=environment, check=False
    )
    assert not re.findall(r"user\.py:\d+: error: .*", run.stdout)
    return re.findall(r'Revealed type is "(.*)"', run.stdout)


@pytest.mark.slow  # a type checker reads every package from nothing
def test_every_public_name_has_a_type(tmp_path: Path) -> None:
    names = [f"xd.{name}" for name in vars(xd)["__all__"]]
    names += [f"xm.{name}" for name in vars(xm)["__all__"]]
    names += ['xd.family("xlgobench").rows', 'xd.family("xlgobench").TASKS']
    found = revealed(tmp_path, names)
    assert len(found) == len(names)
    assert not [name for name, kind in zip(names, found) if kind == "Any"]


def test_the_stub_and_the_package_agree() -> None:
    for package in (xd, xm):
        for name in package.__all__:
            assert getattr(package, name) is not None, name
