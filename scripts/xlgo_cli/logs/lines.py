"""What the lines of a samples file say: question, request and response, and how they were made.

``parse`` reads a line into ``Sample``s; what cannot be read becomes a ``Problem``, a sentence that
names the file and the line. ``Settings`` are those of the harness's description of the run.
They say whether two runs were made alike, so that their answers may be put together, and give the
*generation fingerprint*, which stands beside every signature::

    backend:hf|template:3f0a91bc|system:none|thinking:off|sampling:greedy|max_tokens:4096|precision:bfloat16

What the harness does not say is ``default``.
"""

from __future__ import annotations

import json
import sys
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from xlgo_lm_eval.answers import ANSWERED, ASKED, MISSING, REFUSED, Answer, missing
from xlgo_lm_eval.arguments import about, pairs

Doc = dict[str, Any]
"""The fields of a question, as a log has them."""
TaskKey = tuple[Path, str, str]
"""The folder, date and name of a task of the harness."""
Key = tuple[str, ...]
"""What names a question in one language and condition; see ``key_of``."""
LogLine = dict[str, Any]
"""A record of a log in the form of the harness."""

COLUMNS: ContextVar[Mapping[str, str]] = ContextVar("columns")
"""What ``--columns`` says of all tables of a command."""

LONGEST = 64 << 20
"""Bytes of a line; a longer one is not read."""
Single = str | int | float | bool

_LONG = ("prompt", "reference", "xlgo_reference")
_SHOWN = 3
_VAST = 1e12


def printable(text: str) -> str:
    """The same text in one line, without what would steer a terminal or change its direction."""
    return "".join(c if c.isprintable() else " " if c.isspace() else "\ufffd" for c in text)


@dataclass(frozen=True)
class Problem:
    """Something that could not be used.

    Attributes:
        where: the file, and where there is one the line.
        message: what is wrong with it and what became of it.
        lost: something that should have counted could not be read.
    """

    where: str
    message: str
    lost: bool = True

    def __str__(self) -> str:
        return printable(f"{self.where}: {self.message}")


@dataclass
class Problems:
    """Collects problems; of many similar ones in a file, only the first few are listed.

    Attributes:
        items: the problems, in the order in which they were found.
        foreign: samples of tasks that are not of this package.
    """

    items: list[Problem] = field(default_factory=list)
    foreign: int = 0
    _counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, where: str, message: str, lost: bool = True) -> None:
        """Record one problem."""
        self.items.append(Problem(where, message, lost))

    def add_line(self, file: Path, line: int, kind: str, message: str, lost: bool = True) -> None:
        """Record a problem of one line; ``kind`` says which of them are alike."""
        self._counts[str(file), kind] += 1
        if self._counts[str(file), kind] <= _SHOWN:
            self.add(f"{file}:{line}", message, lost)

    def close(self, file: Path) -> None:
        """Report how many problems of ``file`` were not listed."""
        for (name, kind), count in self._counts.items():
            if name == str(file) and count > _SHOWN:
                self.add(name, f"{count - _SHOWN} more lines like it ({kind})", lost=False)

    @property
    def lost(self) -> bool:
        """Whether something that should have counted could not be read."""
        return any(problem.lost for problem in self.items)

    def tell(self, model: str = "", *, lost_only: bool = False) -> None:
        """Print them, with the name of the model that they are about; notes may be omitted."""
        for problem in self.items:
            if problem.lost or not lost_only:
                about = ("error" if problem.lost else "note", *filter(None, [model]), str(problem))
                print(": ".join(about), file=sys.stderr)


@dataclass(frozen=True)
class SampleFile:
    """One file of samples.

    Attributes:
        task: the name that the harness has for the task.
        date: when the run ended, as the harness writes it into file names; sorts as text.
        model: the name of the model.
        settings: how the answers were made; ``None`` if the harness's description is lost.
        tool: whose log it is (``formats.tool_of``); empty for lm-evaluation-harness.
        part: of a table, the model and task as it calls them.
        condition: of its questions, where another file of the run asks them as the data have them.
    """

    path: Path
    task: str
    date: str
    model: str
    settings: Settings | None = None
    tool: str = ""
    part: tuple[str, str] = ("", "")
    condition: str = field(default="", compare=False)

    @property
    def key(self) -> TaskKey:
        """What names the task in the harness's descriptions."""
        return self.path.parent, self.date, self.task


