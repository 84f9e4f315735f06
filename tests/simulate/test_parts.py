"""The simulated model with several of everything: parts of a message, seeds, conditions, slips."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import xlgo_dataset as xd
import xlgo_metric as xm
from xlgo_cli.simulate.identify import from_reference
from xlgo_cli.simulate.server import CHAT, SimulatedServer
from xlgo_cli.simulate.simulator import Simulator

from .test_server import post, server  # noqa: F401  (a fixture)


def profile(folder: Path, **curves: tuple[float, float]) -> str:
    path = folder / "p.json"
    languages = {code: {"q": q, "r": r} for code, (q, r) in curves.items()}
    path.write_text(json.dumps({"tasks": {"slt": languages}}))
    return str(path)


def rows(n: int) -> list[dict[str, Any]]:
    options: dict[str, Any] = {"complexities": [20], "per_level": n}
    return list(xd.family("xlgobench").rows("slt", ["en", "te"], **options))


def right(simulator: Simulator, asked: list[dict[str, Any]]) -> list[bool]:
    return [
        xm.grade(
            simulator.answer(row["prompt"], json.loads(row["reference"])), row["reference"]
        ).correct
        for row in asked
    ]


def test_parts_of_a_message_are_one_prompt_and_tokens_add_up(server: SimulatedServer) -> None:  # noqa: F811
    prompt = xd.render(xd.generate("slt", complexity=4), "te")
    cut = [{"type": "text", "text": text} for text in (prompt[:50], prompt[50:90], prompt[90:])]
    first = {"role": "user", "content": "no"}
    said = [
        post(server, CHAT, {"messages": [first, {"role": "user", "content": content}]})[1]
        for content in (prompt, cut)
    ]
    assert said[0]["choices"] == said[1]["choices"]
    assert said[0]["choices"][0]["message"]["content"] == Simulator("demo").answer(prompt)
    for one in said:
        usage = one["usage"]
        assert usage["prompt_tokens"] == len(prompt) // 4
        assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"]
        assert one["choices"][0]["finish_reason"] == "stop"
    for name in ("max_tokens", "max_completion_tokens"):
        limited = post(server, CHAT, {"messages": [{"role": "user", "content": prompt}], name: 1})[
            1
        ]
        assert (limited["choices"][0]["finish_reason"], limited["usage"]["completion_tokens"]) == (
            "length",
            1,
        )


def test_another_seed_answers_other_questions_right_whatever_the_correlation(
    tmp_path: Path,
) -> None:
    asked, curve = rows(60), (2.0, 1 / (400 * 0.693))
    path = profile(tmp_path, en=curve, te=curve)
    for correlation in (0.0, 1.0):
        found = [right(Simulator(path, seed, correlation), asked) for seed in (1, 2)]
        assert found[0] != found[1]
        assert found[0] == right(Simulator(path, 1, correlation), asked)
        pairs = Counter(zip(found[0][::2], found[0][1::2]))
        assert (pairs[True, False] + pairs[False, True] == 0) == (correlation == 1.0)


def test_of_wrong_answers_some_cannot_be_read_in_every_way(tmp_path: Path) -> None:
    """Six in a hundred, and none of the others is right by accident."""
    simulator = Simulator(profile(tmp_path, en=(2.0, 1e9), te=(2.0, 1e9)))
    statuses = Counter(
        xm.grade(
            simulator.answer(row["prompt"], json.loads(row["reference"])), row["reference"]
        ).status
        for row in rows(400)
    )
    assert statuses["correct"] == 0
    unread = {name: statuses[name] for name in ("no_answer", "bad_format", "truncated")}
    assert 0.03 < sum(unread.values()) / 800 < 0.09
    assert sum(map(bool, unread.values())) >= 2


@pytest.mark.parametrize("condition", ["plain", "length_matched", "english_rules", "romanised"])
def test_a_prompt_in_english_is_answered_as_english(condition: str) -> None:
    reference = {"task": "slt", "language": "te", "complexity": 9, "answer": {"chain": [1]},
                 "instance_id": "i", "condition": condition}  # fmt: skip
    found = from_reference(reference)
    assert found is not None
    assert found.language == ("en" if condition == "length_matched" else "te")
    assert (found.task, found.complexity, found.question) == ("slt", 9, "i")
    assert from_reference({**reference, "task": "unpuzzles"}) is None
