"""What the documentation names is there, and it has no place left for a figure."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tests.looping import looped

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
_NAMED = re.compile(
    r"\b((?:benchmarks|tests|scripts|xlgo_dataset|xlgo_metric|lm_eval_tasks)/[\w./-]+\.\w+)"
)
_LEFT_OPEN = re.compile(r"^[A-Z][A-Z_0-9]{5,}$|\| *[A-Z]{4,}\d+ *\|", re.M)


@looped("page", PAGES, ids=lambda page: page.name)
def test_files_that_a_page_names_are_there(page: Path) -> None:
    text = page.read_text("utf-8")
    missing = [name for name in _NAMED.findall(text) if not (ROOT / name).exists()]
    # A page on adding something names files that its reader is to make.
    assert [name for name in missing if not page.name.startswith("adding_")] == []


@looped("page", PAGES, ids=lambda page: page.name)
def test_no_figure_is_left_open(page: Path) -> None:
    assert _LEFT_OPEN.findall(page.read_text("utf-8")) == []


def test_the_snippet_of_the_readme_runs_as_printed() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    (snippet,) = re.findall(r"```python\n(.*?)```", text, re.S)
    names: dict[str, Any] = {}
    exec(snippet, names)
    assert names["scores"]["accuracy"] == 1
    assert names["scores"]["slt_diff_te"] == 0
