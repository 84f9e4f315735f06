"""What is frozen, as files: a part is a flat mapping of keys to plain values.

A key is a path, such as ``score/families/xlgobench/…/p_holm``; a value is a number, a truth value,
a text or ``None``. Every part is one small file, ``files/<kind>/<name>.json.xz``.
"""

import dataclasses
import hashlib
import json
import lzma
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

FILES = Path(__file__).parent / "files"
_RELATIVE, _ABSOLUTE = 1e-5, 1e-7
"""Fits stop at a tolerance: processors that add in another order differ by up to 3e-6 behind it."""

Value = str | int | float | bool | None
Values = dict[str, Value]


@dataclass(frozen=True)
class Part:
    """A part of what is frozen.

    Attributes:
        kind: one of ``KINDS``.
        name: unique within the kind.
        compute: the values by today's code. Its argument is 1 for all of them; above, one response
            in so many is graded, and of questions there are fewer kinds.
        missing: why it cannot be computed now, in a sentence; empty where it can.
    """

    kind: str
    name: str
    compute: Callable[[int], Values]
    missing: str = ""

    @property
    def title(self) -> str:
        """Kind and name, as the command line takes them."""
        return f"{self.kind}/{self.name}"

    @property
    def path(self) -> Path:
        """The file, whether it is there or not."""
        return FILES / self.kind / f"{self.name}.json.xz"

    def stored(self) -> Values:
        """The frozen values.

        Raises:
            FileNotFoundError: the part was never frozen.
        """
        return json.loads(lzma.decompress(self.path.read_bytes()))

    def write(self, values: Values) -> None:
        """Freeze values."""
        text = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


