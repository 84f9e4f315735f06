"""The ledger: what a kill may leave behind, what it refuses, what its keys depend on."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from xlgo_lm_eval.ledger import KIND, SCHEMA, Ledger, request_key
from xlgo_lm_eval.replies import digest

RUN = {"model": "m", "type": "T"}


def row(key: str, status: str = "ok", **more: Any) -> dict[str, Any]:
    return {"key": key, "status": status, "output": key, **more}


def filled(path: Path, count: int = 3) -> bytes:
    with Ledger(path, RUN) as ledger:
        for number in range(count):
            ledger.add(row(f"k{number}", text="ж🙂\u2028"))
    return path.read_bytes()


def test_the_first_line_says_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "new" / "l.jsonl"
    lines = filled(path).splitlines()
    assert json.loads(lines[0]) == {"kind": KIND, "schema": SCHEMA, "run": RUN}
    assert SCHEMA == 1
    assert len(lines) == 4


def test_any_cut_loses_at_most_the_last_line(tmp_path: Path) -> None:
    path = tmp_path / "l.jsonl"
    whole = filled(path, 2)
    ends = [i + 1 for i, sign in enumerate(whole) if sign == 10]
    for cut in range(len(whole)):
        path.write_bytes(whole[:cut])
        with Ledger(path, RUN) as ledger:
            # A line that lacks nothing but its end is whole.
            complete = sum(end - 1 <= cut for end in ends) - 1
            assert len(ledger) == max(0, complete)
            ledger.add(row("new"))
        lines = path.read_bytes().split(b"\n")
        assert lines.pop() == b""
        assert [json.loads(line).get("key") for line in lines] == [
            None, *[f"k{n}" for n in range(max(0, complete))], "new",
        ]  # fmt: skip


def test_half_a_character_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "l.jsonl"
    with Ledger(path, RUN) as ledger:
        ledger.add(row("k", text="ab\ud83d"))
    with Ledger(path, RUN) as ledger:
        found = ledger.get("k")
    assert found is not None
    assert found["text"] == "ab\ud83d"


def test_failed_requests_have_no_answer(tmp_path: Path) -> None:
    path = tmp_path / "l.jsonl"
    with Ledger(path, RUN) as ledger:
        ledger.add(row("a", "error"))
        ledger.add(row("b", "error"))
        ledger.add(row("b"))
        assert (len(ledger), ledger.get("a")) == (1, None)
    with Ledger(path, RUN) as ledger:
        assert (len(ledger), ledger.get("a")) == (1, None)
        assert ledger.get("b") == row("b")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"kind": "xlgo-ledger", "schema": 1, "run": {"model": "other"}}\n',
         "is the ledger of another run (model=other; this one is model=m, type=T)"),
        (b'{"kind": "xlgo-ledger", "schema": 2, "run": {}}\n', "has schema 2, this version reads"),
        (b'{"results": {}}\n', "is not a ledger"),
        (b"[1, 2]\n", "is not a ledger"),
        (b"plain text\n", "line 1 is damaged"),
        (b"HEADER\x00\x00\n{}\n", "line 2 is damaged"),
        (b"HEADER[]\n", "line 2 is no answer"),
        (b'HEADER{"key": "k"}\n', "line 2 is no answer"),
    ],
)  # fmt: skip
def test_what_is_refused_in_one_line(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "l.jsonl"
    header = json.dumps({"kind": KIND, "schema": 1, "run": RUN}).encode() + b"\n"
    content = content.replace(b"HEADER", header)
    path.write_bytes(content)
    with pytest.raises(ValueError, match=re.escape(said)) as error:
        Ledger(path, RUN)
    assert "\n" not in str(error.value)
    assert path.read_bytes() == content
    path.unlink()
    Ledger(path, RUN).close()  # a refusal does not keep it locked


def test_two_processes_cannot_have_it_open(tmp_path: Path) -> None:
    path = tmp_path / "l.jsonl"
    program = (
        "import sys; from xlgo_lm_eval.ledger import Ledger\n"
        "try: Ledger(sys.argv[1], {'model': 'm', 'type': 'T'})\n"
        "except ValueError as error: print(error)"
    )
    command = [sys.executable, "-c", program, str(path)]
    with Ledger(path, RUN):
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "is in use by another run" in said
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == ""


def test_the_key_is_the_digest_of_all_that_an_answer_depends_on() -> None:
    given: dict[str, Any] = {
        "model": "a", "gen_kwargs": {"temperature": 1.0, "until": []}, "prompt_id": "p",
        "chain": "c", "hop": 2, "input_sha": "s", "repeat": 0,
    }  # fmt: skip
    text = '["a",{"temperature":1.0,"until":[]},"p","c",2,"s",0]'
    assert request_key(**given) == hashlib.sha256(text.encode()).hexdigest()
    other = {
        "model": "b", "gen_kwargs": {"temperature": 0.9, "until": []}, "prompt_id": "q",
        "chain": "d", "hop": 3, "input_sha": "t", "repeat": 1,
    }  # fmt: skip
    keys = {request_key(**{**given, name: value}) for name, value in other.items()}
    assert len(keys | {request_key(**given)}) == 8
    assert digest({"b": 1, "a": 2}) == digest({"a": 2, "b": 1})
