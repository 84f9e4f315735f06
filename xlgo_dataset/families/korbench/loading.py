"""KOR-Bench's data: from a local folder or from the Hub, found by listing files.

Nothing is known of the Hub dataset but its name: files are recognised by the end of their path
(``cipher/rule.jsonl``, ``cipher_rule.parquet``, ``mixed/Multi-Q.jsonl``), columns by their names.
Case, ``-`` and ``_`` do not matter. What is missing is named in one line.
"""

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
STEPS_PART = "cipher-subquestions"

_QUESTION = ("idx", "question", "answer", "rule_id")
_COLUMNS: Mapping[str, tuple[str, ...]] = {
    **{f"{category}-rule": ("idx", "rule_content") for category in CATEGORIES},
    **{f"{category}-sample": _QUESTION for category in CATEGORIES},
    **{f"{category}-three-shot": _QUESTION[1:] for category in CATEGORIES},
    "counterfactual-sample": (*_QUESTION, "real_life_answer"),
    STEPS_PART: ("idx", "rule_id", "category", "input", "steps_details"),
    **dict.fromkeys(SETTINGS.values(), ("idx", "rule_list", "question_list")),
}
"""The columns that every part must have."""

_SHARD = re.compile(r"-\d{5}-of-\d{5}$")


def key_of(name: str) -> str:
    """A file's path in one spelling, without its ending: ``data/Cipher/three_shot.jsonl`` is
    ``data-cipher-three-shot``."""
    path = PurePosixPath(name)
    spelled = str(path.with_suffix("")).lower().replace("/", "-").replace("_", "-")
    return _SHARD.sub("", spelled)


class Data:
    """The data of one source. Files are read when they are first asked for."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._read: dict[str, list[Record]] = {}

    @cached_property
    def _files(self) -> dict[str, list[Path]]:
        """The files of every part, shards in order."""
        files, result = self._folder.data_files(), dict[str, list[Path]]()
        for part in _COLUMNS:
            fitting = [name for name in files if f"-{key_of(name)}".endswith(f"-{part}")]
            # The path nearest to the name of the part counts, and of its endings the first.
            by_form = grouped(
                fitting,
                lambda x: (len(key_of(x)), key_of(x), SUFFIXES.index(Path(x).suffix.lower())),
            )
            if by_form:
                result[part] = [files[name] for name in by_form[min(by_form)]]
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
        """The rules of a category by id; ``rule_content`` is the text."""
        return {str(row["idx"]): row for row in self.rows(f"{category}-rule")}

    def rule(self, category: str, rule_id: str) -> str:
        """The text of one rule.

        Raises:
            ValueError: there is no such rule.
        """
        rules = self.rules(category)
        if rule_id not in rules:
            raise ValueError(f"{self._folder.where}: {category} has no rule {rule_id!r}")
        return str(rules[rule_id]["rule_content"])

    def rows(self, part: str) -> list[Record]:
        """The rows of a part, such as ``cipher-sample``, in the order of the file.

        Raises:
            ValueError: the file or a column is missing.
        """
        if part not in self._files:
            parts = ", ".join(sorted(self._files)) or "none of the data files"
            raise ValueError(
                f"{self._folder.where} has no file {part} (jsonl, json or parquet): found {parts}; "
                f"give a folder in the layout of {HUB_NAME}"
            )
        if part not in self._read:
            rows = [row for path in self._files[part] for row in _checked(path, _COLUMNS[part])]
            if not rows:
                files = ", ".join(map(str, self._files[part]))
                raise ValueError(f"{files} has no rows: copy it again")
            self._read[part] = rows
        return self._read[part]


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
