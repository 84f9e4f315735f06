"""Arguments of models, and what of them and of any text may be written or printed.

One table says of each argument whether it changes answers, and whether its value is harmless: keys,
results, messages and redaction read it. An argument that is not in it is taken to change answers,
and is written as a keyed hash (:func:`written`). Two runs of one person with the same value have
the same hash, so that they can be compared; nobody without the key can try out guesses.

One function, :func:`redacted`, serves logs, results, reports, run logs and streams. A credential is
recognized in two ways. Its value is known: it is in an environment variable such as
``OPENAI_API_KEY``, or in an argument such as ``api_key=...`` or a URL on the command line. Or its
form gives it away: user and password or a key parameter in a URL, a bearer token, an assignment to
a name such as ``api_key``. Prompts, responses and references are data and are never changed.
"""

import ast
import base64
import contextlib
import difflib
import hashlib
import hmac
import inspect
import json
import logging
import os
import re
import secrets
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TextIO
from urllib.parse import quote, unquote, urlsplit

Settings = Mapping[str, Any]
"""Arguments of a model, or settings of how it generates an answer, by their names."""

REPEATS = "repeats"
"""In ``--metadata``: how often each question is asked; once by default."""
CHALLENGE = "xlgo_challenge"
"""In ``--metadata``: the text that the seed is derived from."""
ANSWERS = "xlgo_answers"
"""In ``--metadata`` of a plain ``lm-eval run``: the folder with the files of answers."""
DEFAULT_TEXT = "revised"
"""The wording of a run: it repairs known differences between languages, so that no gap of it is
doubted for its wording. Where nothing is known to differ, it has the bytes of the paper's."""


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

GENERATION = frozenset([
    "until", "stop", "do_sample", "temperature", "top_p", "top_k", "min_p", "typical_p",
    "top_a", "seed", "max_gen_toks", "max_new_tokens", "max_tokens", "max_completion_tokens",
    "max_length", "min_tokens", "min_new_tokens", "repetition_penalty", "presence_penalty",
    "frequency_penalty", "length_penalty", "no_repeat_ngram_size", "num_beams",
    "early_stopping", "best_of", "n", "logit_bias", "logprobs", "top_logprobs",
    "response_format", "reasoning", "reasoning_effort", "thinking", "thinking_budget",
    "enable_thinking", "max_thinking_tokens", "budget_tokens", "chat_template_kwargs",
    "extra_body", "extra_headers", "provider", "service_tier", "verbosity", "ignore_eos",
    "stop_token_ids", "include_stop_str_in_output", "skip_special_tokens",
    "spaces_between_special_tokens", "add_generation_prompt", "use_cache", "pad_token_id",
    "eos_token_id", "think_end_token", "user", "metadata", "store", "stream_options",
    "parallel_tool_calls",
])  # fmt: skip
"""Settings of generation that the harness, servers and libraries know."""

NAMES = ("peft", "delta", "pretrained", "model", "path", "engine", "profile")
"""Arguments that name a model, in the order in which the harness looks for its name."""
_ENOUGH = 0.75

REMOVED = "[removed]"
LEAST = 12
"""Characters from which a value is replaced wherever it occurs: a shorter one may be a word."""

OPENED: set[str] = set()
"""Arguments whose values are written in clear although they may be credentials: ``--show-args``."""

_NEVER = frozenset({"extra_headers", "user"})
"""Settings of generation that may be credentials or name a person."""

