"""KOR-Bench (arXiv 2410.06526): the names that its modules share, its measures, and the family."""

from ...core import COMMON_MEASURES, Grade, Measure, Reference
from ...family import CONDITIONS, AnswerFiles, Family, deferred
from ...table import Column

MODES: tuple[str, ...] = ("default", "paper", "stored")
CATEGORIES: tuple[str, ...] = ("operation", "logic", "cipher", "puzzle", "counterfactual")
COMPLETION = "completion"
ASKED: tuple[str, ...] = ("chat", COMPLETION)
"""How a model is prompted: a completion may continue after its answer, a chat ends with it."""

MIXED_TASKS = ("kor_multi_q", "kor_multi_r", "kor_multi_rq")
STEPS, CORRECTION, FRESH = "kor_cipher_steps", "kor_self_correction", "kor_cipher_fresh"
TRICK, HARD = "kor_puzzle_trick", "kor_multi_rq_hard"


def _detail(
    name: str,
    heading: str,
    *,
    higher_is_better: bool = True,
    default: float | None = None,
    in_harness: bool = True,
) -> Measure:
    """A number among the details of a grade."""

    def value(grade: Grade, _: Reference) -> float | None:
        result = grade.details.get(name, default)
        return None if result is None else float(result)

    column = Column(heading, "share", 2)
    return Measure(name, value, higher_is_better, in_harness=in_harness, column=column)


def _first_round(grade: Grade, _: Reference) -> float | None:
    rounds = grade.details.get("rounds")
    return None if rounds is None else float(rounds[0])


SCORES = (
    _detail("score_default", "default", default=0.0),
    _detail("score_paper", "paper", default=0.0),
)
FORMAT_FAILURES = _detail(
    "format_failure", "format failures", higher_is_better=False, default=0.0, in_harness=False
)
PASS_RATE = _detail("pass_rate", "pass rate")
PASS_RATES = (
    PASS_RATE,
    _detail("pass_rate_default", "pass rate, default", in_harness=False),
    _detail("pass_rate_paper", "pass rate, paper", in_harness=False),
)
REAL_LIFE = _detail("real_life", "real-life answers", higher_is_better=False)
FIRST_ROUND = Measure("first_round", _first_round)
_MORE: dict[str, tuple[Measure, ...]] = {
    "kor_counterfactual": (REAL_LIFE,),
    CORRECTION: (FIRST_ROUND,),
    **dict.fromkeys((*MIXED_TASKS, HARD), PASS_RATES),
}


def measures(task: str) -> tuple[Measure, ...]:
    """The measures of a task: the common ones, both scores, and its own.

    ``real_life`` only for counterfactual questions, ``pass_rate`` for mixed ones, ``first_round``
    (the accuracy without any correction) for self-correction.
    """
    return (*COMMON_MEASURES, *SCORES, FORMAT_FAILURES, *_MORE.get(task, ()))


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
