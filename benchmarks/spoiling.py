"""Spoiling a folder of results at random: values, rows and files (see ``fuzz_scoring.py``)."""

from __future__ import annotations

import contextlib
import json
import random
import shutil
from pathlib import Path
from typing import Any, NamedTuple

TAG = "xlgofuzz"
MARKS = [
    f"<script>{TAG}()</script>",
    f"</script><script>{TAG}()</script>",
    f'"><{TAG} a="',
    f"'><img src=x onerror={TAG}()>",
    f'" onmouseover="{TAG}()" {TAG}="',
    f"--><{TAG}>",
    f"]]></style></svg></title></textarea><{TAG}>",
]
"""What must never become a tag or an attribute."""

TEXT = [
    *MARKS, "", " ", "\n", "\x00", "\x1b[31m\x1b]0;x\x07", "\ud800", "\udfff\ud800", "\u202eabc",
    "\u2066", "a\nb", "a\r\nxlgo: b", "a|b:c", "=1+1", "@SUM(A1)", "+x", "-x", "$\\frac{", "$_$",
    "%s%d",
    "{0}", "{{7*7}}", "{% raw %}", "../../etc", "/", "x" * 300, "é" * 5_000, "en", "te", "xx",
    "slt", "dsa", "polymath", "simple_reasoning", "korbench", "lit", "low", "1e999", "NaN", "٣",
    "[" * 3_000, '{"a":' * 3_000, "\U0001f600", "A\u0301" * 200, "null", "<b>&amp;&lt;",
    "`a`*b*_c_",
    "---\na: b", "'; drop", "2026-13-45T99-99-99", "9" * 5_000,
]  # fmt: skip
NUMBERS = [
    0, 1, -1, 2, 3.5, -0.0, 1e308, -1e308, 5e-324, float("nan"), float("inf"), float("-inf"),
    2**31, 2**63, 2**64, -(2**63) - 1, 10**30, 10**400, True, False,
]  # fmt: skip
ANSWERS = [
    '{"chain": [', '{"state": "E2679"}', '{"ranking": ["A1111"', "[" * 20_000, "{" * 20_000,
    '{"chain":' * 4_000, "\\boxed{" * 8_000, "<think>" * 4_000, "<think>", "</think>",
    "**" * 9_000,
    "(" * 9_000, "9" * 20_000, '{"chain": [1e999]}', '{"chain": [' + "9" * 6_000 + "]}",
    "\\frac{1}{0}",
    "\\boxed{\\binom{n}{k}}", "\\boxed{" + "9^" * 400 + "9}", "\\boxed{9^{9^{9^9}}}", "A", "А",
    "13",
    "```json\n" * 2_000, "|a|b|\n|-|-|\n" * 500, "\u200b" * 5_000, "&quot;" * 3_000, "\\" * 9_000,
    "\\left(" * 2_000, "$" * 5_000, "1,2;3." * 4_000, "[[", "[[A]]", "[[" + "x" * 9_000,
    "- " * 5_000,
    "\n" * 20_000, "<|channel|>final<|message|>", "Answer: " * 3_000, "- major: x\n" * 1_000,
]  # fmt: skip

JUNK = [b"\xff\xfe", b"\x00", b"\xed\xa0\x80", b"\xc3", b"\xef\xbb\xbf", b"}"]
"""What makes a line no UTF-8, or no JSON."""


class Row(NamedTuple):
    """A line of samples, and whether anything but the answer was changed in it."""

    raw: bytes
    touched: bool


