"""Word counting: how often does each word of a list occur in a text?

Paper 002, appendix G.2. The words are the ``k`` most frequent of the passage, counted as whole
tokens, letters only, ties to the earlier one, and listed in random order: the order of frequency
would give the answer's order away. Words have at least four characters by default, because the
frequent words that the paper's error analysis names are "that, with, were, from" and never "the".
"""

from collections import Counter

from .. import counting
from ..base import Drawn, Json, Param, Stream, Task, TaskLabels, Words, fill


def make(stream: Stream, params: Json) -> Drawn | None:
    """Draw a passage and list its most frequent words; ``None`` if it has too few."""
    passage, digest = counting.drawn_passage("word_count", stream, params)
    tokens = passage.split(" ")
    counts = Counter(
        token for token in tokens if len(token) >= params["min_length"] and counting.is_word(token)
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
    return Drawn({"words": words, "text": passage}, {"counts": expected}, covariates)


def render(structure: Json, params: Json, words: Words) -> str:
    """The prompt."""
    table, listed_words = words["word_count"], structure["words"]
    if "word" in table:  # the parallel prompts have a line for each word
        lines = [fill(table["word"], number=i, word=word) for i, word in enumerate(listed_words, 1)]
        listed = "\n".join(lines)
    else:
        listed = table["separator"].join(listed_words)
    form = f"[{', '.join('N' * len(listed_words))}]"
    return fill(table["prompt"], words=listed, text=structure["text"], form=form)


TASK = Task(
    "word_count",
    TaskLabels(
        "Counting words", "Words", "How often each word of a list occurs in a text.", "words"
    ),
    complexity="k",
    options=(
        Param("k", "integer", "words to count", (1, 3, 6), range(1, 21)),
        Param("m", "integer", "length of the passage in words", (50, 150), range(5, 20001)),
        Param("min_length", "integer", "least letters of a counted word", (4,), range(1, 21)),
        Param("source", "text", "text that passages are taken from", (counting.OWN,), is_path=True),
    ),
    unnamed=("source",),
    make=make,
    render=render,
    response=lambda answer: str(answer["counts"]),
    grid={"k": [1, 3, 6], "m": [50, 150], "source": counting.WIKITEXT},
    # The texts of languages are short: passages of 150 words would be few. Their words may be
    # short too, as in Hindi.
    parallel_grid={"k": [1, 3, 6], "m": [50, 100], "source": counting.OWN, "min_length": 3},
    small={"k": 3, "m": 50, "min_length": 3},
    half_right=4,
)
