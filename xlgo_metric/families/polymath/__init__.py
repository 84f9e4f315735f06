"""Grading and statistics of PolyMath (Wang et al. 2025)."""

from ...family import CONDITIONS, AnswerFiles, Family, deferred
from ...option import Option
from .grading import MEASURES

FAMILY = Family(
    name="polymath",
    conditions=CONDITIONS | {"control", "mode"},
    grade=deferred("grading.grade", __package__),
    summarize=deferred("summary.summarize", __package__),
    tables=deferred("tables.tables", __package__),
    sentences=deferred("tables.findings", __package__),
    files=AnswerFiles(
        path=r"(low|medium|high|top)/[^/]+\.jsonl",
        keys=frozenset({"answer", "answer_pred"}),
        identified=deferred("grading.identified", __package__),
        logged=deferred("grading.logged", __package__),
    ),
    many=deferred("tables.many", __package__),
    options=(Option("metadata_file", "text", "CSV file with id, source and domain", is_path=True),),
    measures_of=lambda *_: MEASURES,
)
"""Mathematical problems of four levels."""
