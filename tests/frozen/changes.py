"""What differs between frozen values and those of today's code, grouped and counted."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from .stored import Part, Value, Values, equal

_IDS = 3
"""So many keys are named of each group."""
_GROUPS = 40
_WIDEST = 70


def report(part: Part, values: Values, *, partly: bool = False, exact: bool = False) -> list[str]:
    """Lines that say what differs: the first one counts, the others name groups; none if nothing.

    Args:
        part: with its frozen values.
        values: those of today's code.
        partly: ``values`` holds a share of the keys.
        exact: numbers must be equal to the last digit.
    """
    if not part.path.is_file():
        return ["was not frozen yet"]
    old = part.stored()
    if partly:
        old = {key: value for key, value in old.items() if key in values}
    differ = [key for key in old if key in values and not equal(old[key], values[key], exact=exact)]
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
    lines += _moved(part.kind, gone, new, old, values)
    return lines


def _verdicts(name: str, keys: list[str], old: Values, new: Values) -> list[str]:
    """Changed verdicts by reading, language, and what they were and are.

    The first lines count them over all languages, as CHANGELOG says it.
    """
    from .corpora import CORPORA

    readings = next(list(corpus.readings) for corpus in CORPORA if corpus.name == name)
    found: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    whole: Counter[tuple[str, str]] = Counter()
    for key in keys:
        (language, text, *before), (_, text_now, *now) = (
            str(side[key]).split(" ") for side in (old, new)
        )
        if text != text_now:
            found["", language, "another response or answer key"].append(key)
            whole["", "another response"] += 1
            continue
        for reading, first, second in zip(readings, before, now):
            if first == second:
                continue
            was, became = first.partition(":")[0], second.partition(":")[0]
            change = f"{was} → {became}" if was != became else f"{was}, another answer"
            found[reading, language, change].append(key)
            whole[reading, change] += 1
    lines = [
        f"{reading or 'input'}: {count:,} verdicts changed: {change}"
        for (reading, change), count in whole.most_common()
    ]
    ordered = sorted(found.items(), key=lambda entry: -len(entry[1]))
    lines += [
        f"- {reading} {language}: {change}: {len(of):,} ({', '.join(of[:_IDS])}{_more(of)})"
        for (reading, language, change), of in ordered[:_GROUPS]
    ]
    return [*lines, *_rest(ordered)]


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
    return [*lines, *_rest(ordered)]


def _moved(
    kind: str, gone: list[str], new: list[str], old: Values, values: Values
) -> Iterator[str]:
    """Keys that are gone or new; whether a gone value stands under a new key.

    A rebuilt layout has other keys for the same numbers: each value of a new key takes the place
    of one equal value of a gone key.
    """
    left = Counter(_rounded(values[key]) for key in new)
    lost, moved = [], 0
    for key in gone:
        value = _rounded(old[key])
        if left[value] > 0:
            left[value] -= 1
            moved += 1
        else:
            lost.append(key)
    if moved:
        yield f"- gone, with an equal value under a new key: {moved:,} of {len(gone):,}"
    if lost:
        yield f"- gone, with no equal value under a new key: {len(lost):,}"
        yield from _grouped((_group(kind, key), key, f"was {_short(old[key])}") for key in lost)
    if new:
        yield f"- new: {len(new):,} ({', '.join(new[:_IDS])}{_more(new)})"


def _rounded(value: Value) -> str:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return f"{float(value):.4g}" if is_number and value is not None else repr(value)


def _more(keys: list[str]) -> str:
    return " …" * (len(keys) > _IDS)


def _rest(ordered: Sequence[tuple[object, list[str]]]) -> list[str]:
    left = ordered[_GROUPS:]
    return [f"- {len(left)} more groups with {sum(len(of) for _, of in left):,}"] if left else []
