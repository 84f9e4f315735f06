"""What the options for the harness say, and mistakes in them, before anything is run."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec

from xlgo_lm_eval.patching import patched

from ...arguments import Argument, Parser
from ...logs.lines import pairs
from ..lm_eval_call import is_api
from ..request import Request

_TRACKERS = {"wandb_args": "wandb", "trackio_args": "trackio"}
"""Options of the harness that need a package, which it imports when the run has begun."""

_ARGUMENTS = (
    Argument("--apply_chat_template", nargs="?", const=True),
    Argument("--num_fewshot", "-f"),
    Argument("--gen_kwargs", nargs="+"),
    Argument("--check_integrity", action="store_true"),
    Argument("--write_out", "-w", action="store_true"),
    Argument("--show_config", action="store_true"),
    *(Argument(f"--{name}", nargs="+") for name in _TRACKERS),
)


@dataclass(frozen=True)
class Given:
    """Options for the harness that matter here, from the command line or the ``--config`` file.

    Attributes:
        chat: prompts are put into a chat template.
        shots: solved examples before each question.
        trackers: the options that want results logged elsewhere, ``wandb_args`` for example.
        integrity: run the harness's own tests first.
        gen_kwargs: how the model answers.
        shows: the user asked to see what the harness prints (prompts or its configuration).
    """

    chat: bool = False
    shots: int = 0
    trackers: tuple[str, ...] = ()
    integrity: bool = False
    gen_kwargs: Mapping[str, object] = field(default_factory=dict)
    shows: bool = False


def given(request: Request) -> Given:
    """Read the options that go to the harness as they are.

    Raises:
        ValueError: ``--num_fewshot`` or ``--gen_kwargs`` has a value that cannot be read.
    """
    parser = Parser(prog="lm-eval run", add_help=False, allow_abbrev=False)
    args, _ = parser.made_of(_ARGUMENTS).parse_known_args(request.others)
    options = {**request.config, **{k: v for k, v in vars(args).items() if v not in (None, False)}}
    shots = options.get("num_fewshot")
    if not str(0 if shots is None else shots).isdecimal():
        raise ValueError(f"--num_fewshot must be an integer, got {shots!r}")
    generation = options.get("gen_kwargs") or {}
    if isinstance(generation, str):
        generation = [generation]
    if not isinstance(generation, dict):
        generation = pairs("--gen_kwargs", generation)
    return Given(
        chat=str(options.get("apply_chat_template", False)).lower() not in ("false", "none", ""),
        shots=int(shots or 0),
        trackers=tuple(name for name in _TRACKERS if options.get(name)),
        integrity=bool(options.get("check_integrity")),
        gen_kwargs=generation,
        shows=bool(options.get("write_out") or options.get("show_config")),
    )


def check(found: Given, model: str, tasks: Sequence[str]) -> None:
    """Refuse what would only fail, or mislead, when the run has begun.

    Args:
        found: the options.
        model: its type, which the harness knows (see ``lm_eval_call.check_model``).
        tasks: names of the tasks of this package.

    Raises:
        ValueError: with the option and what to do.
    """
    for name in found.trackers:
        package = _TRACKERS[name]
        if find_spec(package) is None:
            raise ValueError(
                f"--{name} needs the package {package}, which is not installed: "
                f"pip install {package}, or leave the option out"
            )
    if found.integrity:
        raise ValueError(
            "--check_integrity runs the tests of the harness's own repository, which is not here: "
            "leave it out (xlgo verify checks exported data)"
        )
    if found.shots and tasks:
        raise ValueError(
            f"--num_fewshot {found.shots}: {tasks[0]} has no solved examples to show, its "
            "questions are generated: leave the option out"
        )
    if not found.chat and is_api(model) and "chat" in model:
        raise ValueError(f"--model {model} takes chats only: add --apply_chat_template")


def check_known(arguments: Sequence[str]) -> None:
    """Refuse options that the harness does not know, or whose values it cannot read.

    Args:
        arguments: its command line.

    Raises:
        ValueError: in the words of its parser.
    """
    from lm_eval._cli.harness import HarnessCLI

    said = io.StringIO()
    try:
        with (
            patched(sys, "argv", ["lm-eval", "run", *arguments]),
            contextlib.redirect_stderr(said),
            contextlib.redirect_stdout(said),
        ):
            HarnessCLI().parse_args()
    except SystemExit:
        *_, last = ["", *said.getvalue().strip().splitlines()]
        what = last.partition("error: ")[2] or last
        raise ValueError(
            f"{what}: neither an option of xlgo run nor of the harness (xlgo run --help, "
            "lm-eval run --help)"
            if "unrecognized" in what
            else f"{what} (lm-eval run --help)"
        ) from None
