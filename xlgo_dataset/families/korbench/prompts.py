"""The prompts: role, three instructions, rule, question, answer, as in the KOR-Bench paper.

The wording (``prompts.json``) is this project's own; the order of the parts follows the paper
(arXiv 2410.06526, appendix). ``VERSION`` names the wording in references.
"""

import hashlib
import json
from collections.abc import Sequence
from importlib import resources

from ...core import Json
from ...text.document import fill

Example = tuple[str, str]
"""A question and its answer."""

STOP = "### Question"
"""Where the answer of a base model ends: what follows is a question that it made up."""


_FILE = resources.files(__package__).joinpath("prompts.json").read_text(encoding="utf-8")
WORDING: Json = json.loads(_FILE)
"""All sentences by name."""
VERSION = f"{WORDING['version']}-{hashlib.sha256(_FILE.encode('utf-8')).hexdigest()[:12]}"
"""The version of the wording, with twelve hexadecimal digits of its SHA-256."""


def _part(heading: str, *lines: str) -> str:
    return "\n".join((f"### {heading}:", *(line.strip() for line in lines))).strip()


def _head(category: str, **values: str) -> list[str]:
    points = [
        f"{number}. " + fill(line, **values)
        for number, line in enumerate(WORDING["instructions"][category], 1)
    ]
    return [WORDING["role"][category], _part("Instructions", *points)]


def question_prompt(
    category: str,
    rule: str,
    question: str,
    *,
    examples: Sequence[Example] = (),
    trick: str = "",
) -> str:
    """The prompt of one question.

    Args:
        category: one of the five categories.
        rule: the text of the rule; without one the prompt has the question and examples only.
        question: the question, which says how the answer is to be written.
        examples: solved questions of the same rule, shown between rule and question.
        trick: a hint, shown after the question.
    """
    parts = [*_head(category), _part(WORDING["heading"][category], rule)] if rule else []
    for solved, answer in examples:
        parts += [_part(WORDING["question"], solved), _part(WORDING["answer"], answer)]
    parts.append(_part(WORDING["question"], question))
    if trick:
        parts.append(fill(WORDING["hint"], trick=trick.strip()))
    parts.append(_part(WORDING["answer"]))
    return "\n\n".join(parts) + "\n"


def mixed_prompt(rules: Sequence[str], questions: Sequence[str]) -> str:
    """The prompt of several rules and questions, answered by one JSON object.

    Its keys are ``question1``, ``question2`` and so on, in the order of ``questions``.
    """
    template = {f"question{n}": "[[your answer]]" for n in range(1, len(questions) + 1)}
    answers = json.dumps(template)
    listed = "\n\n".join(f"{n}. {question.strip()}" for n, question in enumerate(questions, 1))
    parts = [
        *_head("mixed", template=answers),
        _part(WORDING["rules"], "\n\n".join(rule.strip() for rule in rules)),
        _part(WORDING["questions"], listed),
        _part(WORDING["answer"]),
    ]
    return "\n\n".join(parts) + "\n"


def retry_message(needle: Sequence[str] = ()) -> str:
    """What a model is told after a wrong answer; with the sentences of the rule that matter."""
    if not needle:
        return str(WORDING["retry"])
    return "\n".join(
        (WORDING["needle"], *(f"- {line.strip()}" for line in needle), "", WORDING["retry"])
    )
