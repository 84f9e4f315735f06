"""The questions: a text and a chain of languages each, with their options.

The texts are our own sample, a JSONL file, or a dataset on the Hub. A row there has ``text_id``,
``text`` and ``subcategory``; ``split`` (``main`` unless said), ``source`` and ``licence`` may be
left out, and so may ``category``, which follows from the subcategory.

Chains are the eight sequences of the paper, pairwise ones, and one's own.
The rows hold the first prompt of a chain and, in the reference, the chain and the original.
"""

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from xlgo_metric.core import allowed_name, grouped, read_toml, refuse
from xlgo_metric.option import Option

from ...core import Json, Options, row_of
from ...sources import folder_of, read_rows
from . import prompts

MAIN, ROBUSTNESS = "main", "robustness"

CATEGORIES: Mapping[str, str] = {
    "humanities": "abstracts", "stem": "abstracts", "core_semantics": "pragmatics",
    "discourse": "pragmatics", "implicit": "pragmatics", "inference": "pragmatics",
    "social": "pragmatics", "informal": "informal",
}  # fmt: skip
"""Category by subcategory of the main split (paper 003, section 3)."""

CLASSES = ("conceptual_abstract", "idioms_metaphors", "polysemy", "register_tone",
           "syntactic_garden")  # fmt: skip
"""Subcategories of the robustness split; their category is ``robustness``."""

SAMPLE, USER = "sample", "user"
"""Origins of texts. Scores on the sample are no published LiT scores."""

_SAMPLE_FILE = Path(__file__).parent / "texts.jsonl"
_LONGEST_ID = 100


def texts(split: str = MAIN, source: str | None = None) -> list[Json]:
    """The texts of a split, in the order of the data: what their references say of them.

    Args:
        split: ``main`` or ``robustness``.
        source: a JSONL file, or the name of a dataset on the Hub (``owner/name``); ``None`` for
            the sample, which is our own writing (CC0).

    Raises:
        ValueError: there is no such file or dataset, a row is malformed, or a text is there
            twice.
    """
    path = Path(_SAMPLE_FILE if source is None else source)
    paths = [path] if path.is_file() else folder_of(str(source)).data_files().values()
    every = [
        _text(row, f"{path}, row {number}")
        for path in paths
        for number, row in enumerate(read_rows(path), 1)
    ]
    names = Counter(text["text_id"] for text in every)
    if repeated := [name for name, count in names.items() if count > 1]:
        raise ValueError(f"{source}: text_id {repeated[0]!r} is there twice: rename one")
    if result := [text for text in every if text["text_split"] == split]:
        return result
    raise ValueError(f"{source} has no text of the split {split}: give a source that has some")


def _text(row: Json, where: str) -> Json:
    for column in ("text_id", "text", "subcategory"):
        if not isinstance(row.get(column), str) or not row[column].strip():
            raise ValueError(f"{where}: {column} must be a text that is not empty")
    language = row.get("lang")
    refuse(
        f"{where}: ",
        (len(row["text_id"]) > _LONGEST_ID, f"text_id must have at most {_LONGEST_ID} characters"),
        (language not in (None, "en"), f"lang must be 'en', got {language!r}"),
    )
    split, subcategory = row.get("split") or MAIN, row["subcategory"]
    allowed_name(split, "split", (MAIN, ROBUSTNESS), f"{where}: ")
    allowed = CATEGORIES if split == MAIN else CLASSES
    allowed_name(subcategory, "subcategory", allowed, f"{where}: split {split}: ")
    return {
        "text_id": row["text_id"],
        "text_split": split,
        "category": CATEGORIES.get(subcategory, ROBUSTNESS),
        "subcategory": subcategory,
        "original": row["text"],
        "source": str(row.get("source") or ""),
        "licence": str(row.get("licence") or ""),
    }


ENGLISH = "en"
_LONGEST_CHAIN = 20