_WRITTEN = re.compile(r"\[hmac:[0-9a-f]{16}\]")
_KEY_BYTES = 32
_LONGEST_SEGMENT = 20
"""Characters of a part of a URL's path from which it may be a credential."""
_ENVIRONMENT = re.compile(
    r"(?:.*_)?(?:\w*KEY|\w*TOKEN|\w*SECRET|PASS|PASSWD|PASSWORD|PASSPHRASE|PWD|PAT|AUTH|JWT|BEARER"
    r"|CREDENTIALS?|COOKIE|SESSION|SIGNATURE)(?:_ID|_\d+)?"
)
_ARGUMENTS = ("--model_args", "-a", "--judge_args", "--gen_kwargs", "--judge_gen_kwargs")
"""Options whose values are arguments of models."""
_LEAST_GIVEN = 6
"""As ``LEAST``, for values of arguments that are not known to be harmless."""
_LAST = frozenset({
    "key", "token", "secret", "password", "passwd", "passphrase", "authorization", "credential",
    "credentials", "apikey", "authtoken", "accesstoken", "bearer", "cookie",
})  # fmt: skip
"""Last words of the names of arguments that hold credentials."""
_OF_TEXT = frozenset({
    "bos", "eos", "pad", "unk", "sep", "cls", "mask", "end", "start", "stop", "begin", "think",
    "special", "image", "sort",
})  # fmt: skip
"""Words of names such as ``eos_token``, whose values are no credentials."""
_OF_URLS = frozenset({"sig", "signature", "auth"})
"""Parameters of addresses that hold credentials, too."""
_DATA = frozenset({"chat_template", "system_instruction"})
"""Entries of results that are part of prompts."""

_LOGIN = re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://(?P<value>[^\s/?#\"'<>]{1,500})@", re.IGNORECASE)
_PARAMETER = re.compile(r"[?&;](?P<name>[\w.-]{1,60})=(?P<value>[^&\s\"'#<>]{1,2000})")
_BEARER = re.compile(r"\bBearer\s{1,3}(?P<value>[\w.~+/=-]{3,4000})")  # prose has no capital
_BASIC = re.compile(r"\bBasic\s{1,3}(?P<value>[A-Za-z0-9+/]{6,4000}={1,2})")
_PREFIXED = re.compile(
    r"\b(?P<value>(?:sk-|hf_|gh[pousr]_|glpat-|xox[abprs]-|AIza|AKIA)[\w-]{8,500})"
)
_ASSIGNED = re.compile(
    r"\b(?P<name>[\w-]{0,40}(?:key|token|secret|password|passwd|passphrase|authorization|cookie))"
    r"\\?[\"']?\s{0,3}[:=]\s{0,3}(?:b?\\?[\"'])?(?P<value>[^\s\"',&;(){}\[\]\\<>]{12,4000})",
    re.IGNORECASE,
)

_noted: set[str] = set()


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


def redacted(text: str) -> str:
    """Return ``text`` with ``[removed]`` in the place of every credential."""
    return _without(_credential_values(), text)


def redacted_json(value: Any) -> Any:
    """Return a JSON value in which every text is redacted."""
    credentials = (
        _credential_values()
    )  # once: reading the environment takes longer than redacting a short text

    def entry_redacted(value: Any, name: str) -> Any:
        if isinstance(value, str):
            hidden = is_key(name) and _is_value(value)
            return REMOVED if hidden else value if name in _DATA else _without(credentials, value)
        if isinstance(value, dict) and name in _OF_MODELS:
            options = {*_OF_TASKS, *str(value.get("xlgo_options")).split(",")}
            return {
                k: v
                if name == "metadata" and (k in options or k.startswith("xlgo_"))
                else argument_written(k, v)
                for k, v in value.items()
            }
        if isinstance(value, dict):
            return {k: entry_redacted(entry, str(k)) for k, entry in value.items()}
        if isinstance(value, list | tuple):
            return type(value)(entry_redacted(entry, name) for entry in value)
        return value

    return entry_redacted(value, "")


def _without(credentials: Sequence[str], text: str) -> str:
    """Return ``text`` without these credentials and without what has the form of one."""
    for value in credentials:
        if value in text:
            text = text.replace(value, REMOVED)
    for mark, pattern, is_credential in _FORMS:
        if mark in text:
            text = pattern.sub(lambda match: _removed(match, is_credential(match)), text)  # noqa: B023
    return text


def _removed(match: re.Match[str], is_credential: bool) -> str:
    """What stands for a match: itself, if it holds no credential."""
    start, end = (offset - match.start() for offset in match.span("value"))
    return f"{match[0][:start]}{REMOVED}{match[0][end:]}" if is_credential else match[0]


_OF_MODELS = ("model_args", "gen_kwargs", "metadata")
"""Entries of results with arguments of models; ``metadata`` of a task has its options, too."""


_OF_TASKS = frozenset({"version", "config_source", "languages", "repeats"})
"""Entries of a task's ``metadata`` beside its options and the arguments of the model."""