class Spoiler:
    """Changes values, rows and files at random."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def value(self, depth: int = 0) -> Any:  # noqa: PLR0911
        """Any JSON value, and some that JSON does not have."""
        rng = self.rng
        kind = rng.randrange(9)
        if kind < 3:
            return rng.choice(TEXT)
        if kind < 5:
            return rng.choice(NUMBERS)
        if kind == 5:
            return None
        if kind == 6 and depth < 1:
            nested: Any = rng.choice([[], {}, "x"])
            for _ in range(rng.choice([5, 100, 600])):
                nested = [nested] if rng.randrange(2) else {"a": nested}
            return nested
        if kind == 7:
            return [self.value(depth + 1) for _ in range(rng.randrange(4) if depth < 2 else 0)]
        if depth > 2:
            return {}
        return {self.text(): self.value(depth + 1) for _ in range(rng.randrange(3))}

    def text(self) -> str:
        """A text, sometimes of several."""
        return "".join(self.rng.choice(TEXT) for _ in range(1 + (self.rng.randrange(4) == 0)))

    def answer(self, old: Any) -> Any:
        """A hostile answer, perhaps with the old one before, behind or cut."""
        rng = self.rng
        old = old if isinstance(old, str) else ""
        new = "".join(rng.choice(rng.choice((ANSWERS, TEXT))) for _ in range(1 + rng.randrange(3)))
        place = rng.randrange(len(old) + 1)
        return rng.choice(
            (new, new + "\n" + old, old + "\n" + new, old[:place], old[:place] + new + old[place:])
        )

    def spoil(self, tree: Any) -> Any:  # noqa: PLR0911
        """The same tree with one place changed; texts that hold JSON are trees too."""
        rng = self.rng
        if isinstance(tree, dict) and tree and rng.randrange(8):
            key = rng.choice(list(tree))
            change = rng.randrange(12)
            if change == 0:
                return {k: v for k, v in tree.items() if k != key}
            if change == 1:
                return tree | {self.text(): tree[key]}
            return tree | {key: self.spoil(tree[key])}
        if isinstance(tree, list) and tree and rng.randrange(8):
            place = rng.randrange(len(tree))
            change = rng.randrange(12)
            if change == 0:
                return tree[:place] + tree[place + 1 :]
            if change == 1:
                return tree[:place] + tree[place : place + 1] * rng.choice([2, 50]) + tree[place:]
            return [*tree[:place], self.spoil(tree[place]), *tree[place + 1 :]]
        if isinstance(tree, str) and rng.randrange(3):
            if tree.startswith(("{", "[")) and len(tree) < 100_000:
                with contextlib.suppress(ValueError, RecursionError):
                    return json.dumps(self.spoil(json.loads(tree)))
            place = rng.randrange(len(tree) + 1)
            return tree[:place] + self.text() + tree[place:]
        if type(tree) in (int, float) and rng.randrange(2):
            return rng.choice(NUMBERS)
        return self.value()

    def row(self, row: Row) -> list[Row]:  # noqa: PLR0911
        """What becomes of one line."""
        rng = self.rng
        kind = rng.randrange(16)
        if kind == 0:
            return [Row(row.raw[: rng.randrange(len(row.raw) + 1)], True)]
        if kind == 1:
            place = rng.randrange(len(row.raw) + 1)
            junk = rng.choice(
                [b"\xff\xfe", b"\x00", b"\xed\xa0\x80", b"\xc3", b"\xef\xbb\xbf", b"}"]
            )
            return [Row(row.raw[:place] + junk + row.raw[place:], True)]
        if kind == 2:
            return [row, row]
        try:
            data = json.loads(row.raw)
        except (ValueError, RecursionError):
            return [row]
        if not isinstance(data, dict):
            return [row]
        if kind < 8:
            old = data["resps"][0] if isinstance(data.get("resps"), list) and data["resps"] else ""
            new = self.answer(old[0] if isinstance(old, list) and old else old)
            data["resps"], data["filtered_resps"] = [[new]], [new]
            return [Row(dumped(data), row.touched)]
        if kind < 12 and isinstance(data.get("doc"), dict) and "reference" in data["doc"]:
            data["doc"]["reference"] = self.spoil(data["doc"]["reference"])
        elif kind == 12:
            data = rng.choice([self.value(), {"doc": data}, [data], {**data, "doc": self.value()}])
        else:
            data = self.spoil(data)
        return [Row(dumped(data), True)]


def dumped(data: Any) -> bytes:
    """JSON in one line."""
    return json.dumps(data).encode()


def spoiled_folder(bases: list[Path], out: Path, rng: random.Random) -> dict[str, list[Row]]:
    """Write a spoiled copy of one or two bases; its rows, by the name of their file."""
    spoiler = Spoiler(rng)
    written: dict[str, list[Row]] = {}
    heat = rng.choice([0.1, 0.3, 0.8])
    for base in rng.sample(bases, k=1 + (rng.randrange(4) == 0)):
        for path in sorted(p for p in base.rglob("*") if p.is_file()):
            target = out / path.relative_to(base)
            target.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix == ".jsonl":
                rows = [Row(line, False) for line in path.read_bytes().splitlines()]
                if path.name.startswith("samples_"):
                    rows = [_noted(row, spoiler) for row in rows]
                    rows = rng.sample(rows, k=min(len(rows), rng.choice([2, 6, 12, 40])))
                for _ in range(rng.choice([1, 1, 3])):
                    rows = [
                        new
                        for row in rows
                        for new in (spoiler.row(row) if rng.random() < heat else [row])
                    ]
                if path.name.startswith("samples_"):
                    written[str(target)] = rows
                target.write_bytes(b"\n".join(row.raw for row in rows) + b"\n")
            elif path.suffix == ".json" and rng.random() < heat:
                data = json.loads(path.read_bytes())
                for _ in range(rng.randrange(1, 6)):
                    data = spoiler.spoil(data)
                raw = dumped(data)
                target.write_bytes(raw[: rng.randrange(len(raw))] if rng.random() < 0.1 else raw)
            elif path.suffix == ".json":
                shutil.copy(path, target)
    return written


def _noted(row: Row, spoiler: Spoiler) -> Row:
    """A row, sometimes with what a server said beside its answer, spoiled as well."""
    if spoiler.rng.randrange(4):
        return row
    said: Any = {
        "state": "answered",
        "finish": "length",
        "reasoning": "So. " + spoiler.text(),
        "usage": {"prompt_tokens": 10, "completion_tokens": 5},
        "seconds": 1.5,
    }
    for _ in range(spoiler.rng.randrange(3)):
        said = spoiler.spoil(said)
    try:
        data = json.loads(row.raw)
    except (ValueError, RecursionError):
        return row
    return Row(dumped({**data, "answers": [said]}), row.touched)
