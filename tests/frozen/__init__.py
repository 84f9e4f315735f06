"""What must stay as it is: verdicts, scores, statistics, questions, exports, sentences,
and what every command prints and writes."""

from collections.abc import Sequence
from importlib import import_module

from .stored import Part

KINDS = {
    "questions": "questions",
    "statistics": "figures",
    "scores": "scores",
    "sentences": "scores",
    "verdicts": "corpora",
    "commands": "commands",
}
"""The modules that compute each kind; questions need neither grading nor the commands."""


def parts(names: Sequence[str] = ()) -> list[Part]:
    """The parts of kinds and single parts (``verdicts/real_kor``); all of them without names.

    Raises:
        ValueError: a name that is neither a kind nor a part.
    """
    kinds = {name.partition("/")[0] for name in names}
    modules = dict.fromkeys(KINDS[kind] for kind in KINDS if not names or kind in kinds)
    found = [part for name in modules for part in import_module(f".{name}", __name__).parts()]
    for name in names:
        if not any(name in (part.kind, part.title) for part in found):
            raise ValueError(f"{name!r} is neither a kind ({', '.join(KINDS)}) nor a part of one")
    return [part for part in found if not names or part.kind in names or part.title in names]
