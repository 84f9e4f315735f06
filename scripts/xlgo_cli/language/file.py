"""Changing a language file in place: comments and layout stay, and no half file is ever left."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from xlgo_dataset.text.languages import FOLDER

from ..arguments import Argument, existing_folder
from ..folders import write_text

FILES = Argument("--folder", type=existing_folder, default=FOLDER, help="the language files")


@dataclass(frozen=True)
class Edit:
    """A new wording of one string.

    Attributes:
        task, key: which string.
        field: ``revised`` beside the paper's wording, or ``text`` in its place.
        text: the new wording.
        comment: why.
    """

    task: str
    key: str
    field: Literal["text", "revised"]
    text: str
    comment: str


def save_edits(path: Path, edits: Sequence[Edit], review: Mapping[str, str]) -> None:
    """Write edits and the ``[review]`` table into a language file.

    An edit of a revised wording raises ``revised_revision``, one of a text the language's
    ``data_version``, so that scores of the wordings before and after can be distinguished.
    """
    import tomlkit

    document: Any = tomlkit.parse(path.read_text("utf-8"))
    document["review"].update(review)
    versions = {"revised": "revised_revision", "text": "data_version"}
    for version in {versions[edit.field] for edit in edits}:
        document[version] = document.get(version, 1) + 1
    for edit in edits:
        entry = document[edit.task][edit.key]
        entry.pop("back_translation", None)  # it is one of the wording before
        if edit.field == "text":
            notes = "; ".join(filter(None, (entry.get("note"), edit.comment)))
            new = {"text": edit.text, "source": "edited", "note": notes}
        else:
            new = {"revised": edit.text, "revised_note": edit.comment}
        entry.update({field: toml_string(text) for field, text in new.items()})
    write_text(path, tomlkit.dumps(document))


def toml_string(text: str) -> Any:
    """A TOML string on one line, as the language files write it: a value of tomlkit."""
    import tomlkit

    if '"' in text and not set("'\n\\") & set(text) and text.isprintable():
        return tomlkit.string(text, literal=True)
    written = tomlkit.string(text).as_string()
    # Joiners cannot be seen, so they are written out.
    return tomlkit.value(written.replace("\u200c", "\\u200c").replace("\u200d", "\\u200d"))