def is_key(name: str) -> bool:
    """Return whether an argument of that name holds a credential, as ``api_key`` does."""
    words = re.split(r"[_.-]", name.lower())
    return words[-1] in _LAST and not _OF_TEXT & set(words)


def note(texts: Iterable[str]) -> None:
    """Remember the credentials in texts such as the words of a command line.

    From then on they are removed wherever they occur, also without their context.
    """
    for text in texts:
        for _, pattern, is_credential in _FORMS:
            for match in filter(is_credential, pattern.finditer(text)):
                value = match["value"]
                login = base64.b64encode(unquote(value).encode()).decode()
                parts = (value, login, *value.split(":", 1))
                _noted.update(part for part in parts if len(part) >= LEAST and part != REMOVED)


def note_arguments(words: Sequence[str]) -> None:
    """Remember the values of a command line's model arguments that are not known to be harmless.

    Those that ``--show-args`` names are opened instead.
    """
    option, texts = "", []
    for word in words:
        if word.startswith("--") or word in _ARGUMENTS:
            option, _, word = word.partition("=")  # noqa: PLW2901
        if option in ("--show-args", "--show_args"):
            OPENED.update(filter(None, word.split(",")))
        elif option in _ARGUMENTS and word:
            texts.append(word)
    for name, value in _GIVEN.findall(",".join(texts)):
        harmless = argument_written(name, value)
        if harmless != value:
            parts = [value, *re.split(r"[\s\"'{}\[\],:;@/?&#=]+", value)]
            _noted.update(p for p in parts if len(p) >= _LEAST_GIVEN and p not in harmless)


_GIVEN = re.compile(r"(?:^|,)\s*([\w.-]{1,60})=((?:\{[^{}]{0,9000}\}|\[[^\[\]]{0,9000}\]|[^,])*)")


