"""Results in the form of every_eval_ever (schema 0.3.0): a run and its answers, by language.

Each task and language is a result of its own. Each answer has its language and instance id in its
metadata, and its reference, so that ``xlgo report`` reads the same numbers back.
"""

from __future__ import annotations

import hashlib
import json
import re
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import datetime, timezone
from pathlib import Path
from typing import Literal, get_args, get_type_hints

from xlgo_lm_eval.replies import sha256_of
from xlgo_metric.core import PLAIN, condition
from xlgo_metric.family import family, grade_safely
from xlgo_metric.version import __version__

from ...folders import explained, replacing, write_json
from ...logs.graded_run import GradedRun
from ..samples import GradedAnswer, graded_answers

SCHEMA = "0.3.0"
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True)
class About:
    """What no log says of a run.

    Attributes:
        organization: who evaluated.
        relationship: of the evaluator and the model: ``first_party``, ``third_party``,
            ``collaborative`` or ``other``.
        developer: of the model, where its name does not begin with it.
        deployment: ``self_deployed``, ``externally_managed`` or ``unknown``.
        weights: ``open_weights``, ``closed_weights`` or ``unknown``.
        dataset: name of the dataset on the Hub (owner/name), if the questions are published.
    """

    organization: str = "unknown"
    relationship: Literal["first_party", "third_party", "collaborative", "other"] = "other"
    developer: str = ""
    deployment: Literal["self_deployed", "externally_managed", "unknown"] = "unknown"
    weights: Literal["open_weights", "closed_weights", "unknown"] = "unknown"
    dataset: str = ""

    @classmethod
    def of(cls, given: Mapping[str, object]) -> About:
        """The values that were given as ``KEY=VALUE``.

        Raises:
            ValueError: an unknown key, or a value that is not allowed.
        """
        names, kinds = [one.name for one in fields(cls)], get_type_hints(cls)
        for name, value in given.items():
            if name not in names:
                raise ValueError(f"--about: unknown key {name!r}: allowed are {', '.join(names)}")
            if (allowed := get_args(kinds[name])) and value not in allowed:
                raise ValueError(f"--about: {name} is {value!r}: allowed are {', '.join(allowed)}")
        return cls(**{name: str(value) for name, value in given.items()})  # type: ignore[arg-type]


@dataclass
class _Result:
    """One task in one language under one condition."""

    task: str
    language: str
    condition: str
    right: int = 0
    asked: int = 0

    @property
    def name(self) -> str:
        """As the configuration of the dataset, and the condition if there is one."""
        plain = f"{self.task}_{self.language}"
        return plain if self.condition == PLAIN else f"{plain}:{self.condition}"


def write_every_eval_ever(scored: GradedRun, out: Path, about: About = About()) -> Path:
    """Write ``data/xlgo/<developer>/<model>/<id>.json`` and ``<id>_samples.jsonl`` below ``out``.

    The same answers give the same bytes. Families whose answers are not correct or incorrect are
    left out, and answers that wait for a judge.

    Returns:
        The path of the JSON.

    Raises:
        ValueError: there is no answer to write, or the folder cannot be written.
    """
    name = scored.run.model
    head, _, tail = name.rpartition("/")
    developer, model = head.rpartition("/")[2] or about.developer or "unknown", tail
    model_id = f"{developer}/{model}"
    began = datetime.strptime(scored.run.date[:19], "%Y-%m-%dT%H-%M-%S").replace(
        tzinfo=timezone.utc
    )
    run_id = f"xlgo/{model_id}/{int(began.timestamp())}"
    digest = hashlib.sha256(f"{run_id}|{scored.score['signature']}".encode()).digest()
    folder = Path("data", "xlgo", _UNSAFE.sub("-", developer), _UNSAFE.sub("-", model))
    stem = str(uuid.UUID(bytes=digest[:16], version=4))
    path = out / folder / f"{stem}.json"
    lines = path.with_name(f"{stem}_samples.jsonl")
    version = scored.run.info.get("lm_eval_version")
    results: dict[str, _Result] = {}
    with (
        explained("write", path),
        replacing(lines) as temporary,
        temporary.open("w", encoding="utf-8", errors="replace") as file,
    ):
        for row in _rows(scored, run_id, model_id, results):
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
        if not results:
            raise ValueError(f"{name}: no answer is right or wrong: there is nothing to write")
    with explained("write", path):
        document = {
            "schema_version": SCHEMA,
            "evaluation_id": run_id,
            "evaluation_timestamp": began.isoformat(),
            "retrieved_timestamp": str(int(began.timestamp())),
            "source_metadata": {
                "source_name": "xlgo", "source_type": "evaluation_run",
                "source_organization_name": about.organization,
                "evaluator_relationship": about.relationship,
            },
            "eval_library": {
                "name": "xlgo", "version": __version__,
                "additional_details": {"lm_eval": str(version)} if version else {},
            },
            "model_info": {
                "name": name, "id": model_id, "developer": developer,
                "additional_details": {
                    "deployment_type": about.deployment, "model_availability": about.weights,
                },
            },
            "evaluation_results": [_result(one, scored, about) for one in results.values()],
            "detailed_evaluation_results": {
                "format": "jsonl", "file_path": (folder / lines.name).as_posix(),
                "hash_algorithm": "sha256", "checksum": sha256_of(lines),
                "total_rows": sum(one.asked for one in results.values()),
            },
        }  # fmt: skip
        write_json(path, document)
    return path