@dataclass(frozen=True)
class Sample:
    """One response of a model.

    Attributes:
        file, line: where it stands.
        reference: what it is graded against.
        response: the response as the model gave it; ``None`` where there is none.
        prompt: what was asked, perhaps long; empty where the file does not have it.
        repeat: which of several responses to the same prompt, from 0.
        request: what was sent, as it is logged: a prompt, or a chat as JSON.
        asked: how it was sent, where the log says so and the grading depends on it.
        reply: the answer with what the log says beside its text.
    """

    file: SampleFile
    line: int
    reference: dict[str, object]
    response: str | None
    prompt: str
    repeat: int = 0
    request: str = ""
    asked: str | None = None
    reply: Answer = field(default_factory=Answer)

    @property
    def graded_by(self) -> dict[str, object]:
        """The reference, with how the question was asked."""
        return self.reference if self.asked is None else {**self.reference, ASKED: self.asked}

    @property
    def where(self) -> str:
        """The file and the line."""
        return f"{self.file.path}:{self.line}"


class AnotherTaskError(Exception):
    """Raised for a sample whose task is not part of xlgo."""


def object_in(raw: bytes) -> dict[str, object]:
    """The JSON object in a line of a file.

    Raises:
        ValueError: there is none; the message says why.
        RecursionError: it is nested too deeply.
    """
    try:
        data = json.loads(raw.removeprefix(BOM_UTF8).decode())
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 text (byte {error.start})") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"not valid JSON ({error.msg} at character {error.pos + 1})") from None
    if not isinstance(data, dict):
        raise ValueError("not a JSON object")
    return data