class RedactingStream:
    """A text stream that redacts what is written to another one; all else is that one's."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write the text without credentials; the length of what was given."""
        self._stream.write(text if text.isspace() else redacted(text))  # ends of lines are many
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write texts without credentials."""
        self.write("".join(lines))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextlib.contextmanager
def redacted_output(words: Iterable[str] = ()) -> Iterator[None]:
    """Redact everything that is printed, logged to the terminal or raised to the top.

    Args:
        words: of the command line; credentials in them are noted.
    """
    words = list(words)
    note(words)
    note_arguments(words)
    sys.excepthook = lambda *error: print(
        redacted("".join(traceback.format_exception(*error))), file=sys.stderr
    )
    streams: dict[Any, Any] = {one: RedactingStream(one) for one in (sys.stdout, sys.stderr)}
    with contextlib.ExitStack() as stack:
        for handler in logging.getLogger().handlers:
            if isinstance(handler, logging.StreamHandler) and handler.stream in streams:
                stack.callback(handler.setStream, handler.setStream(streams[handler.stream]))
        stack.enter_context(contextlib.redirect_stdout(streams[sys.stdout]))
        stack.enter_context(contextlib.redirect_stderr(streams[sys.stderr]))
        yield


def _credential_values() -> list[str]:
    """Values that are credentials, the longest first, in the forms in which they are written."""
    values = set(_noted)
    for name, value in os.environ.items():
        # ``SSH_KEY`` and its like may name a file, which has a short name.
        is_key_or_path = len(value) >= LEAST and _ENVIRONMENT.fullmatch(name)
        if is_key_or_path and (len(value) >= 4096 or not os.path.exists(value)):
            values.add(value)
    forms = {
        form
        for v in values
        for form in (
            v,
            quote(v, safe=""),
            json.dumps(v)[1:-1],
            base64.b64encode(v.encode("utf-8", "replace")).decode(),
        )
    }
    return sorted(forms, key=len, reverse=True)


def _is_value(value: str) -> bool:
    """Whether the value of an argument for a credential can be one: ``EMPTY`` is none."""
    return len(value) >= LEAST and not value.startswith("<")


def _is_random(value: str) -> bool:
    """Whether it is no name such as ``hf_transfer_enabled``."""
    return any(c.isdigit() or c.isupper() for c in value[4:]) or "_" not in value[4:]


_FORMS: tuple[tuple[str, re.Pattern[str], Callable[[re.Match[str]], bool]], ...] = (
    ("@", _LOGIN, lambda found: ":" in found["value"] or len(found["value"]) >= LEAST),
    ("=", _PARAMETER, lambda found: is_key(found["name"]) or found["name"].lower() in _OF_URLS),
    ("Bearer", _BEARER, lambda found: True),
    ("Basic", _BASIC, lambda found: True),
    ("", _PREFIXED, lambda found: _is_random(found["value"])),
    ("", _ASSIGNED, lambda found: is_key(found["name"]) and _is_value(found["value"])),
)
"""What a text must hold, which is quicker to see than a match; the pattern; whether a match is a
credential."""


def written(arguments: Settings) -> Settings:
    """Return arguments as they may be written down: a hash of each that may be a credential."""
    return {name: argument_written(name, value) for name, value in arguments.items()}


def argument_written(name: str, value: Any) -> Any:
    """Return the value of an argument as it may be written down; see ``fingerprint``."""
    if name in OPENED or value is None:
        return value
    return _harmless(value) if _is_shown(name) else fingerprint(value)


def _is_shown(name: str) -> bool:
    return (name in GENERATION and name not in _NEVER) or about(name).is_shown


def _harmless(value: Any) -> Any:
    """Return the value of an argument that is shown, without what may be a credential in it."""
    if isinstance(value, Mapping):
        return {
            name: _harmless(entry)
            if not isinstance(entry, str) or _is_shown(str(name))
            else fingerprint(entry)
            for name, entry in value.items()
        }
    if isinstance(value, list | tuple):
        return [_harmless(entry) for entry in value]
    return url_shown(value) if isinstance(value, str) and "://" in value else value


def fingerprint(value: Any) -> str:
    """The hash of a value, such as ``[hmac:0123456789abcdef]``; a hash stays as it is."""
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)
    if _WRITTEN.fullmatch(text):
        return text
    top = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    key = _key(top / "xlgo" / "fingerprint.key")
    digest = hmac.new(key, text.encode("utf-8", "replace"), hashlib.sha256)
    return f"[hmac:{digest.hexdigest()[:16]}]"


def url_shown(url: str) -> str:
    """A URL with hashes of what may be a credential in it: user, query, fragment, long segments."""
    try:
        parts = urlsplit(url)
    except ValueError:  # such as a broken address of IPv6
        return fingerprint(url)
    login, _, host = parts.netloc.rpartition("@")
    segments = [s if len(s) <= _LONGEST_SEGMENT else fingerprint(s) for s in parts.path.split("/")]
    return parts._replace(
        netloc=f"{fingerprint(login)}@{host}" if login else host,
        path="/".join(segments),
        query=parts.query and fingerprint(parts.query),
        fragment=parts.fragment and fingerprint(parts.fragment),
    ).geturl()


@lru_cache(maxsize=1)
def _key(path: Path) -> bytes:
    """The key, made on first use with mode 600; for this process alone where none can be kept."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with contextlib.suppress(FileExistsError):
            new = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
            with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(secrets.token_bytes(_KEY_BYTES))
            try:
                os.link(new, path)  # unlike a renaming it replaces no key of another process
            finally:
                new.unlink()
        key = path.read_bytes()
        if len(key) == _KEY_BYTES:
            return key
    return secrets.token_bytes(_KEY_BYTES)


def pairs(option: str, tokens: Sequence[str] | None) -> dict[str, Any]:
    """The values of an option of the form ``a=1,b=2`` or ``a=1 b=2`` or a JSON object.

    Raises:
        ValueError: it has another form.
    """
    if not tokens:
        return {}
    if tokens[0].lstrip().startswith("{"):
        try:
            parsed = json.loads(" ".join(tokens))
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{option}: not valid JSON ({error})") from None
        return dict(parsed)
    values: dict[str, Any] = {}
    for item in re.split(r",(?=[^,=\[\]{}()]+=)", ",".join(tokens)):
        name, equals, text = item.partition("=")
        if not equals:
            raise ValueError(f"{option}: expected key=value, got {item!r}")
        try:
            values[name.strip()] = ast.literal_eval(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            # The harness takes them in any case.
            values[name.strip()] = {"true": True, "false": False}.get(text.strip().lower(), text)
    return values
