"""The questions: a text and a chain of languages each, with their options.

The rows hold the first prompt of a chain and, in the reference, the chain and the original.
"""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence

from xlgo_metric.core import grouped
from xlgo_metric.option import Option

from ...core.schema import row_of
from ...declared import Options
from . import prompts
from .chains import ENGLISH, LanguageChain, chain_languages, custom, pairwise, sequences
from .loading import MAIN, ROBUSTNESS, SAMPLE, USER, Text, texts

NAME = "lit"
VERSION = 2
"""Of the data of this family; rises whenever a text, a chain or a prompt changes."""

PAIRWISE, CUSTOM, ROBUST = "lit_pairwise", "lit_custom", "lit_robustness"
SPLIT = "test"

_OPTIONS = (
    Option(
        "source", "text", "JSONL file or dataset on the Hub with texts of one's own", is_path=True
    ),
)
_CHAIN = Option(
    "chain",
    "other",
    "languages from en to en, joined by commas",
    needed="codes from en to en, as 'en,te,hi,en'",
    check=lambda value: ",".join(custom(value).codes),
)


def task_options(task: str) -> tuple[Option, ...]:
    """The options of a task."""
    return (*_OPTIONS, _CHAIN) if task == CUSTOM else _OPTIONS


def chains(task: str, chain: str | None = None) -> tuple[LanguageChain, ...]:
    """The chains of languages that a task goes through; ``chain`` is that of one's own."""
    if task == CUSTOM:
        return (custom(str(chain)),)
    if task == PAIRWISE:
        return pairwise()
    return tuple(
        sequence for sequence in sequences() if task in (ROBUST, f"{NAME}_{sequence.sequence}")
    )


def rows(
    task: str,
    languages: Sequence[str],
    split: str,
    indexes: Iterable[int] | None,
    options: Options,
) -> Iterator[dict[str, object]]:
    """The shared columns; ``index`` is that of the text, ``level`` that of the chain.

    Texts take turns by subcategory, and each comes with its first chain, the next with its second
    and so on before any comes again, so that the first few rows are of different subcategories and
    of different chains.

    ``complexity`` is the number of translations, ``prompt`` the first of them.

    Raises:
        ValueError: as ``texts`` does.
    """
    originals = _in_turns(texts(ROBUSTNESS if task == ROBUST else MAIN, options["source"]))
    about: dict[str, object] = {"data_origin": SAMPLE if options["source"] is None else USER}
    through = chains(task, options.get("chain"))
    for turn in range(len(through)):
        for index, text in enumerate(originals):
            level = (turn + index) % len(through)
            yield _row(task, text, through[level], about, (index, level))


def _in_turns(originals: Sequence[Text]) -> list[Text]:
    """One text of each subcategory, then the second of each, and so on."""
    rounds = itertools.zip_longest(*grouped(originals, lambda text: text.subcategory).values())
    return [text for turn in rounds for text in turn if text is not None]


def _row(
    task: str,
    text: Text,
    chain: LanguageChain,
    more: Mapping[str, object],
    numbers: tuple[int, int],
) -> dict[str, object]:
    index, level = numbers
    languages = chain_languages()
    names = [languages[code].asked for code in chain.codes]
    reference = {
        "family": NAME,
        "task": task,
        "language": ENGLISH,
        "instance_id": f"lit-{chain.sequence}-{text.text_id}",
        "text_id": text.text_id,
        "text_split": text.split,
        "category": text.category,
        "subcategory": text.subcategory,
        "sequence": chain.sequence,
        "tier": chain.tier,
        "chain": {
            "codes": list(chain.codes),
            "names": names,
            "scripts": [languages[code].script for code in chain.codes],
        },
        "original": text.text,
        "data_origin": more["data_origin"],
        "source": text.source,
        "licence": text.licence,
        "prompt_id": prompts.PROMPT_ID,
        "prompt_sha": prompts.PROMPT_SHA,
        "data": VERSION,
        "complexity": len(chain.codes) - 1,
        "level": level,
        "index": index,
        "split": SPLIT,
        "answer": text.text,
        **more,
    }
    return row_of(reference, prompts.translation(text.text, names[0], names[1]))
