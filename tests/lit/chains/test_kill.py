"""A run that is killed at random moments loses nothing that it has recorded."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("lm_eval")

from tests.chat_server import ChatServer, answering, kill_after
from xlgo_dataset.core.rng import Stream
from xlgo_dataset.families.lit.translator import Translator

LOSSY = Translator({"default": 0.1}, seed=8)
CHAINS = 12


def client(server: ChatServer, ledger: Path, out: Path, concurrent: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.lit.chains.client", server.url, str(ledger), str(out),
               str(CHAINS), str(concurrent)]  # fmt: skip
    return subprocess.Popen(command, stderr=subprocess.DEVNULL, text=True)


def recorded(ledger: Path) -> list[str]:
    """The keys of the whole lines of a file of answers."""
    lines = ledger.read_bytes().split(b"\n")[1:-1]
    return [json.loads(line)["key"] for line in lines]


@pytest.mark.slow
@pytest.mark.parametrize("concurrent", [1, 4])
def test_kill_at_five_random_moments_and_resume(tmp_path: Path, concurrent: int) -> None:
    stream = Stream("kill", concurrent)
    ledger, out = tmp_path / "l.jsonl", tmp_path / "out.json"
    with ChatServer(answering(LOSSY)) as quick:
        assert client(quick, tmp_path / "whole.jsonl", tmp_path / "whole.json", 1).wait() == 0
    with ChatServer(answering(LOSSY), delay=0.02) as server:
        # The server counts; a kill after so many requests falls anywhere in the life of one.
        for stop in sorted(stream.permutation(50)[:5].tolist()):
            process = client(server, ledger, out, concurrent)
            kill_after(process, lambda: len(server.prompts), stop, 0.03 * stream.uniform())
            time.sleep(0.1)  # what is in flight arrives
            kept = recorded(ledger) if ledger.exists() else []
            assert len(kept) == len(set(kept))
            # Only what was in flight at a kill is sent again.
            assert len(set(server.prompts)) - len(kept) <= concurrent
        assert client(server, ledger, out, concurrent).wait() == 0
        sent = Counter(server.prompts)
    assert out.read_bytes() == (tmp_path / "whole.json").read_bytes()
    keys = recorded(ledger)
    assert len(keys) == len(set(keys)) == len(sent) == CHAINS * 5
    assert set(keys) == set(recorded(tmp_path / "whole.jsonl"))
    assert sum(sent.values()) - len(sent) <= 5 * concurrent
