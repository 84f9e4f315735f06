"""KOR-Bench's data: from a local folder or from the Hub, found by listing files.

Nothing is known of the Hub dataset but its name: files are recognised by the end of their path
(``cipher/rule.jsonl``, ``cipher_rule.parquet``, ``mixed/Multi-Q.jsonl``), columns by their names.
Case, ``-`` and ``_`` do not matter. What is missing is named in one line.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path, PurePosixPath

from xlgo_metric.core import grouped

from ...sources import SUFFIXES, Folder, Record, folder_of, read_rows

HUB_NAME = "m-a-p/KOR-Bench"
CATEGORIES: tuple[str, ...] = ("operation", "logic", "cipher", "puzzle", "counterfactual")
SETTINGS: Mapping[str, str] = {
    "kor_multi_q": "multi-q",
    "kor_multi_r": "multi-r",
    "kor_multi_rq": "multi-rq",
    "kor_multi_rq_hard": "multi-rq-hard",
}
"""The files of the mixed settings; the paper's mean leaves the last one out."""
STEPS = "cipher-subquestions"

_SHARD = re.compile(r"-\d{5}-of-\d{5}$")


def key_of(name: str) -> str:
    """A file's path in one spelling, without its ending: ``data/Cipher/three_shot.jsonl`` is
    ``data-cipher-three-shot``."""
    path = PurePosixPath(name)
    spelled = str(path.with_suffix("")).lower().replace("/", "-").replace("_", "-")
    return _SHARD.sub("", spelled)


def _all_keys() -> tuple[str, ...]:
    parts = ("rule", "sample", "three-shot")
    of_category = [f"{category}-{part}" for category in CATEGORIES for part in parts]
    return (*of_category, STEPS, *SETTINGS.values())


class Data:
    """The data of one source. Files are read when they are first asked for."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._read: dict[str, list[Record]] = {}

    @cached_property
    def _files(self) -> dict[str, list[Path]]:
        """The files of every part, shards in order."""
        files = self._folder.data_files()
        keys = {name: key_of(name) for name in files}
        result: dict[str, list[Path]] = {}
        for wanted in _all_keys():
            fitting = [n for n in files if keys[n] == wanted or keys[n].endswith("-" + wanted)]
            places = sorted({keys[name] for name in fitting}, key=lambda key: (len(key), key))
            there = [name for name in fitting if keys[name] == places[0]]
            for suffix in SUFFIXES[::-1]:  # the first one counts
                if options := [files[n] for n in there if n.lower().endswith(suffix)]:
                    result[wanted] = options
        return result

    @cached_property
    def revision(self) -> str:
        """What pins the data: a commit of the Hub or a digest of the local files."""
        if self._folder.commit:
            return self._folder.commit
        total = hashlib.sha256()
        for part, paths in sorted(self._files.items()):
            for path in paths:
                total.update(f"{part}:{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
        return f"sha256-{total.hexdigest()[:12]}"

    def rules(self, category: str) -> dict[str, Record]:
        """The rules of a category by id; ``rule_content`` is the text.

        Raises:
            ValueError: the file or a column is missing. So do all methods.
        """
        rows = self._rows(f"{category}-rule", ("idx", "rule_content"))
        return {str(row["idx"]): row for row in rows}

    def samples(self, category: str) -> list[Record]:
        """The questions of a category, in the order of the file."""
        extra = ("real_life_answer",) if category == "counterfactual" else ()
        return self._rows(f"{category}-sample", ("idx", "question", "answer", "rule_id", *extra))

    def examples(self, category: str) -> dict[str, list[Record]]:
        """The solved examples of a category by rule."""
        rows = self._rows(f"{category}-three-shot", ("question", "answer", "rule_id"))
        return grouped(rows, lambda row: str(row["rule_id"]))

    def steps(self) -> list[Record]:
        """The cipher questions that are cut into steps."""
        columns = ("idx", "rule_id", "category", "input", "steps_details")
        return self._rows(STEPS, columns)

    def mixed(self, task: str) -> list[Record]:
        """The rows of a mixed setting."""
        return self._rows(SETTINGS[task], ("idx", "rule_list", "question_list"))

    def rule(self, category: str, rule_id: str) -> str:
        """The text of one rule.

        Raises:
            ValueError: there is no such rule.
        """
        rules = self.rules(category)
        if rule_id not in rules:
            raise ValueError(f"{self._folder.where}: {category} has no rule {rule_id!r}")
        return str(rules[rule_id]["rule_content"])

    def _rows(self, key: str, columns: Sequence[str]) -> list[Record]:
        if key not in self._files:
            shown = ", ".join(sorted(self._files)) or "none of the data files"
            raise ValueError(
                f"{self._folder.where} has no file {key} (jsonl, json or parquet): found {shown}; "
                f"give a folder in the layout of {HUB_NAME}"
            )
        if key not in self._read:
            rows = [row for path in self._files[key] for row in _checked(path, columns)]
            if not rows:
                files = ", ".join(map(str, self._files[key]))
                raise ValueError(f"{files} has no rows: copy it again")
            self._read[key] = rows
        return self._read[key]


def _checked(path: Path, columns: Sequence[str]) -> Iterator[Record]:
    """The rows of a file, their columns in one spelling."""
    for number, row in enumerate(read_rows(path)):
        folded = {column.strip().lower().replace("-", "_"): row[column] for column in row}
        missing = [column for column in columns if folded.get(column) is None]
        if missing:
            raise ValueError(
                f"{path}: row {number} has no {missing[0]!r}: its columns are {', '.join(row)}"
            )
        yield folded


def load(source: str = HUB_NAME, revision: str | None = None) -> Data:
    """The data of a local folder or of a Hub dataset.

    Args:
        source: a folder, or the name of a dataset (``owner/name``).
        revision: a branch, tag or commit of the Hub, resolved to its commit; for a folder, the
            digest that it must have. ``None`` takes what is there; ``Data.revision`` reports it.

    Raises:
        ValueError: the source is neither, cannot be reached, or has another revision.
    """
    folder = folder_of(source, revision)
    data = Data(folder)
    if not folder.commit and revision is not None and data.revision != revision:
        raise ValueError(
            f"{source} has the revision {data.revision}, not {revision}: its files differ from "
            "those that were pinned"
        )
    return data
