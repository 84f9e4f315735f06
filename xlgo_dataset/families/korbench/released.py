"""Rows of the tasks whose questions are loaded: prompts and references for grading.

Rows are ordered so that any first part of them holds all rules alike: the first question of every
rule, then the second of every rule, and so on.
"""

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from ...core import Options, Row, row_of
from . import prompts
from .loading import CATEGORIES, SETTINGS, STEPS_PART, Data

NAME = "korbench"
SPLIT = "test"
LANGUAGE = "en"
CATEGORY_TASKS: Mapping[str, str] = {f"kor_{category}": category for category in CATEGORIES}
TRICK, STEPS, CORRECTION = "kor_puzzle_trick", "kor_cipher_steps", "kor_self_correction"
TASKS: tuple[str, ...] = (*CATEGORY_TASKS, TRICK, *SETTINGS, STEPS, CORRECTION)


def rows(task: str, data: Data, options: Options) -> Iterator[Row]:
    """The shared columns of one task.

    Args:
        task: one of ``TASKS``.
        data: where the questions come from.
        options: checked: ``shots``, ``rules``; ``categories``, ``rounds`` and ``needle`` of
            self-correction.

    Raises:
        ValueError: the data lack a file, a column, a rule or examples.
    """
    if task in CATEGORY_TASKS:
        category, rules = CATEGORY_TASKS[task], options.get("rules", True)
        yield from _questions(task, data, category, shots=options["shots"], rules=rules)
    elif task == TRICK:
        yield from _questions(task, data, "puzzle", trick=True)
    elif task == STEPS:
        yield from _steps(data)
    elif task == CORRECTION:
        corrected = {"rounds": options["rounds"], "needle": options["needle"]}
        rows_of = (
            _questions(task, data, name, **corrected) for name in options["categories"].split(",")
        )
        yield from sorted(itertools.chain.from_iterable(rows_of), key=lambda row: row["index"])
    else:
        yield from _mixed(task, data)


def _questions(
    task: str,
    data: Data,
    category: str,
    *,
    shots: int = 0,
    trick: bool = False,
    rules: bool = True,
    rounds: int = 0,
    needle: bool = False,
) -> Iterator[Row]:
    for index, item in _in_turn(data.rows(f"{category}-sample"), lambda row: str(row["rule_id"])):
        rule_id = str(item["rule_id"])
        if trick and not item.get("trick"):
            raise ValueError(
                f"{TRICK}: puzzle {item['idx']} has no 'trick'; run kor_puzzle, which needs none"
            )
        prompt = prompts.question_prompt(
            category,
            data.rule(category, rule_id) if rules else "",
            str(item["question"]),
            examples=_examples(data, category, rule_id, shots),
            trick=str(item["trick"]) if trick else "",
        )
        reference = {**_item(category, item), "shots": shots}
        if tag := data.rules(category).get(rule_id, {}).get("tag"):
            reference["tag"] = str(tag)
        if not rules:
            reference["rule_shown"] = False
        wording = (f"-{shots}shot" if shots else "") + ("" if rules else "-norules")
        wording += "-needle" if needle else ""
        name, correction = str(item["idx"]), Row()
        if rounds:
            sentences = _needle(category, item) if needle else []
            name = f"{category}-{name}"
            correction = {
                "rounds": rounds,
                "feedback": "oracle",
                "needle": sentences,
                "retry": prompts.retry_message(sentences),
            }
        yield _row(
            task, name, prompt, reference, data,
            level=_number(rule_id), index=index, wording=wording, **correction,
        )  # fmt: skip


def _item(category: str, item: Mapping[str, object]) -> Row:
    """What grading needs to know of one question."""
    result = {
        "category": category,
        "rule_id": str(item["rule_id"]),
        "idx": str(item["idx"]),
        "answer": str(item["answer"]),
    }
    if category == "counterfactual":
        result["real_life_answer"] = str(item["real_life_answer"])
    if category == "cipher" and item.get("category") is not None:
        result["direction"] = str(item["category"])
    if category == "puzzle":
        # Rules with several correct answers are checked against the question.
        result["question"] = str(item["question"])
    return result


