"""Grading and statistics of KOR-Bench (arXiv 2410.06526)."""

from ...family import CONDITIONS, AnswerFiles, Family, deferred
from .measures import CATEGORIES, MODES, measures

FAMILY: Family = Family(
    name="korbench",
    grading_only_fields=frozenset(
        {"answer", "question", "questions", "real_life_answer", "retry", "text"}
    ),
    conditions=CONDITIONS | {"shots", "rule_shown", "mode"},
    paired=(("rules", "False"),),
    grade=deferred("grading.grade", __package__),
    summarize=deferred("summary.summarize", __package__),
    tables=deferred("tables.tables", __package__),
    headline=deferred("tables.headline", __package__),
    sentences=deferred("tables.findings", __package__),
    files=AnswerFiles(
        path=rf"[^/]+[_-](?i:{'|'.join(CATEGORIES)}|mixed|multi-r?q?(-hard)?)([_-][^/]+)?\.jsonl(\.json)?",
        keys=frozenset({"idx", "answer", "response"}),
        identified=deferred("results.identified", __package__),
        logged=deferred("results.logged", __package__),
    ),
    many=deferred("models.many", __package__),
    measures_of=lambda task, _: measures(task),
)
"""Rules of five categories, their mixtures, self-correction, and fresh questions of ciphers."""

__all__ = ["CATEGORIES", "FAMILY", "MODES"]