def _rows(
    scored: GradedRun, run_id: str, model_id: str, results: dict[str, _Result]
) -> Iterator[dict[str, object]]:
    """The answers, one after the other; ``results`` counts them."""
    for found in graded_answers(scored):
        (name, task, language, _, repeat), record = found.key, found.record
        undecided = record.grade.status == "needs_judge"
        if not family(name).is_binary or undecided or record.grade.is_missing:
            continue
        result = _Result(task, language, condition(record.reference))
        result = results.setdefault(result.name, result)
        result.right += record.grade.correct
        result.asked += 1
        yield _row(found, result.name, run_id, model_id, repeat)


def _row(
    found: GradedAnswer, result: str, run_id: str, model_id: str, repeat: int
) -> dict[str, object]:
    sample, grade = found.sample, found.record.grade
    reference = sample.reference
    target = _json(reference.get("answer"))
    tokens = found.reply.tokens
    usage = dict(
        zip(("input_tokens", "output_tokens", "total_tokens"), (*tokens, sum(tokens)))
        if tokens
        else ()
    )
    metadata = {
        "language": found.key[2],
        "instance_id": str(reference.get("instance_id", found.key[3])),
        "status": grade.status,
        "repeat": str(repeat),
        **{name: str(reference[name]) for name in ("complexity", "level") if name in reference},
        **({"finish": found.reply.finish} if found.reply.finish else {}),
        "xlgo_reference": _json(sample.graded_by),
    }
    hashed = hashlib.sha256((sample.prompt + target).encode("utf-8", "replace")).hexdigest()
    extracted = grade.answer
    if extracted is None:  # records of puzzles are kept without what was read
        grader = family(found.key[0]).grade
        extracted = grade_safely(
            grader, sample.response, sample.graded_by, where=sample.where
        ).answer
    answer = {
        "turn_idx": 0,
        "source": "output.raw",
        "extracted_value": _json(extracted),
        "extraction_method": "xlgo",
        "is_terminal": True,
    }
    return {
        "schema_version": SCHEMA,
        "evaluation_id": run_id,
        "model_id": model_id,
        "evaluation_name": result,
        "evaluation_result_id": result,
        "sample_id": f"{metadata['instance_id']}-{found.key[2]}",
        "sample_hash": hashed,
        "interaction_type": "single_turn",
        "input": {"raw": sample.prompt, "reference": [target]},
        "output": {"raw": [sample.response or ""]},
        "answer_attribution": [] if extracted is None else [answer],
        "evaluation": {"score": float(grade.correct), "is_correct": grade.correct},
        **({"token_usage": usage} if tokens else {}),
        "metadata": metadata,
    }


def _result(one: _Result, scored: GradedRun, about: About) -> dict[str, object]:
    headline = scored.score["headline"]
    gaps = {
        measure: _json(value)
        for measure in ("diff", "p", "smd")
        if one.condition == PLAIN
        and (value := headline.get(f"{one.task}_{measure}_{one.language}")) is not None
    }
    source: dict[str, object] = {
        "dataset_name": "xlgo",
        "source_type": "hf_dataset" if about.dataset else "other",
        "additional_details": {"config": f"{one.task}_{one.language}", "language": one.language},
    }
    if about.dataset:
        source |= {"hf_repo": about.dataset}
    return {
        "evaluation_result_id": one.name,
        "evaluation_name": one.name,
        "source_data": source,
        "metric_config": {
            "evaluation_description": f"Accuracy of {one.task} in {one.language}",
            "metric_id": "accuracy", "metric_name": "Accuracy", "metric_kind": "accuracy",
            "metric_unit": "proportion", "lower_is_better": False, "score_type": "continuous",
            "min_score": 0.0, "max_score": 1.0,
        },
        "score_details": {
            "score": one.right / one.asked,
            "details": {
                "language": one.language, "condition": one.condition,
                "signature": scored.score["signature"], **gaps,
            },
            "uncertainty": {"num_samples": one.asked},
        },
        "generation_config": {"additional_details": {"settings": scored.score["generation"]}},
    }  # fmt: skip


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
