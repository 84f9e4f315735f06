"""Files of results that families have beside the report: means, a row for each question, manifest.

They stand in a folder by the name of the family. ``results.json`` holds nothing of the time at
which it was written: the same answers and judgements always give the same bytes.

An earlier score of the same answers, where another reader or other statistics made it.

It is kept as it was, and what the new score says otherwise is listed.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

from xlgo_metric.extras import Outputs, Shown
from xlgo_metric.family import family
from xlgo_metric.signature import field_of

from ..folders import explained, replacing, sha256_of, write_text
from .graded_run import GradedRun

RESULTS, SAMPLES, MANIFEST = "results.json", "per_sample.parquet", "manifest.json"
_PACKAGES = ("xlgo", "lm-eval", "sacrebleu", "numpy", "scipy")


def write_outputs(scored: GradedRun, folder: Path) -> list[Path]:
    """Write the files of every family that has some; each is replaced in one step.

    Args:
        folder: of the results; the files stand in ``<folder>/<family>``.

    Returns:
        The paths of what was written.

    Raises:
        ValueError: a file cannot be written.
    """
    written: list[Path] = []
    for name, section in scored.score["families"].items():
        shown = family(name).extra(Shown)
        found = None if shown is None else shown.outputs(scored.of_family(name), section)
        if found is None:
            continue
        out = folder / name
        with explained("write", out):
            write_text(out / RESULTS, _json(_results(scored, name, found)))
            write_text(out / MANIFEST, _json(_manifest(scored, found)))
            _write_rows(out / SAMPLES, found.samples)
        written += [out / RESULTS, out / SAMPLES, out / MANIFEST]
    return written


def _results(scored: GradedRun, name: str, found: Outputs) -> dict[str, Any]:
    """Means in the form in which lm-evaluation-harness writes its own."""
    return {
        "results": {task: {"alias": task, **values} for task, values in found.results.items()},
        "config": {"model": scored.run.model},
        "model_name": scored.run.model,
        "signature": scored.score["families"][name]["signature"],
    }


def _manifest(scored: GradedRun, found: Outputs) -> dict[str, object]:
    return {
        "model": scored.run.model,
        "judge": scored.judge,
        "versions": {"python": platform.python_version(), **_versions()},
        "samples": {file.path.name: sha256_of(file.path) for file in scored.run.files},
        **found.manifest,
    }


def _versions() -> dict[str, str]:
    found = {}
    for package in _PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


def _write_rows(path: Path, rows: list[dict[str, object]]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    whole = [{key: _encodable(value) for key, value in row.items()} for row in rows]
    with replacing(path) as temporary:
        pq.write_table(pa.Table.from_pylist(whole), temporary)


def _encodable(value: Any) -> Any:
    """A text without half characters, which a model may have written and no file can hold."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _json(value: Any) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


SCORES, CHANGES = "scores.json", "changes.md"
_SKIPPED = frozenset({"band", "signature", "warnings", "headline", "version"})
_SHOWN = 3
_LARGEST = 200 * 2**20
_SAME = 1e-9


def keep_earlier(scored: GradedRun, out: Path) -> None:
    """Keep the score that stands in ``out``, if other versions made it, and say what changed.

    The earlier file gets a name with its versions, ``changes.md`` lists every number that is
    another one now, and the run's problems tell of both.
    """
    old = _read(out / SCORES)
    if old is None:
        return
    before, now = versions(old), versions(scored.score)
    if before == now:
        return
    changed = list(_changes(old.get("families"), scored.score["families"]))
    name = f"scores_{before.replace(', ', '_').replace(' ', '-')}.json"
    write_text(out / name, (out / SCORES).read_text("utf-8"))
    lines = [f"# Changes\n\nEarlier score ({name}): {before}. This score: {now}.\n"]
    lines += [f"- {line}" for line in changed] or ["No number changed."]
    write_text(out / CHANGES, "\n".join(lines) + "\n")
    told = f"{len(changed)} numbers changed" if changed else "no number changed"
    told += f" ({'; '.join(changed[:_SHOWN])}…; all are in {CHANGES})" if changed else ""
    scored.problems.add(
        str(out / SCORES),
        f"was made with {before}; graded again with {now}: {told}. It is kept as {name}",
        lost=False,
    )


def versions(score: Mapping[str, object]) -> str:
    """The versions of reader and statistics that made a score, or that of the package alone."""
    first = str(score.get("signature", "")).partition(" ")[0]
    found = [(name, field_of(first, name)) for name in ("reader", "statistics")]
    if all(value is None for _, value in found):
        found = [("xlgo", field_of(first, "version"))]
    return ", ".join(f"{name} {_plain(value)}" for name, value in found)


def _plain(value: str | None) -> str:
    """A version as a part of a file's name, whatever stood in the file."""
    return "".join(sign for sign in (value or "unknown")[:20] if sign.isalnum() or sign in ".-")


def _read(path: Path) -> dict[str, object] | None:
    try:
        if path.stat().st_size > _LARGEST:
            return None
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _changes(old: Any, new: Any, place: str = "") -> Iterator[str]:
    """Numbers and counts that both scores have, where they differ."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [key for key in old if key in new and key not in _SKIPPED]:
            yield from _changes(old[key], new[key], f"{place}.{key}" if place else str(key))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (a, b) in enumerate(zip(old, new)):
            yield from _changes(a, b, f"{place}[{number}]")
    elif not isinstance(old, dict | list) and not isinstance(new, dict | list):
        numbers = isinstance(old, int | float) and isinstance(new, int | float)
        same = abs(old - new) <= _SAME * max(1.0, abs(old)) if numbers else old == new
        if not same:
            yield f"{place}: {_short(old)} → {_short(new)}"


def _short(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)[:40]
