"""With what settings the answers of a run were made, out of the harness's description of it.

``xlgo compare`` and the reader of results need two things: whether two runs were made alike, so
that their answers may be put together, and a short text for people, the *generation fingerprint*,
which stands beside every signature::

    backend:hf|template:3f0a91bc|system:none|thinking:off|sampling:greedy|max_tokens:4096|precision:bfloat16

What the harness does not say is ``default``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from xlgo_cli.logs.lines import printable

from ..key_values import pairs

MIXED = "+"
UNKNOWN = "settings"
"""Stands in a fingerprint if the harness's description of a run is lost."""

_MACHINE = frozenset({
    "base_url", "num_concurrent", "timeout", "max_retries", "details", "batch_size",
    "max_batch_size", "device", "devices", "device_map", "parallelize", "tensor_parallel_size",
    "data_parallel_size", "gpu_memory_utilization", "max_memory_per_gpu", "max_cpu_memory",
    "offload_folder", "swap_space", "verify_certificate",
})  # fmt: skip
"""Arguments of models that say how a model is asked, not what."""

_SAME_BACKEND = {
    "xlgo-chat-completions": "local-chat-completions",
    "xlgo-openai-chat-completions": "openai-chat-completions",
}
_THINKING = (
    "enable_thinking", "thinking", "reasoning", "reasoning_effort", "thinking_budget",
    "max_thinking_tokens", "budget_tokens",
)  # fmt: skip
_NESTED = ("chat_template_args", "chat_template_kwargs", "extra_body")
_SAMPLING = (
    "temperature", "top_p", "top_k", "min_p", "typical_p", "repetition_penalty",
    "presence_penalty", "frequency_penalty", "num_beams", "seed",
)  # fmt: skip
_MAX_TOKENS = ("max_gen_toks", "max_new_tokens", "max_completion_tokens", "max_tokens")
_PRECISION = (
    "quantization", "load_in_8bit", "load_in_4bit", "bnb_4bit_quant_type",
    "bnb_4bit_compute_dtype", "autogptq", "gptqmodel", "gguf_file", "kv_cache_dtype",
)  # fmt: skip
_CONTEXT = ("max_length", "max_model_len")
_DESIGN = ("preset", "levels", "c_min", "c_max", "complexities")
"""Options of a task that choose which complexities are asked."""

_DIGITS = 8
_LONGEST = 80


@dataclass(frozen=True)
class Settings:
    """How the answers of one task in one run were made.

    Attributes:
        exact: everything that must agree before answers of two runs are put together, as JSON.
        fingerprint: the settings by name, in the order in which they are shown.
        design: the options that chose the complexities, such as ``complexities=3,5``.
    """

    exact: str
    fingerprint: tuple[tuple[str, str], ...]
    design: str = ""


def settings_of(info: Mapping[str, object], task: str) -> Settings | None:
    """The settings of one task in a run; ``None`` where its description is lost.

    Args:
        info: what ``results_*.json`` says.
        task: the name that the harness has for the task.
    """
    if not info:
        return None
    config = _mapping(info.get("config"))
    model_args = _arguments(config.get("model_args"))
    own = _mapping(_mapping(info.get("configs")).get(task))
    generation = {
        **_mapping(own.get("generation_kwargs")),
        **_arguments(config.get("gen_kwargs")),
    }
    backend = str(info.get("model_source") or config.get("model") or "default")
    backend = _SAME_BACKEND.get(backend, backend)
    shots = _mapping(info.get("n-shot")).get(task) or 0
    model = {name: value for name, value in model_args.items() if name not in _MACHINE}
    exact = {
        "backend": backend, "model_args": model, "generation": generation, "shots": shots,
        "template": info.get("chat_template_sha"), "system": info.get("system_instruction_sha"),
        "turns": info.get("fewshot_as_multiturn"),
        **{name: config.get(name) for name in ("model_sha", "model_dtype", "peft_sha")},
    }  # fmt: skip
    given = {**model_args, **generation}
    terms = {
        "backend": backend,
        "template": _template(info, backend),
        "system": _sha(info.get("system_instruction_sha")),
        "thinking": _thinking(given),
        "sampling": _sampling(generation),
        "max_tokens": _first(given, _MAX_TOKENS),
        "precision": _precision(model_args, config),
    }
    if (context := _first(model_args, _CONTEXT)) != "default":
        terms["context"] = context
    if shots:
        terms["shots"] = str(shots)
    return Settings(
        json.dumps(exact, sort_keys=True, default=str),
        tuple((name, _clean(value)) for name, value in terms.items()),
        _design(_mapping(own.get("metadata"))),
    )


