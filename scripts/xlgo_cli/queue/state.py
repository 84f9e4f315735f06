"""Where each model of a queue stands: a file in the folder of the results, and a table of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from xlgo_metric.table import Column, Table

from ..folders import QUEUE, write_json
from .file import Entry

LOCK = ".queue.lock"
SCHEMA = 1

WAITING, RUNNING, DONE, FAILED, STOPPED = "waiting", "running", "done", "failed", "stopped"
CHANGED = "changed"
"""It was done with other arguments or settings, and is to be run again."""


@dataclass(frozen=True)
class Standing:
    """Where a model stands.

    Attributes:
        state: one of the words above.
        digest: changes with everything that its answers depend on.
        seconds: that its last run took.
        why: the reason of a failure, in its own words.
    """

    state: str = WAITING
    digest: str = ""
    seconds: float | None = None
    why: str = ""


@dataclass
class State:
    """The state of a queue, in the folder ``folder``.

    Attributes:
        plan: changes with everything that the questions depend on; empty before the first run.
        models: where each model stands, by the name of its folder.
    """

    folder: Path
    plan: str
    models: dict[str, Standing]

    def of(self, entry: Entry, digest: str) -> Standing:
        """Where a model stands, now that ``digest`` is what its answers would depend on."""
        found = self.models.get(entry.folder, Standing())
        if found.state == DONE and found.digest != digest:
            return Standing(CHANGED, found.digest, found.seconds)
        return found

    def put(self, entry: Entry, standing: Standing) -> None:
        """Note where a model stands.

        Raises:
            ValueError: the file cannot be written.
        """
        self.models[entry.folder] = standing
        data = {
            "schema": SCHEMA,
            "plan": self.plan,
            "models": {name: asdict(found) for name, found in self.models.items()},
        }
        write_json(self.folder / QUEUE, data)


def read_state(folder: Path) -> State:
    """The state of the queue in a folder; empty where there is none.

    Raises:
        ValueError: the file is not one of a queue.
    """
    path = folder / QUEUE
    if not path.is_file():
        return State(folder, "", {})
    try:
        data = json.loads(path.read_text("utf-8"))
        if data["schema"] != SCHEMA:
            raise ValueError(f"schema {data['schema']}: this version of xlgo reads {SCHEMA}")
        models = {str(name): _standing(found) for name, found in data["models"].items()}
        return State(folder, str(data["plan"]), models)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(
            f"{path}: not the state of a queue ({error}): give another --output_path, or delete it"
        ) from None


def _standing(data: Any) -> Standing:
    seconds = data["seconds"]
    return Standing(
        str(data["state"]),
        str(data["digest"]),
        None if seconds is None else float(seconds),
        str(data["why"]),
    )


def table(entries: Sequence[Entry], standings: Sequence[Standing]) -> Table:
    """Where each model stands, for people."""
    rows = tuple(
        (entry.name, found.state, _time(found.seconds), entry.folder, found.why)
        for entry, found in zip(entries, standings)
    )
    done = sum(found.state == DONE for found in standings)
    return Table(
        "queue",
        f"{done} of {len(entries)} models are done",
        tuple(map(Column, ("Model", "State", "Time", "Folder", "Why"))),
        rows,
    )


def _time(seconds: float | None) -> str:
    if seconds is None:
        return ""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes}:{rest:02} min"
