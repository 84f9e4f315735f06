"""Kinds of error in wrong answers: each wrong answer is shown to the judge, and no right one."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lm_eval")

from tests.chat_server import ChatServer, message
from xlgo_cli.cli import main
from xlgo_cli.harness.judging.errors import KINDS, read

from .conftest import BAD
from .made import SUMS, N


def _judge(folder: Path, url: str, *more: str) -> int:
    return main([
        "judge", str(folder), "--model", "local-chat-completions", "--model_args",
        f"model=critic,base_url={url},num_concurrent=2,max_length=65536,max_retries=1",
        *more,
    ])  # fmt: skip


def _respond(prompt: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """Errors in Swahili are of language, the others of reasoning; one reply needs a repair."""
    if "Anna hat 29" in prompt and "could not be read" not in prompt:
        return 200, message("It went wrong.")
    error = "Semantic" if "Ana ana" in prompt else "logical"
    return 200, message(f'The model is wrong. {{"error": "{error}"}}')


def test_wrong_answers_are_classified_by_language(sums: Path, tmp_path: Path, capsys: Any) -> None:
    folder = Path(shutil.copytree(sums, tmp_path / "sums"))
    asked = "--errors", "mathematics", "--parallel", "sums_{lang}", "--filter", "last-number"
    with ChatServer(_respond) as server:
        assert _judge(folder, server.url, *asked) == 0
        prompts = [prompt for prompt in server.prompts if "<wrong_answer>" in prompt]
    assert len(set(prompts)) == sum(map(len, BAD.values()))
    (file,) = (folder / "judgements").glob("errors-mathematics-critic-*.json")
    found = json.loads(file.read_text())
    assert found["asked"] == dict.fromkeys(sorted(SUMS), N)
    assert found["wrong"] == {code: len(bad) for code, bad in BAD.items()}
    assert found["errors"]["sw"] == {"semantic": len(BAD["sw"])}
    assert found["errors"]["en"] == {"logical": 2}
    assert found["errors"]["de"] == {"logical": 4}
    told = capsys.readouterr().out
    assert "Kinds of error in wrong answers" in told
    with ChatServer(_respond) as server:  # all replies are recorded
        assert _judge(folder, server.url, *asked) == 0
        assert server.prompts == []


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ('{"error": "factual"} or rather {"error": "regional"}', "regional"),
        ('{"error": "logical"}', None),
        ('{"error": 3}', None),
        ("factual", None),
        ("{" * 100_000, None),
    ],
)
def test_replies(reply: str, kind: str | None) -> None:
    assert read("knowledge", reply) == kind
    assert set(KINDS["knowledge"]) >= {"factual", "regional", "hallucination", "semantic", "other"}


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--errors", "knowledge"], "--errors needs --parallel PATTERN"),
        (["--errors", "knowledge", "--parallel", "x_{lang}"], "no task fits"),
        (["--errors", "knowledge", "--parallel", "x", "--check"], "leave these out"),
    ],
)
def test_mistakes(more: list[str], words: str, sums: Path, capsys: Any) -> None:
    assert _judge(sums, "http://127.0.0.1:9/v1/chat/completions", *more) == 2
    assert words in capsys.readouterr().err
