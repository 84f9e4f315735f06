"""Logs as lm-evaluation-harness writes them, with answers whose grades are known beforehand."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import xlgo_dataset as xd

DATE = "2026-03-01T10-00-00.000001"
LATER = "2026-03-02T10-00-00.000001"
LANGUAGES = ("en", "ar", "te")
LEVELS, PER_LEVEL = 4, 6
RIGHT = {"en": (6, 6, 4, 1), "ar": (6, 5, 3, 0), "te": (6, 3, 0, 0)}
"""Correct answers of each level, of ``PER_LEVEL``."""

KINDS = ("wrong", "no_answer", "bad_format", "truncated")
WRONG = (
    '{"chain": [0]}',
    "لا أعرف <script>alert()</script>",
    '{"chain": [unknown]}',
    "<think>and so on and on",
)
"""Not right; each has the status of ``KINDS`` at the same place."""
INCORRECT = {
    "slt": WRONG[0],
    "dsa": '{"state": "A1000"}',
    "t_rank": '{"ranking": ["A1000"]}',
}


def rows(
    task: str = "slt", languages: tuple[str, ...] = LANGUAGES, **options: Any
) -> list[dict[str, Any]]:
    """A small dataset: ``LEVELS`` levels of ``PER_LEVEL`` questions where no option says more."""
    usual = {"levels": LEVELS, "per_level": PER_LEVEL, "c_min": 4, "c_max": 16}
    return list(xd.family_of(task).rows(task, languages, split="test", **usual | options))


def response(row: dict[str, Any]) -> str:
    """Right for the first ``RIGHT`` questions of a level; else one of ``WRONG`` in turn."""
    if row["index"] < RIGHT[row["language"]][row["level"]]:
        return f"<think>\nLet me see.\n</think>\n{row['answer']}"
    return WRONG[row["index"] % len(WRONG)]


def sample(
    row: dict[str, Any], text: str | None, number: int = 0, **changes: Any
) -> dict[str, Any]:
    """One line of a samples file of lm-eval 0.4.13, the prompt in the request only."""
    return {
        "doc_id": number,
        "doc": {"id": row["id"], "language": row["language"], "reference": row["reference"]},
        "target": row["answer"],
        "arguments": {"gen_args_0": {"arg_0": row["prompt"], "arg_1": {"until": ["</s>"]}}},
        "resps": [[text]],
        "filtered_resps": [text],
        "filter": "none",
        "metrics": ["acc"],
        "doc_hash": "d",
        "prompt_hash": "p",
        "target_hash": "t",
        "acc": 1.0,
        **changes,
    }


def write_lines(path: Path, lines: list[Any]) -> Path:
    """A JSONL file; lines that are bytes are written as they are."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        for line in lines:
            file.write(line if isinstance(line, bytes) else json.dumps(line).encode())
            file.write(b"\n")
    return path


def write_run(
    folder: Path,
    *,
    model: str = "acme/lingua",
    date: str = DATE,
    task: str = "slt",
    languages: tuple[str, ...] = LANGUAGES,
    samples: list[Any] | None = None,
) -> Path:
    """A results folder as lm-eval leaves it; returns the file of samples."""
    name = model.replace("/", "__")
    if samples is None:
        samples = [sample(row, response(row), n) for n, row in enumerate(rows(task, languages))]
    info = {
        "results": {},
        "config": {"model": "hf", "model_args": f"pretrained={model}", "limit": None},
        "model_source": "hf",
        "model_name": model,
        "lm_eval_version": "0.4.13",
    }
    path = write_lines(folder / name / f"samples_xlgo_{task}_{date}.jsonl", samples)
    (folder / name / f"results_{date}.json").write_text(json.dumps(info), "utf-8")
    return path


def write_answers(
    folder: Path,
    asked: Iterable[dict[str, Any]],
    is_right: Callable[[dict[str, Any]], bool | None],
    **about: Any,
) -> Path:
    """A results folder of these rows, each answered correctly, incorrectly or (``None``) not."""
    samples: dict[str, list[Any]] = defaultdict(list)
    for row in asked:
        right, own = is_right(row), samples[row["task"]]
        text = row["answer"] if right else None if right is None else INCORRECT[row["task"]]
        own.append(sample(row, text, len(own)))
    for task, lines in samples.items():
        write_run(folder, task=task, samples=lines, **about)
    return folder
