"""Traces of verifiers: ``traces.jsonl`` of ``vf-eval``, an episode a line."""

from __future__ import annotations

from pathlib import Path

from ..lines import LogLine, mapping, tokens_of
from . import VERIFIERS, answer, changed, first, line_of, lines, numbers, objects, text

_STOPPED = ("max_turns", "max_input_tokens", "max_output_tokens", "max_total_tokens")


def describe(path: Path) -> tuple[str, str, dict[str, object]]:
    """Task, date and description of a run, in the form that the harness has for it."""
    episode = first(path)
    trace = next(iter(objects(episode.get("traces"))), {})
    config = mapping(mapping(trace.get("agent")).get("config"))
    task = text(mapping(episode.get("env")).get("id")) or path.parent.name
    sampling = mapping(config.get("sampling"))
    return task, changed(path), {
        "model_name": text(config.get("model")) or "unknown",
        "config": {
            "model": VERIFIERS,
            "model_args": {"harness": mapping(config.get("harness")).get("id")},
            "gen_kwargs": {name: value for name, value in sampling.items() if value is not None},
        },
        "n-samples": {task: {"effective": sum(1 for _ in lines(path))}},
    }  # fmt: skip


def line(episode: dict[str, object]) -> LogLine:
    """An episode as a line of the harness; the answer of one that failed is missing."""
    task = mapping(episode.get("task"))
    data = mapping(task.get("data"))
    trace = next(iter(objects(episode.get("traces"))[::-1]), {})
    message = next(
        (
            mapping(node.get("message"))
            for node in objects(trace.get("nodes"))[::-1]
            if node.get("sampled")
        ),
        {},
    )
    call = next(iter(objects(trace.get("calls"))[::-1]), {})
    rewards = mapping(trace.get("rewards"))
    scores = {name: mapping(reward).get("score") for name, reward in rewards.items()}
    finish = "length" if trace.get("stop_condition") in _STOPPED else call.get("finish_reason")
    return line_of(
        text(task.get("key")) or text(task.get("hash")),
        _prompt(data.get("prompt")),
        text(data.get("answer")),
        answer(
            text(message.get("content")),
            text(finish),
            thinking=text(message.get("reasoning_content")),
            tokens=tokens_of(call.get("usage")),
            error=None if trace.get("ok") is True and message else "the episode failed",
        ),
        fields=data,
        measures=numbers(scores) | numbers(mapping(trace.get("metrics"))),
        reference=data.get("reference"),
    )


def _prompt(value: object) -> str:
    return (
        value
        if isinstance(value, str)
        else "\n\n".join(text(message.get("content")) for message in objects(value))
    )