def lines(path: Path) -> Iterator[tuple[int, int, dict[str, object] | ValueError]]:
    """Number and place of each line that is not empty, and its object or what is wrong with it.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        number = offset = 0
        while raw := file.readline(LONGEST):
            number += 1
            start, offset = offset, offset + len(raw)
            if not raw.isspace():
                yield number, start, _object_or_error(raw)


def _object_or_error(raw: bytes) -> dict[str, object] | ValueError:
    try:
        return object_in(raw)
    except (ValueError, RecursionError) as error:
        return ValueError(str(error))


def single_values(data: Mapping[str, object]) -> dict[str, Single]:
    """What can identify a question or its language: texts, numbers and truth values."""
    return {
        name: value
        for name, value in data.items()
        if isinstance(value, (str, int, float)) and name not in _LONG
    }


def mapping(value: object) -> dict[str, object]:
    """A value that should be an object; empty if it is none."""
    return value if isinstance(value, dict) else {}


def parse(
    data: dict[str, object], file: SampleFile, number: int, first: int = 0
) -> Iterator[Sample]:
    """The responses in line ``number`` of a file.

    Args:
        data: what the line says.
        file: where it stands.
        number: of the line.
        first: how many lines before it have the same question; its responses are further ones.

    Raises:
        AnotherTaskError: the line is of a task that is not one of ours.
        ValueError: it cannot be read; the message says why.
    """
    doc = mapping(data.get("doc"))
    reference = reference_of(doc)
    asked_by = sent if isinstance(sent := doc.get(ASKED), str) else None
    request = request_of(data)
    prompt = p if isinstance(p := doc.get("prompt"), str) else request_text(request)
    details = data.get("answers")
    details = details if isinstance(details, list) else []
    for position, response in enumerate(responses_of(data)):
        reply = reply_of(details[position] if position < len(details) else None, response)
        yield Sample(
            file, number, reference, response, prompt, first + position, request, asked_by, reply
        )


def reply_of(details: object, response: str | None) -> Answer:
    """An answer with what a log says beside its text, as far as it can be that.

    Args:
        details: the entry of the harness's log that ``xlgo run`` adds.
        response: the text; ``None`` is no answer.
    """
    if not isinstance(details, dict):
        return missing("no content") if response is None else Answer(response)
    state, counts = details.get("state"), mapping(details.get("usage"))
    usage = {name: n for name in counts if (n := count_of(counts, name)) is not None}
    return Answer(
        response or "",
        state if state in (REFUSED, MISSING) else ANSWERED,
        finish=text(details.get("finish")) or None,
        reasoning=text(details.get("reasoning")) or None,
        prompt_cut=details.get("prompt_cut") is True,
        usage=usage,
        counted_by=text(details.get("counted_by")) or None,
        seconds=number_of(details.get("seconds")),
        error=text(details.get("error")) or None,
    )


def text(value: object) -> str:
    """A value that should be a text; empty if it is none."""
    return value if isinstance(value, str) else ""


def reference_of(doc: Mapping[str, object]) -> dict[str, object]:
    """The reference of a question: a JSON object, as such or as text.

    Raises:
        AnotherTaskError: there is none.
        ValueError: it cannot be read.
    """
    value = doc.get("reference")
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            value = json.loads(value)
        except ValueError as error:
            raise ValueError(f"column doc.reference: not valid JSON ({error})") from None
    if not isinstance(value, dict):
        raise AnotherTaskError
    if not isinstance(value.get("task"), str):
        raise ValueError("column doc.reference: the reference names no task")
    return value


def key_of(reference: Mapping[str, object], where: str = "") -> Key:
    """What names the question of a reference: ``where`` it stands, if nothing does."""
    names = ("family", "task", "language", "condition")
    identity = reference.get("instance_id") or reference.get("id") or where
    params = json.dumps(p, sort_keys=True) if (p := reference.get("params")) else ""
    return (*(str(reference.get(name, "")) for name in names), str(identity), params)


def responses_of(data: dict[str, object]) -> list[str | None]:
    """The responses, as the model gave them, as many as the harness's filter kept."""
    if "resps" not in data and "filtered_resps" not in data:
        raise ValueError("column resps: missing, and so is filtered_resps")
    filtered = _texts(_first(data.get("filtered_resps", data.get("resps"))), "filtered_resps")
    resps = data.get("resps")
    return _texts(_first(resps), "resps")[: len(filtered)] if resps else filtered


def _first(value: Any) -> Any:
    """The responses to the first, and here only, request of a question."""
    return value[0] if isinstance(value, list) and value else value


def _texts(value: Any, column: str) -> list[str | None]:
    values = value if isinstance(value, list) else [value]
    if not all(text is None or isinstance(text, str) for text in values):
        raise ValueError(f"column {column}: not text")
    return values or [None]


def request_of(data: dict[str, object]) -> str:
    """What was sent; of a model behind an interface it is logged as a list of one JSON text."""
    argument = data.get("arguments")
    for key in ("gen_args_0", "arg_0"):
        argument = argument.get(key) if isinstance(argument, dict) else _first(argument)
    argument = _first(argument)
    return argument if isinstance(argument, str) else ""


def request_text(request: str) -> str:
    """The text of a request; that of a chat is a JSON list of messages."""
    if not request.startswith("[{"):
        return request
    try:
        return "\n\n".join(_content(message["content"]) for message in json.loads(request))
    except (ValueError, TypeError, KeyError, RecursionError):
        return request


def _content(value: Any) -> str:
    """The text of a message, which may be in parts."""
    parts = value if isinstance(value, list) else [{"text": value}]
    return "\n".join(str(part["text"]) for part in parts if "text" in part)


