"""What differs between frozen values and those of today's code, grouped and counted."""

from collections import Counter, defaultdict
from collections.abc import Iterable

from .stored import Part, Value, Values, equal

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
        lines.append(f"- new: {len(new):,} ({', '.join(new[:_IDS])}{_more(new)})")
    return lines


def _verdicts(name: str, keys: list[str], old: Values, new: Values) -> list[str]:
    """Changed verdicts by reading, language, and what they were and are.

    The first lines count them over all languages, as CHANGELOG says it.
    """
    from .corpora import CORPORA

    readings = next(list(corpus.readings) for corpus in CORPORA if corpus.name == name)
    changes: list[tuple[str, str, str]] = []
    whole: Counter[str] = Counter()
    for key in keys:
        (language, text, *before), (_, text_now, *now) = (
            str(side[key]).split(" ") for side in (old, new)
        )
        if text != text_now:
            kinds = {"input": "another response"}
        else:
            kinds = {
                reading: _verdict_change(first, second)
                for reading, first, second in zip(readings, before, now)
                if first != second
            }
        for reading, change in kinds.items():
            whole[f"{reading}: {change}"] += 1
            changes.append((f"{reading} {language}: {change}", key, change))
    return [f"{count:,} verdicts: {change}" for change, count in whole.most_common()] + _grouped(
        changes
    )


def _verdict_change(first: str, second: str) -> str:
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


def _more(keys: list[str]) -> str:
    return " …" * (len(keys) > _IDS)
