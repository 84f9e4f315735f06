"""What a judge of chains is asked, and how its replies are read.

It is asked for errors by MQM, for a single score, and for the repair of a reply out of form. The
prompts are our own, by what the paper's section 4.1 says of severities: those of its appendix E are
lost in the text of it that we have. Each has an id, and its hash stands in every result.

A reply that cannot be read is never taken for one without errors. Where there is doubt which part
of a reply is the answer, it counts as unread: asking again costs one request, a wrong perfect score
costs the result its worth. Work is bounded on any text.
"""

import hashlib
import json
import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ...core import read_toml
from ...family import Question, filled
from ...reading.thinking import split_thinking
from ...views import Row
from .records import CATEGORIES, SEVERITIES, mqm_error

MQM, DIRECT = "mqm", "direct"
"""Names of the questions: errors, and a single score."""
MAX_REPLY = 200_000
"""Characters; an answer needs a hundredth of it."""
MAX_ERRORS = 300
_HASH_LENGTH = 12
_SCORE = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,6})?")
_REQUEST = re.compile(
    r"<(original(?:_\d{1,4})?)>\n(.*?)\n</\1>\n<(round_trip(?:_\d{1,4})?)>\n(.*)\n</\3>", re.DOTALL
)


@dataclass(frozen=True)
class Prompt:
    """A prompt with its id: the words before texts are put in, and the form of a reply."""

    id: str
    system: str
    user: str
    form: str

    @property
    def label(self) -> str:
        """Id and twelve hexadecimal digits of SHA-256 over both parts, as in signatures."""
        text = f"{self.system}\x1f{self.user}"
        return f"{self.id}@{hashlib.sha256(text.encode('utf-8')).hexdigest()[:_HASH_LENGTH]}"


_FILE = read_toml(Path(__file__).with_name("prompts.toml"))
PROMPTS = {name: Prompt(**entry) for name, entry in _FILE.items()}


def prompt_labels(direct: bool) -> str:
    """Ids and hashes of the prompts that a judged result depends on, for its signature."""
    names = (MQM, DIRECT, "repair") if direct else (MQM, "repair")
    return ",".join(PROMPTS[name].label for name in names)


def question(kind: str, original: str, output: str) -> Question:
    """A question of ``kind`` ``mqm`` or ``direct`` about two texts."""
    read = read_mqm if kind == MQM else read_direct
    return Question(
        kind,
        PROMPTS[kind].label,
        judge_request(kind, original, output),
        lambda reply: read(reply) is not None,
        partial(repair_request, kind, original, output),
    )


def judge_request(kind: str, original: str, output: str) -> str:
    """The request for a judgement of ``kind`` ``mqm`` or ``direct``, for models without roles.

    The texts are not altered. Where one holds a tag of the prompt, as an injection would, other
    tags are used.
    """
    values = {
        "original": original,
        "output": output,
        "tag_original": _tag("original", original, output),
        "tag_output": _tag("round_trip", original, output),
    }
    return f"{PROMPTS[kind].system}\n\n{filled(PROMPTS[kind].user, values)}"


def repair_request(kind: str, original: str, output: str, bad: str) -> str:
    """The request for the same judgement in the right form: the first one, and the bad reply."""
    repair = filled(PROMPTS["repair"].user, {"bad": bad, "form": PROMPTS[kind].form})
    return f"{judge_request(kind, original, output)}\n\n{repair}"


def read_request(request: str) -> tuple[str, str, str] | None:
    """Kind, original and round trip of a request, read back from its words by a simulated judge.

    ``None`` if the text is no such request.
    """
    match = _REQUEST.search(request)
    head = request[: match.start()] if match else ""
    kind = next((kind for kind in (MQM, DIRECT) if PROMPTS[kind].form in head), None)
    return (kind, match[2], match[4]) if match and kind else None


def _tag(name: str, *texts: str) -> str:
    """A tag that occurs in none of the texts."""
    tag, number = name, 1
    while any(f"{tag}>" in text for text in texts):
        number += 1
        tag = f"{name}_{number}"
    return tag


def read_mqm(text: str | None) -> tuple[Row, ...] | None:
    """The errors of a judge's reply; ``None`` if it cannot be read.

    The whole reply, or the one object in it (in a fenced block, or with prose beside it), without
    the thinking. Severities are trimmed and lower-cased; an unknown category becomes ``other``.
    """
    listed = _answer(text, "errors")
    if not isinstance(listed, list) or len(listed) > MAX_ERRORS:
        return None
    errors = tuple(error for item in listed if (error := _error(item)) is not None)
    return errors if len(errors) == len(listed) else None


def read_direct(text: str | None) -> float | None:
    """The single score of a judge's reply, 0 to 100, by the same rules."""
    value = _answer(text, "score")
    if isinstance(value, str) and _SCORE.fullmatch(value.strip()):
        value = float(value)
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return float(value) if is_number and 0 <= value <= 100 else None


def _answer(text: str | None, key: str) -> Any:
    """What the answer has under ``key``; ``None`` without an answer that is beyond doubt.

    The answer is the whole reply, which may quote the marks of thinking, or all from the first to
    the last brace behind the thinking. Errors that are told in prose make an empty list doubtful.
    """
    reply = (text or "").strip()
    if len(reply) > MAX_REPLY:
        return None
    response = split_thinking(reply)
    behind_thinking = response.answer if response.closed else ""
    for part in (
        reply,
        behind_thinking[behind_thinking.find("{") : behind_thinking.rfind("}") + 1],
    ):
        try:
            answer = _DECODER.decode(part)
        except (ValueError, RecursionError):
            continue
        if isinstance(answer, dict) and key in answer:
            prose = behind_thinking.replace(part, "").lower()
            return None if answer[key] == [] and "severity" in prose else answer[key]
    return None


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object with its keys in lower case; one with a key twice is no answer."""
    by_key = {key.strip().lower(): value for key, value in members}
    if len(by_key) < len(members):
        raise ValueError("a key occurs twice")
    return by_key


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_refuse, strict=False)


def _error(item: Any) -> Row | None:
    fields = item if isinstance(item, dict) else {}
    names = ("category", "severity", "original_span", "output_span", "explanation")
    texts = (value if isinstance(value := fields.get(name), str) else "" for name in names)
    category, severity, *spans = texts
    category, severity = category.strip().lower(), severity.strip().lower()
    if severity not in SEVERITIES:
        return None
    return mqm_error(category if category in CATEGORIES else "other", severity, *spans)
