"""The language that is furthest behind, over all tasks, in a sentence that says if it is chance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...display import labels
from ...display.formats import count, percent, points
from ..cells import base_name, by_gap, crosses, is_behind, mark
from ..findings import Told


@dataclass(frozen=True)
class Behind:
    """How a language does beside English, over the tasks that can tell.

    Attributes:
        language: its code.
        right, asked: right answers and questions at the levels that tell.
        right_en, asked_en: the same in English.
        tasks: names of the tasks that were tested.
        holding: names of those in which it is behind in the paired test.
    """

    language: str
    right: int
    asked: int
    right_en: int
    asked_en: int
    tasks: tuple[str, ...]
    holding: tuple[str, ...]

    @property
    def apart(self) -> float:
        """By how much the baseline is ahead, a fraction."""
        return self.right_en / self.asked_en - self.right / self.asked


def most_behind(section: Mapping[str, Any]) -> Behind | None:
    """The language that the report puts first; ``None`` where no gap can be counted.

    Args:
        section: see ``with_gaps``.
    """
    found = [one for code in by_gap(section) if (one := _behind(section, code)) is not None]
    # A gap that holds counts more than a larger one that may be chance.
    held = [one for one in found if one.holding]
    return max(held or found, key=lambda one: one.apart, default=None)


def _behind(section: Mapping[str, Any], code: str) -> Behind | None:
    cells = {
        name: cell
        for name, task in section["tasks"].items()
        if (cell := task["languages"].get(code) or {}).get("pooled") and not cell.get("extreme")
    }
    if not cells:
        return None
    right, asked, right_en, asked_en = (
        sum(c["pooled"][key] for c in cells.values()) for key in ("k_l", "n_l", "k_en", "n_en")
    )
    holding = [
        name
        for name, cell in cells.items()
        if mark(cell) == "●" and is_behind(cell) and not crosses(cell)
    ]
    return Behind(code, right, asked, right_en, asked_en, tuple(cells), tuple(holding))


def worst_sentence(section: Mapping[str, Any]) -> list[Told]:
    """Which language is furthest behind, by how much, and whether that may be chance."""
    found = most_behind(section)
    if found is None:
        return []
    name, base = labels.language(found.language).name, base_name(section)
    counted = (
        f"{count(found.right)} of {count(found.asked)} right "
        f"({percent(found.right / found.asked)}) beside {percent(found.right_en / found.asked_en)} "
        f"in {base} ({points(found.apart, 0)} points, at the levels that tell)"
    )
    tasks = len(found.tasks)
    if not found.holding:
        if found.apart <= 0:
            return [("", f"No language is behind {base}.")]
        return [
            ("", f"No language is behind {base} for certain. Furthest apart is {name}: {counted}, "
                 "which may be chance.")
        ]  # fmt: skip
    if found.apart <= 0:
        return [
            ("behind", f"Over all tasks no language is behind {base}, but {name} is in "
                       f"{len(found.holding)} of {tasks} tasks (paired test).")
        ]  # fmt: skip
    where = f"{len(found.holding)} of {tasks} tasks" if tasks > 1 else "the one task asked"
    return [
        ("behind", f"Worst is {name}: {counted}. That it is behind holds in the paired test (5%, "
                   f"all pairs counted) in {where}: not chance.")
    ]  # fmt: skip
