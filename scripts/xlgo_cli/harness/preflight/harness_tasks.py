"""The names of the harness's own tasks, found in a second or two.

The harness reads every task file in full to know its names, which takes it half a minute and more.
Here the lines that can hold a name are picked out of the files. What is found may hold words that
are no tasks; a name that is not found is none.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Sequence
from pathlib import Path

_NAMED = re.compile(rb"""^[ \t-]*["']?(?:task|group|tag)["']?[ \t]*:([^\n]*)""", re.MULTILINE)
_LISTED = re.compile(rb"^[ \t]*-[ \t]+([^\s:#]+)", re.MULTILINE)
_APART = re.compile(rb"[\s,\[\]\"'{}]+")
_SUFFIXES = ("", ".yaml", ".yml")
_NEAREST, _NEAR = 3, 0.65
"""How many names are offered, and how much of one must agree."""


def check_names(names: Sequence[str], include: Path | None, ours: Sequence[str]) -> None:
    """Reject unknown task names.

    Args:
        names: of tasks that are not of this package. Patterns and files are left to the harness.
        include: a folder with more task files.
        ours: tasks of this package, which may have been meant.

    Raises:
        ValueError: a name that is none, with those that are near it.
    """
    plain = [name for name in names if not re.search(r"[*?\[\]/\\@:]", name)]
    plain = [name for name in plain if not Path(name).exists()]
    if not plain:
        return
    import lm_eval

    folders = [Path(lm_eval.__file__).parent / "tasks", *([include] if include else [])]
    task_names = names_in(folders)
    for name in plain:
        if name not in task_names:
            every = [
                *(candidate.removeprefix("xlgo_") for candidate in ours),
                *ours,
                *sorted(task_names),
            ]
            near = difflib.get_close_matches(name, every, n=20, cutoff=_NEAR)
            near = sorted(near, key=lambda candidate: abs(len(candidate) - len(name)))[:_NEAREST]
            meant = f": did you mean {' or '.join(near)}?" if near else ""
            raise ValueError(
                f"unknown task {name!r}{meant or ': neither xlgo nor the harness has it'} "
                "(see xlgo tasks, and lm-eval ls tasks for those of the harness)"
            )


def names_in(folders: Sequence[Path]) -> set[str]:
    """Every word of task files that may be the name of a task, a group or a tag."""
    words: set[bytes] = set()
    for folder in folders:
        for top, _, files in os.walk(folder):
            for file in files:
                if os.path.splitext(file)[1] in _SUFFIXES or file.endswith("yaml"):
                    data = Path(top, file).read_bytes()
                    for line in _NAMED.findall(data):
                        words.update(_APART.split(line))
                    words.update(word.strip(b"\"'") for word in _LISTED.findall(data))
    return {word.decode("utf-8", "replace") for word in words if word}
