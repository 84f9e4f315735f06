"""What servers and tokenizers said beside the texts that the harness logged, joined to its samples.

``xlgo run`` writes it into a file beside the logs (see ``xlgo_lm_eval.replies``). The tokens of
prompts among it say how long the prompts of each language are, against those of English.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from xlgo_lm_eval.replies import FILE, SCHEMA, text_sha
from xlgo_metric.table import Column, Table

from .lines import Problems, Sample, SampleFile

_LONGEST_WARNING = 300
_VAST = 1e12


class Reply(NamedTuple):
    """What is known about an answer beside its text.

    Attributes:
        finish: why the model stopped, in the words of its server.
        reasoning: thinking that the server gave apart from the text.
        prompt_cut: the prompt had more tokens than the model takes.
        tokens: of the prompt and of the answer, thinking and all; ``None`` where nobody counted.
        thought: tokens of thinking among those of the answer, where the server said so.
        counted_by: ``server`` or ``tokenizer``; empty without a count.
        seconds: that the request took.
    """

    finish: str | None = None
    reasoning: str | None = None
    prompt_cut: bool = False
    tokens: tuple[int, int] | None = None
    thought: int | None = None
    counted_by: str = ""
    seconds: float | None = None


NOTHING = Reply()


@dataclass
class Replies:
    """The lines of such files, found by what was sent and answered.

    Texts of thinking may fill gigabytes: kept in memory is only where each line stands.
    """

    _places: dict[tuple[bytes, bytes], tuple[Path, int]] = field(default_factory=dict)
    warnings: list[tuple[str, str, int]] = field(default_factory=list)
    """Of the harness: when its run ended, its words and how often it said so."""

    def of(self, sample: Sample) -> Reply:
        """What is known about the answer of a sample."""
        if sample.finish or sample.reasoning or sample.tokens:
            counted = "server" if sample.tokens else ""
            return Reply(sample.finish, sample.reasoning, False, sample.tokens, None, counted)
        if not self._places or not sample.request or sample.response is None:
            return NOTHING
        place = self._places.get(_key(text_sha(sample.request), text_sha(sample.response)))
        if place is None:
            return NOTHING
        path, offset = place
        with path.open("rb") as file:
            file.seek(offset)
            data = json.loads(file.readline())
        tokens = tokens_of(data.get("usage"))
        return Reply(
            _text(data.get("finish")),
            _text(data.get("reasoning")),
            data.get("prompt_cut") is True,
            tokens,
            count_of(data.get("usage"), "reasoning_tokens"),
            (_text(data.get("counted_by")) or "server") if tokens else "",
            _number(data.get("seconds")),
        )


def read_replies(files: Iterable[SampleFile], problems: Problems) -> Replies:
    """The replies next to samples files, or in the folder above."""
    folders = {
        folder: None for file in files for folder in (file.path.parent, file.path.parent.parent)
    }
    found = Replies()
    for path in (folder / FILE for folder in folders):
        if not path.is_file():
            continue
        try:
            _index(path, found, problems)
        except OSError as error:
            problems.add(str(path), f"cannot be read: {error.strerror or error}")
        problems.close(path)
    return found


def _index(path: Path, found: Replies, problems: Problems) -> None:
    offset = 0
    with path.open("rb") as lines:
        for number, raw in enumerate(lines, start=1):
            try:
                data = _line(raw)
                if "warning" in data:
                    warning = str(data["warning"])[:_LONGEST_WARNING]
                    found.warnings.append((str(data["ended"]), warning, int(data["count"])))
                else:
                    key = _key(data["request"], data["answer"])
                    found._places[key] = (path, offset)
            except (ValueError, TypeError, KeyError, RecursionError) as error:
                said = f"missing {error}" if isinstance(error, KeyError) else str(error)
                problems.add_line(path, number, "reply", f"{said}; left out", lost=False)
            offset += len(raw)


def _line(raw: bytes) -> dict[str, Any]:
    data = json.loads(raw)
    if not isinstance(data, dict):
        raise ValueError("not a JSON object")
    schema = data.get("schema", SCHEMA)  # the first release that wrote such lines gave none
    if schema != SCHEMA:
        raise ValueError(f"schema {schema}: this version of xlgo reads {SCHEMA}")
    return data


def _key(request: str, answer: str) -> tuple[bytes, bytes]:
    return bytes.fromhex(request), bytes.fromhex(answer)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _number(value: Any) -> float | None:
    """A count or duration; impossible values count as unknown."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number and 0 <= value < _VAST else None


