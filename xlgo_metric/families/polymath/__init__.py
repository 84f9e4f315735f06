"""Grading and statistics of PolyMath (Wang et al. 2025)."""

from __future__ import annotations

from ...family import CONDITIONS, Family, Published, deferred
from .measures import MEASURES

FAMILY = Family(
    name="polymath",
    conditions=CONDITIONS | {"control", "mode"},
    grade=deferred("grading.grade", __package__),
    summarize=deferred("tables.summarize", __package__),
    tables=deferred("tables.tables", __package__),
    sentences=deferred("tables.findings", __package__),
    measures_of=lambda *_: MEASURES,
    published=Published(
        external_format="polymath",
        read=deferred("outputs.read_parts", __package__),
        grade=deferred("grading.grade_parts", __package__),
    ),
)
"""Mathematical problems of four levels."""
