"""What a judge is asked: errors by MQM, a single score, and the repair of a reply out of form.

These are our own, by what the paper's section 4.1 says of severities: the prompts of its appendix E
are lost in the text of it that we have. Each has an id, and its hash stands in every result.
"""

from __future__ import annotations

import hashlib
import re
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ....judge import Question, filled
from .replies import read_direct, read_mqm

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_HASH_LENGTH = 12


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


_FILE = tomllib.loads(Path(__file__).with_name("prompts.toml").read_text("utf-8"))
PROMPTS = {name: Prompt(**entry) for name, entry in _FILE.items()}
_REQUEST = re.compile(
    r"<(original(?:_\d{1,4})?)>\n(.*?)\n</\1>\n<(round_trip(?:_\d{1,4})?)>\n(.*)\n</\3>", re.DOTALL
)


def prompt_labels(direct: bool) -> str:
    """Ids and hashes of the prompts that a judged result depends on, for its signature."""
    names = ("mqm", "direct", "repair") if direct else ("mqm", "repair")
    return ",".join(PROMPTS[name].label for name in names)


def question(name: str, kind: str, original: str, output: str) -> Question:
    """A question of ``kind`` ``mqm`` or ``direct`` about two texts."""
    read = read_mqm if kind == "mqm" else read_direct
    return Question(
        name,
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
    prompt = PROMPTS[kind]
    values = {
        "original": original,
        "output": output,
        "tag_original": _tag("original", original, output),
        "tag_output": _tag("round_trip", original, output),
    }
    return f"{prompt.system}\n\n{filled(prompt.user, values)}"


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
    kind = next((kind for kind in ("mqm", "direct") if PROMPTS[kind].form in head), None)
    return (kind, match[2], match[4]) if match and kind else None


def _tag(name: str, *texts: str) -> str:
    """A tag that occurs in none of the texts."""
    tag, number = name, 1
    while any(f"{tag}>" in text for text in texts):
        number += 1
        tag = f"{name}_{number}"
    return tag