def number_of(value: Any) -> float | None:
    """A count or duration; impossible values count as unknown."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number and 0 <= value < _VAST else None


def count_of(usage: object, name: str) -> int | None:
    """A count of tokens that a server gave, such as ``prompt_tokens``."""
    number = number_of(usage.get(name)) if isinstance(usage, Mapping) else None
    return None if number is None else int(number)


def tokens_of(
    usage: object, prompts: str = "prompt_tokens", answers: str = "completion_tokens"
) -> tuple[int, int] | None:
    """The tokens of a prompt and its answer; ``None`` where one of them is not known.

    Args:
        usage: what a server said.
        prompts, answers: the names of the two counts.
    """
    sent, received = count_of(usage, prompts), count_of(usage, answers)
    return None if sent is None or received is None else (sent, received)


MIXED = "+"
UNKNOWN = "settings"
"""Stands in a fingerprint if the harness's description of a run is lost."""

SAME_BACKEND = {
    "xlgo-chat-completions": "local-chat-completions",
    "xlgo-openai-chat-completions": "openai-chat-completions",
}
"""Models that give the answers of another."""
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
_EXTENDED = ("languages", "xlgo_language", "per_level", "n", "repeats", "xlgo_answers")
"""Options of a task in which runs may differ whose answers are put together."""

_DIGITS = 8
_LONGEST = 80


@dataclass(frozen=True)
class Settings:
    """How the answers of one task in one run were made.

    Attributes:
        exact: of the model, what must agree before answers of two runs are put together, as JSON.
        fingerprint: the settings by name, in their order.
        options: of the questions, those that must agree as well.
    """

    exact: str
    fingerprint: tuple[tuple[str, str], ...]
    options: tuple[tuple[str, str], ...] = ()

    @property
    def task(self) -> str:
        """The task of the questions; tasks of the harness may ask it in a language each."""
        return dict(self.options).get("xlgo_task", "")


def settings_of(info: Mapping[str, object], task: str) -> Settings | None:
    """The settings of one task in a run; ``None`` where its description is lost.

    Args:
        info: what ``results_*.json`` says.
        task: the name that the harness has for the task.
    """
    if not info:
        return None
    config = mapping(info.get("config"))
    model_args = arguments_of(config.get("model_args"))
    of_task = mapping(mapping(info.get("configs")).get(task))
    generation = {
        **mapping(of_task.get("generation_kwargs")),
        **arguments_of(config.get("gen_kwargs")),
    }
    backend = str(info.get("model_source") or config.get("model") or "default")
    backend = SAME_BACKEND.get(backend, backend)
    shots = mapping(info.get("n-shot")).get(task) or 0
    model = {name: value for name, value in model_args.items() if about(name).changes_answers}
    exact = {
        "backend": backend,
        "model_args": model,
        "generation": generation,
        "shots": shots,
        "template": info.get("chat_template_sha"),
        "system": info.get("system_instruction_sha"),
        "turns": info.get("fewshot_as_multiturn"),
        **{name: config.get(name) for name in ("model_sha", "model_dtype", "peft_sha")},
    }
    arguments = {**model_args, **generation}
    terms = {
        "backend": backend,
        "template": "of the server"
        if "chat-completions" in backend
        else _sha(info.get("chat_template_sha")),
        "system": _sha(info.get("system_instruction_sha")),
        "thinking": _thinking(arguments),
        "sampling": _sampling(generation),
        "max_tokens": _first_given(arguments, _MAX_TOKENS),
        "precision": _precision(model_args, config),
        "context": _first_given(model_args, _CONTEXT, ""),
        "shots": str(shots or ""),
    }
    return Settings(
        json.dumps(exact, sort_keys=True, default=str),
        tuple((name, _clean(value)) for name, value in terms.items() if value),
        _options(mapping(of_task.get("metadata"))),
    )


def fingerprint(settings: Iterable[Settings | None]) -> dict[str, str]:
    """The fingerprint of several tasks or runs: values that differ are joined by ``+``."""
    values_by_name: dict[str, set[str]] = {}
    for item in sorted(settings, key=lambda item: item is None):
        for name, value in item.fingerprint if item else [(UNKNOWN, "not known")]:
            values_by_name.setdefault(name, set()).add(value)
    return {name: MIXED.join(sorted(values)) for name, values in values_by_name.items()}


