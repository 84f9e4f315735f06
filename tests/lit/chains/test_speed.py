"""What the engine itself costs: time for each request, and memory."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lm_eval")

from tests.chat_server import ChatServer, message
from tests.lit.chains.running import run_chains
from xlgo_lm_eval.answers import Answers
from xlgo_lm_eval.chains import Item
from xlgo_lm_eval.lit.chains import Translation

from .client import GEN_KWARGS, RUN
from .test_engine import Plain

CODES = ("en", "ja", "ko", "zh", "ru", "en")
CHAINS = 1600
HOPS = 5
TEXT = "word " * 80

WARM = 200


def chains(count: int) -> list[Item]:
    return [
        Item(f"{n}", Translation(f"{n} {TEXT}", CODES, CODES), GEN_KWARGS) for n in range(count)
    ]


@pytest.mark.slow
def test_8000_answers_of_a_millisecond(tmp_path: Path) -> None:
    """The time beyond the answers themselves, with a model that does nothing but wait."""
    waited = 0.0

    def answer(prompt: str) -> str:
        nonlocal waited
        begun = time.perf_counter()
        time.sleep(0.001)
        waited += time.perf_counter() - begun
        return TEXT

    with Answers(tmp_path / "l.jsonl", RUN) as answers:
        begun = time.perf_counter()
        done = run_chains(Plain(answer), chains(CHAINS), answers)
        own = time.perf_counter() - begun - waited
    assert all(len(chain.history) == HOPS for chain in done)
    each = own / (CHAINS * HOPS)
    print(f"own time: {each * 1000:.3f} ms a call")
    assert each < 0.001
    with Answers(tmp_path / "l.jsonl", RUN) as answers:
        begun = time.perf_counter()
        run_chains(Plain(answer), chains(CHAINS), answers)
        print(f"replay: {(time.perf_counter() - begun) / (CHAINS * HOPS) * 1000:.3f} ms a call")


PEAK = """
import json, resource, sys
from pathlib import Path
from tests.lit.chains.test_speed import chains, RUN, TEXT
from tests.lit.chains.test_engine import Plain
from tests.lit.chains.client import model
from xlgo_lm_eval.answers import Answers
from tests.lit.chains.running import run_chains
lm = model(sys.argv[1], 8)
with Answers(Path(sys.argv[2]), RUN) as answers:
    run_chains(lm, chains(int(sys.argv[3])), answers)
print(json.dumps(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss))
"""


@pytest.mark.slow
def test_the_whole_process_stays_small(tmp_path: Path) -> None:
    def peak(count: int) -> int:
        done: Any = subprocess.run(
            [sys.executable, "-c", PEAK, server.url, str(tmp_path / f"{count}.jsonl"), str(count)],
            check=True,
            capture_output=True,
            text=True,
        )
        return int(json.loads(done.stdout.splitlines()[-1]))

    with ChatServer(lambda p, b: (200, message(TEXT))) as server:
        small, large = peak(WARM), peak(CHAINS)
    print(
        f"peak {large // 1024} MiB with {CHAINS * HOPS} answers, {small // 1024} MiB with "
        f"{WARM * HOPS}"
    )
    assert large - small < 60 * 1024
