"""Character counting: how often does a character occur in a text?

Paper 002, appendix G.1. The character is one of the ten most frequent of the passage, white space
excepted, ties to the earlier one. A letter and the marks that belong to it are one character; the
artefacts of WikiText-2 (``<unk>``, ``@-@``) count as they are shown.

The parallel prompts of other languages have texts of their own (see ``counting``), and ask for
letters that are grapheme clusters.
"""

from collections import Counter

from .. import counting
from ..base import Drawn, Json, Param, Stream, Task, TaskLabels, Words, fill

MOST_FREQUENT = 10


def make(stream: Stream, params: Json) -> Drawn | None:
    """Draw a passage and one of its most frequent characters."""
    passage, digest = counting.drawn_passage("char_count", stream, params)
    counts = Counter(counting.characters(passage))
    if params["source"].startswith(counting.PREFIX):
        common = counting.common_letters(passage, counts, MOST_FREQUENT)
    else:
        del counts[" "]
        common = [character for character, _ in counts.most_common(MOST_FREQUENT)]
    character = common[stream.integer(len(common))]
    covariates = {
        "tokens": counting.size(passage),
        "characters": len(passage),
        "sum": counts[character],
        "maximum": counts[character],
        "text": digest,
    }
    structure = {"character": character, "text": passage}
    return Drawn(structure, {"counts": [counts[character]]}, covariates)


def render(structure: Json, params: Json, words: Words) -> str:
    """The prompt."""
    return fill(words["char_count"]["prompt"], **structure)


TASK = Task(
    "char_count",
    TaskLabels(
        "Counting characters",
        "Characters",
        "How often a character occurs in a text.",
        "words of the text",
    ),
    complexity="m",
    options=(
        Param("m", "integer", "length of the passage in words", (50, 150), range(5, 20001)),
        Param("source", "text", "text that passages are taken from", (counting.OWN,), is_path=True),
    ),
    unnamed=("source",),
    make=make,
    render=render,
    response=lambda answer: f"#{answer['counts'][0]}#",
    grid={"m": [50, 150], "source": counting.WIKITEXT},
    parallel_grid={"m": [50, 100], "source": counting.OWN},
    small={"m": 50},
    half_right=100,
)
