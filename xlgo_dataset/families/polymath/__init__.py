"""The family PolyMath: mathematical problems of four levels in eighteen languages.

The problems of Wang et al. (2025) are not part of this package: they come from the dataset
``Qwen/PolyMath`` of the Hub, or from a local copy of it. The instructions that are put behind them
are, see ``prompts.json``.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import resources

from xlgo_metric.core import allowed_name
from xlgo_metric.option import Option

from ...core import HarnessTask, Json, Options, Row, TaskLabels, row_of
from ...family import Family
from ...sources import folder_of, read_records

NAME = "polymath"
HUB_NAME = "Qwen/PolyMath"
DATA_VERSION = 1
LANGUAGES: tuple[str, ...] = (
    "en", "zh", "ar", "bn", "de", "es", "fr", "id", "it", "ja", "ko", "ms", "pt",
    "ru", "sw", "te", "th", "vi",
)  # fmt: skip
LEVELS: tuple[str, ...] = ("low", "medium", "high", "top")
WEIGHTS: Mapping[str, int] = {"low": 1, "medium": 2, "high": 4, "top": 8}
"""The weight of a level in the benchmark score (the paper's equation 1)."""
CONTROLS: tuple[str, ...] = ("none", "query", "english", "preferred")
"""What a prompt asks of the language of the response (the paper's section 4.2)."""
SPLIT = "test"
INSTRUCTIONS: Json = json.loads(
    resources.files(__package__).joinpath("prompts.json").read_text(encoding="utf-8")
)
"""The instructions of every language, with notes on where each came from."""


OPTIONS = (
    Option("levels", "names", "levels to ask, joined by commas", ",".join(LEVELS), LEVELS),
    Option("control", "choice", "language of the response that is asked for", "none", CONTROLS),
    Option(
        "polymath_path", "text", "folder of a local copy (default: from the Hub)", "", is_path=True
    ),
)


def rows(
    task: str,
    languages: Sequence[str],
    split: str,
    indexes: Iterable[int] | None,
    options: Options,
) -> Iterator[dict[str, object]]:
    """Questions with their prompts and references: by number, then level, then language.

    ``complexity`` is the weight of the level, ``level`` its number. The data has
    ``<language>/<level>.parquet`` (or ``.jsonl``) with ``question`` and ``answer``.

    Raises:
        ValueError: data that cannot be loaded.
    """
    cells = [(level, code) for level in options["levels"].split(",") for code in languages]
    try:
        source = options["polymath_path"] or folder_of(HUB_NAME).path
        loaded = {
            (level, code): read_records(
                source,
                [f"{code}/{level}{suffix}" for suffix in (".parquet", ".jsonl")],
                ("question", "answer"),
            )
            for level, code in cells
        }
    except ValueError as error:
        raise ValueError(f"polymath_path: {error}") from None
    for index in range(max(map(len, loaded.values()), default=0)):
        for (level, language), by_index in loaded.items():
            if index < len(by_index):
                yield _row(by_index[index], language, level, index, options["control"])


def prompt(question: str, language: str, control: str = "none") -> str:
    """The prompt of a problem: the problem, the answer instruction, and what ``control`` asks.

    The paper appends the answer instruction as a paragraph of its own (appendix D.1); where the
    control sentence stands it does not say: here it is the last paragraph.

    Raises:
        ValueError: an unknown control.
    """
    parts = [question.strip(), INSTRUCTIONS["answer"][language]]
    if allowed_name(control, "control", CONTROLS) != "none":
        parts.append(INSTRUCTIONS["control"][control][language])
    return "\n\n".join(parts)


def _row(problem: Json, language: str, level: str, index: int, control: str) -> Row:
    instance = f"{NAME}-{level}-i{index}" + ("" if control == "none" else f"-{control}")
    reference = {
        "family": NAME, "task": NAME, "language": language, "instance_id": instance, "level": level,
        "index": index, "control": control, "split": SPLIT, "answer": str(problem["answer"]),
    }  # fmt: skip
    text = prompt(str(problem["question"]), language, control)
    return row_of(reference, text, complexity=WEIGHTS[level], level=LEVELS.index(level))


FAMILY = Family(
    name=NAME,
    package=__name__,
    title="Mathematics (PolyMath)",
    DATA_VERSION=DATA_VERSION,
    labels={
        NAME: TaskLabels(
            "PolyMath",
            "PolyMath",
            "Mathematical problems of four levels, from school to research.",
            "weight of the level",
            loaded=(SPLIT,),
        )
    },
    source="""\
The problems {tasks} are those of PolyMath (https://huggingface.co/datasets/Qwen/PolyMath).
""",
    languages_of=lambda task: LANGUAGES,
    options_of=lambda task: OPTIONS,
    make_rows=rows,
    half_right=lambda task: 1.0,
    response=lambda answer, task: f"\\boxed{{{answer}}}",
    harness_tasks=lambda: tuple(
        HarnessTask(f"polymath_{code}", NAME, (code,), "polymath", "polymath") for code in LANGUAGES
    ),
)
"""PolyMath (Wang et al. 2025): loaded, not generated."""