def _examples(data: Data, category: str, rule_id: str, shots: int) -> list[prompts.Example]:
    if not shots:
        return []
    rows = data.rows(f"{category}-three-shot")
    result = [row for row in rows if str(row["rule_id"]) == rule_id]
    if len(result) < shots:
        raise ValueError(
            f"{category} rule {rule_id} has {len(result)} solved examples, shots={shots} needs "
            f"{shots}: use shots=0"
        )
    return [(str(row["question"]), str(row["answer"])) for row in result[:shots]]


def _needle(category: str, item: Row) -> list[str]:
    sentences = item.get("needle")
    if not isinstance(sentences, list) or not sentences:
        raise ValueError(
            f"{CORRECTION}: {category} {item['idx']} has no list 'needle': run it with needle=False"
        )
    return list(map(str, sentences))


def _mixed(task: str, data: Data) -> Iterator[Row]:
    @cache
    def of_category(category: str) -> dict[str, Row]:
        return {str(row["idx"]): row for row in data.rows(f"{category}-sample")}

    def item(name: str) -> tuple[str, Row]:
        category, idx = _parted(name)
        if idx not in of_category(category):
            raise ValueError(f"{task}: the data have no question {name!r}")
        return category, of_category(category)[idx]

    for index, entry in _in_turn(
        data.rows(SETTINGS[task]), lambda row: (len(row["rule_list"]), len(row["question_list"]))
    ):
        rules = [data.rule(*_parted(name)) for name in entry["rule_list"]]
        items = [item(str(name)) for name in entry["question_list"]]
        prompt = prompts.mixed_prompt(rules, [str(question["question"]) for _, question in items])
        questions = [_item(category, question) for category, question in items]
        reference = {
            "category": "mixed",
            "idx": str(entry["idx"]),
            "rules": list(map(str, entry["rule_list"])),
            "questions": questions,
        }
        yield _row(
            task, str(entry["idx"]), prompt, reference, data,
            complexity=len(items), level=len(rules), index=index,
            answer=[question["answer"] for question in questions],
        )  # fmt: skip


def _parted(name: Any) -> tuple[str, str]:
    """``operation_29`` as category and id.

    Raises:
        ValueError: it names no category.
    """
    category, _, idx = str(name).rpartition("_")
    if category not in CATEGORIES:
        raise ValueError(f"{name!r} is not written as <category>_<id>, like operation_29")
    return category, idx


def _steps(data: Data) -> Iterator[Row]:
    for index, item in _in_turn(data.rows(STEPS_PART), lambda row: str(row["rule_id"])):
        rule_id = str(item["rule_id"])
        for number, step in enumerate(item["steps_details"], 1):
            missing = [name for name in ("description", "answer") if step.get(name) is None]
            if missing:
                where = f"question {item['idx']}, step {number}"
                raise ValueError(f"{STEPS}: {where} has no {missing[0]!r}")
            asked = f"{str(item['input']).strip()}\n\n{str(step['description']).strip()}"
            prompt = prompts.question_prompt("cipher", data.rule("cipher", rule_id), asked)
            reference = {
                **_item("cipher", {**item, "answer": step["answer"]}),
                "step": number,
                "type": str(step.get("type") or "untyped"),
            }
            yield _row(
                STEPS, f"{item['idx']}-{number}", prompt, reference, data,
                complexity=number, level=_number(rule_id), index=index,
            )  # fmt: skip


def _in_turn(items: Sequence[Row], group: Callable[[Row], Any]) -> list[tuple[int, Row]]:
    """Every item with its number in its group: all first ones, then all second ones, and so on."""
    counts: defaultdict[Any, Iterator[int]] = defaultdict(itertools.count)
    numbered = [(next(counts[group(item)]), item) for item in items]
    return sorted(numbered, key=lambda pair: pair[0])


def _number(rule_id: str) -> int:
    return int(rule_id) if rule_id.isdecimal() and rule_id.isascii() else 0


def _row(
    task: str, name: str, prompt: str, item: Row, data: Data, *,
    complexity: int = 1, level: int = 0, index: int = 0, wording: str = "", answer: Any = None,
    **more: object,
) -> Row:  # fmt: skip
    answer = item["answer"] if answer is None else answer
    reference = {
        "family": NAME, "task": task, "language": LANGUAGE, "instance_id": f"{task}-{name}",
        **item, "answer": answer, "complexity": complexity, "level": level, "index": index,
        "split": SPLIT, "revision": data.revision,
        "prompt": prompts.VERSION, **more,
    }  # fmt: skip
    return row_of(reference, prompt, ending=wording)