def digest(text: str, length: int = 16) -> str:
    """The first hexadecimal digits of a text's SHA-256."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:length]


def flat(value: object) -> Values:
    """A nest of mappings, sequences, arrays and dataclasses as one mapping of paths."""
    return dict(_leaves(value, ""))


def _leaves(value: object, place: str) -> Iterator[tuple[str, Value]]:
    entries: Mapping[Any, object]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        entries = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    elif isinstance(value, np.ndarray | np.generic):
        yield from _leaves(value.tolist(), place)
        return
    elif isinstance(value, Mapping):
        entries = value
    elif isinstance(value, list | tuple | set | frozenset):
        ordered = sorted(value, key=str) if isinstance(value, set | frozenset) else value
        entries = dict(enumerate(ordered))
    else:
        plain = value is None or isinstance(value, str | int | float | bool)
        yield place, value if plain else repr(value)  # type: ignore[misc]
        return
    if not entries:
        yield place, "empty"
    for key, entry in entries.items():
        yield from _leaves(entry, f"{place}/{key}" if place else str(key))


def equal(old: Value, new: Value) -> bool:
    """Whether two values are the same; numbers within the tolerance of a fit."""
    if isinstance(old, bool) or isinstance(new, bool):
        return old is new
    if not (isinstance(old, int | float) and isinstance(new, int | float)):
        return old == new
    if math.isnan(old) or math.isnan(new):
        return math.isnan(old) and math.isnan(new)
    return math.isclose(old, new, rel_tol=_RELATIVE, abs_tol=_ABSOLUTE)


# What differs between frozen values and those of today's code, grouped and counted.


SHARED = ("verdicts", "questions")
"""Kinds of which a share can be computed; of the others no key may be lacking."""

_IDS = 3
"""So many keys are named of each group."""
_GROUPS = 40
_WIDEST = 70


def report(part: Part, values: Values, *, partly: bool = False) -> list[str]:
    """Lines that say what differs: the first one counts, the others name groups; none if nothing.

    Args:
        part: with its frozen values.
        values: those of today's code.
        partly: ``values`` holds a share of the keys, where the kind is one of ``SHARED``.
    """
    if not part.path.is_file():
        return ["was not frozen yet"]
    old = part.stored()
    if partly and part.kind in SHARED:
        old = {key: value for key, value in old.items() if key in values}
    differ = [key for key in old if key in values and not equal(old[key], values[key])]
    gone = [key for key in old if key not in values]
    new = [key for key in values if key not in old]
    if not (differ or gone or new):
        return []
    counts = {"changed": differ, "gone": gone, "new": new}
    counted = ", ".join(f"{len(keys):,} {name}" for name, keys in counts.items() if keys)
    lines = [f"of {len(old):,} frozen values {counted}"]
    if part.kind == "verdicts":
        lines += _verdicts(part.name, differ, old, values)
    else:
        lines += _grouped(
            (_group(part.kind, key), key, _change(old[key], values[key])) for key in differ
        )
    lines += _grouped((f"gone: {_group(part.kind, key)}", key, _short(old[key])) for key in gone)
    if new:
        lines.append(f"- new: {len(new):,} ({', '.join(new[:_IDS])}{' …' * (len(new) > _IDS)})")
    return lines


def _verdicts(name: str, keys: list[str], old: Values, new: Values) -> list[str]:
    """Changed verdicts by reading, language, and what they were and are.

    The first lines count them over all languages, as CHANGELOG says it.
    """
    from .corpora import CORPORA

    readings = next(list(corpus.readings) for corpus in CORPORA if corpus.name == name)
    changes = [
        (f"{reading} {language}", reading, _verdict_change(reading, *pair), key)
        for key in keys
        for (language, *before), (_, *now) in [(str(side[key]).split(" ") for side in (old, new))]
        for reading, *pair in zip(("input", *readings), before, now)
        if pair[0] != pair[1]
    ]
    whole = Counter(f"{reading}: {change}" for _, reading, change, _ in changes)
    counted = [f"{count:,} verdicts: {change}" for change, count in whole.most_common()]
    return counted + _grouped(
        (f"{where}: {change}", key, change) for where, _, change, key in changes
    )


def _verdict_change(reading: str, first: str, second: str) -> str:
    if reading == "input":
        return "another response"
    was, became = first.partition(":")[0], second.partition(":")[0]
    return f"{was} → {became}" if was != became else f"{was}, another answer"


def _group(kind: str, key: str) -> str:
    """A path without its places in lists: which measure of what, or which kind of question."""
    names = [name for name in key.split("/") if not name.isdigit()]
    if kind == "questions":
        return names[-1]  # behind task and language
    return "/".join([*names[:2], "…", names[-1]] if len(names) > 3 else names)


def _change(old: Value, new: Value) -> str:
    if isinstance(old, str) and isinstance(new, str):
        old, new = _where_it_differs(old, new)
    return f"{_short(old)} → {_short(new)}"


def _where_it_differs(old: str, new: str) -> tuple[str, str]:
    """Two texts from shortly before the first place where they differ."""
    same = next((n for n, (a, b) in enumerate(zip(old, new)) if a != b), min(len(old), len(new)))
    begin = max(0, same - 25) if len(old) > _WIDEST or len(new) > _WIDEST else 0
    return ("…" * bool(begin)) + old[begin:], ("…" * bool(begin)) + new[begin:]


def _short(value: Value) -> str:
    text = repr(value)
    return text if len(text) <= _WIDEST else f"{text[:_WIDEST]}…"


def _grouped(changes: Iterable[tuple[str, str, str]]) -> list[str]:
    found: dict[str, list[str]] = defaultdict(list)
    for group, key, change in changes:
        found[group].append(f"{key}: {change}")
    ordered = sorted(found.items(), key=lambda entry: -len(entry[1]))
    lines = []
    for group, texts in ordered[:_GROUPS]:
        lines.append(f"- {group}: {len(texts):,}")
        lines += [f"    {text}" for text in texts[:_IDS]]
    left = len(ordered) - _GROUPS
    return [*lines, f"- {left} more groups"] if left > 0 else lines
