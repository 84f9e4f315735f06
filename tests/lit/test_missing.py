"""What is missing is missing: failed requests, judges that cannot be read, nothing judged."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lm_eval")

from tests.chat_server import ChatServer, answering, message
from xlgo_cli.cli import main
from xlgo_cli.logs.graded_run import score_folder
from xlgo_cli.simulate.simulator import Simulator

from .conftest import run_unjudged

pytestmark = pytest.mark.filterwarnings("ignore")


def _arguments(url: str, timeout: int = 60) -> str:
    return (
        f"model=toy,base_url={url},num_concurrent=4,max_length=65536,max_retries=1,"
        f"timeout={timeout}"
    )


def _run(server: ChatServer, out: Path, *more: str, timeout: int = 60) -> int:
    return main([
        "run", "--model", "xlgo-chat-completions", "--model_args",
        _arguments(server.url, timeout),
        "--apply_chat_template", "--tasks", "lit_africa,lit_se_asia", "--limit", "5",
        "--output_path", str(out), *more,
    ])  # fmt: skip


def _metrics(out: Path) -> dict[str, Any]:
    return dict(score_folder(out).score["families"]["lit"]["splits"]["main"])


@pytest.mark.parametrize(
    "how", [500, *(pytest.param(how, marks=pytest.mark.slow) for how in (429, "timeout"))]
)
def test_failed_requests_leave_the_rest_unchanged(
    how: int | str,
    profile: Path,
    tmp_path: Path,
    capsys: Any,
) -> None:
    simulator = Simulator(str(profile))

    def respond(prompt: str, body: dict[str, Any]) -> tuple[int, dict[str, Any] | bytes]:
        is_hop = prompt.startswith("Translate")
        if is_hop and hashlib.sha256(prompt.encode()).digest()[0] % 12 == 0:
            if how == "timeout":
                time.sleep(4)
            return int(how) if isinstance(how, int) else 200, message("late")
        return 200, message(simulator.answer(prompt))

    judge = "--judge", "local-chat-completions", "--judge-args"
    with ChatServer(answering(simulator)) as server:
        whole, lame = tmp_path / "whole", tmp_path / "lame"
        assert _run(server, whole, *judge, _arguments(server.url)) == 0
        server.respond = respond
        patience = 3 if how == "timeout" else 60
        assert _run(server, lame, *judge, _arguments(server.url), timeout=patience) == 1
        told = capsys.readouterr().out
        scored = score_folder(lame)
        lost = scored.absent.total
        assert 1 <= lost <= 9
        assert f"- {lost} answers are in no rate: " in told
        part = scored.score["families"]["lit"]["splits"]["main"]
        assert part["coverage"]["missing"] == lost
        assert part["coverage"]["failed"] == {}
        # The score of the rest is that of the same chains in the whole run.
        complete = score_folder(whole)
        rows = {
            (str(record.reference["sequence"]), str(record.reference["text_id"])): record
            for _, record in complete.records
        }
        for _, record in scored.records:
            key = str(record.reference["sequence"]), str(record.reference["text_id"])
            if not record.grade.details.get("missing"):
                assert record.grade.answer == rows[key].grade.answer
                assert record.grade.status == rows[key].grade.status
        answers = list(scored.answers(measures=["raw_mqm"]))
        assert len(answers) == len(scored.records) - lost
        # The same command asks for what is missing, and for nothing else.
        server.respond = answering(simulator)
        before = len(server.prompts)
        assert _run(server, lame, *judge, _arguments(server.url)) == 0
        assert len(server.prompts) - before <= lost * (5 + 2) + 3
        expected = complete.score["families"]["lit"]["splits"]["main"]["metrics"]
        assert _metrics(lame)["metrics"] == expected


def test_nothing_judged_is_no_score_even_where_chains_broke_off(
    profile: Path,
    tmp_path: Path,
    capsys: Any,
) -> None:
    simulator = Simulator(str(profile))

    def respond(prompt: str, body: dict[str, Any]) -> tuple[int, dict[str, Any] | bytes]:
        is_cut = hashlib.sha256(prompt.encode()).digest()[0] % 12 == 0
        return 200, message(simulator.answer(prompt), "length" if is_cut else "stop")

    with ChatServer(respond) as server:
        assert _run(server, tmp_path / "out") == 0
    part = _metrics(tmp_path / "out")
    assert sum(part["coverage"]["failed"].values()) > 1
    assert not [name for name in part["metrics"] if name.startswith(("mqm80", "raw_mqm", "direct"))]
    told = " ".join(capsys.readouterr().out.split())
    assert "none is judged" in told
    assert "keep their meaning" not in told


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run_unjudged(tmp_path_factory.mktemp("once"), "lit")


def _judge(server: ChatServer, out: Path) -> int:
    return main(["judge", str(out), "--model", "local-chat-completions", "--model_args",
                 _arguments(server.url)])  # fmt: skip


def test_one_bad_reply_now_and_then_does_not_stop_the_judging(unjudged: Path) -> None:
    simulator = Simulator()

    def respond(prompt: str, body: dict[str, Any]) -> tuple[int, dict[str, Any] | bytes]:
        is_bad = hashlib.sha256(prompt.encode()).digest()[0] % 3 == 0
        return 200, message("So so." if is_bad else simulator.answer(prompt))

    with ChatServer(respond) as server:
        assert _judge(server, unjudged) == 0
    coverage = _metrics(unjudged)["coverage"]["judgements"]
    assert coverage["ok"] + coverage["unparsed"] == 24
    assert coverage["unparsed"] < 5


def test_a_later_judge_that_cannot_be_read_takes_nothing_away(unjudged: Path) -> None:
    assert main(["judge", str(unjudged), "--model", "xlgo-sim"]) == 0
    before = _metrics(unjudged)
    assert before["coverage"]["judgements"]["ok"] == 24
    with ChatServer(lambda prompt, body: (200, message("I like it a lot."))) as server:
        assert _judge(server, unjudged) == 2
    assert _metrics(unjudged) == before


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ((200, message("Fine with me.")), "cannot be read: 'Fine with me.'"),
        (
            (401, {"error": "who are you"}),
            "the judge answered none of 1 questions (HTTP 401: who are you)",
        ),
    ],
)
def test_the_judge_is_tried_before_the_first_translation(
    reply: tuple[int, dict[str, Any]],
    words: str,
    profile: Path,
    tmp_path: Path,
    capsys: Any,
) -> None:
    with (
        ChatServer(answering(Simulator(str(profile)))) as server,
        ChatServer(lambda prompt, body: reply) as judge,
    ):
        judges = "--judge", "local-chat-completions", "--judge-args", _arguments(judge.url)
        assert _run(server, tmp_path / "out", *judges) == 2
        assert not server.prompts
        assert 1 <= len(judge.prompts) <= 4
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("lasts", [True, False])
def test_chains_are_judged_while_others_are_translated(
    lasts: bool, profile: Path, tmp_path: Path
) -> None:
    """A judge that goes after its trial costs no translation."""
    simulator = Simulator(str(profile))
    answers = answering(simulator)
    with (
        ChatServer(answering(simulator)) as server,
        ChatServer(
            lambda p, b: answers(p, b) if lasts or len(judge.prompts) < 2 else (404, {})
        ) as judge,
    ):
        seen: list[int] = []
        translate, server.delay = server.respond, 0.05

        def respond(prompt: str, body: dict[str, Any]) -> tuple[int, dict[str, Any] | bytes]:
            seen.append(len(judge.prompts))
            return translate(prompt, body)

        server.respond = respond
        judges = "--judge", "local-chat-completions", "--judge-args", _arguments(judge.url)
        assert _run(server, tmp_path / "out", *judges) == (0 if lasts else 2)
        # One question is the trial; more came before the last translation, and none came twice.
        assert seen[0] == 1
        assert seen[-1] > 1
        assert not lasts or len(judge.prompts) == 1 + 2 * 10
    coverage = _metrics(tmp_path / "out")["coverage"]
    assert coverage["finished"] == 10
    assert coverage["judgements"]["ok"] == 10 * lasts
