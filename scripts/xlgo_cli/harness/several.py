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

import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from xlgo_lm_eval.answers import files_in, is_complete, is_open, kept_in, steps_of
from xlgo_metric.table import Column, Table

from ..arguments import Argument, Parser
from ..display.formats import show
from ..folders import check_table, explained, read_settings
from .evaluation import INTERRUPTED, check_folder, task_manager
from .options import RESULTS, words_of
from .prepared import Prepared, prepared

LOG = "run.log"
"""In the folder of each model: everything that its run printed."""
WAITING, RUNNING, DONE, STOPPED, CHANGED = "waiting", "running", "done", "stopped", "changed"
"""Where a model stands. Changed: its folder holds answers to other settings or questions."""
PROGRAM = [sys.executable, "-m", "xlgo_cli", "run"]
"""What runs one model."""

_ENTRIES = {
    "name": "a text", "type": "a text", "arguments": "a text or a table", "settings": "a table",
}  # fmt: skip
"""Of a model."""
_LONGEST = 300

_REFUSED = {
    **dict.fromkeys(
        ["tasks", "preset", "levels", "per_level", "c_min", "c_max", "complexities", "plan",
         "xlgo_seed", "text", "languages", "limit", "metadata", "design", "budget",
         "include_path", "config", "challenge"],
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


def read_models(path: Path) -> dict[str, list[str]]:
    """The models of a file: by name, each one's part of the command line of ``xlgo run``.

    Raises:
        ValueError: it cannot be read, or an entry is invalid; the message says what to do.
    """
    data = read_settings(path, "--models")
    models = data.get("models") if isinstance(data, dict) else None
    if not isinstance(models, list) or not models or len(data) > 1:
        raise ValueError(
            f"--models {path}: it must hold a list `models` of at least one model and nothing "
            "else; give options for all models on the command line"
        )
    by_name = {}
    names: dict[str, str] = {}
    for number, content in enumerate(models, start=1):
        name, words = _entry(f"--models {path}: model {number}", content)
        namesake = names.setdefault(folder_name(name).casefold(), name)
        if namesake != name or name in by_name:
            raise ValueError(
                f"--models {path}: two models are called {name!r} and {namesake!r}, and their "
                f"results would share the folder {folder_name(name)}: give them other names"
            )
        by_name[name] = words
    return by_name


def folder_name(name: str) -> str:
    """The folder of a model's results."""
    return re.sub(r"[^\w.-]+", "_", name).strip("._") or "model"


def _entry(where: str, data: Any) -> tuple[str, list[str]]:
    check_table(where, data, _ENTRIES, ("name", "type"))
    settings = data.get("settings") or {}
    options = {str(option).replace("-", "_"): value for option, value in settings.items()}
    for option in options.keys() & _REFUSED.keys():
        raise ValueError(f"{where}: setting {option!r}: {_REFUSED[option]}")
    model = {"model": data["type"].strip(), "model_args": data.get("arguments") or None}
    return data["name"].strip(), words_of({**model, **options})


def run_models(arguments: Sequence[str]) -> int:
    """Run every model that is not done.

    Returns:
        0; 1 if a model failed; 130 if interrupted.

    Raises:
        ValueError: a mistake in the file or the options, of whichever model; then none is run.
    """
    parser = Parser(prog="xlgo run", add_help=False, allow_abbrev=False).made_of(_ARGUMENTS)
    args, plan = parser.parse_known_args(arguments)
    if args.refused is not None:
        raise ValueError("--models names the models: leave out --model and --model_args")
    folder = args.output_path or RESULTS / args.models.stem
    runs: dict[str, Prepared] = {}
    commands = {
        name: [*plan, *words, "--output_path", str(folder / folder_name(name))]
        for name, words in read_models(args.models).items()
    }
    for name, command in commands.items():
        try:
            runs[name] = prepared(command)
        except (ValueError, ModuleNotFoundError) as error:
            raise ValueError(f"model {name!r}: {error}") from error
    code = 0 if args.status else _run_all(commands, runs)
    rows = tuple(
        (name, state, kept_in(run.request.folder), run.request.folder.name, why)
        for name, run in runs.items()
        for state, why in [standing(run)]
    )
    done = [str(folder / row[3]) for row in rows if row[1] == DONE]
    columns = (
        Column("Model"), Column("State"), Column("Answers", "count"), Column("Folder"),
        Column("Why"),
    )  # fmt: skip
    show(Table("models", f"{len(done)} of {len(runs)} models are done", columns, rows))
    print(f"results: {folder}")
    if len(done) > 1:
        print(f"compare them: xlgo leaderboard {' '.join(done)}")
    if args.status or len(done) == len(runs):
        return 0
    print(
        f"xlgo: {len(runs) - len(done)} of {len(runs)} models did not end (see {folder}/*/{LOG}): "
        f"the same command{' without --fresh' * ('--fresh' in plan)} resumes them",
        file=sys.stderr,
    )
    return code if code == INTERRUPTED else 1


def _run_all(commands: Mapping[str, Sequence[str]], runs: Mapping[str, Prepared]) -> int:
    """Run what is not done, in the order of the file; the last exit code."""
    task_manager(next(iter(runs.values())))  # all are asked the same
    code = 0
    for number, (name, run) in enumerate(runs.items(), start=1):
        folder = run.request.folder
        if code == INTERRUPTED or (standing(run)[0] == DONE and not run.request.fresh):
            continue
        print(f"[{number}/{len(runs)}] {name}", flush=True)
        words = [*PROGRAM, *commands[name]]
        with explained("write", folder):
            folder.mkdir(parents=True, exist_ok=True)
            log = (folder / LOG).open("ab")
        with log:
            try:
                code = subprocess.run(
                    words, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                    check=False,
                ).returncode  # fmt: skip
            except KeyboardInterrupt:  # the model's process was interrupted, too
                code = INTERRUPTED
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
    if planned and all(part in wrote and is_complete(folder, wrote[part]) for part in planned):
        return DONE, ""
    log = folder / LOG
    lines = log.read_text("utf-8", "replace").splitlines() if log.is_file() else []
    reasons = [line for line in lines if line.startswith(("xlgo: ", "error: "))]
    why = reasons[-1].partition(": ")[2][:_LONGEST] if reasons else ""
    return STOPPED if files else WAITING, why
