"""The family XLGoBench: puzzles of adjustable complexity.

Five are those of the paper; any beside them are in a harness group of their own.
"""

from ...core import DATA_VERSION, HarnessTask
from ...family import Family
from ...text.languages import TEXTS, load_language
from .. import BUILT_IN
from . import instances, rows
from .instances import PUZZLES


def _harness_tasks() -> tuple[HarnessTask, ...]:
    specs = []
    for task in PUZZLES:
        group = "xlgo" if task in BUILT_IN[rows.NAME].split() else "xlgo_more"
        codes = instances.default_languages(task)
        specs.append(HarnessTask(f"xlgo_{task}", task, codes, group, "xlgobench_languages"))
        specs += [
            HarnessTask(f"xlgo_{task}_{code}", task, (code,), group, "xlgobench", in_group=False)
            for code in instances.languages(task)
        ]
    return tuple(specs)


FAMILY = Family(
    name=rows.NAME,
    package=__name__,
    title="Algorithmic puzzles (XLGoBench)",
    DATA_VERSION=DATA_VERSION,
    labels={name: module.LABELS for name, module in PUZZLES.items()},
    source="""\
The puzzles {tasks}, their wording and the measures are those of

> Purvam Jain, Preethi Jyothi, Vihari Piratla, Suvrat Raju: XLGoBench: Detecting cross-lingual
> skill gaps with algorithmic tasks.
""",
    languages_of=instances.languages,
    defaults_of=instances.default_languages,
    options_of=rows.task_options,
    settle=rows.settle,
    make_rows=rows.rows,
    make_tables=rows.tables,
    make_questions=rows.questions,
    prompt=rows.prompt,
    shards_of=lambda task, chosen: int(chosen["per_level"]),
    levels_of=rows.levels,
    harness_tasks=_harness_tasks,
    generate=instances.generate,
    render=instances.render,
    read=instances.read,
    instance_from_json=instances.instance_from_json,
    texts=TEXTS,
    status_of=lambda task, language, text: load_language(language).status(task, text),
    may_repeat=instances.may_repeat,
    isomorphism_hash=instances.isomorphism_hash,
    half_right=lambda task: sum(PUZZLES[task].RANGES["smoke"]) / 2,
    render_with=instances.render_with,
)
"""The five puzzles of XLGoBench."""
