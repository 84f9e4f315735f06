"""``import xlgo`` gives what the two packages give."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import xlgo

import xlgo_dataset as xd
import xlgo_metric as xm

BOTH = {"FAMILIES", "Family", "register"}
OF_VERIFIERS = {"XlgoTaskset"}  # there where verifiers is installed


def test_every_name_of_the_two_packages_is_there() -> None:
    for side in (xd, xm):
        for name in set(side.__all__) - BOTH:
            assert getattr(xlgo, name) is getattr(side, name)
            assert name in dir(xlgo)


def test_a_name_of_both_packages_is_refused_with_the_two_to_choose_from() -> None:
    for name in BOTH:
        with pytest.raises(AttributeError, match=rf"xlgo_dataset\.{name} or xlgo_metric\.{name}"):
            getattr(xlgo, name)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        vars(xlgo)["__getattr__"]("nothing")


def test_type_checkers_see_the_same_names() -> None:
    stub = Path(str(xlgo.__file__)).with_suffix(".pyi").read_text("utf-8")
    assert sorted(re.findall(r" as (\w+)$", stub, re.MULTILINE)) == sorted(
        set(vars(xlgo)["__all__"]) - OF_VERIFIERS
    )


def test_load_dataset_takes_the_name_for_the_data_and_not_for_a_folder(tmp_path: Path) -> None:
    program = (
        "import xlgo; from datasets import load_dataset; "
        "print(load_dataset('xlgo', 'slt_te', split='test', splits='test', preset='smoke', "
        f"cache_dir={str(tmp_path)!r})['id'][0])"
    )
    found = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(str(xlgo.__file__)).parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.strip() == "slt-test-s0-c4-i0-te"
