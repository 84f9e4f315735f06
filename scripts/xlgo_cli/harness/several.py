"""``xlgo run --models FILE``: several models one after the other, all asked the same questions.

In TOML (or the same in YAML)::

    [[models]]
    name = "lingua-7b, thinking"
    type = "hf"
    arguments = { pretrained = "acme/lingua-7b", enable_thinking = true }
    settings = { apply_chat_template = true, batch_size = "auto" }

Each model runs in a process of its own: its memory is free when it ends, and whatever ends it ends
no other. Each run resumes from its file of answers, which also says where it stands.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from xlgo_lm_eval.answers import files_in, is_open, kept_in, steps_of
from xlgo_metric.table import Column, Table

from ..arguments import Argument, Parser
from ..display.formats import show
from ..folders import explained, read_settings
from .evaluation import INTERRUPTED, check_folder
from .options import RESULTS, words_of
from .preflight.size import agree
from .prepared import Prepared, prepared

LOG = "run.log"
"""In the folder of each model: everything that its run printed."""
WAITING, RUNNING, DONE, STOPPED, CHANGED = "waiting", "running", "done", "stopped", "changed"
"""Where a model stands. Changed: its folder holds answers to other settings or questions."""
PROGRAM = [sys.executable, "-m", "xlgo_cli", "run"]
"""What runs one model."""

_ENTRIES = {
    "name": (str, "a text"),
    "type": (str, "a text, as for --model"),
    "arguments": (dict | str, "a table, or a text as for --model_args"),
    "settings": (dict, "a table of options of xlgo run"),
}
"""Of a model: what each must be, in code and in words."""
_LONGEST = 300

_REFUSED = {
    **dict.fromkeys(
        ["tasks", "preset", "levels", "per_level", "c_min", "c_max", "complexities", "plan",
         "xlgo_seed", "text", "languages", "limit", "metadata", "design", "budget", "precision",
         "max_prompt_tokens", "tokenizer", "include_path", "config", "challenge"],
        "says what is asked, and all models are asked the same: give it on the command line",
    ),
    "model": "use the entry 'type'", "model_args": "use the entry 'arguments'",
    **dict.fromkeys(["output_path", "out", "models", "status"], "use the entry 'name'"),
}  # fmt: skip
"""Settings that a model has not, and what to do."""

_ARGUMENTS = (
    Argument("--models", type=Path),
    Argument("--status", action="store_true"),
    Argument("--out", "--output_path", "--output-path", "-o", dest="output_path", type=Path),
    Argument("--model", "-M", "--model_args", "-a", dest="refused", nargs="*"),
)


@dataclass(frozen=True)
class Entry:
    """One model of a file.

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
        arguments = {"model_args": self.arguments} if self.arguments else {}
        return words_of({"model": self.type, **arguments, **self.settings})


def read_models(path: Path) -> list[Entry]:
    """The models of a file, in its order.

    Raises:
        ValueError: it cannot be read, or an entry is invalid; the message says what to do.
    """
    data = read_settings(path, "--models")
    models = data.get("models") if isinstance(data, dict) else None
    if not isinstance(models, list) or not models:
        raise ValueError(
            f"--models {path}: it must hold a list `models` of at least one model, each with name, "
            "type, arguments and settings"
        )
    if others := sorted(map(str, data.keys() - {"models"})):
        raise ValueError(
            f"--models {path}: unknown entry {others[0]!r}: only `models` is allowed; give options "
            "for all models on the command line"
        )
    folders: dict[str, Entry] = {}
    for number, content in enumerate(models, start=1):
        entry = _entry(f"--models {path}: model {number}", content)
        other = folders.setdefault(entry.folder.casefold(), entry)
        if other is not entry:
            raise ValueError(
                f"--models {path}: two models are called {entry.name!r} and {other.name!r}, and "
                f"their results would share the folder {entry.folder}: give them other names"
            )
    return list(folders.values())


def _entry(where: str, data: Any) -> Entry:
    if not isinstance(data, dict):
        raise ValueError(f"{where}: must be a table with {', '.join(_ENTRIES)}")
    where += f" ({data['name']})" if isinstance(data.get("name"), str) else ""
    if unknown := [str(key) for key in data if key not in _ENTRIES]:
        raise ValueError(
            f"{where}: unknown entry {unknown[0]!r}: allowed are {', '.join(_ENTRIES)}; other "
            "options of xlgo run go into settings"
        )
    for key, (kind, words) in _ENTRIES.items():
        value = data.get(key)
        if kind is str and not str(value or "").strip():
            raise ValueError(f"{where}: needs a {key}, as {words}")
        if value and not isinstance(value, kind):
            raise ValueError(f"{where}: {key} must be {words}")
    settings = data.get("settings") or {}
    spelt = {_setting(where, str(name), value): value for name, value in settings.items()}
    return Entry(data["name"].strip(), data["type"].strip(), data.get("arguments") or {}, spelt)


