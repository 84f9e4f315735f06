"""``xlgo verify``: prove that an exported folder is undamaged and that every answer is right.

Every question is read from the text of its prompt and solved again. Nothing is taken from the
generator: a prompt that lacks something, or an answer that belongs to another question, is found.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import xlgo_dataset as xd
from xlgo_dataset.family import generated_family_of

from .. import workers
from ..folders import CHECKSUMS, MANIFEST, explained, listing, read_checksums, sha256_of
from . import card

_BATCH_ROWS = 64


def add_parser(subparsers: argparse._SubParsersAction) -> None:
    """Add ``verify`` to the command line."""
    parser = subparsers.add_parser(
        "verify",
        help="check an exported folder: checksums, rows, every answer solved again; or a copy of "
        "another team's data",
    )
    parser.add_argument("folder", type=Path, help="as written by xlgo export")
    parser.add_argument("--processes", type=int, help="default: one per processor")
    parser.add_argument(
        "--family",
        help="the folder is a local copy of the data of this family, written by others: every "
        "reference answer in it is graded",
    )
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Verify what the command line names; 0 if nothing is wrong, 1 if it is in another team's data.

    Raises:
        ValueError: naming the first thing that is wrong.
    """
    if args.processes is not None and args.processes < 1:
        raise ValueError(f"--processes must be 1 or more, got {args.processes}")
    if args.family is not None:
        from .echo import check_source

        return check_source(args.folder, args.family)
    manifest = verify(args.folder, args.processes)
    print(
        f"{args.folder}: {card.count_prompts(manifest):,} prompts solved again from their text, "
        f"all as stated; {len(read_checksums(args.folder))} checksums right\n"
        f"{manifest['signature']}"
    )
    return 0


def verify(folder: Path, processes: int | None = None) -> dict[str, Any]:
    """Check an exported folder in full; its manifest.

    Raises:
        ValueError: naming the first file, or file and row, that is wrong.
    """
    from tqdm import tqdm

    with explained("read", folder):
        manifest = _check_files(folder)
    blocks = _blocks(folder, manifest)
    problems: dict[int, str] = {}
    with tqdm(total=card.count_prompts(manifest), desc="verify", unit="prompt") as bar:
        done = workers.each(check_block, blocks, processes or workers.available_processors())
        for place, problem in done:
            bar.update(blocks[place].prompts)
            if problem:
                problems[place] = problem
    if problems:
        others = f" ({len(problems)} blocks have errors)" if len(problems) > 1 else ""
        raise ValueError(f"{folder}/{problems[min(problems)]}{others}")
    return manifest


def _check_files(folder: Path) -> dict[str, Any]:
    """The manifest, after comparing names and checksums of all files."""
    sums = read_checksums(folder)
    present = set(listing(folder))
    if missing := sorted(set(sums) - present):
        raise ValueError(f"{folder / missing[0]} is missing")
    if extra := sorted(present - set(sums) - {CHECKSUMS}):
        raise ValueError(f"{folder / extra[0]} is not in {CHECKSUMS}")
    for name, digest in sums.items():
        if sha256_of(folder / name) != digest:
            raise ValueError(f"{folder / name} is damaged: its checksum differs")
    try:
        manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_bytes())
        listed = [shard["path"] for shard in manifest["shards"]]
        data = manifest["recipe"]["data"]
        card.configs(manifest)
    except (OSError, KeyError, TypeError, AttributeError, json.JSONDecodeError) as error:
        raise ValueError(f"{folder / MANIFEST} is not an export's: {error!r}") from error
    if data != xd.DATA_VERSION:
        raise ValueError(
            f"{folder} holds version {data} of the data and this is a package for version "
            f"{xd.DATA_VERSION}: verify it with xlgo {manifest['recipe'].get('version')}"
        )
    shards = {name for name in sums if name.endswith(".parquet")}
    if difference := sorted(shards ^ set(listed)):
        raise ValueError(f"{folder / difference[0]} is not in both {CHECKSUMS} and {MANIFEST}")
    return manifest


@dataclass(frozen=True)
class Work:
    """The shards of the same questions: one for each language, perhaps one for all of them.

    Attributes:
        folder: the exported folder.
        task: its name.
        entry: what the recipe says of the task.
        split: of the questions.
        shards: records of the manifest, by folder of the shard.
    """

    folder: Path
    task: str
    entry: dict[str, Any]
    split: str
    shards: dict[str, dict[str, Any]]

    @property
    def prompts(self) -> int:
        """How many different prompts the shards hold."""
        names = {self.entry["configs"][f"{self.task}_{c}"] for c in self.entry["languages"]}
        return sum(shard["rows"] for name, shard in self.shards.items() if name in names)


def _blocks(folder: Path, manifest: dict[str, Any]) -> list[Work]:
    found = []
    recipe = manifest["recipe"]
    for task, entry in recipe["tasks"].items():
        names = set(entry["configs"].values())
        for split in recipe["splits"]:
            groups: dict[str, dict[str, dict[str, Any]]] = {}
            for shard in manifest["shards"]:
                name, _, file = shard["path"].partition("/")
                if name in names and shard["split"] == split:
                    groups.setdefault(file, {})[name] = shard
            found += [Work(folder, task, entry, split, groups[file]) for file in sorted(groups)]
    return found


