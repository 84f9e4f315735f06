"""Word counting: how often does each word of a list occur in a text?

Paper 002, appendix G.2. The words are the ``k`` most frequent of the passage, counted as whole
tokens, letters only, ties to the earlier one, and listed in random order: the order of frequency
would give the answer's order away. Words have at least four characters by default, because the
frequent words that the paper's error analysis names are "that, with, were, from" and never "the".
"""

from __future__ import annotations

from collections import Counter
from typing import TypedDict

from ....core.rng import Stream
from ....declared import TaskLabels
from .. import counting, replies, text
from ..base import Counts, Made, Param, no_reference, same_answer
from ..prompts import Words, template

TASK = "word_count"
LABELS = TaskLabels(
    "Counting words", "Words", "How often each word of a list occurs in a text.", "words"
)
COMPLEXITY = "k"
LANGUAGES = ("en",)
PARAMS = {
    "k": Param(1, range(1, 21), "words to count", (1, 3, 6)),
    "m": Param(50, range(5, 20001), "length of the passage in words", (50, 150)),
    "min_length": Param(4, range(1, 21), "least letters of a counted word"),
    "source": Param(text.OWN, None, "text that passages are taken from", in_key=False),
}
GRID = {"k": [1, 3, 6], "m": [50, 150], "source": text.WIKITEXT}
# The texts of languages are short: passages of 150 words would be few. Their words may be short
# too, as in Hindi.
PARALLEL_GRID = {"k": [1, 3, 6], "m": [50, 100], "source": text.OWN, "min_length": 3}
SMALL = {"k": 3, "m": 50, "min_length": 3}
HALF_RIGHT = 4
TEMPLATE = "simple"


class Params(TypedDict):
    """Its parameters, and of the counting tasks the split."""

    k: int
    m: int
    min_length: int
    source: str
    split: str


class Structure(TypedDict):
    """What is counted, and where."""

    words: list[str]
    text: str


def make(stream: Stream, params: Params) -> Made | None:
    """Draw a passage and list its most frequent words; ``None`` if it has too few."""
    m = params["m"]
    if params["source"].startswith(counting.PREFIX):
        passage, digest = counting.passage(TASK, params, text.upper_bound(m))
    else:
        passages, digest = text.passages(params["source"], params["split"], m, text.upper_bound(m))
        passage = passages[stream.integer(len(passages))]
    tokens = passage.split(" ")
    counts = Counter(
        token for token in tokens if len(token) >= params["min_length"] and text.is_word(token)
    )
    if len(counts) < params["k"]:
        return None
    # most_common is stable, so equal counts keep the order of the text.
    words = stream.shuffle([word for word, _ in counts.most_common(params["k"])])
    expected = [counts[word] for word in words]
    covariates = {
        "tokens": len(tokens),
        "characters": len(passage),
        "sum": sum(expected),
        "maximum": max(expected),
        "text": digest,
    }
    return Made({"words": words, "text": passage}, covariates)


def solve(structure: Structure) -> Counts:
    """The counts, in the order of the list."""
    counts = Counter(structure["text"].split(" "))
    return {"counts": [counts[word] for word in structure["words"]]}


def render(structure: Structure, params: Params, words: Words) -> str:
    """The prompt."""
    table, asked = words[TASK], structure["words"]
    form = f"[{', '.join('N' * len(asked))}]"
    if "word" in table:  # the parallel prompts have a line for each word
        lines = [template(table["word"]).fill(number=i, word=w) for i, w in enumerate(asked, 1)]
        listed = "\n".join(lines)
    else:
        listed = table["separator"].join(asked)
    return template(table["prompt"]).fill(words=listed, text=structure["text"], form=form)


def read(prompt: str, words: Words) -> tuple[Structure, dict[str, object]]:
    """The structure of a prompt and the parameters that show in it."""
    table = words[TASK]
    fields = template(table["prompt"]).match(prompt)
    if fields is None:
        raise ValueError(f"not a prompt of {TASK}")
    if "word" in table:
        lines = [template(table["word"]).match(line) for line in fields["words"].split("\n")]
        listed = [line["word"] for line in lines if line is not None]
        if len(listed) != len(lines):
            raise ValueError(f"not a prompt of {TASK}")
    else:
        listed = fields["words"].split(table["separator"])
    tokens = fields["text"].count(" ") + 1
    return {"words": listed, "text": fields["text"]}, {"k": len(listed), "m": tokens}


def phrase(answer: Counts, parallel: bool) -> str:
    """The answer as the prompt asks for it."""
    counts = answer["counts"]
    if parallel:
        return f"[{', '.join(map(str, counts))}]"
    return f"The words appear [ {' , '.join(map(str, counts))} ] times."


answer = same_answer
wrong_answer = replies.wrong_counts
reference = no_reference
