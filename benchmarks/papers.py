"""Write ``docs/papers.md``: the tables and figures of the five papers and what is here of each.

The list is ``papers.toml``; ``tests/benchmarks/test_papers.py`` proves that the page is made of it,
that no table or figure lacks, that commands can be parsed and tests exist, and recomputes published
values from the authors' data where ``XLGO_REAL_DATA`` names them.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[1]
LIST = Path(__file__).with_name("papers.toml")
PAGE = ROOT / "docs" / "papers.md"
HEAD = """\
# The papers' tables and figures

Written by `python benchmarks/papers.py` from `benchmarks/papers.toml`; do not edit. Each line has
the command, and its distance from the published values, or why there is none. RESULTS is the folder
of a run. Without a comparison, the paper prints no values or published no responses.
"""


def entries() -> dict[str, Any]:
    """The list: papers with their titles and lines."""
    return tomllib.loads(LIST.read_text("utf-8"))


def page() -> str:
    """The page, in Markdown."""
    parts = [HEAD]
    for paper in entries()["paper"]:
        parts += [f"## {paper['title']}", "", *map(_line, paper["line"]), ""]
    return "\n".join(parts)


def _line(line: dict[str, Any]) -> str:
    begin = f"- **{', '.join(line['of'])}**, {line['shows']}"
    if "command" in line:
        return f"{begin}: `{line['command']}`. {line['compared']}"
    return f"{begin}. {line['why_not']}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(PAGE)