def check_block(work: Work) -> str | None:
    """The first thing that is wrong in the shards of one block, or ``None``."""
    seen: dict[str, bytes] = {}
    alone = {work.entry["configs"][f"{work.task}_{c}"]: c for c in work.entry["languages"]}
    for folder, language in alone.items():
        if folder not in work.shards:
            return f"{folder}: a shard is missing"
        if problem := _check_shard(work, folder, (language,), seen, solve=True):
            return problem
    for folder in work.shards:
        if folder not in alone:
            languages = tuple(work.entry["languages"])
            if problem := _check_shard(work, folder, languages, seen, solve=False):
                return problem
    return None


def _check_shard(
    work: Work, folder: str, languages: Sequence[str], seen: dict[str, bytes], *, solve: bool
) -> str | None:
    """The first thing that is wrong in one shard, or ``None``.

    Args:
        work: its block.
        folder: which shard.
        languages: that its rows are in.
        seen: hashes of rows by id: entered if they are solved, looked up if not.
        solve: read and solve each prompt; otherwise each row must be one that was solved.
    """
    shard = work.shards[folder]
    expected = _expected(work, shard, languages)
    number = -1
    try:
        for number, row in enumerate(_rows(work.folder / shard["path"])):
            wanted = next(expected, None)
            if wanted is None:
                return f"{shard['path']}: has more than {number} rows"
            problem, digest = _wrong_key(work, row, wanted), _digest(row)
            if solve:
                problem = problem or wrong_answer(row, _text(work))
                seen[row["id"]] = digest
            elif seen.get(row["id"]) != digest:
                problem = problem or "differs from the same row of its language"
            if problem:
                return f"{shard['path']}, row {number} ({row['id']}): {problem}"
    except (OSError, LookupError, TypeError, ValueError) as error:
        return f"{shard['path']}, row {number}: {error}"
    if number + 1 != shard["rows"] or next(expected, None) is not None:
        return f"{shard['path']}: ends after {number + 1} rows"
    return None


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=_BATCH_ROWS):
            yield from batch.to_pylist()


def _expected(
    work: Work, shard: dict[str, Any], languages: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """What stands in the key columns of each row, in order, as far as the manifest tells."""
    levels = work.entry["levels"]
    if levels is None or shard["start"] is None:
        yield from ({} for _ in range(shard["rows"]))
        return
    for index in range(shard["start"], shard["stop"]):
        for level, complexity in enumerate(levels):
            for language in languages:
                yield {
                    "index": index, "level": level, "complexity": complexity, "language": language,
                }  # fmt: skip


def _wrong_key(work: Work, row: dict[str, Any], wanted: dict[str, Any]) -> str | None:
    wanted = wanted | {"task": work.task, "seed": work.entry["options"].get("seed", row["seed"])}
    for name, value in wanted.items():
        if row[name] != value:
            return f"{name} is {row[name]!r} and should be {value!r}"
    if f"-{work.split}-" not in row["instance_id"]:
        return f"instance_id is not of the split {work.split}"
    suffix = row["id"].removeprefix(f"{row['instance_id']}-{row['language']}")
    if suffix == row["id"] or (suffix and not suffix.startswith("-")):
        return f"id does not begin with {row['instance_id']}-{row['language']}"
    return None


def wrong_answer(row: dict[str, Any], text: str) -> str | None:
    """What is wrong with the answer of a row, judged by the text of its prompt alone."""
    answer, reference = json.loads(row["answer"]), json.loads(row["reference"])
    instance = xd.read(row["task"], row["prompt"], row["language"], text)
    found = _answer(instance, row["language"])
    if found != answer:
        return f"the prompt's answer is {_short(found)}, the row says {_short(answer)}"
    if reference.get("answer") != answer:
        return f"the reference has the answer {_short(reference.get('answer'))}"
    for name in ("task", "language", "instance_id", "complexity", "level", "index", "seed"):
        if reference.get(name, row[name]) != row[name]:
            return f"the reference has {name} {reference[name]!r}"
    # In other families complexity is a parameter of the draw, which a prompt need not show.
    if isinstance(instance, xd.Instance) and instance.complexity != row["complexity"]:
        return f"the prompt has complexity {instance.complexity}"
    return None


def _answer(instance: Any, language: str) -> Any:
    """The answer of an instance in the words of a language, where the family has such answers."""
    return generated_family_of(instance.task).answer(instance, language)


def _text(work: Work) -> str:
    text: str = work.entry["options"].get("text", "paper")
    return text if text in xd.TEXTS else str(work.folder / text)


def _digest(row: dict[str, Any]) -> bytes:
    found = hashlib.blake2b(digest_size=16)
    for name in sorted(row):
        value = str(row[name]).encode("utf-8")
        found.update(f"{name} {len(value)} ".encode())
        found.update(value)
    return found.digest()


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else f"{text[:77]}..."