def fingerprint(settings: Iterable[Settings | None]) -> dict[str, str]:
    """The fingerprint of several tasks or runs: values that differ are joined by ``+``."""
    found: dict[str, set[str]] = {}
    unknown = False
    for one in settings:
        unknown |= one is None
        for name, value in one.fingerprint if one else ():
            found.setdefault(name, set()).add(value)
    if unknown:
        found[UNKNOWN] = {"not known"}
    return {name: MIXED.join(sorted(values)) for name, values in found.items()}


def shown(found: Mapping[str, str]) -> str:
    """A fingerprint as one line, in the form of signatures."""
    return "|".join(f"{name}:{value}" for name, value in found.items())


def differences(first: Mapping[str, str], second: Mapping[str, str], same_model: bool) -> list[str]:
    """The settings in which two fingerprints differ, in words.

    Two models have two chat templates; between them only whether there is one counts.
    """
    if UNKNOWN in first or UNKNOWN in second:
        one_only = (UNKNOWN in first) != (UNKNOWN in second)
        return ["settings (those of one run are not known)"] if one_only else []
    told = []
    for name in dict.fromkeys([*first, *second]):
        a, b = first.get(name, "default"), second.get(name, "default")
        if name == "template" and not same_model:
            a, b = ("none" if value == "none" else "its own" for value in (a, b))
        if a != b:
            told.append(f"{name} ({a} and {b})")
    return told


def _mapping(value: Any) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _arguments(value: Any) -> Mapping[str, object]:
    """Arguments as the harness logs them: an object, or in older releases a text."""
    if isinstance(value, str) and value.strip():
        try:
            return pairs("arguments", [value])
        except ValueError:
            return {"arguments": value}
    return _mapping(value)


def _template(info: Mapping[str, object], backend: str) -> str:
    if "chat-completions" in backend:
        return "of the server"
    return _sha(info.get("chat_template_sha"))


def _sha(value: Any) -> str:
    return str(value)[:_DIGITS] if value else "none"


def _first(given: Mapping[str, object], names: Iterable[str]) -> str:
    return next((str(given[name]) for name in names if given.get(name) is not None), "default")


def _thinking(given: Mapping[str, object]) -> str:
    parts = (given, *(_mapping(given.get(name)) for name in _NESTED))
    found = {
        name: part[name]
        for part in parts
        for name in _THINKING
        if part.get(name) is not None and not isinstance(part[name], dict)
    }
    if set(found) == {"enable_thinking"}:
        return "on" if str(found["enable_thinking"]).lower() in ("true", "1") else "off"
    return ",".join(f"{name}={value}" for name, value in found.items()) or "default"


def _sampling(generation: Mapping[str, object]) -> str:
    temperature = generation.get("temperature")
    samples = generation.get("do_sample")
    if samples is False or (samples is None and temperature in (0, 0.0)):
        beams = generation.get("num_beams")
        return "greedy" if beams in (None, 1) else f"beams={beams}"
    found = [f"{name}={generation[name]}" for name in _SAMPLING if generation.get(name) is not None]
    return ",".join(found) or "default"


def _precision(model_args: Mapping[str, object], config: Mapping[str, object]) -> str:
    dtype = config.get("model_dtype") or model_args.get("dtype") or "default"
    found = [str(dtype).removeprefix("torch.")]
    found += [f"{name}={model_args[name]}" for name in _PRECISION if model_args.get(name)]
    return ",".join(found)


def _design(given: Mapping[str, object]) -> str:
    chosen = (f"{name}={given[name]}" for name in _DESIGN if given.get(name) is not None)
    return printable(" ".join(chosen)) or "the default ones"


def _clean(value: str) -> str:
    """What can stand in a line of fields."""
    text = printable(" ".join(value.replace("|", "/").replace(":", "=").split()))
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
