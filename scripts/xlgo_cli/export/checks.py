"""What an exported folder says of itself: files, checksums, manifest, card."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import xlgo_dataset as xd
from xlgo_dataset.family import known_texts
from xlgo_lm_eval.replies import sha256_of

from ..folders import CHECKSUMS, MANIFEST, listing, read_checksums
from . import card
from .layout import Manifest, Recipe
from .plan import Block, Part
from .recipe import PROVENANCE, SCHEMA, command, dumps, parts_of, recipe_of, request_of, signature

HIDDEN = {".git", ".gitattributes", ".gitignore", ".cache", ".huggingface", ".DS_Store"}
"""What git, the Hub's client and desktops add at the top of a folder; nothing reads it as data."""

_SHARD = re.compile(r"[^/]+/(?P<split>[a-z]+)-(?P<number>\d{5})-of-(?P<count>\d{5})\.parquet")
_PROVENANCE = {
    "code": re.compile(r"[0-9a-f]{32}"),
    "pyarrow": re.compile(r"[0-9A-Za-z.+-]{1,40}"),
    "version": re.compile(r"[0-9A-Za-z.+-]{1,40}"),
}
_MALFORMED = (OSError, LookupError, TypeError, AttributeError, RecursionError, ValueError)


class OtherVersionError(ValueError):
    """The folder is of a version that this package cannot make again: nothing is proved."""


def check_files(folder: Path) -> dict[str, str]:
    """The checksums, after comparing names and contents of all files.

    Raises:
        ValueError: naming the first file that is missing, foreign, damaged or no plain file.
    """
    sums = read_checksums(folder)
    hidden, empty = set(), []
    for path in sorted(folder.rglob("*")):
        below = path.relative_to(folder)
        if below.parts[0] in HIDDEN:
            continue
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            raise ValueError(f"{path} is a link or no plain file: a link's target is not checked")
        if any(part.startswith(".") for part in below.parts):
            hidden.add(below.as_posix())
        if path.is_dir() and not any(path.iterdir()):
            empty.append(path)
    present = set(listing(folder, hidden=False))
    if missing := sorted(set(sums) - present):
        raise ValueError(f"{folder / missing[0]} is missing")
    if extra := sorted((present | hidden) - set(sums) - {CHECKSUMS}):
        raise ValueError(f"{folder / extra[0]} is not in {CHECKSUMS}")
    if empty:
        raise ValueError(f"{empty[0]} is an empty folder, which no export writes")
    for name, digest in sums.items():
        if sha256_of(folder / name) != digest:
            raise ValueError(f"{folder / name} is damaged: its checksum differs")
    wanted = "".join(f"{sums[name]}  {name}\n" for name in sorted(sums))
    if (folder / CHECKSUMS).read_bytes() != wanted.encode():
        raise ValueError(f"{folder / CHECKSUMS} is not as an export writes it: a line each, sorted")
    return sums


