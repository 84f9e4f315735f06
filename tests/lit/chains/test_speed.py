"""What the engine itself costs: time for each request, and memory."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lm_eval")

from tests.chat_server import ChatServer, message
from tests.lit.chains.running import run_chains
from xlgo_lm_eval.answers import Answers
from xlgo_lm_eval.chains import Item
from xlgo_lm_eval.lit.chains import Translation

from .client import GEN_KWARGS, RUN, model
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


@pytest.mark.slow
def test_8000_answers_of_a_server_cost_little_more_than_asking_for_them(tmp_path: Path) -> None:
    """Against the same requests through the harness's own ``generate_until``."""
    from lm_eval.api.instance import Instance

    with ChatServer(lambda p, b: (200, message(TEXT)), delay=0.001) as server:
        lm = model(server.url, 8)
        begun = time.perf_counter()
        for start in range(0, CHAINS * HOPS, 64):
            contexts = [
                lm.apply_chat_template([{"role": "user", "content": f"{n} {TEXT}"}])
                for n in range(start, min(start + 64, CHAINS * HOPS))
            ]
            lm.generate_until(
                [Instance("generate_until", {}, (c, dict(GEN_KWARGS)), 0) for c in contexts]
            )
        bare = time.perf_counter() - begun
        begun = time.perf_counter()
        with Answers(tmp_path / "l.jsonl", RUN) as answers:
            run_chains(lm, chains(CHAINS), answers)
        whole = time.perf_counter() - begun
    calls = CHAINS * HOPS
    print(f"{whole / calls * 1000:.3f} ms a call, {bare / calls * 1000:.3f} without the engine")
    assert (whole - bare) / calls < 0.001


@pytest.mark.slow
def test_memory_is_that_of_the_answers(tmp_path: Path) -> None:
    """What the engine holds for an answer beside its text does not grow with the run."""

    def held(count: int) -> float:
        lm: Any = Plain(lambda prompt: TEXT + str(len(lm.sent)))
        lm.sent = _Counted()
        with Answers(tmp_path / f"{count}.jsonl", RUN) as answers:
            gc.collect()
            tracemalloc.start()
            done = run_chains(lm, chains(count), answers)
            gc.collect()
            _, peak = tracemalloc.get_traced_memory()
            tracemalloc.stop()
        assert len(done) == count
        return peak / (count * HOPS)

    small, large = held(WARM), held(CHAINS)
    print(f"{large:.0f} bytes an answer at {CHAINS * HOPS}, {small:.0f} at {WARM * HOPS}")
    assert large < 1.2 * small
    assert large < 5 * len(TEXT) + 4000


class _Counted(list[str]):
    """Counts prompts and does not keep them."""

    def __init__(self) -> None:
        super().__init__()
        self.seen = 0

    def append(self, prompt: str) -> None:
        self.seen += 1

    def __len__(self) -> int:
        return self.seen


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
