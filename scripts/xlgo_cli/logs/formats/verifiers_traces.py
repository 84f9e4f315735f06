"""Traces of verifiers: ``traces.jsonl`` of ``vf-eval``, an episode a line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path

from ..lines import mapping, tokens_of
from . import VERIFIERS, Logged, first, line_at, lines, objects, single_values, text

_STOPPED = ("max_turns", "max_input_tokens", "max_output_tokens", "max_total_tokens")


def describe(path: Path) -> tuple[str, str, dict[str, object]]:
    """Task, date and description of a run, in the form that the harness has for it."""
    episode = first(path)
    trace = next(iter(objects(episode.get("traces"))), {})
    config = mapping(mapping(trace.get("agent")).get("config"))
    begun = mapping(trace.get("timing")).get("start")
    moment = begun if isinstance(begun, (int, float)) else path.stat().st_mtime
    date = datetime.fromtimestamp(moment, timezone.utc).strftime("%Y-%m-%dT%H-%M-%S")
    task = text(mapping(episode.get("env")).get("id")) or path.parent.name
    sampling = mapping(config.get("sampling"))
    return task, date, {
        "model_name": text(config.get("model")) or "unknown",
        "config": {
            "model": VERIFIERS,
            "model_args": {"harness": mapping(config.get("harness")).get("id")},
            "gen_kwargs": {name: value for name, value in sampling.items() if value is not None},
        },
        "n-samples": {task: {"effective": sum(1 for _ in lines(path))}},
    }  # fmt: skip


def read(path: Path) -> Iterator[Logged | Exception]:
    """The answers of a log; an episode that failed has no response."""
    seen = Counter[str]()
    for number, place, episode in lines(path):
        if isinstance(episode, ValueError):
            yield ValueError(f"line {number}: {episode}")
            continue
        found = _logged(number, place, episode, seen)
        seen[found.question] += 1
        yield found


def at(path: Path, place: int) -> Logged:
    """The episode in the line that begins at a byte."""
    return _logged(0, place, line_at(path, place), Counter())


def _logged(number: int, place: int, episode: dict[str, object], seen: Counter[str]) -> Logged:
    task = mapping(episode.get("task"))
    task_data = mapping(task.get("data"))
    question = text(task.get("key")) or text(task.get("hash")) or str(number)
    trace = next(iter(objects(episode.get("traces"))[::-1]), {})
    sampled = [mapping(node.get("message")) for node in objects(trace.get("nodes"))
            if node.get("sampled")]  # fmt: skip
    calls = objects(trace.get("calls"))
    last_call = calls[-1] if calls else {}
    whole_trace = trace.get("ok") is True and sampled
    measures = {name: float(value) for name, value in mapping(trace.get("metrics")).items()
                if isinstance(value, (int, float))}  # fmt: skip
    for name, reward in mapping(trace.get("rewards")).items():
        score = mapping(reward).get("score")
        if isinstance(score, (int, float)):
            measures.setdefault(name, float(score))
    reference = task_data.get("reference")
    truncated = (
        trace.get("stop_condition") in _STOPPED or last_call.get("finish_reason") == "length"
    )
    return Logged(
        number,
        place,
        question,
        _prompt(task_data.get("prompt")),
        text(task_data.get("answer")),
        text(sampled[-1].get("content")) if whole_trace else None,
        single_values(task_data),
        measures,
        reference if isinstance(reference, str) else None,
        seen[question],
        finish="length" if truncated else text(last_call.get("finish_reason")) or None,
        reasoning=text(sampled[-1].get("reasoning_content")) or None if whole_trace else None,
        tokens=tokens_of(last_call.get("usage")),
    )


def _prompt(value: object) -> str:
    return value if isinstance(value, str) else "\n\n".join(
        text(message.get("content")) for message in objects(value)
    )  # fmt: skip
