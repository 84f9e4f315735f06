"""LiT: translations of an English text in series and back (paper 003).

A text goes from English through other languages back to English; each request sees only the last
text.
"""

from collections.abc import Callable, Mapping

from ...core import HarnessTask, TaskLabels
from ...family import Family
from . import questions
from .questions import CHAIN_LANGUAGES, CUSTOM, NAME, PAIRWISE, ROBUST, SEQUENCES, SPLIT

STEP = "translation"
"""The kind of chain, as ``chain_step`` in the metadata of a task file."""

GENERATION: dict[str, object] = {
    "until": [],
    "max_gen_toks": 8192,
    "do_sample": True,
    "temperature": 1.0,
    "top_p": 0.95,
}
"""Sampling (paper 003, Table 10: 1.0 and 0.95 unless a model's makers say otherwise); the paper
gives no limit of tokens."""

_USUAL_LOSS = {"loss": {"default": 0.02}}
"""The simulated translator loses two words in a hundred at each hop unless a profile says more."""


def _label(title: str, short: str, through: str) -> TaskLabels:
    about = f"An English text is translated through {through} and back to English."
    return TaskLabels(title, short, about, "translations", loaded=(SPLIT,))


def _labels() -> dict[str, TaskLabels]:
    labels = {}
    for chain in SEQUENCES:
        through = ", ".join(CHAIN_LANGUAGES[code]["name"] for code in chain.codes[1:-1])
        title = f"LiT {chain.sequence}"
        labels[f"{NAME}_{chain.sequence}"] = _label(title, title, through)
    others = "other languages"
    return labels | {
        PAIRWISE: _label("LiT, to a language and back", "LiT pairwise", others),
        CUSTOM: _label("LiT, a chain of one's own", "LiT custom", others),
        ROBUST: _label("LiT, robustness texts", "LiT robustness", others),
    }


def _harness_tasks() -> tuple[HarnessTask, ...]:
    """The eight sequences, which are the group ``lit``, and three tasks outside it.

    ``lit_custom`` needs ``chain`` when it is run.
    """
    inside = [f"{NAME}_{chain.sequence}" for chain in SEQUENCES]
    return tuple(
        HarnessTask(
            name, name, ("en",), NAME, NAME,
            in_group=name in inside, step=STEP, generation=GENERATION,
        )
        for name in (*inside, PAIRWISE, ROBUST, CUSTOM)
    )  # fmt: skip


def _replies(profile: Mapping[str, object], seed: int) -> Callable[[str], str | None]:
    from .translator import translator

    translation = profile.get("translation", _USUAL_LOSS)
    if not isinstance(translation, dict):
        raise ValueError(f"translation must be an object, got {translation!r}")
    return translator(translation, seed).answer


FAMILY = Family(
    name=NAME,
    package=__name__,
    title="Lost in translation (LiT)",
    DATA_VERSION=questions.VERSION,
    labels=_labels(),
    source="""\
The texts of {tasks} are a sample that was written for this package (CC0-1.0) in the structure of
LiT (arXiv 2604.12911), whose own texts are not public: scores on it are no published LiT scores.
""",
    languages_of=lambda task: ("en",),
    options_of=questions.task_options,
    make_rows=questions.rows,
    harness_tasks=_harness_tasks,
    replies=_replies,
)
"""LiT: loaded texts, chains of translations."""
