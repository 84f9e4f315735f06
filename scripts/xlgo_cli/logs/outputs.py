"""Files of results that families have beside the report: means, a row for each question, manifest.

They stand in a folder by the name of the family. ``results.json`` holds nothing of the time at
which it was written: the same answers and judgements always give the same bytes.
"""

from __future__ import annotations

import platform
from importlib import metadata
from pathlib import Path
from typing import Any

from xlgo_lm_eval.replies import sha256_of
from xlgo_metric.family import family

from ..folders import explained, replacing, write_json
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
        found = family(name).outputs(scored.of_family(name), section)
        if found is None:
            continue
        out = folder / name
        results = {  # means in the form in which lm-evaluation-harness writes its own
            "results": {task: {"alias": task, **values} for task, values in found.results.items()},
            "config": {"model": scored.run.model},
            "model_name": scored.run.model,
            "signature": section["signature"],
        }
        manifest = {
            "model": scored.run.model,
            "judge": scored.judge,
            "versions": {"python": platform.python_version()}
            | {n: d.version for n in _PACKAGES for d in metadata.Distribution.discover(name=n)},
            "samples": {file.path.name: sha256_of(file.path) for file in scored.run.files},
            **found.manifest,
        }
        with explained("write", out):
            write_json(out / RESULTS, results)
            write_json(out / MANIFEST, manifest)
            _write_rows(out / SAMPLES, found.samples)
        written += [out / RESULTS, out / SAMPLES, out / MANIFEST]
    return written


def _write_rows(path: Path, rows: list[dict[str, object]]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    whole = [{key: _encodable(value) for key, value in row.items()} for row in rows]
    with replacing(path) as temporary:
        pq.write_table(pa.Table.from_pylist(whole), temporary)


def _encodable(value: Any) -> Any:
    """A text without half characters, which a model may have written and no file can hold."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