class LanguageChain(NamedTuple):
    """A chain of languages.

    Attributes:
        sequence: its name.
        tier: ``high``, ``medium`` or ``low`` for the eight sequences, else empty.
        codes: from English through others back to English.
    """

    sequence: str
    tier: str
    codes: tuple[str, ...]


_CONTENT: Json = read_toml(Path(__file__).parent / "sequences.toml")

CHAIN_LANGUAGES: Mapping[str, Mapping[str, str]] = {
    code: {"asked": entry["name"], **entry} for code, entry in _CONTENT["languages"].items()
}
"""All languages that chains may have: by code the English ``name``, the name ``asked`` for by
prompts, and the ``script``."""

SEQUENCES = tuple(
    LanguageChain(entry["name"], entry["tier"], (ENGLISH, *entry["through"], ENGLISH))
    for entry in _CONTENT["sequences"]
)
"""The eight sequences of the paper (Table 3), in its order: four languages in series."""

PAIRS = tuple(
    LanguageChain(f"en_{code}", "", (ENGLISH, code, ENGLISH))
    for code in _CONTENT["pairwise"]["languages"]
)
"""English to a language and back, for the seven that the paper compares with preferences."""


def custom(chain: str) -> LanguageChain:
    """A chain of one's own.

    Args:
        chain: codes joined by commas, from ``en`` to ``en``, as ``en,te,hi,en``.

    Raises:
        ValueError: an unknown language, one twice in a row, or a chain that does not begin and
            end with English or has nothing between, or too much.
    """
    codes = tuple(code.strip() for code in chain.split(",")) if isinstance(chain, str) else ()
    if not 3 <= len(codes) <= _LONGEST_CHAIN + 2 or (codes[0], codes[-1]) != (ENGLISH, ENGLISH):
        raise ValueError(
            f"chain={chain!r} must go from en through 1 to {_LONGEST_CHAIN} languages back to en, "
            "as in 'en,te,hi,en'"
        )
    for code, following in itertools.pairwise(codes):
        if allowed_name(code, "language", sorted(CHAIN_LANGUAGES), "chain: ") == following:
            raise ValueError(f"chain={chain!r} has {code} twice in a row: leave one out")
    return LanguageChain("-".join(codes), "", codes)


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
        return PAIRS
    return tuple(
        sequence for sequence in SEQUENCES if task in (ROBUST, f"{NAME}_{sequence.sequence}")
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
    every = texts(ROBUSTNESS if task == ROBUST else MAIN, options["source"])
    rounds = itertools.zip_longest(*grouped(every, lambda text: text["subcategory"]).values())
    originals = [text for texts_of_round in rounds for text in texts_of_round if text is not None]
    origin = SAMPLE if options["source"] is None else USER
    through = chains(task, options.get("chain"))
    for turn in range(len(through)):
        for index, text in enumerate(originals):
            level = (turn + index) % len(through)
            yield _row(task, text, through[level], origin, level=level, index=index)


def _row(
    task: str, text: Json, chain: LanguageChain, origin: str, **numbers: int
) -> dict[str, object]:
    languages = [CHAIN_LANGUAGES[code] for code in chain.codes]
    names = [language["asked"] for language in languages]
    reference = {
        "family": NAME,
        "task": task,
        "language": ENGLISH,
        "instance_id": f"lit-{chain.sequence}-{text['text_id']}",
        **{name: text[name] for name in ("text_id", "text_split", "category", "subcategory")},
        "sequence": chain.sequence,
        "tier": chain.tier,
        "chain": {
            "codes": list(chain.codes),
            "names": names,
            "scripts": [language["script"] for language in languages],
        },
        "original": text["original"],
        "data_origin": origin,
        "source": text["source"],
        "licence": text["licence"],
        "prompt_id": prompts.PROMPT_ID,
        "prompt_sha": prompts.PROMPT_SHA,
        "data": VERSION,
        "complexity": len(chain.codes) - 1,
        **numbers,
        "split": SPLIT,
        "answer": text["original"],
    }
    return row_of(reference, prompts.translation(text["original"], names[0], names[1]))