def fingerprint_line(values_by_name: Mapping[str, str]) -> str:
    """A fingerprint as one line, in the form of signatures."""
    return "|".join(f"{name}:{value}" for name, value in values_by_name.items())


def unlike(first: Mapping[str, str], second: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """The names whose values differ, with both values; ``default`` where one has none."""
    values = {n: (first.get(n, "default"), second.get(n, "default")) for n in [*first, *second]}
    return {name: (a, b) for name, (a, b) in values.items() if a != b}


def of_any_model(settings: Mapping[str, str]) -> dict[str, str]:
    """Settings for which only whether there is a chat template counts: each model has its own."""
    return {**settings, "template": "none" if settings.get("template") == "none" else "its own"}


def differences(a: Mapping[str, str], b: Mapping[str, str], same_model: bool = True) -> list[str]:
    """The settings in which two fingerprints, or two sets of options, differ, in words."""
    if UNKNOWN in a or UNKNOWN in b:
        one_known = (UNKNOWN in a) != (UNKNOWN in b)
        return ["settings (those of one run are not known)"] * one_known
    if not same_model:
        a, b = of_any_model(a), of_any_model(b)
    return [f"{name} ({one} and {other})" for name, (one, other) in unlike(a, b).items()]


def arguments_of(value: object) -> Mapping[str, object]:
    """Arguments as the harness logs them: an object, or in older releases a text."""
    if isinstance(value, str) and value.strip():
        try:
            return pairs("arguments", [value])
        except ValueError:
            return {"arguments": value}
    return mapping(value)


def _sha(value: Any) -> str:
    return str(value)[:_DIGITS] if value else "none"


def _first_given(
    arguments: Mapping[str, object], names: Iterable[str], default: str = "default"
) -> str:
    given = (arguments[name] for name in names if arguments.get(name) is not None)
    return str(next(given, default))


def _thinking(arguments: Mapping[str, object]) -> str:
    parts = (arguments, *(mapping(arguments.get(name)) for name in _NESTED))
    values = {
        name: part[name]
        for part in parts
        for name in _THINKING
        if part.get(name) is not None and not isinstance(part[name], dict)
    }
    if set(values) == {"enable_thinking"}:
        return "on" if str(values["enable_thinking"]).lower() in ("true", "1") else "off"
    return ",".join(f"{name}={value}" for name, value in values.items()) or "default"


def _sampling(generation: Mapping[str, object]) -> str:
    temperature = generation.get("temperature")
    samples = generation.get("do_sample")
    if samples is False or (samples is None and temperature in (0, 0.0)):
        beams = generation.get("num_beams")
        return "greedy" if beams in (None, 1) else f"beams={beams}"
    terms = [f"{name}={generation[name]}" for name in _SAMPLING if generation.get(name) is not None]
    return ",".join(terms) or "default"


def _precision(model_args: Mapping[str, object], config: Mapping[str, object]) -> str:
    dtype = config.get("model_dtype") or model_args.get("dtype") or "default"
    terms = [str(dtype).removeprefix("torch.")]
    terms += [f"{name}={model_args[name]}" for name in _PRECISION if model_args.get(name)]
    return ",".join(terms)


def _options(metadata: dict[str, object]) -> tuple[tuple[str, str], ...]:
    """The options that choose the questions; of a plan only that there is one: it names some."""
    from xlgo_lm_eval.tasks.utils import options_of

    if not isinstance(metadata.get("xlgo_options"), str):
        return ()
    options = options_of(metadata) | ({"plan": "adaptive"} if metadata.get("plan") else {})
    return tuple(
        (name, printable(str(value)))
        for name, value in sorted(options.items())
        if name not in _EXTENDED and value is not None
    )


def _clean(value: str) -> str:
    """What can stand in a line of fields."""
    text = printable(" ".join(value.replace("|", "/").replace(":", "=").split()))
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
