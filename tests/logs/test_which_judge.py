"""Which judge counts where several were asked: the one whose newest reply is the newest of all."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from xlgo_cli.logs.judgements import Judgements, read_judgements

HEAD = json.dumps({"kind": "xlgo-answers", "schema": 1, "run": {"model": "m"}})
JUDGES = ("first", "second", "third", "silent")


def line(number: int, at: float, state: str = "answered") -> str:
    row = {"key": str(number), "chain": f"k{number}", "text": "x", "state": state, "at": at}
    return json.dumps(row)


def chain(found: Judgements | None) -> list[Judgements]:
    """A judge and those that were asked before it, the newest first."""
    judges: list[Any] = []
    while found is not None:
        judges.append(found)
        found = found.before
    return judges


@pytest.mark.parametrize("seed", range(12))
def test_the_newest_reply_decides_in_whatever_folder_and_line_it_stands(
    tmp_path: Path, seed: int
) -> None:
    """Files of two runs may be put together, and a clock may be set back: lines have any order."""
    generator = random.Random(seed)
    times = generator.sample(range(1, 1000), 18)
    own = {judge: times[6 * n : 6 * n + 6] for n, judge in enumerate(JUDGES[:3])}
    folders = [tmp_path / "judgements", tmp_path / "model" / "judgements"]
    for folder in folders:
        folder.mkdir(parents=True)
    for judge in JUDGES:
        for half, folder in enumerate(folders):
            lines = [
                line(number, at)
                for number, at in enumerate(own.get(judge, ()))
                if number % 2 == half
            ]
            # Requests that failed are no replies, however late they are.
            lines.insert(generator.randrange(len(lines) + 1), line(9, 5000.0 + half, "missing"))
            (folder / f"{judge}.ndjson").write_text("\n".join([HEAD, *lines]) + "\n")
    samples = [tmp_path / "model" / "samples_a_2026.jsonl", tmp_path / "model" / "samples_b.jsonl"]
    newest_first = sorted(own, key=lambda judge: -max(own[judge]))
    judges = chain(read_judgements(samples))
    assert [one.judge for one in judges] == newest_first
    assert [one.last for one in judges] == [max(own[judge]) for judge in newest_first]
    for judge, ats in own.items():
        chosen = read_judgements(samples, judge[:3])
        assert chosen is not None
        assert (chosen.judge, chosen.last, chosen.before) == (judge, max(ats), None)
        assert chosen.repeats.keys() == {(f"k{n}", 0) for n in (*range(6), 9)}
    with pytest.raises(ValueError, match="no judgements by 'silent'"):
        read_judgements(samples, "silent")
