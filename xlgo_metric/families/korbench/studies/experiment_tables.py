"""Tables of the experiments: subsets of questions, hints, missing rules, fewer questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ....table import Column, Table, columns, interval
from ..shapes import ByKind, Kind, KorSection, PairedQuestions, Subset

_KINDS: Mapping[Kind, str] = {
    "by_rule": "rule",
    "by_tag": "kind of rule",
    "by_format": "format of the answer",
}
_PAIRED_COLUMNS = (
    Column("questions", "count"),
    Column("without", "share", 2),
    Column("with", "share", 2),
    Column("only without", "count"),
    Column("only with", "count"),
    Column("difference", "difference", 2),
    *interval("95% interval", "difference"),
    Column("p", "p"),
)


def experiment_tables(section: KorSection) -> Iterator[Table]:
    """The tables for which a section has numbers."""
    for kind, words in _KINDS.items():
        if kind in section:
            yield _by(kind, words, section[kind])
    if "trick" in section:
        yield Table(
            "korbench_trick",
            "KOR-Bench puzzles without and with their hint",
            _PAIRED_COLUMNS,
            (_paired(section["trick"]),),
            "The same puzzles; exact interval of the difference and exact sign test.",
        )
    if "rules" in section:
        rows = [(name, *_turned(part)) for name, part in section["rules"].items()]
        yield Table(
            "korbench_rules",
            "KOR-Bench without and with the rules",
            (Column("category"), *_PAIRED_COLUMNS),
            tuple(rows),
            "The same questions. Without its rule a question is answered from knowledge alone: "
            "where the difference is small, the rule was known or did not help.",
        )
    if section.get("subsets"):
        yield _subsets(section["subsets"])


def _by(kind: Kind, words: str, parts: ByKind) -> Table:
    rows = [
        (category, one, block["questions"], block["accuracy"], block["low"], block["high"])
        for category, blocks in parts.items()
        for one, block in blocks.items()
    ]
    return Table(
        f"korbench_{kind}",
        f"KOR-Bench by {words}",
        (
            *columns("text", "category", kind.removeprefix("by_")),
            Column("questions", "count"),
            Column("accuracy", "share", 2),
            *interval("95% interval", "share"),
        ),
        tuple(rows),
        "Exact intervals over questions; ten questions say little about one rule.",
    )


def _paired(part: PairedQuestions) -> tuple[Any, ...]:
    return (
        part["questions"], part["first"], part["second"], part["only_first"], part["only_second"],
        part["difference"], part["low"], part["high"], part["p"],
    )  # fmt: skip


def _turned(part: PairedQuestions) -> tuple[Any, ...]:
    """With the questions without rules first: they are the second of the comparison."""
    return (
        part["questions"], part["second"], part["first"], part["only_second"], part["only_first"],
        -part["difference"], -part["high"], -part["low"], part["p"],
    )  # fmt: skip


def _subsets(rows: list[Subset]) -> Table:
    return Table(
        "korbench_subsets",
        "KOR-Bench: how far a part of the questions would do",
        (
            Column("drawn by"),
            Column("share of questions", "share", 0),
            Column("mean error", "share", 2),
            Column("standard deviation", "share", 2),
            Column("Gini", "number", 3),
        ),
        tuple(
            (row["drawn"], row["share"], row["error"], row["deviation"], row["gini"])
            for row in rows
        ),
        "Overall accuracy of 20 drawn subsets of each size against all questions, in points; the "
        "Gini coefficient is that of the models' accuracies.",
    )
