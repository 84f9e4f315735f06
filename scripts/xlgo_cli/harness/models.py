"""Types of models, and mistakes in their names and arguments before one is made."""

import logging
import os
from typing import Any

from xlgo_lm_eval.arguments import Settings, check_arguments, check_names

_LOGGER = logging.getLogger("xlgo")


def check_model(name: str, model_args: Settings | None = None) -> None:
    """Register our models, and refuse a model that the harness does not know.

    Args:
        name: its type, as for ``--model``.
        model_args: its arguments, where they are to be checked too.

    Raises:
        ValueError: there is no model of that name, or a package or an argument is missing.
    """
    if name == "hf" and model_args is not None and not model_args.get("pretrained"):
        raise ValueError(
            "which model? Give --model hf --model_args pretrained=ORG/MODEL, or --model "
            "local-chat-completions --apply_chat_template --model_args model=NAME,base_url=URL; "
            "--model xlgo-sim --preset smoke tries everything with a simulated model "
            "(xlgo run --help)"
        )
    from xlgo_lm_eval.models import register as register_completions

    from ..extras import EXTRAS
    from ..simulate.model import register

    register()
    register_completions()
    from lm_eval.api.registry import MODEL_REGISTRY, get_model

    check_names("--model", [name], MODEL_REGISTRY.keys(), is_open=False)
    try:
        kind = get_model(name)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] in EXTRAS:
            raise
        raise ValueError(
            f"--model {name} needs the package {error.name}, which is not installed"
        ) from error
    if model_args is None:
        return
    for unknown in check_arguments(kind, model_args):
        _LOGGER.warning("--model_args: %r is not known here and passed on as it is", unknown)


def is_api(model: str) -> bool:
    """Whether models of a type, which the harness knows, are behind an interface."""
    from lm_eval.api.registry import get_model
    from lm_eval.models.api_models import TemplateAPI

    kind = get_model(model)
    return isinstance(kind, type) and issubclass(kind, TemplateAPI)


def make_model(name: str, model_args: Settings, **options: Any) -> Any:
    """Return a model of the harness.

    Args:
        name, model_args: its type and its arguments.
        options: ``batch_size``, ``max_batch_size`` and ``device``; ``None`` for its own.
    """
    from lm_eval.api.registry import get_model

    return get_model(name).create_from_arg_obj(dict(model_args), options)


def is_first_process() -> bool:
    """Of several processes that evaluate together, the first writes the results."""
    return all(os.environ.get(name, "0") == "0" for name in ("RANK", "LOCAL_RANK"))
