"""Answer files of KOR-Bench's authors, a model, category and setting each.

``results/<model>_<category>_<setting>.jsonl`` has a question a line, with its ``tag`` and in
self-correction the ``history`` of extracted answers; ``eval/results/evaluation_<…>.jsonl.json`` is
one list. Each answer is graded against the answer beside it: some changed after the runs.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path

from ...family import LoggedAnswer
from . import CATEGORIES, CORRECTION, STEPS, TRICK

MIXED = {
    "multi-q": "kor_multi_q",
    "multi-r": "kor_multi_r",
    "multi-rq": "kor_multi_rq",
    "multi-rq-hard": "kor_multi_rq_hard",
}
"""Mixed settings by the words in a file's name, and their tasks."""

ROUNDS = 5
"""Answers at most in self-correction, the first included (appendix F.4.1)."""

QUESTIONS_A_RULE = 10
_NAME = re.compile(
    rf"(?:evaluation_)?(?P<model>.+?)[_-](?P<category>{'|'.join((*CATEGORIES, 'mixed', *MIXED))})"
    r"(?:[_-](?P<setting>.+?))?\.jsonl(?P<list>\.json)?",
    re.IGNORECASE,
)
_BESIDE_PLAIN = ("", "zero-shot", "trick", "subquestions", "hard", *MIXED)
"""Settings whose tasks are their own, so that they belong to the run of the plain questions."""


def identified(path: Path) -> tuple[str, str]:
    """Task and model of a file. A model that was asked in several ways counts as several."""
    model, category, setting = _name_parts(path)
    way = setting.removeprefix("self-correction").lower().strip("-")
    return f"{category}_{setting}", model if way in _BESIDE_PLAIN else f"{model} ({way})"


def _name_parts(path: Path) -> tuple[str, str, str]:
    """Model, category and setting by a file's name; of mixed ones the category is the setting."""
    match = _NAME.fullmatch(path.name)
    if match is None:
        raise ValueError(f"{path}: is not called <model>_<category>_<setting>.jsonl")
    category = match["category"].lower()
    setting = (match["setting"] or "").replace("_", "-")
    if category == "mixed":
        category = setting.lower()
    elif setting.lower() == "hard":
        category += "-hard"
    return match["model"], category, setting


def logged(path: Path, row: Mapping[str, object], number: int, mode: str) -> LoggedAnswer:
    """The answer in a record, to be graded by ``mode``.

    Raises:
        ValueError: the record is not as it should be.
    """
    _, category, setting = _name_parts(path)
    if "response" not in row:
        raise ValueError("no 'response'")
    idx = _text(row, "idx")
    few = setting.startswith("three")  # so were base models asked, and chats without examples
    reference: dict[str, object] = {
        "family": "korbench", "task": f"kor_{category}", "language": "en", "category": category,
        "idx": idx, "mode": mode, "shots": 3 if few else 0,
        "asked": "completion" if few else "chat",
    }  # fmt: skip
    name = idx
    if "question_list" in row:
        task = MIXED.get(category, "kor_multi")
        reference |= {"task": task, "category": "mixed", "questions": _questions(row)}
        reference["answer"] = row["answer"]
    elif category not in CATEGORIES:
        raise ValueError(f"no 'question_list', which the setting {category!r} needs")
    else:
        rule = _text(row, "rule_id") if "rule_id" in row else rule_of(idx)
        reference |= {"answer": _text(row, "answer"), "rule_id": rule}
    more = [key for key in ("tag", "real_life_answer") if row.get(key) is not None]
    reference |= {key: _text(row, key) for key in more}
    response = row["response"] if isinstance(row["response"], str) else None
    if row.get("step") is not None:
        reference |= {"task": STEPS, "step": row["step"], "type": str(row.get("type") or "untyped")}
        name = f"{idx}-{row['step']}"
    elif "trick" in setting:
        reference["task"] = TRICK
    elif setting.startswith("self-correction"):
        name = f"{category}-{idx}"
        reference |= {"task": CORRECTION, "feedback": "oracle"}
        if "history" in row:  # else only the end of the chain is known
            earlier = _earlier(row["history"])
            reference["rounds"] = ROUNDS
            texts = [*earlier[: ROUNDS - 1], response]
            rounds = [{"text": text, "state": "answered"} for text in texts]
            response = response and json.dumps({"rounds": rounds})
    if "onlyquestion" in setting:
        reference["rule_shown"] = False
    reference["instance_id"] = f"{reference['task']}-{name}"
    error = None if response is not None else str(row["response"])
    prompt = text if isinstance(text := row.get("prompt"), str) else ""
    return LoggedAnswer(prompt, response, reference, error=error)


def _earlier(history: object) -> list[str]:
    """The extracted answers of the earlier rounds, in order.

    Raises:
        ValueError: the history is no list or object of rounds.
    """
    turns = list(history.values()) if isinstance(history, dict) else history
    if not isinstance(turns, list) or not all(isinstance(turn, dict) for turn in turns):
        raise ValueError(f"'history' must be a list or object of rounds, got {history!r}"[:200])
    return [str(turn.get("response") or "") for turn in turns]


def rule_of(idx: str) -> str:
    """The rule of a question, which follows from its number.

    Raises:
        ValueError: it is no number from 1.
    """
    if not (idx.isascii() and idx.isdecimal() and int(idx) > 0):
        raise ValueError(f"{idx!r} is no number of a question")
    return str((int(idx) - 1) // QUESTIONS_A_RULE + 1)


def _text(row: Mapping[str, object], key: str) -> str:
    value = row.get(key)
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise ValueError(f"{key!r} must be text, got {value!r}"[:200])
    return str(value)


def _questions(row: Mapping[str, object]) -> list[dict[str, str]]:
    names, answers = row["question_list"], row.get("answer")
    if not isinstance(names, list) or not isinstance(answers, list) or len(names) != len(answers):
        raise ValueError("'question_list' and 'answer' must be lists of the same length")
    questions = []
    for name, gold in zip(names, answers, strict=True):
        category, _, idx = str(name).rpartition("_")
        if category not in CATEGORIES:
            raise ValueError(f"{name!r} is not written as <category>_<number>, like operation_29")
        rule = rule_of(idx)
        questions.append({"category": category, "rule_id": rule, "idx": idx, "answer": str(gold)})
    return questions