def beside(folder: Path) -> list[str]:
    """What git, the Hub's client and desktops have added, at which nothing here looks."""
    return sorted(HIDDEN & {path.name for path in folder.iterdir()})


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a folder.

    Raises:
        ValueError: it is no JSON of an export, or of a newer layout than this package knows.
    """
    path = folder / MANIFEST
    try:
        data = path.read_bytes()
        manifest: Manifest = json.loads(data.decode("utf-8-sig"))
        same = dumps(manifest).encode() == data
        schema = manifest["schema"]
        tasks = manifest["recipe"]["tasks"]
        paths = [(shard["path"], shard["split"], shard["rows"]) for shard in manifest["shards"]]
        if not tasks or not paths or not manifest["recipe"]["splits"]:
            raise LookupError("nothing is in it")
        card.configs(manifest)
        card.count_prompts(manifest)
    except _MALFORMED as error:
        raise ValueError(f"{path} is not an export's: {error!r:.200}") from error
    if type(schema) is not int or schema != SCHEMA:
        raise OtherVersionError(
            f"{path} has the schema {schema!r:.40}, and this package knows {SCHEMA} only: verify "
            "the folder with the xlgo that made it"
        )
    if not same:
        raise ValueError(f"{path} is not as an export writes it: an entry stands twice, or other")
    return manifest


def check_manifest(folder: Path, manifest: Manifest, wording: Path) -> list[Part]:
    """The parts of the export, after making all of the recipe that follows from its options again.

    Raises:
        ValueError: naming the first entry that is not what the options give.
    """
    path, recipe = folder / MANIFEST, manifest["recipe"]
    check_versions(folder, recipe)
    try:
        request = request_of(recipe, wording)
        if request.options.get("text") not in (None, *known_texts()):
            check_wording(folder, recipe)
        parts = parts_of(recipe, request)
        expected = recipe_of(parts, request)
        for name in PROVENANCE:
            expected[name] = recipe[name]
        words = shlex.split(manifest["command"])
        made = command(expected, words[3]) if Path(words[3]).name == words[3] else ""
    except _MALFORMED as error:
        raise ValueError(f"{path}: the recipe cannot be followed: {error!s:.300}") from error
    same(path, recipe, expected, "recipe")
    if manifest["command"] != made or not words[3].isprintable():
        raise ValueError(f"{path}: the command is not that of the recipe")
    if manifest["signature"] != signature(expected):
        raise ValueError(f"{path}: the signature is not that of the recipe")
    same(path, list(manifest), ["schema", "command", "signature", "recipe", "shards"], "entries")
    return parts


def check_versions(folder: Path, recipe: Recipe) -> None:
    """Refuse data of another version, which this package cannot make again."""
    for task, entry in recipe["tasks"].items():
        try:
            family = xd.family_of(task)
        except (ValueError, TypeError) as error:
            raise ValueError(f"{folder / MANIFEST}: {error!s:.200}") from None
        held = entry.get("data")
        if held != family.DATA_VERSION:
            raise OtherVersionError(
                f"{folder} holds version {held!r:.20} of the data of {task} and this is a package "
                f"for version {family.DATA_VERSION}: verify it with xlgo "
                f"{recipe.get('version')!s:.40}"
            )
    for name, pattern in _PROVENANCE.items():
        if not pattern.fullmatch(str(recipe.get(name))):
            raise ValueError(f"{folder / MANIFEST}: recipe.{name} is {recipe.get(name)!r:.40}")


def check_languages(folder: Path, manifest: Manifest, parts: Sequence[Part]) -> None:
    """Refuse texts of an older version of a language, which this package cannot make again.

    A corrected language has a data version of its own, which its references hold. Anything else
    that is wrong in a row is found when the row is made again.
    """
    for part in parts:
        for name, code in part.folders.items():
            paths = sorted(
                s["path"] for s in manifest["shards"] if s["path"].startswith(f"{name}/")
            )
            held = _first_reference(folder / paths[0]).get("data") if paths else None
            rows = xd.family_of(part.task).rows(part.task, [code], **part.given)
            now = json.loads(next(rows)["reference"]).get("data")
            if type(held) is int and type(now) is int and 1 <= held < now:
                raise OtherVersionError(
                    f"{folder / name} holds version {held} of the data of {part.task} in "
                    f"{code!r} and this is a package for version {now}: verify it with the "
                    "xlgo that made it"
                )


def _first_reference(path: Path) -> dict[str, object]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        batch = next(pq.ParquetFile(path).iter_batches(batch_size=1, columns=["reference"]))
        found = json.loads(batch["reference"][0].as_py())
    except (*_MALFORMED, StopIteration, pa.ArrowException):
        return {}
    return found if isinstance(found, dict) else {}


def check_wording(folder: Path, recipe: Recipe) -> None:
    """Compare a wording of one's own with its checksum in the recipe."""
    name = recipe["options"]["text"]
    if Path(name).name != name or not (folder / name).is_file():
        raise ValueError(f"{folder / MANIFEST}: the wording {name!r:.80} is no file of the folder")
    if sha256_of(folder / name) != recipe["wording"]:
        raise ValueError(f"{folder / name} is not the wording whose checksum the recipe has")


def same(path: Path, found: Any, expected: Any, where: str) -> None:
    """Compare two values of JSON, the order of their entries included.

    Raises:
        ValueError: naming the first place where they differ.
    """
    if json.dumps(found) == json.dumps(expected):
        return
    if isinstance(found, dict) and isinstance(expected, dict) and list(found) == list(expected):
        for name, value in found.items():
            same(path, value, expected[name], f"{where}.{name}")
    raise ValueError(f"{path}: {where} is {found!r:.100} and should be {expected!r:.100}")