def _setting(where: str, name: str, value: Any) -> str:
    """The name of a setting, spelt with underscores."""
    spelt, where = name.replace("-", "_"), f"{where}: setting {name!r}"
    if not re.fullmatch(r"[A-Za-z]\w*", spelt):
        raise ValueError(f"{where}: write the option without its dashes")
    if spelt in _REFUSED:
        raise ValueError(f"{where}: {_REFUSED[spelt]}")
    values = value if isinstance(value, list) else [value]
    if not (isinstance(value, dict) or all(isinstance(v, str | int | float) for v in values)):
        raise ValueError(f"{where} must be a text, a number, a list or a table")
    return spelt


def run_models(arguments: Sequence[str]) -> int:
    """Run every model that is not done.

    Returns:
        0; 1 if a model failed; 130 if interrupted.

    Raises:
        ValueError: a mistake in the file or the options, of whichever model; then none is run.
    """
    parser = Parser(prog="xlgo run", add_help=False, allow_abbrev=False)
    args, plan = parser.made_of(_ARGUMENTS).parse_known_args(arguments)
    if args.refused is not None:
        raise ValueError("--models names the models: leave out --model and --model_args")
    folder = args.output_path or RESULTS / args.models.stem
    if folder.suffix == ".json":
        raise ValueError(f"--output_path {folder}: give a folder, in which each model gets its own")
    entries = read_models(args.models)
    runs = []
    for entry in entries:
        words = [*plan, *entry.words(), "--output_path", str(folder / entry.folder)]
        try:
            runs.append(prepared(words))
        except (ValueError, ModuleNotFoundError) as error:
            raise ValueError(f"model {entry.name!r}: {error}") from error
    code = 0 if args.status else _run_all(entries, runs, plan)
    rows = tuple(
        (entry.name, state, kept_in(run.request.folder), entry.folder, why)
        for entry, run in zip(entries, runs)
        for state, why in [standing(run)]
    )
    done = [name for _, state, _, name, _ in rows if state == DONE]
    columns = (
        Column("Model"),
        Column("State"),
        Column("Answers", "count"),
        Column("Folder"),
        Column("Why"),
    )
    show(Table("models", f"{len(done)} of {len(entries)} models are done", columns, rows))
    print(f"results: {folder}")
    if args.status:
        return 0
    again = "the same command without --fresh" if "--fresh" in plan else "the same command"
    if code == INTERRUPTED:
        print(f"interrupted: {again} resumes", file=sys.stderr)
        return code
    if len(done) > 1:
        print(f"compare them: xlgo leaderboard {' '.join(str(folder / name) for name in done)}")
    if len(done) == len(entries):
        return 0
    print(
        f"xlgo: {len(entries) - len(done)} of {len(entries)} models did not end (see "
        f"{folder}/*/{LOG}): {again} resumes them",
        file=sys.stderr,
    )
    return 1


def _run_all(entries: Sequence[Entry], runs: Sequence[Prepared], plan: Sequence[str]) -> int:
    """Run what is not done, in the order of the file; the last exit code."""
    agree(runs)
    code = 0
    for number, (entry, run) in enumerate(zip(entries, runs), start=1):
        folder = run.request.folder
        if standing(run)[0] == DONE and not run.request.fresh:
            continue
        print(f"[{number}/{len(runs)}] {entry.name}", flush=True)
        with explained("write", folder):
            folder.mkdir(parents=True, exist_ok=True)
            log = (folder / LOG).open("ab")
        words = [*PROGRAM, *plan, *entry.words(), "--output_path", str(folder), "--yes"]
        try:
            with log:
                code = subprocess.run(
                    words,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    check=False,
                ).returncode
        except KeyboardInterrupt:  # the model's process was interrupted, too
            code = INTERRUPTED
        if code == INTERRUPTED:
            break
    return code


def standing(run: Prepared) -> tuple[str, str]:
    """Where a model stands, by its file of answers, and why it ended."""
    folder = run.request.folder
    files = files_in(folder)
    if any(map(is_open, files)):
        return RUNNING, ""
    try:
        check_folder(run)
    except ValueError as error:
        return CHANGED, str(error)
    planned, wrote = steps_of(folder)
    if planned and all(
        part in wrote
        and not wrote[part]["missing"]
        and all((folder / name).is_file() for name in wrote[part]["files"])
        for part in planned
    ):
        return DONE, ""
    log = folder / LOG
    lines = log.read_text("utf-8", "replace").splitlines() if log.is_file() else []
    reasons = [line for line in lines if line.startswith(("xlgo: ", "error: "))]
    why = reasons[-1].partition(": ")[2][:_LONGEST] if reasons else ""
    return STOPPED if files else WAITING, why
