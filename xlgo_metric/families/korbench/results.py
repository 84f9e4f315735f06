"""Read the authors' result files: one JSONL per model, category and setting.

A file is called ``<model>_<category>_<setting>.jsonl``; a line holds at least ``idx``, ``rule_id``,
``answer`` and ``response`` (of mixed settings ``question_list``, ``answer`` as a list, and
``response``). Each line is graded against the answer that it holds itself: some answers changed
after the runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from ...core import allowed_name
from ...family import LoggedAnswer
from ...json_lines import json_lines
from .names import CATEGORIES, MODES

MIXED = {
    "multi-q": "kor_multi_q",
    "multi-r": "kor_multi_r",
    "multi-rq": "kor_multi_rq",
    "multi-rq-hard": "kor_multi_rq_hard",
}
"""Mixed settings by the word in a file's name, and their tasks."""

QUESTIONS_A_RULE = 10
_NAME = re.compile(
    rf"(?P<model>.+?)[_-](?P<category>{'|'.join((*CATEGORIES, 'mixed', *MIXED))})"
    r"(?:[_-](?P<setting>.+))?",
    re.IGNORECASE,
)


def read_results(folder: str | Path, mode: str = "default") -> Iterator[LoggedAnswer]:
    """Every line of every result file in a folder and below it.

    Args:
        folder: a folder, or one file.
        mode: ``default``, ``paper`` or ``stored``; it goes into the references.

    Yields:
        Answers, whose responses are ``None`` where the file holds no text, as for failed requests.
        Their references name ``model`` and ``setting``; ``shots`` is 3 where the setting says so.

    Raises:
        ValueError: an unknown mode, no result files, or a line that is malformed; file and line
            are named.
    """
    allowed_name(mode, "mode", MODES)
    root = Path(folder)
    if not root.exists():
        raise ValueError(f"{root}: there is no such file or folder")
    files = [root] if root.is_file() else sorted(root.rglob("*.jsonl"))
    named = [(path, match) for path in files if (match := _NAME.fullmatch(path.stem))]
    if not named:
        raise ValueError(
            f"{root} has no result files: needed are <model>_<category>_<setting>.jsonl with a "
            f"category of {', '.join((*CATEGORIES, *MIXED))}"
        )
    for path, match in named:
        yield from _file(path, match, mode)


def _file(path: Path, match: re.Match[str], mode: str) -> Iterator[LoggedAnswer]:
    category = match["category"].lower()
    setting = (match["setting"] or "").replace("_", "-")
    if category == "mixed":
        category = setting.lower()
    elif setting.lower() == "hard":
        category += "-hard"
    few = setting.startswith("three")  # so were base models asked, and chats without examples
    origin = {
        "family": "korbench", "language": "en", "model": match["model"], "setting": setting,
        "mode": mode, "shots": 3 if few else 0, "asked": "completion" if few else "chat",
    }  # fmt: skip
    yield from json_lines(path, lambda _, row: _answer(row, category, origin))


def _answer(row: Mapping[str, object], category: str, origin: Mapping[str, object]) -> LoggedAnswer:
    if "response" not in row:
        raise ValueError("no 'response'")
    response = row["response"] if isinstance(row["response"], str) else None
    idx = _text(row, "idx")
    if "question_list" in row:
        reference = {"task": MIXED.get(category, "kor_multi"), "category": "mixed", "idx": idx,
                 "questions": _questions(row), "answer": row["answer"]}  # fmt: skip
    else:
        if category not in CATEGORIES:
            raise ValueError(f"no 'question_list', which the setting {category!r} needs")
        reference = {"task": f"kor_{category}", "category": category, "idx": idx,
                 "rule_id": _text(row, "rule_id"), "answer": _text(row, "answer")}  # fmt: skip
        if row.get("real_life_answer") is not None:
            reference["real_life_answer"] = _text(row, "real_life_answer")
        if row.get("step") is not None:
            reference |= {
                "task": "kor_cipher_steps",
                "step": row["step"],
                "type": str(row.get("type") or "untyped"),
            }
        elif "trick" in str(origin["setting"]):
            reference["task"] = "kor_puzzle_trick"
    step = f"-{reference['step']}" if "step" in reference else ""
    name = f"{reference['task']}-{idx}{step}-{origin['model']}-{origin['setting']}"
    return LoggedAnswer(None, response, {**origin, **reference, "instance_id": name})


def _text(row: Mapping[str, object], key: str) -> str:
    value = row.get(key)
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise ValueError(f"{key!r} must be text, got {value!r}"[:200])
    return str(value)


def _questions(row: Mapping[str, object]) -> list[dict[str, str]]:
    """The questions of a mixed line; the rule of a question follows from its number."""
    names, answers = row["question_list"], row.get("answer")
    if not isinstance(names, list) or not isinstance(answers, list) or len(names) != len(answers):
        raise ValueError("'question_list' and 'answer' must be lists of the same length")
    result = []
    for name, answer in zip(names, answers, strict=True):
        category, _, idx = str(name).rpartition("_")
        if category not in CATEGORIES or not (idx.isascii() and idx.isdecimal() and int(idx) > 0):
            raise ValueError(f"{name!r} is not written as <category>_<number>, like operation_29")
        rule = (int(idx) - 1) // QUESTIONS_A_RULE + 1
        result.append(
            {"category": category, "rule_id": str(rule), "idx": idx, "answer": str(answer)}
        )
    return result
