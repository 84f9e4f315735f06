"""The family of simple reasoning: tasks that are easy and tedious, and UNPUZZLES."""

from collections.abc import Iterator

from ...core import GalleryExample, HarnessTask, TaskLabels
from ...family import Family
from . import base, counting, questions, released
from .questions import GENERATED

GROUP = "simple_reasoning"
LANGUAGES_GROUP = "simple_reasoning_languages"
"""Of the tasks by language, all of them with the parallel text."""


def _wordings(language: str) -> Iterator[tuple[str, str]]:
    """The strings of the parallel text and the sentences that are counted in."""
    if language in base.codes(base.PARALLEL):
        for key, text in base.table(base.PARALLEL, language).items():
            if isinstance(text, str):
                yield f"parallel.{key}", text
    if language in counting.languages("char_count"):
        for number, article in enumerate(counting.load(counting.PREFIX + language).articles, 1):
            for line, text in enumerate(article, 1):
                yield f"counting.articles.{number}.{line}", text


def _status(task: str, language: str, text: str) -> str:
    """The paper's English is its authors'; all other texts of this family are machine-written."""
    return "native-written" if language == "en" and text != "parallel" else "machine-written"


def _gallery_examples(task: str) -> tuple[GalleryExample, ...]:
    """The task's own wording, and the parallel one in every language where it has one."""
    every = questions.languages(task)
    if not questions.has_parallel_text(task):
        return (GalleryExample("", every),)
    parallel = {**GENERATED[task].small, "text": "parallel"}
    return (
        GalleryExample("", questions.default_languages(task)),
        GalleryExample("parallel", every, parallel),
    )


def _loaded(title: str, short: str, about: str) -> TaskLabels:
    return TaskLabels(title, short, about, "units of complexity", loaded=("test",))


def _harness_tasks() -> tuple[HarnessTask, ...]:
    """A task for each generated one in English with the paper's text, one for each of its
    languages with the parallel text, one for each variant of UNPUZZLES, and one for the authors'
    fixed questions.

    The last two kinds need ``source`` to be given when they are run: no group runs them.
    """
    by_group: dict[str, list[HarnessTask]] = {GROUP: [], LANGUAGES_GROUP: []}
    for name, task in GENERATED.items():
        grid, codes = task.grid, questions.languages(name)
        if questions.has_parallel_text(name):
            grid = {"text": "parallel", **(task.parallel_grid or task.grid)}
        else:  # its own texts; English has its task already
            codes = codes[1:]
        variants = [(GROUP, "", "en", task.grid)]
        variants += [(LANGUAGES_GROUP, f"_{code}", code, grid) for code in codes]
        for group, ending, code, options in variants:
            of_task = {"n": questions.PER_SETTING, **options}
            by_group[group].append(
                HarnessTask(f"simple_{name}{ending}", name, (code,), group, task.template, of_task)
            )
    release: list[tuple[str, str, str, dict[str, object]]] = [
        (f"unpuzzles_{variant}", released.UNPUZZLES, "simple_unpuzzles",
         {"variant": variant, "items": "shifted", "source": ""})
        for variant in released.VARIANTS
    ]  # fmt: skip
    release.append(("simple_released", released.TASK, "simple", {"source": ""}))
    return (
        *by_group[GROUP],
        *by_group[LANGUAGES_GROUP],
        *(
            HarnessTask(name, task, ("en",), GROUP, template, options, in_group=False)
            for name, task, template, options in release
        ),
    )


FAMILY = Family(
    name="simple_reasoning",
    package=__name__,
    title="Simple reasoning",
    DATA_VERSION=questions.DATA_VERSION,
    labels={name: task.labels for name, task in GENERATED.items()}
    | {
        released.UNPUZZLES: _loaded("UNPUZZLES", "UNPUZZLES", "Well-known puzzles made trivial."),
        released.TASK: _loaded(
            "The authors' questions", "Released", "The fixed questions of the authors' release."
        ),
    },
    source="""\
The tasks {tasks} are built after

> Frontier LLMs still struggle with simple reasoning tasks.
""",
    languages_of=questions.languages,
    defaults_of=questions.default_languages,
    options_of=questions.task_options,
    make_rows=questions.rows,
    harness_tasks=_harness_tasks,
    generate=questions.generate,
    answer_in=questions.answer,
    render=questions.render,
    instance_from_json=questions.instance_from_json,
    texts=base.TEXTS,
    half_right=lambda task: GENERATED[task].half_right if task in GENERATED else None,
    response=lambda answer, task: GENERATED[task].response(answer),
    wordings=_wordings,
    status_of=_status,
    gallery_examples=_gallery_examples,
)
"""The seven generated tasks and the two that are loaded from the authors' release."""
