"""What must stay as it is: verdicts, scores, statistics, questions, exports, sentences,
and what every command prints and writes."""

from collections.abc import Sequence
from importlib import import_module

from .stored import Part

KINDS = {
    "questions": "questions",
    "statistics": "figures",
    "scores": "scores",
    "sentences": "sentences",
    "verdicts": "verdicts",
    "commands": "commands",
}
"""The modules that compute each kind; questions need neither grading nor the commands."""


def parts(names: Sequence[str] = ()) -> list[Part]:
    """The parts of kinds and single parts (``verdicts/real_kor``); all of them without names.

    Raises:
        ValueError: a name that is neither a kind nor a part.
    """
    found: list[Part] = []
    for kind, module in KINDS.items():
        if names and not any(name.partition("/")[0] == kind for name in names):
            continue
        found += import_module(f".{module}", __name__).parts()
    for name in names:
        if not any(name in (part.kind, part.title) for part in found):
            raise ValueError(f"{name!r} is neither a kind ({', '.join(KINDS)}) nor a part of one")
    return [part for part in found if not names or part.kind in names or part.title in names]
