"""LiT: translations of an English text in series and back (paper 003).

A text goes from English through other languages back to English; each request sees only the last
text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...extras import Simulated
from ...family import Family, TaskLabels
from . import harness, prompts, questions
from .chains import LanguageChain, chain_languages, custom, pairwise, sequences
from .loading import Text, texts
from .questions import NAME, SPLIT, TASKS, VERSION, chains, languages, options, rows

_SOURCE = """\
The texts of {tasks} are a sample that was written for this package (CC0-1.0) in the structure of
LiT (arXiv 2604.12911), whose own texts are not public: scores on it are no published LiT scores.
"""
_UNIT = "translations"
_USUAL_LOSS = {"loss": {"default": 0.02}}
"""The simulated translator loses two words in a hundred at each hop unless a profile says more."""
_TITLES = {
    "lit_pairwise": ("LiT, to a language and back", "LiT pairwise"),
    "lit_custom": ("LiT, a chain of one's own", "LiT custom"),
    "lit_robustness": ("LiT, robustness texts", "LiT robustness"),
}


def _labels() -> dict[str, TaskLabels]:
    known = chain_languages()
    found = {}
    for chain in sequences():
        through = ", ".join(known[code].name for code in chain.codes[1:-1])
        found[f"{NAME}_{chain.sequence}"] = TaskLabels(
            f"LiT {chain.sequence}",
            f"LiT {chain.sequence}",
            f"An English text is translated through {through} and back to English.",
            _UNIT,
            loaded=(SPLIT,),
        )
    about = "An English text is translated through other languages and back to English."
    for task, (title, short) in _TITLES.items():
        found[task] = TaskLabels(title, short, about, _UNIT, loaded=(SPLIT,))
    return found


class _Simulated(Simulated):
    def replies(self, profile: Mapping[str, object], seed: int) -> Callable[[str], str | None]:
        from .translator import translator

        found = profile.get("translation", _USUAL_LOSS)
        if not isinstance(found, dict):
            raise ValueError(f"translation must be an object, got {found!r}")
        return translator(found, seed).answer


class Lit(Family):
    """LiT: loaded texts, chains of translations."""

    name = NAME
    extras = (_Simulated(),)
    title = "Lost in translation (LiT)"
    DATA_VERSION = VERSION
    labels = _labels()
    source = _SOURCE

    languages = staticmethod(languages)
    task_options = staticmethod(questions.task_options)
    rows = staticmethod(rows)
    harness_tasks = staticmethod(harness.harness_tasks)


FAMILY = Lit()

__all__ = [
    "FAMILY", "NAME", "TASKS", "VERSION", "LanguageChain", "Lit", "Text", "chain_languages",
    "chains", "custom", "languages", "options", "pairwise", "prompts", "rows", "sequences", "texts",
]  # fmt: skip
