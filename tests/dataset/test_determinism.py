"""The data is a promise: the same bytes everywhere, and nothing shared between seeds or splits."""

import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import xlgo_dataset as xd
from tests.looping import looped
from xlgo_dataset.core import ids
from xlgo_dataset.core.rng import MAX_BOUND, Stream

data: Any = xd.family("xlgobench")


@pytest.mark.parametrize("hash_seed", ["12345", pytest.param("0", marks=pytest.mark.slow)])
def test_another_process_makes_the_same_bytes(hash_seed: str) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tests.frozen", "--check", "--one-in", "2", "questions/xlgobench"],
        env=os.environ | {"PYTHONHASHSEED": hash_seed},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "nothing differs" in run.stdout


@pytest.mark.parametrize("task", xd.TASKS)
def test_no_prompt_is_shared_between_seeds_splits_or_indexes(task: str) -> None:
    sizes = {"preset": "smoke", "levels": 3, "per_level": 4}
    prompts = [
        row["prompt"]
        for seed in (0, 1, 42, 43)
        for split in xd.SPLITS
        for row in data.rows(task, ["en"], split=split, seed=seed, **sizes)
    ]
    assert len(set(prompts)) == len(prompts) == 4 * 3 * 12


@pytest.mark.parametrize(
    ("preset", "ranges"),
    [
        ("paper", {"slt": (100, 600), "dsa": (32, 2090), "prdsa": (9, 61), "graph_sp": (70, 720),
                   "t_rank": (100, 400)}),
        ("lite", {"slt": (10, 600), "dsa": (32, 2090), "prdsa": (9, 61), "graph_sp": (70, 200),
                  "t_rank": (25, 150)}),
    ],
)  # fmt: skip
def test_levels_of_the_presets(preset: str, ranges: dict[str, tuple[int, int]]) -> None:
    """Tables 1 and 3 of the paper."""
    chosen = {task: data.options(task, preset=preset) for task in ranges}
    assert {task: (of["c_min"], of["c_max"]) for task, of in chosen.items()} == ranges
    assert {(of["levels"], of["per_level"]) for of in chosen.values()} == {(20, 50)}


def test_every_code_has_its_name() -> None:
    # Spelled out by nested counting, and not by the formula of the code.
    names = [f"{letter}{n}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" for n in range(1000, 10000)]
    assert len(names) == ids.TOTAL
    assert ids.codes(iter(names)).tolist() == list(range(ids.TOTAL))
    assert ids.names(np.arange(ids.TOTAL)) == names
    assert [ids.code(name) for name in names[::997]] == list(range(ids.TOTAL))[::997]
    for codes in (ids.codes([]), ids.codes(["A1000"])):
        assert (codes.dtype, codes.ndim) == (np.int32, 1)


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


M0, M1 = 0xD2E7470EE14C6C93, 0xCA5A826395121157
W0, W1 = 0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B
MASK = (1 << 64) - 1


def philox(counter: list[int], key: list[int]) -> list[int]:
    """Ten rounds of Salmon et al. (2011), section 3.2."""
    (a, b, c, d), (k, m) = counter, key
    for _ in range(10):
        p, q = M0 * a, M1 * c
        a, b, c, d = (q >> 64) ^ b ^ k, q & MASK, (p >> 64) ^ d ^ m, p & MASK
        k, m = (k + W0) & MASK, (m + W1) & MASK
    return [a, b, c, d]


def test_philox_written_out_meets_the_published_vector() -> None:
    # Random123's known answers for philox4x64-10 of zero counter and key.
    assert philox([0] * 4, [0] * 2) == [
        0x16554D9ECA36314C,
        0xDB20FE9D672D0FDC,
        0xD7E772CEE186176B,
        0x7E68B68AEC7BA23B,
    ]


def words_by_hand(n: int, *parts: object) -> list[int]:
    text = "\x1f".join(f"{type(part).__name__}:{part}" for part in parts)
    digest = hashlib.sha256(text.encode()).digest()
    key = [int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:16], "little")]
    # NumPy counts up before it draws.
    return [word for counter in range(1, n + 1) for word in philox([counter, 0, 0, 0], key)][:n]


@pytest.mark.parametrize("key", [("xlgo", 1, "slt", 100, "test", 0, 3, 0), ("x",), ("é", -5)])
def test_words(key: tuple[int | str, ...]) -> None:
    assert Stream(*key).words(11).tolist() == words_by_hand(11, *key)


def test_keys_of_other_types_differ() -> None:
    assert Stream("a", 1).words(2).tolist() != Stream("a", "1").words(2).tolist()


def test_integers_are_scaled_words() -> None:
    drawn = Stream("k").integers(1000, 50).tolist()
    assert drawn == [((word >> 24) * 1000) >> 40 for word in words_by_hand(50, "k")]


@pytest.mark.parametrize(
    ("draw", "bound", "size", "message"),
    [
        *((Stream.integers, bound, 1, "bound must be 1..") for bound in (0, -1, MAX_BOUND + 1)),
        (Stream.sample, 8, 9, "cannot draw 9 different integers below 8"),
    ],
)
def test_impossible_bounds_are_refused(draw: Any, bound: int, size: int, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        draw(Stream("k"), bound, size)


@pytest.mark.parametrize(("bound", "size"), [(1, 1), (10, 10), (10, 4), (1000, 30), (1000, 499)])
def test_a_sample_holds_different_numbers(bound: int, size: int) -> None:
    drawn = Stream("s", bound, size).sample(bound, size).tolist()
    assert len(set(drawn)) == len(drawn) == size
    assert set(drawn) <= set(range(bound))