def count_of(usage: object, name: str) -> int | None:
    """A count of tokens that a server gave, such as ``prompt_tokens``."""
    found = _number(usage.get(name)) if isinstance(usage, Mapping) else None
    return None if found is None else int(found)


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


class CutPrompts:
    """Counts, by task and language, prompts that had more tokens than the model takes."""

    def __init__(self) -> None:
        self._asked: Counter[tuple[str, str]] = Counter()
        self._cut: Counter[tuple[str, str]] = Counter()

    def count(self, sample: Sample, reply: Reply) -> None:
        """Take note of one sample."""
        cell = (str(sample.reference["task"]), str(sample.reference.get("language", "")))
        self._asked[cell] += 1
        self._cut[cell] += reply.prompt_cut

    def told(self) -> list[tuple[str, str, int, int]]:
        """Task, language, prompts that were cut and all; only where some were."""
        return [(*cell, cut, self._asked[cell]) for cell, cut in sorted(self._cut.items()) if cut]


def warnings_of(replies: Replies, dates: Sequence[str], used: set[str]) -> list[tuple[str, int]]:
    """The harness's warnings in the runs that are used, and how often each was given.

    Args:
        replies: what was read.
        dates: when each run in the folder ended, as in the names of its files.
        used: those of them that are used.
    """
    counts: Counter[str] = Counter()
    for ended, warning, count in replies.warnings:
        before = [date for date in dates if date <= ended]
        if before and max(before) in used:
            counts[warning] += count
    return list(counts.items())


ENGLISH = "en"


@dataclass
class _Cell:
    prompts: int = 0
    characters: int = 0
    words: int = 0
    longest: int = 0


@dataclass
class PromptLengths:
    """Adds up characters and words of prompts by task and language; each prompt counts once."""

    _cells: dict[tuple[str, str], _Cell] = field(default_factory=lambda: defaultdict(_Cell))

    def count(self, sample: Sample) -> None:
        """Take note of one sample; the further answers to a question are passed over."""
        if sample.repeat or not sample.prompt:
            return
        reference = sample.reference
        cell = self._cells[str(reference["task"]), str(reference.get("language", ""))]
        cell.prompts += 1
        cell.characters += len(sample.prompt)
        cell.words += len(sample.prompt.split())
        cell.longest = max(cell.longest, len(sample.prompt))

    def table(self) -> Table | None:
        """The lengths of every language; ``None`` where no task has English and another one."""
        tasks = [
            task
            for task in dict.fromkeys(task for task, _ in self._cells)
            if len(codes := [code for name, code in self._cells if name == task]) > 1
            and ENGLISH in codes
        ]
        found = {code for task, code in self._cells if task in tasks}
        rows = [
            self._row(code, [task for task in tasks if (task, code) in self._cells])
            for code in sorted(found, key=lambda code: (code != ENGLISH, code))
        ]
        if not rows:
            return None
        return Table(
            "prompt_lengths",
            "Length of the prompts against English",
            (
                Column("language"),
                Column("tasks", "count"),
                Column("characters", "number", 2),
                Column("words", "number", 2),
                Column("longest prompt", "count", unit="characters"),
            ),
            tuple(rows),
            "Mean length of a prompt divided by that in English, averaged over the tasks that "
            "both have. Words are separated by spaces: they mean little where a script has none. "
            "Token counts differ more. Prompts beyond the model's context are in the warnings.",
        )

    def _row(self, code: str, tasks: list[str]) -> tuple[str, int, float, float, int]:
        mine = [self._cells[task, code] for task in tasks]
        english = [self._cells[task, ENGLISH] for task in tasks]
        ratios = [
            (
                own.characters / own.prompts / (base.characters / base.prompts),
                own.words / own.prompts / (base.words / base.prompts),
            )
            for own, base in zip(mine, english)
        ]
        characters, words = (fmean(column) for column in zip(*ratios))
        return code, len(tasks), characters, words, max(cell.longest for cell in mine)
