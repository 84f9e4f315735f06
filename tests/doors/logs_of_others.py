"""Logs in the forms of verifiers and every_eval_ever, written by hand from their schemas."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Asked:
    """A question and what was answered.

    Attributes:
        data: what the tool logs of the question.
        measures: of the answer.
        response: ``None`` if the request failed.
    """

    name: str
    prompt: str
    response: str | None
    data: dict[str, str] = field(default_factory=dict)
    measures: dict[str, float] = field(default_factory=dict)
    target: str = ""


def write_traces(folder: Path, asked: Iterable[Asked], model: str = "some-model") -> Path:
    """``traces.jsonl`` of verifiers 0.4, schema 1 of its traces."""
    lines = []
    for number, one in enumerate(asked):
        data = {"idx": number, "id": one.name, "prompt": one.prompt, "answer": one.target}
        task = {"type": "XlgoTask", "data": data | one.data, "key": one.name, "hash": "0"}
        nodes = [{"message": {"role": "user", "content": one.prompt}, "sampled": False}]
        if one.response is not None:
            said = {"role": "assistant", "content": one.response}
            nodes.append({"parent": 0, "message": said, "sampled": True})
        usage = {"prompt_tokens": 7, "completion_tokens": 3}
        lines.append({
            "id": str(number), "env": {"id": "xlgo"}, "task": task, "ok": one.response is not None,
            "traces": [{
                "version": 1, "task": task, "nodes": nodes, "ok": one.response is not None,
                "agent": {"config": {"model": model, "harness": {"id": "null"}}},
                "calls": [{"node": 1, "finish_reason": "stop", "usage": usage}],
                "metrics": one.measures, "timing": {"start": 1795394412.8},
            }],
        })  # fmt: skip
    path = folder / "run" / "traces.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def write_instances(folder: Path, asked: Iterable[Asked], model: str = "lab/model") -> Path:
    """A run of every_eval_ever 0.3.0 without our own metadata."""
    stem = "7cb8be3d-3d08-4ea7-9290-87aae5e5ec30"
    lines = [
        {
            "schema_version": "0.3.0", "evaluation_id": "sums/lab/model/1795394412",
            "model_id": model, "evaluation_name": "sums", "sample_id": one.name,
            "interaction_type": "single_turn", "input": {"raw": one.prompt, "reference": ["1"]},
            "output": {"raw": [one.response or ""]}, "answer_attribution": [],
            "evaluation": {"score": right, "is_correct": right == 1.0}, "metadata": one.data,
        }
        for one in asked for right in one.measures.values()
    ]  # fmt: skip
    path = folder / f"{stem}_samples.jsonl"
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    run = {"evaluation_id": "sums/lab/model/1795394412", "retrieved_timestamp": "1795394412"}
    counted = {"detailed_evaluation_results": {"total_rows": len(lines)}}
    (folder / f"{stem}.json").write_text(json.dumps(run | counted), "utf-8")
    return path
