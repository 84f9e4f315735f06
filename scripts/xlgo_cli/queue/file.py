"""The file of ``xlgo run --models``: several models, each with its arguments and settings.

In TOML (or the same in YAML)::

    [[models]]
    name = "lingua-7b, thinking"
    type = "hf"
    arguments = { pretrained = "acme/lingua-7b", enable_thinking = true }
    settings = { apply_chat_template = true, batch_size = "auto" }
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..folders import read_settings

_KEYS = ("name", "type", "arguments", "settings")
_OF_THE_PLAN = frozenset({
    "tasks", "preset", "levels", "per_level", "c_min", "c_max", "complexities", "plan",
    "xlgo_seed", "text", "languages", "limit", "metadata", "design", "budget", "precision",
    "max_prompt_tokens", "tokenizer", "include_path", "config", "challenge",
})  # fmt: skip
"""Settings that choose the questions; they are the same for all models of a queue."""

_OF_THE_QUEUE = {
    "model": "type", "model_args": "arguments", "output_path": "name", "out": "name",
    "models": "models", "status": "name",
}  # fmt: skip
_SWITCHES = frozenset({"one_by_one"})
"""Settings that have an option to turn them off, too."""

_SETTING = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


@dataclass(frozen=True)
class Entry:
    """One model of a queue.

    Attributes:
        name: what people call it, one of a kind in the file.
        type: the type of model, as for ``--model``.
        arguments: as for ``--model_args``: values by name, or the text of the option.
        settings: other options of ``xlgo run`` by name, without the dashes.
    """

    name: str
    type: str
    arguments: Mapping[str, Any] | str
    settings: Mapping[str, Any]

    @property
    def folder(self) -> str:
        """The name of the folder of its results."""
        return re.sub(r"[^\w.-]+", "_", self.name).strip("._") or "model"

    def words(self) -> list[str]:
        """Its part of the command line of ``xlgo run``."""
        found = ["--model", self.type]
        if self.arguments:
            given = self.arguments
            found += ["--model_args", given if isinstance(given, str) else json.dumps(dict(given))]
        for name, value in self.settings.items():
            if value is False:
                found += [f"--no-{name.replace('_', '-')}"] if name in _SWITCHES else []
            elif value is True:
                found.append(f"--{name}")
            elif isinstance(value, dict):
                found += [f"--{name}", json.dumps(value)]
            else:
                values = value if isinstance(value, list) else [value]
                found += [f"--{name}", *map(str, values)]
        return found


def read_models(path: Path) -> list[Entry]:
    """The models of a file, in its order.

    Raises:
        ValueError: it cannot be read, or an entry is invalid; the message says what to do.
    """
    data = read_settings(path, "--models")
    if not isinstance(data, dict) or not isinstance(data.get("models"), list) or not data["models"]:
        raise ValueError(
            f"--models {path}: it must hold a list `models` of at least one model, each with name, "
            "type, arguments and settings"
        )
    if others := sorted(map(str, data.keys() - {"models"})):
        raise ValueError(
            f"--models {path}: unknown entry {others[0]!r}: only `models` is allowed; give options "
            "for all models on the command line"
        )
    models = [
        _entry(f"--models {path}: model {number}", one)
        for number, one in enumerate(data["models"], start=1)
    ]
    folders: dict[str, str] = {}
    for entry in models:
        other = folders.setdefault(entry.folder.casefold(), entry.name)
        if other is not entry.name:
            raise ValueError(
                f"--models {path}: two models are called {entry.name!r} and {other!r}, and their "
                f"results would share the folder {entry.folder}: give them other names"
            )
    return models


def _entry(where: str, data: Any) -> Entry:
    if not isinstance(data, dict):
        raise ValueError(f"{where}: must be a table with name, type, arguments and settings")
    if isinstance(data.get("name"), str):
        where = f"{where} ({data['name']})"
    if unknown := [str(key) for key in data if key not in _KEYS]:
        raise ValueError(
            f"{where}: unknown entry {unknown[0]!r}: allowed are {', '.join(_KEYS)}; other options "
            "of xlgo run go into settings"
        )
    for key in ("name", "type"):
        if not isinstance(data.get(key), str) or not data[key].strip():
            raise ValueError(f"{where}: needs a {key}, as a text")
    arguments = data.get("arguments") or {}
    if not isinstance(arguments, dict | str):
        raise ValueError(f"{where}: arguments must be a table, or a text as for --model_args")
    settings = data.get("settings") or {}
    if not isinstance(settings, dict):
        raise ValueError(f"{where}: settings must be a table of options of xlgo run")
    checked = {_setting(where, str(name), value): value for name, value in settings.items()}
    return Entry(data["name"].strip(), data["type"].strip(), arguments, checked)


def _setting(where: str, name: str, value: Any) -> str:
    """The name of a setting, spelt with underscores."""
    spelt = name.replace("-", "_")
    if not _SETTING.fullmatch(name):
        raise ValueError(f"{where}: setting {name!r}: write the option without its dashes")
    if spelt in _OF_THE_PLAN:
        raise ValueError(
            f"{where}: setting {name!r} says what is asked, and all models are asked the same: "
            "give it on the command line"
        )
    if spelt in _OF_THE_QUEUE:
        raise ValueError(f"{where}: setting {name!r}: use the entry {_OF_THE_QUEUE[spelt]!r}")
    values = value if isinstance(value, list) else [value]
    if not (isinstance(value, dict) or all(isinstance(v, str | int | float) for v in values)):
        raise ValueError(f"{where}: setting {name!r} must be a text, a number, a list or a table")
    return spelt
