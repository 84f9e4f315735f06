"""The file of answers: what a kill may leave behind, what it refuses, what keys depend on."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from lm_eval.models.api_models import JsonChatStr

from xlgo_lm_eval.answers import (
    KIND,
    Answers,
    own_file,
    request_key,
    steps_of,
)
from xlgo_lm_eval.replies import MISSING, REFUSED, Answer, digest

RUN = {"model": "m", "type": "T"}


def filled(path: Path, count: int = 3) -> bytes:
    with Answers(path, RUN) as answers:
        for number in range(count):
            answers.add(f"k{number}", Answer("ж🙂\u2028", reasoning="why"), {"id": number})
    return path.read_bytes()


def test_any_cut_loses_at_most_the_last_line(tmp_path: Path) -> None:
    path = tmp_path / "a.ndjson"
    whole = filled(path, 2)
    ends = [i + 1 for i, sign in enumerate(whole) if sign == 10]
    for cut in range(len(whole)):
        path.write_bytes(whole[:cut])
        complete = max(0, sum(end <= cut for end in ends) - 1)
        for _ in range(2):  # the second opening finds what the first one wrote
            with Answers(path, RUN) as answers:
                assert len(answers) >= complete
                answers.add("new", Answer("x"))
        lines = path.read_bytes().split(b"\n")
        assert lines.pop() == b""
        keys = [json.loads(line).get("key") for line in lines]
        assert keys == [None, *[f"k{n}" for n in range(complete)], "new", "new"]


def test_what_is_missing_has_no_answer(tmp_path: Path) -> None:
    path = tmp_path / "a.ndjson"
    with Answers(path, RUN) as answers:
        answers.add("a", Answer("", MISSING, error="HTTP 500"))
        answers.add("b", Answer("", MISSING))
        answers.add("b", Answer("there"))
        answers.add("c", Answer("", REFUSED))
    with Answers(path, RUN) as answers:
        assert (len(answers), answers.get("a"), answers.get("b")) == (2, None, "there")
        refused = answers.get("c")
        assert refused is not None
        assert refused.state == REFUSED


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            b'{"kind": "xlgo-answers", "schema": 1, "run": {"model": "other", "type": "T"}}\n',
            'holds another run (model was "other" and is "m")',
        ),
        (b'{"kind": "xlgo-answers", "schema": 2, "run": {}}\n', "has schema 2, this version reads"),
        (b'{"results": {}}\n', "line 1 is no line of answers: move the file away"),
        (b"[1, 2]\n", "line 1 is no line"),
        (b"plain text\n", "line 1 is no line"),
        (b"HEADER\x00\x00\n{}\n", "line 2 is no line of answers: remove that line"),
        (b"HEADER[]\n", "line 2 is no line"),
    ],
)
def test_what_is_refused_in_one_line(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "a.ndjson"
    header = json.dumps({"kind": KIND, "schema": 1, "run": RUN}).encode() + b"\n"
    content = content.replace(b"HEADER", header)
    path.write_bytes(content)
    with pytest.raises(ValueError, match=re.escape(said)) as error:
        Answers(path, RUN)
    assert "\n" not in str(error.value)
    assert path.read_bytes() == content
    path.unlink()
    Answers(path, RUN).__exit__()  # a refusal does not keep it locked


def test_two_processes_cannot_have_it_open(tmp_path: Path) -> None:
    path = tmp_path / "a.ndjson"
    program = (
        "import sys; from pathlib import Path; from xlgo_lm_eval.answers import Answers\n"
        "try: Answers(Path(sys.argv[1]), {'model': 'm', 'type': 'T'})\n"
        "except ValueError as error: print(error)"
    )
    command = [sys.executable, "-c", program, str(path)]
    with Answers(path, RUN):
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "another run is writing to" in said
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == ""


def test_the_key_depends_on_all_that_an_answer_depends_on() -> None:
    given: dict[str, Any] = {
        "model": "a",
        "context": "What?",
        "settings": {"temperature": 1.0, "until": []},
        "draw": 0,
    }
    changed = {
        "model": "b",
        "context": "What? ",
        "settings": {"temperature": 0.9, "until": []},
        "draw": ["c", 1],
    }
    keys = {request_key(**{**given, name: value}) for name, value in changed.items()}
    assert len(keys | {request_key(**given)}) == 5
    swapped = {"until": [], "temperature": 1.0}
    assert request_key(**{**given, "settings": swapped}) == request_key(**given)
    assert digest({"b": 1, "a": 2}) == digest({"a": 2, "b": 1})


@pytest.mark.parametrize("event", ['{"kind": "wrote"}', '{"kind": "planned"}'])
def test_a_spoiled_event_is_one_message(tmp_path: Path, event: str) -> None:
    own_file(tmp_path).write_text(f"{event}\n", "utf-8")
    with pytest.raises(ValueError, match="an event of its answers cannot be read"):
        steps_of(tmp_path)


@pytest.mark.parametrize("text", ['a "b" \\c\n\t', "తెలుగు \u2028\x7f\x00", "x" * 20_000])
def test_the_key_of_a_chat_is_that_of_its_json(text: str) -> None:
    """Folders of earlier runs have keys of ``json.dumps``, which takes long for long prompts."""
    chat = JsonChatStr(json.dumps([{"role": "user", "content": text}], ensure_ascii=False))
    terms = json.dumps(["m", {"until": []}, 0], sort_keys=True)
    sent = json.dumps([chat.prompt], ensure_ascii=False)
    digested = hashlib.sha256((terms + sent).encode()).hexdigest()
    assert request_key("m", chat, {"until": []}, 0) == digested
