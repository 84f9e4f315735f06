"""The options of the puzzles, and the sizes and numbers of questions that follow from them."""

from typing import Any

from xlgo_metric.core import PLAIN, allowed_name, refuse
from xlgo_metric.option import Option

from ...core.question_plan import COMPLEXITIES, PLAN, Sizes, task_plan
from ...declared import Options
from ...text.languages import TEXTS, checked_text
from ...text.tokenizers import CHARACTERS, counter
from .conditions import CONDITIONS, condition, condition_names
from .instances import check, puzzle

PRESETS: dict[str, dict[str, int]] = {
    "paper": {"levels": 20, "per_level": 50},
    "lite": {"levels": 20, "per_level": 50},
    "smoke": {"levels": 8, "per_level": 10},
    "quick": {"levels": 8, "per_level": 5},
}
"""Levels and questions per level; the complexity ranges stand in the puzzles.

``paper`` is Table 1 of the paper, ``lite`` its Table 3 (smaller models), ``smoke`` a quick try
of small puzzles. ``quick``, the default of runs, plain lm-eval, datasets and exports alike, has the
fewest questions; of the two tasks with the shortest prompts, in seven languages, these are less
than a million tokens."""


_EXCLUDE = {
    "plan": ("complexities", "levels", "per_level", "c_min", "c_max"),
    "complexities": ("levels", "c_min", "c_max"),
}
"""Options that say what others say, too."""

OPTIONS = (
    Option("preset", "choice", "range and levels of the puzzles", "quick", tuple(PRESETS)),
    Option("seed", "integer", "seed of the puzzles", 0),
    Option("levels", "integer", "levels of complexity (default: of the preset)", least=1),
    Option("per_level", "integer", "questions of each level (default: of the preset)", least=1),
    Option("c_min", "integer", "lowest complexity (default: of the preset)"),
    Option("c_max", "integer", "highest complexity (default: of the preset)"),
    Option("text", "other", "paper, revised, parallel, or a TOML file with a wording", "paper",
           TEXTS, is_path=True, check=checked_text),
    COMPLEXITIES,
    PLAN,
    Option("conditions", "other",
           "ways in which each question is asked, joined by commas: plain, english_rules ... (see "
           "docs/why.md)", (PLAIN,), tuple(CONDITIONS), check=condition_names),
    Option("condition_tokenizer", "text",
           "tokenizer for the condition length_matched: characters, tekken, qwen, or a name or "
           "folder", CHARACTERS),
)  # fmt: skip
"""Options of a dataset; where the default is ``None`` the preset says, or nothing is meant.

``complexities`` may be a list, ``[2, 5, 11]``, or a text, ``"2,5,11"``. ``plan`` names every
question (core.question_plan), and takes the place of levels and complexities."""


def settle(task: str, options: dict[str, Any]) -> dict[str, Any]:
    """Every option with its value, those that follow from others included.

    Raises:
        ValueError: a value that is not allowed.
    """
    module = puzzle(task)
    for first, excluded in _EXCLUDE.items():
        for name in excluded:
            if options[first] is not None and options[name] is not None:
                raise ValueError(f"{task}: give {first} or {name}, not both")
    if any(condition(name).filled for name in options["conditions"]):
        counter(options["condition_tokenizer"])
    if options["plan"] is not None:
        planned = task_plan(task, options["plan"])
        if planned.seed not in (None, options["seed"]):
            raise ValueError(
                f"{task}: the plan is for the puzzles of seed {planned.seed}, got seed "
                f"{options['seed']}"
            )
        most = 1 + max(indexes[-1] for indexes in planned.cells.values())
        options |= {"complexities": list(planned.cells), "per_level": most}
    if (sizes := options["complexities"]) is not None:
        options |= {"levels": len(sizes), "c_min": sizes[0], "c_max": sizes[-1]}
    low, high = module.RANGES[allowed_name(options["preset"], "preset", module.RANGES, f"{task}: ")]
    usual = PRESETS[options["preset"]] | {"c_min": low, "c_max": high}
    options |= {name: value for name, value in usual.items() if options[name] is None}
    for size in sizes or (options["c_min"], options["c_max"]):
        check(task, size)
    span = options["c_max"] - options["c_min"] + 1
    ends = f"c_min {options['c_min']} and c_max {options['c_max']}"
    refuse(
        "",
        (span < 1, f"c_max must be c_min or more, got {ends}"),
        (
            options["levels"] > span,
            f"{options['levels']} levels do not fit between {ends}: at most {span} do",
        ),
    )
    return options


def levels_of(options: Options) -> list[int]:
    """The complexity of each level, from complete options."""
    evenly = complexities(options["c_min"], options["c_max"], options["levels"])
    return options["complexities"] or evenly


def levels(task: str, options: Options) -> dict[int, int]:
    """The complexity of each level, with the number of its questions in the split ``test``."""
    return Sizes(levels_of(options)).levels(task, options)


def complexities(c_min: int, c_max: int, levels: int) -> list[int]:
    """``levels`` evenly spaced complexities from ``c_min`` to ``c_max``, rounded half up."""
    steps = max(levels - 1, 1)
    return [c_min + (2 * i * (c_max - c_min) + steps) // (2 * steps) for i in range(levels)]
