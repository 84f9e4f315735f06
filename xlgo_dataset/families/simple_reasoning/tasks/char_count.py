"""Character counting: how often does a character occur in a text?

Paper 002, appendix G.1. The character is one of the ten most frequent of the passage, white space
excepted, ties to the earlier one. A letter and the marks that belong to it are one character; the
artefacts of WikiText-2 (``<unk>``, ``@-@``) count as they are shown.

The parallel prompts of other languages have texts of their own (see ``counting``), and ask for
letters that are grapheme clusters.
"""

from __future__ import annotations

from collections import Counter
from typing import TypedDict

from ....core.rng import Stream
from ....declared import TaskLabels
from .. import counting, replies, text
from ..base import Counts, Made, Param, no_reference, same_answer
from ..prompts import Words, template

TASK = "char_count"
LABELS = TaskLabels(
    "Counting characters",
    "Characters",
    "How often a character occurs in a text.",
    "words of the text",
)
COMPLEXITY = "m"
LANGUAGES = ("en",)
PARAMS = {
    "m": Param(50, range(5, 20001), "length of the passage in words", (50, 150)),
    "source": Param(text.OWN, None, "text that passages are taken from", in_key=False),
}
GRID = {"m": [50, 150], "source": text.WIKITEXT}
PARALLEL_GRID = {"m": [50, 100], "source": text.OWN}
SMALL = {"m": 50}
HALF_RIGHT = 100
TEMPLATE = "simple"
MOST_FREQUENT = 10


class Params(TypedDict):
    """Its parameters, and of the counting tasks the split."""

    m: int
    source: str
    split: str


class Structure(TypedDict):
    """What is counted, and where."""

    character: str
    text: str


def make(stream: Stream, params: Params) -> Made | None:
    """Draw a passage and one of its most frequent characters."""
    m = params["m"]
    if params["source"].startswith(counting.PREFIX):
        passage, digest = counting.passage(TASK, params, text.upper_bound(m))
        counts = Counter(text.characters(passage))
        common = counting.common_letters(passage, counts, MOST_FREQUENT)
    else:
        passages, digest = text.passages(params["source"], params["split"], m, text.upper_bound(m))
        passage = passages[stream.integer(len(passages))]
        counts = Counter(text.characters(passage))
        del counts[" "]
        common = [character for character, _ in counts.most_common(MOST_FREQUENT)]
    character = common[stream.integer(len(common))]
    count = counts[character]
    covariates = {
        "tokens": counting.size(passage),
        "characters": len(passage),
        "sum": count,
        "maximum": count,
        "text": digest,
    }
    return Made({"character": character, "text": passage}, covariates)


def solve(structure: Structure) -> Counts:
    """The count, as a list of one number."""
    counts = Counter(text.characters(structure["text"]))
    return {"counts": [counts[structure["character"]]]}


def render(structure: Structure, params: Params, words: Words) -> str:
    """The prompt."""
    return template(words[TASK]["prompt"]).fill(
        character=structure["character"], text=structure["text"]
    )


def read(prompt: str, words: Words) -> tuple[Structure, dict[str, object]]:
    """The structure of a prompt and the parameters that show in it."""
    fields = template(words[TASK]["prompt"]).match(prompt)
    if fields is None:
        raise ValueError(f"not a prompt of {TASK}")
    structure: Structure = {"character": fields["character"], "text": fields["text"]}
    return structure, {"m": counting.size(fields["text"])}


def phrase(answer: Counts, parallel: bool) -> str:
    """The answer as the prompt asks for it."""
    (count,) = answer["counts"]
    return f"#{count}#" if parallel else f"The character appears #{count}# times."


answer = same_answer
wrong_answer = replies.wrong_counts
reference = no_reference
