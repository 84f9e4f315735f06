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


class _TaskOfSchema2(TypedDict, total=False):
    data: int


class TaskEntry(_TaskOfSchema2):
    """What the recipe says of a task; schema 1 gave a configuration one folder, not a list."""

    family: str
    languages: list[str]
    configs: dict[str, list[str]] | dict[str, str]
    levels: list[int] | None
    options: dict[str, Any]


class _RecipeOfSchema1(TypedDict, total=False):
    data: int


class Recipe(_RecipeOfSchema1):
    """Everything that the bytes of an export depend on."""

    tasks: dict[str, TaskEntry]
    splits: list[str]
    options: dict[str, Any]
    wording: str | None
    code: str
    pyarrow: str
    version: str


class _ManifestOfSchema2(TypedDict, total=False):
    schema: int


class Manifest(_ManifestOfSchema2):
    """The whole file."""

    command: str
    signature: str
    recipe: Recipe
    shards: list[ShardRecord]
