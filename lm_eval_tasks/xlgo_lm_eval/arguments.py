"""What is known of the arguments of models: one table that keys, results and messages read.

It says of each argument whether it changes answers, and whether its value is harmless and may be
written in clear. An argument that is not in it is taken to change answers, and is never written.
"""

import difflib
import inspect
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

Settings = Mapping[str, Any]
"""Arguments of a model, or settings of how it generates an answer, by their names."""

REPEATS = "repeats"
"""In ``--metadata``: how often each question is asked; once by default."""
CHALLENGE = "xlgo_challenge"
"""In ``--metadata``: the text that the seed is derived from."""
ANSWERS = "xlgo_answers"
"""In ``--metadata`` of a plain ``lm-eval run``: the folder with the files of answers."""


@dataclass(frozen=True)
class ModelArgument:
    """What is known of an argument.

    Attributes:
        changes_answers: another value may give other answers.
        is_shown: its value is written in clear; else it is a credential, or may be one.
    """

    changes_answers: bool
    is_shown: bool


UNKNOWN = ModelArgument(changes_answers=True, is_shown=False)

TABLE: Mapping[str, ModelArgument] = {
    **dict.fromkeys(
        [
            "model", "pretrained", "path", "engine", "peft", "delta", "revision",
            "subfolder", "dtype", "softmax_dtype", "mixed_precision_dtype",
            "quantization", "load_in_4bit", "load_in_8bit", "bnb_4bit_quant_type",
            "bnb_4bit_compute_dtype", "bnb_4bit_use_double_quant", "autogptq",
            "gptqmodel", "gguf_file", "kv_cache_dtype", "attn_implementation",
            "backend", "tokenizer", "tokenizer_backend", "tokenized_requests",
            "tokenizer_mode", "tokenizer_revision", "use_fast_tokenizer",
            "trust_remote_code", "add_bos_token", "prefix_token_id",
            "custom_prefix_token_id", "eos_string", "max_length", "max_model_len",
            "max_gen_toks", "truncate", "truncation", "seed", "chat_template_args",
            "enable_thinking", "think_start_token", "think_end_token",
            "reasoning_effort", "thinking", "thinking_budget",
            "max_thinking_tokens", "enable_lora", "lora_local_path",
            "max_lora_rank", "rope_scaling", "rope_theta", "hf_overrides",
            "speculative_config", "api_version", "max_images", "profile",
            "temperature", "top_p", "top_k", "min_p",
            "convert_eos_token", "steering", "steer_path",
        ],
        ModelArgument(changes_answers=True, is_shown=True),
    ),
    **dict.fromkeys(  # of machines
        [
            "base_url", "num_concurrent", "timeout", "max_retries", "batch_size",
            "max_batch_size", "device", "devices", "device_map",
            "device_map_option", "parallelize", "tensor_parallel_size",
            "data_parallel_size", "pipeline_parallel_size", "expert_parallel_size",
            "tp_size", "dp_size", "gpu_memory_utilization", "mem_fraction_static",
            "max_memory_per_gpu", "max_cpu_memory", "cpu_offload_gb",
            "offload_folder", "swap_space", "verify_certificate", "ca_cert_path",
            "logits_cache", "enforce_eager", "enable_prefix_caching",
            "enable_chunked_prefill", "max_num_seqs", "max_num_batched_tokens",
            "disable_log_stats", "disable_tqdm", "distributed_executor_backend",
            "download_dir", "cache_dir", "load_format", "low_cpu_mem_usage",
            "num_gpus",
        ],
        ModelArgument(changes_answers=False, is_shown=True),
    ),
    **dict.fromkeys(  # credentials
        [
            "api_key", "auth_token", "token", "hf_token", "access_token",
            "use_auth_token", "header", "headers", "default_headers", "cookie",
            "cookies", "password", "secret", "authorization", "credentials",
        ],
        ModelArgument(changes_answers=False, is_shown=False),
    ),
}  # fmt: skip
"""Arguments of the harness's models, and of the backends that they are passed on to."""

