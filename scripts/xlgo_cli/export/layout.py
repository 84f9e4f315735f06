"""The content of an exported folder's ``export.json``."""

from __future__ import annotations

from typing import Any, TypedDict


class ShardRecord(TypedDict):
    """A finished file of rows.

    Attributes:
        path: relative to the exported folder.
        split: that its rows belong to.
        rows: how many.
        text: bytes of the rows: of their texts in UTF-8, and eight for every number.
        size: bytes of the file.
        sha256: of the file.
        start, stop: the indexes of its questions, where the task has indexes.
    """

    path: str
    split: str
    rows: int
    text: int
    size: int
    sha256: str
    start: int | None
    stop: int | None


class TaskEntry(TypedDict):
    """What the recipe says of a task."""

    data: int
    family: str
    languages: list[str]
    configs: dict[str, list[str]]
    levels: list[int] | None
    options: dict[str, Any]


class Recipe(TypedDict):
    """Everything that the bytes of an export depend on."""

    tasks: dict[str, TaskEntry]
    splits: list[str]
    options: dict[str, Any]
    wording: str | None
    code: str
    pyarrow: str
    version: str


class Manifest(TypedDict):
    """The whole file."""

    schema: int
    command: str
    signature: str
    recipe: Recipe
    shards: list[ShardRecord]
