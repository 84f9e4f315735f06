"""Identifiers and their codes."""

import re

import numpy as np
import pytest

from tests.looping import looped
from xlgo_dataset.core import ids


def test_every_code_has_its_name() -> None:
    # Spelled out by nested counting, and not by the formula of the code.
    names = [f"{letter}{n}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" for n in range(1000, 10000)]
    assert len(names) == ids.TOTAL
    assert ids.codes(names).tolist() == list(range(ids.TOTAL))
    assert ids.names(np.arange(ids.TOTAL)) == names
    assert [ids.code(name) for name in names[::997]] == list(range(ids.TOTAL))[::997]


@pytest.mark.parametrize("codes", [ids.codes([]), ids.codes(["A1000"]), ids.codes(iter(["Z9999"]))])
def test_codes_are_small_integers(codes: ids.Codes) -> None:
    assert codes.dtype == np.int32
    assert codes.ndim == 1


@looped(
    "names",
    [
        ["A1234B", "5678"], ["A12345", "B123"], ["A1234", "A0123"], ["b2345"], ["A123"], [""],
        ["A123٤"], ["Ａ1234"], ["A1234\n"], [5], [None], ["A1234", b"B2345"],
    ],
)  # fmt: skip
def test_the_one_that_is_no_identifier_is_named(names: list[str]) -> None:
    wrong = next(name for name in names if name != "A1234")
    with pytest.raises(ValueError, match=re.escape(f"{wrong!r} is not an identifier")):
        ids.codes(names)