GENERATION = frozenset(
    [
        "until",
        "stop",
        "do_sample",
        "temperature",
        "top_p",
        "top_k",
        "min_p",
        "typical_p",
        "top_a",
        "seed",
        "max_gen_toks",
        "max_new_tokens",
        "max_tokens",
        "max_completion_tokens",
        "max_length",
        "min_tokens",
        "min_new_tokens",
        "repetition_penalty",
        "presence_penalty",
        "frequency_penalty",
        "length_penalty",
        "no_repeat_ngram_size",
        "num_beams",
        "early_stopping",
        "best_of",
        "n",
        "logit_bias",
        "logprobs",
        "top_logprobs",
        "response_format",
        "reasoning",
        "reasoning_effort",
        "thinking",
        "thinking_budget",
        "enable_thinking",
        "max_thinking_tokens",
        "budget_tokens",
        "chat_template_kwargs",
        "extra_body",
        "extra_headers",
        "provider",
        "service_tier",
        "verbosity",
        "ignore_eos",
        "stop_token_ids",
        "include_stop_str_in_output",
        "skip_special_tokens",
        "spaces_between_special_tokens",
        "add_generation_prompt",
        "use_cache",
        "pad_token_id",
        "eos_token_id",
        "think_end_token",
        "user",
        "metadata",
        "store",
        "stream_options",
        "parallel_tool_calls",
    ]
)
"""Settings of generation that the harness, servers and libraries know."""

NAMES = ("peft", "delta", "pretrained", "model", "path", "engine", "profile")
"""Arguments that name a model, in the order in which the harness looks for its name."""
_ENOUGH = 0.75


def about(name: str) -> ModelArgument:
    """Return what is known of an argument of a model."""
    return TABLE.get(name, UNKNOWN)


def answer_arguments(model_args: Settings) -> Settings:
    """Return the arguments that change answers, with their values as they are."""
    return {name: value for name, value in model_args.items() if about(name).changes_answers}


def model_name(model_args: Settings) -> str:
    """Return the name of a model in its arguments; empty without one."""
    return next((str(model_args[name]) for name in NAMES if model_args.get(name) is not None), "")


def tokenizer_name(model_args: Settings) -> str | None:
    """Return the tokenizer that a model's arguments name; ``None`` without one."""
    return next((str(model_args[n]) for n in ("tokenizer", "pretrained") if n in model_args), None)


def repeats_of(metadata: Mapping[str, object]) -> int:
    """How often each question is asked.

    Raises:
        ValueError: not an integer from 1.
    """
    value = metadata.get(REPEATS, 1)
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ValueError(f"repeats must be an integer from 1, got {value!r}")
    return value


def check_arguments(kind: Any, names: Iterable[str]) -> list[str]:
    """Refuse arguments that a type of model does not have.

    Args:
        kind: the class of the model.
        names: of arguments.

    Returns:
        The names that nobody here knows, where the class passes arguments on to a library.

    Raises:
        ValueError: with the nearest known name.
    """
    parameters, is_open = _parameters(kind)
    allowed = parameters | TABLE.keys() if is_open else parameters
    return check_names("--model_args", names, allowed, is_open=is_open)


def check_names(
    option: str, names: Iterable[str], valid: Iterable[str], *, is_open: bool
) -> list[str]:
    """Refuse unknown names.

    Args:
        option: what they were given with.
        names: what was given.
        valid: names that are right.
        is_open: others may be right too: only those much like a known name are refused.

    Returns:
        The names that are not known.

    Raises:
        ValueError: with the nearest known name, or those that are allowed.
    """
    allowed = sorted(valid)
    unknown = [name for name in names if name not in allowed]
    for name in unknown:
        near = difflib.get_close_matches(name, allowed, n=1, cutoff=_ENOUGH if is_open else 0.6)
        if near:
            raise ValueError(f"{option}: unknown {name!r}: did you mean {near[0]!r}?")
        if not is_open:
            raise ValueError(f"{option}: unknown {name!r}: allowed are {', '.join(allowed)}")
    return unknown


def _parameters(kind: Any) -> tuple[set[str], bool]:
    """The parameters of a class and its bases, and whether further ones may be passed on."""
    from lm_eval.models.api_models import TemplateAPI

    names: set[str] = set()
    opens = [True]
    for base in inspect.getmro(kind):
        if opens[-1] and "__init__" in vars(base):
            own = inspect.signature(vars(base)["__init__"]).parameters.values()
            names |= {p.name for p in own if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}
            opens.append(any(p.kind == p.VAR_KEYWORD for p in own))
    # The interface's base class takes further arguments and ignores them.
    return names - {"self"}, opens[1] and not issubclass(kind, TemplateAPI)