def blocks_of(folder: Path, manifest: Manifest, parts: list[Part]) -> list[Block]:
    """The blocks whose shards the manifest lists, after checking that they are all that belong.

    Into how many blocks a split is cut is the only thing that is taken from the manifest.

    Raises:
        ValueError: a shard is missing or foreign, or the indexes of a split have a gap.
    """
    path = folder / MANIFEST
    listed = {record["path"]: record for record in manifest["shards"]}
    if len(listed) != len(manifest["shards"]) or list(listed) != sorted(listed):
        raise ValueError(f"{path}: the shards are not listed once each and in order of their paths")
    counts: dict[tuple[str, str], int] = {}
    for name in listed:
        if match := _SHARD.fullmatch(name):
            counts[name.split("/")[0], match["split"]] = int(match["count"])
    blocks: list[Block] = []
    for part in parts:
        total = xd.family_of(part.task).shards(part.task, **part.given)
        for split in manifest["recipe"]["splits"]:
            count = counts.get((f"{part.task}_{part.languages[0]}", split), 1)
            start = 0
            for number in range(count):
                block = Block(part, split, number, count)
                first = next(iter(part.folders))
                record = listed.get(block.file(first))
                if record is None:
                    raise ValueError(f"{folder / block.file(first)} is missing from {MANIFEST}")
                begin, stop = record["start"], record["stop"]
                if count > 1 or begin is not None:
                    if type(begin) is not int or type(stop) is not int or not begin == start < stop:
                        raise ValueError(
                            f"{path}: the indexes of {block.file(first)} do not follow"
                        )
                    block, start = replace(block, start=begin, stop=stop), stop
                blocks.append(block)
            if start not in (0, total) or (total > 1 and start != total):
                raise ValueError(f"{path}: {part.task} {split} ends at index {start}, not {total}")
    wanted = {block.file(name): block for block in blocks for name in block.part.folders}
    if difference := sorted(set(listed) ^ set(wanted)):
        what = "is missing from" if difference[0] in wanted else "does not belong into"
        raise ValueError(f"{folder / difference[0]} {what} {MANIFEST}")
    keys = ["path", "split", "rows", "text", "size", "sha256", "start", "stop"]
    for name, record in listed.items():
        block = wanted[name]
        known = {"split": block.split, "start": block.start, "stop": block.stop}
        known |= {"size": (folder / name).stat().st_size, "sha256": sha256_of(folder / name)}
        same(path, list(record), keys, name)
        same(path, record, record | known, name)
    return blocks


def check_names(folder: Path, manifest: Manifest, sums: dict[str, str]) -> None:
    """Compare the names of all files with those that the manifest makes necessary.

    Raises:
        ValueError: naming the first that is missing or foreign.
    """
    wanted = {shard["path"] for shard in manifest["shards"]} | {"README.md", MANIFEST}
    recipe = manifest["recipe"]
    if recipe["wording"] is not None:
        wanted.add(recipe["options"]["text"])
    if difference := sorted(wanted ^ set(sums)):
        what = (
            "is missing" if difference[0] in wanted else f"does not belong to what {MANIFEST} has"
        )
        raise ValueError(f"{folder / difference[0]} {what}")


def check_card(folder: Path, manifest: Manifest) -> None:
    """Compare the card with the one that the manifest gives.

    The YAML may be laid out in another way, as other releases of ``huggingface_hub`` do; words may
    not differ.

    Raises:
        ValueError: naming the file.
    """
    path, text = folder / "README.md", card.readme(manifest)
    try:
        found = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8 text (byte {error.start})") from None
    if "\r" in found or found.startswith("\ufeff"):
        raise ValueError(f"{path} has line ends or a mark that no export writes")
    (head, prose), (wanted_head, wanted_prose) = _halves(found), _halves(text)
    if prose != wanted_prose or not _same_yaml(head, wanted_head):
        raise ValueError(
            f"{path} is not what this release writes for {MANIFEST}: it was edited, or another "
            f"release has other words (the folder says that xlgo "
            f"{manifest['recipe']['version']} made it)"
        )


def _halves(text: str) -> tuple[str, str]:
    """The YAML and the prose of a card; no YAML if it does not begin with it."""
    parts = text.split("---\n", 2)
    return (parts[1], parts[2]) if len(parts) == 3 and not parts[0] else ("", text)


def _same_yaml(found: str, wanted: str) -> bool:
    """Whether two YAML texts are equal in content; comments and duplicate keys are rejected."""
    import yaml

    if found == wanted:
        return True
    if any(line.lstrip().startswith("#") or " #" in line for line in found.splitlines()):
        return False
    try:
        node = yaml.compose(found, yaml.SafeLoader)
        if _stands_twice(node) or _words(node) != _words(yaml.compose(wanted, yaml.SafeLoader)):
            return False
        one, other = (json.dumps(yaml.safe_load(text), sort_keys=True) for text in (found, wanted))
    except (yaml.YAMLError, RecursionError, TypeError, ValueError):
        return False
    return one == other


def _words(node: Any) -> list[str]:
    """Every scalar of a YAML document as it is spelt, sorted: ``1_000`` is not ``1000``."""
    import yaml

    if isinstance(node, yaml.ScalarNode):
        return [str(node.value)]
    pairs = node.value if isinstance(node, yaml.MappingNode) else [(one,) for one in node.value]
    return sorted(word for pair in pairs for part in pair for word in _words(part))


def _stands_twice(node: Any) -> bool:
    """Whether a YAML document has a duplicate key at any depth."""
    import yaml

    if isinstance(node, yaml.MappingNode):
        keys = [key.value for key, _ in node.value]
        twice = len(set(map(str, keys))) < len(keys)
        return twice or any(_stands_twice(value) for _, value in node.value)
    return isinstance(node, yaml.SequenceNode) and any(map(_stands_twice, node.value))
