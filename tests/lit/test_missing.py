"""What is missing is missing: failed requests, judges that cannot be read, nothing judged."""

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
        lost = scored.absent.counts.total()
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
