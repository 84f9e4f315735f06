"""Taxonomies of errors: what a judge chooses from, as TOML.

A file has a ``title``, a ``source``, a ``prompt`` with ``{question}``, ``{answer}``,
``{response}``, ``{labels}`` and ``{count}``, and ``[[label]]`` tables with ``name``,
``definition``, ``examples``, ``group`` (what it counts as; by default itself) and ``tasks`` (the
only ones for which it may be chosen). ``several = true`` allows any number of labels, ``every =
true`` asks about correct answers, too. ``[context]`` names a question that is shown as
``{context_question}`` and ``{context_solution}``.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from xlgo_lm_eval.arguments import check_names
from xlgo_metric.family import Question, filled

from ...folders import check_table, read_settings

FOLDER = Path(__file__).parent / "taxonomies"
LONGEST = 20_000
"""Characters of a text that a judge sees; of a longer one the end."""

_OBJECT = re.compile(r"\{[^{}]{0,500}\}")
_FINAL = re.compile(r"final answer:[\s*]{0,9}(\d{1,3})", re.IGNORECASE)

_OF_FILE = {
    "title": "a text", "prompt": "a text", "label": "a list", "source": "a text",
    "several": "a boolean", "every": "a boolean", "context": "a table",
}  # fmt: skip
_OF_LABEL = {
    "name": "a text", "definition": "a text", "examples": "a list of texts", "group": "a text",
    "tasks": "a list of texts",
}  # fmt: skip
_FIELDS = ("question", "answer", "response", "labels", "count")
_CONTEXT = ("variant", "of", "same")
_CONTEXT_FIELDS = ("context_question", "context_solution")


@dataclass(frozen=True)
class Label:
    """A type of error.

    Attributes:
        group: what it counts as in tables.
        tasks: for which it may be chosen; all where this is empty.
    """

    name: str
    definition: str = ""
    examples: Sequence[str] = ()
    group: str = ""
    tasks: Sequence[str] = ()


@dataclass(frozen=True)
class Taxonomy:
    """Types of error, and how a judge is asked for them; see the top of the module."""

    name: str
    title: str
    prompt: str
    label: Sequence[Label]
    source: str = ""
    several: bool = False
    every: bool = False
    context: Mapping[str, str] = field(default_factory=dict)

    def labels(self, task: str) -> list[Label]:
        """Those for a task; none where it is not of this taxonomy."""
        return [label for label in self.label if not label.tasks or task in label.tasks]

    @property
    def groups(self) -> list[str]:
        """What tables count, in the order of the file."""
        return list(dict.fromkeys(label.group for label in self.label))

    def question(self, task: str, values: Mapping[str, str]) -> Question:
        """What a judge is asked about an answer to a task; ``values`` fill the prompt."""
        labels = self.labels(task)
        listed = "\n".join(f"{n}. {_described(label)}" for n, label in enumerate(labels, 1))
        more = {"labels": listed, "count": str(len(labels))}
        prompt = filled(self.prompt, {k: v[-LONGEST:] for k, v in values.items()} | more).strip()
        return Question(
            "errors",
            f"errors-{self.name}-2",
            prompt,
            lambda reply: self.read(task, reply) is not None,
            partial(_repaired, prompt),
        )

    def read(self, task: str, reply: str) -> tuple[str, ...] | None:
        """What the labels of a reply count as: of its last JSON object, or its final answer.

        ``None`` where it has neither, another label, or not as many as it should.
        """
        labels = self.labels(task)
        group_of = {label.name.casefold(): label.group for label in labels}
        group_of |= {str(n): label.group for n, label in enumerate(labels, 1)}
        objects = map(_labels_in, reversed(_OBJECT.findall(reply)))
        final = _FINAL.findall(reply)[-1:] or None
        names = next((entry for entry in objects if entry is not None), final)
        if names is None:
            return None
        groups = [group_of.get(str(label).strip().casefold()) for label in names]
        if None in groups or (len(groups) != 1 and not self.several):
            return None
        return tuple(dict.fromkeys(filter(None, groups)))


def read_taxonomy(name: str) -> Taxonomy:
    """A taxonomy of this package by its name, or a file of somebody's own.

    Raises:
        ValueError: there is none, or it is not as it should be.
    """
    path = Path(name) if name.endswith(".toml") else FOLDER / f"{name}.toml"
    if not path.is_file():
        names = ", ".join(sorted(entry.stem for entry in FOLDER.glob("*.toml")))
        raise ValueError(f"--errors {name}: unknown: allowed are {names}, or a TOML file")
    content = read_settings(path)
    where = f"{path}: not a taxonomy of errors"
    check_table(where, content, _OF_FILE, ("title", "prompt", "label"))
    for number, label in enumerate(content["label"], 1):
        check_table(f"{where}: label {number}", label, _OF_LABEL, ("name",))
    fields: Sequence[str] = _FIELDS
    if context := content.get("context"):
        check_table(f"{where}: context", context, dict.fromkeys(_CONTEXT, "a text"), _CONTEXT)
        fields = (*_FIELDS, *_CONTEXT_FIELDS)
    shown = re.findall(r"\{(\w+)\}", content["prompt"])
    check_names(f"{where}: prompt", shown, fields, is_open=False)
    entries = content.pop("label")
    labels = [Label(**{**entry, "group": entry.get("group") or entry["name"]}) for entry in entries]
    return Taxonomy(path.stem, label=labels, **content)


def _described(label: Label) -> str:
    examples = f" Examples: {'; '.join(label.examples)}." if label.examples else ""
    return f"{label.name}{': ' * bool(label.definition)}{label.definition}{examples}"


def _labels_in(text: str) -> list[Any] | None:
    """The labels in a JSON object, under ``error``."""
    try:
        labels = json.loads(text).get("error")
    except ValueError:
        return None
    return labels if isinstance(labels, list) else None if labels is None else [labels]


def _repaired(prompt: str, bad: str) -> str:
    return (
        f"{prompt}\n\nYour last reply could not be read. It was:\n<reply>\n{bad[-LONGEST:]}\n"
        "</reply>\nGive the same judgement again, in the form that is asked for and with one of "
        "the names or numbers above."
    )
