"""Scores of round-trip translation chains (LiT): MQM errors, statistics over texts, tables.

Source: "Round-Trip Translation Reveals What Frontier Multilingual Benchmarks Miss",
arXiv 2604.12911. The answer to a question is what became of its chain, as JSON.
"""

from ...family import Family, deferred
from ...option import SEED, Option
from .judge import TranslationJudge
from .values import MEASURES

FAMILY = Family(
    name="lit",
    judge=TranslationJudge(),
    options=(
        Option(
            "weights", "text", "points of minor, major and critical errors, as 1/5/25", "1/5/25"
        ),
        Option("missing", "choice", "what a chain that broke off counts", "fail", ("fail", "drop")),
        Option("draws", "integer", "resamples of the texts", 10_000, least=2),
        SEED,
    ),
    grade=deferred("grading.grade", __package__),
    summarize=deferred("summary.summarize", __package__),
    tables=deferred("tables.tables", __package__),
    measures_of=lambda *_: MEASURES,
    headline=deferred("tables.headline", __package__),
    sentences=deferred("tables.findings", __package__),
    many=deferred("models.many", __package__),
)
"""Texts through chains of translations, and what judges say of them."""
