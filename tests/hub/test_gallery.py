"""The gallery shows what the generators make."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest

import xlgo_dataset as xd
from xlgo_cli import cli
from xlgo_cli.language import gallery
from xlgo_dataset.families.simple_reasoning import questions

EXAMPLE = re.compile(
    r"<summary>[^\n]*<code>([^\n]*)</code></summary>\n\n"
    r'(?:````text\n(.*?)\n````|<pre dir="rtl">(.*?)</pre>)\n\n',
    re.DOTALL,
)


@pytest.fixture(scope="module")
def page() -> str:
    return gallery.page()


def test_every_puzzle_is_there_in_every_language_and_can_be_solved(page: str) -> None:
    for task in xd.TASKS:
        section = page.split(f"## {task}\n")[1].split("\n## ", maxsplit=1)[0]
        answer = re.search(r"````json\n(.*?)\n````", section, re.DOTALL)
        assert answer is not None
        languages = []
        for row_id, text, right_to_left in EXAMPLE.findall(section):
            languages.append(row_id.rsplit("-", 1)[1])
            prompt = text or html.unescape(right_to_left)
            assert bool(right_to_left) == (languages[-1] == "ar")
            assert xd.solve(xd.read(task, prompt, languages[-1])) == json.loads(answer[1])
        assert tuple(languages) == xd.LANGUAGES


@pytest.mark.parametrize("task", [*filter(questions.has_parallel_text, questions.GENERATED)])
def test_simple_reasoning_is_there_in_every_language(page: str, task: str) -> None:
    family: Any = xd.family("simple_reasoning")
    section = page.split(f"## {task} parallel\n")[1].split("\n## ", maxsplit=1)[0]
    common = re.search(r"Answer in every language:\n\n````json\n(.*?)\n````", section)
    answers = re.findall(r"Answer:\n\n````json\n(.*?)\n````", section)
    examples = EXAMPLE.findall(section)
    languages = [row_id.split("-")[-2] for row_id, _, _ in examples]
    assert tuple(languages) == family.languages(task)
    counted = {"word_count": 7, "char_count": 9}
    assert len(languages) == counted.get(task, len(xd.available()))
    assert len(answers) == (0 if common else len(languages))
    # tests/simple_reasoning/test_parallel.py and test_counting.py solve such rows from their text.
    small = {**questions.GENERATED[task].small, "text": "parallel", "n": 1}
    made = {row["id"]: row for row in family.rows(task, languages, **small)}
    for language, (row_id, text, right_to_left), answer in zip(
        languages, examples, answers or [common[1]] * len(languages) if common else answers
    ):
        assert bool(right_to_left) == (language in ("ar", "fa", "he", "ur"))
        assert made[row_id]["prompt"].strip() == (text or html.unescape(right_to_left)).strip()
        assert json.loads(made[row_id]["answer"]) == json.loads(answer)


def test_the_command_writes_the_page(page: str, tmp_path: Path) -> None:
    out = tmp_path / "gallery.md"
    assert cli.main(["gallery", "--out", str(out)]) == 0
    assert out.read_text(encoding="utf-8") == page
