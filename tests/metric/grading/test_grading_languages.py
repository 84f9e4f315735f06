"""No language is graded better than another: golden transcripts and one answer in 19 scripts."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from tests.looping import looped
from xlgo_metric.families.xlgobench.grading import grade

from .grading_cases import GOLDEN, REFERENCES, SCRIPTS, TASKS, Script

GOLDEN_LANGUAGES = ("en", "ar", "hi", "ja", "ta", "te", "zh")


def transcripts(language: str) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = GOLDEN[language]
    return cases


@pytest.mark.parametrize("language", GOLDEN_LANGUAGES)
def test_golden_transcripts(language: str) -> None:
    for case in transcripts(language):
        graded = grade("\n".join(case["response"]), REFERENCES[case["task"]])
        got = {
            "name": case["name"],
            "status": graded.status,
            "correct": graded.correct,
            "strict": graded.strict,
            "lenient": graded.details["lenient"],
            "details": {name: graded.details.get(name) for name in case.get("details", {})},
        }
        assert got == {
            "name": case["name"],
            "status": case["status"],
            "correct": case["status"] == "correct",
            "strict": case["strict"],
            "lenient": case["lenient"],
            "details": case.get("details", {}),
        }
        if "answer" in case:
            assert graded.answer == case["answer"], case["name"]


def _text(task: str, write: Callable[[str], str], wrong: bool = False) -> str:
    """The right answer (or, ``wrong``, one with two entries exchanged), entries by ``write``."""
    (key, value), *_ = REFERENCES[task]["answer"].items()
    if isinstance(value, str):
        return f'{{"{key}": {write("A5506" if wrong else value)}}}'
    values = [value[-1], *value[1:-1], value[0]] if wrong else value
    if wrong and task == "prdsa":
        values = ["Z9999", *value[1:]]
    return f'{{"{key}": [{", ".join(write(str(item)) for item in values)}]}}'


def _is_number(entry: str) -> bool:
    return not entry[0].isalpha()


# Each form writes one entry of an answer as a language would.
FORMS: dict[str, Callable[[Script, str], str]] = {
    "room word": lambda s, e: e if _is_number(e) else f'"{s.room} {e}"',
    "room word, no space": lambda s, e: e if _is_number(e) else f'"{s.room}{s.glue}{e}"',
    "player word": lambda s, e: e if _is_number(e) else f'"{s.player} {e}"',
    "word behind": lambda s, e: e if _is_number(e) else f'"{e} {s.room}"',
    "glued suffix": lambda s, e: e if _is_number(e) else f'"{e}{s.suffix.strip(".,") or "-like"}"',
    "lower case": lambda s, e: e if _is_number(e) else f'"{s.room} {e.lower()}"',
    "bidi marks": lambda s, e: e if _is_number(e) else f'"\u2067{s.room}\u2069 \u200e{e}\u200f"',
    "zero width": lambda s, e: e if _is_number(e) else f'"{s.room} {e[:1]}\u200c{e[1:]}"',
    "native digits": lambda s, e: s.digits(e if _is_number(e) else f'"{s.room} {e}"'),
    "numeric strings": lambda s, e: f'"{s.digits(e)}"',
    "minus sign": lambda s, e: e.replace("-", "−") if _is_number(e) else f'"{s.room} {e}"',
}
DIGIT_FORMS = ("native digits", "numeric strings")


@looped("form", FORMS)
@looped("task", TASKS)
def test_an_answer_counts_alike_in_every_script(task: str, form: str) -> None:
    notes: dict[bool, set[str]] = {}
    for language, script in SCRIPTS.items():
        write = partial(FORMS[form], script)
        right = grade(_text(task, write), REFERENCES[task])
        assert (right.status, right.correct) == ("correct", True), language
        wrong = grade(_text(task, write, wrong=True), REFERENCES[task])
        assert (wrong.status, wrong.correct) == ("wrong", False), language
        assert (right.strict, right.details["lenient"]) == (wrong.strict, wrong.details["lenient"])
        own_digits = form in DIGIT_FORMS and script.zero != "0"
        notes.setdefault(own_digits, set()).add(str((right.strict, right.details["lenient"])))
    # The same is forgiven in every script, but that not all of them have digits of their own.
    assert all(len(kinds) == 1 for kinds in notes.values()), notes
