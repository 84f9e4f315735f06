"""The list of planted faults: every patch applies, and its score knows no other faults."""

import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import plant_faults

FAULTS = plant_faults.read_faults()


def test_every_patch_applies_once() -> None:
    assert plant_faults.stale(FAULTS) == []


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
        assert [name for name in names if not (plant_faults.ROOT / name).exists()] == []


def test_the_score_is_of_these_faults() -> None:
    assert set(plant_faults.read_score()) <= {fault.what for fault in FAULTS}
