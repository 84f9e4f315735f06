"""The list of planted faults: every patch applies, and its score knows no other faults."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import plant_faults

FAULTS = plant_faults.read_faults()


def test_every_patch_applies_once() -> None:
    assert plant_faults.stale(FAULTS) == []


def test_a_patch_that_does_not_apply_is_named(tmp_path: Path) -> None:
    (tmp_path / "code.py").write_text("a = 1\nb = 1\n", "utf-8")
    faults = [
        plant_faults.Fault("applies", "code.py", "a = 1", "a = 2"),
        plant_faults.Fault("applies twice", "code.py", "= 1", "= 2"),
        plant_faults.Fault("applies nowhere", "code.py", "c", "d"),
        plant_faults.Fault("has no file", "lost.py", "c", "d"),
    ]
    twice, nowhere, lost = plant_faults.stale(faults, tmp_path)
    assert twice.startswith("'applies twice': code.py (2 times)")
    assert nowhere.startswith("'applies nowhere': code.py (0 times)")
    assert lost.startswith("'has no file': lost.py (no such file)")


def test_every_patched_file_compiles_and_differs() -> None:
    for fault in FAULTS:
        text = (plant_faults.ROOT / fault.file).read_text("utf-8")
        broken = plant_faults.patched(fault, text)
        assert broken != text, fault.what
        if fault.file.endswith(".py"):
            compile(broken, fault.file, "exec")


def test_every_fault_has_a_sentence_of_its_own_and_tests() -> None:
    assert [what for what, n in Counter(fault.what for fault in FAULTS).items() if n > 1] == []
    by_folder = plant_faults._table(plant_faults.TESTS)
    for fault in FAULTS:
        assert plant_faults.tests_for(fault.file, by_folder), fault.file
    for names in by_folder.values():
        lost = [name for name in names if not (plant_faults.ROOT / name).exists()]
        assert lost == []


def test_the_score_is_of_these_faults() -> None:
    assert set(plant_faults.read_score()) <= {fault.what for fault in FAULTS}


def test_the_longest_folder_says_which_tests_run() -> None:
    by_folder = {"a": ["tests/a"], "a/b": ["tests/b"]}
    assert plant_faults.tests_for("a/b/c.py", by_folder) == ["tests/b"]
    assert plant_faults.tests_for("a/c.py", by_folder) == ["tests/a"]
    with pytest.raises(SystemExit, match=r"tests\.toml names no tests for c\.py: add its folder"):
        plant_faults.tests_for("c.py", by_folder)


def test_the_test_that_fails_is_named_whatever_the_suite_reports_by_itself(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -q -rs\n", "utf-8")
    (tmp_path / "tests").mkdir()
    checks = "import pytest\n\n\n@pytest.fixture\ndef lost():\n    raise KeyError\n\n\n"
    checks += "def test_good():\n    pass\n\n\ndef test_bad():\n    assert False\n\n\n"
    (tmp_path / "tests/test_a.py").write_text(checks + "def test_lost(lost):\n    pass\n", "utf-8")
    tree = object.__new__(plant_faults.Tree)
    tree.root = tmp_path
    file = "tests/test_a.py"
    named = {file: f"{file}::test_bad", f"{file}::test_lost": f"{file}::test_lost"}
    named[f"{file}::test_good"] = ""
    assert {name: tree.failing([name]) for name in named} == named
