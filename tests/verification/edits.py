"""Edits of a results folder, as somebody might make who wants another number."""

import json
import shutil
from collections.abc import Callable
from copy import deepcopy
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

Json = dict[str, Any]
Lines = list[Json]
Edit = Callable[[Path, Path], object]
"""Changes the first folder; the second holds other runs (see ``test_results.runs``)."""

PASTED = (
    "answers:", "mixture: dsa of two", "mixture: slt of two", "mixture: half of dsa of two",
    "mixture: half of slt of two", "models: renamed", "models: no description",
    "mixture: results of two", "duplicates: a newer file with better answers",
)  # fmt: skip
"""What moves a number and cannot be seen in files: answers that were pasted, as docs/trust.md says,
and whose they are. (The runs ``one`` and ``two`` answer the same questions.)"""


def samples(folder: Path, task: str = "dsa") -> Path:
    return next(folder.glob(f"*/samples_xlgo_{task}_*.jsonl"))


def results(folder: Path) -> Path:
    return next(folder.glob("*/results_*.json"))


def rewrite(path: Path, change: Callable[[Lines], Lines]) -> None:
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in change(lines))
    path.write_text(text, "utf-8")


def rewrite_json(path: Path, change: Callable[[Json], object]) -> None:
    data = json.loads(path.read_text("utf-8"))
    change(data)
    path.write_text(json.dumps(data), "utf-8")


def with_lines(change: Callable[[Lines], Lines]) -> Edit:
    return lambda folder, _: rewrite(samples(folder), change)


def with_results(change: Callable[[Json], object]) -> Edit:
    return lambda folder, _: rewrite_json(results(folder), change)


def with_scores(change: Callable[[Json], object]) -> Edit:
    return lambda folder, _: rewrite_json(folder / "report" / "scores.json", change)


def altered(lines: Lines, change: Callable[[Json], object], count: int | None = None) -> Lines:
    """Copies of lines, the first of which are changed."""
    copies = deepcopy(lines)
    for line in copies[:count]:
        change(line)
    return copies


def each(change: Callable[[Json], object], count: int | None = None) -> Edit:
    return with_lines(partial(altered, change=change, count=count))


def reference(line: Json, **new: Any) -> None:
    """Set entries of a reference; ``...`` takes one away."""
    old = json.loads(line["doc"]["reference"])
    changed = old | {name: value(old) if callable(value) else value for name, value in new.items()}
    changed = {name: value for name, value in changed.items() if value is not ...}
    line["doc"]["reference"] = json.dumps(changed)
    line["target"] = json.dumps(changed.get("answer", line["target"]))


def right(line: Json) -> str:
    return json.dumps(json.loads(line["doc"]["reference"])["answer"])


def answer(line: Json, *texts: str, **grade: float) -> None:
    """Answers in the place of a line's, the right one if none are given."""
    said = list(texts) or [right(line)]
    line.update(resps=[said], filtered_resps=said if len(said) == 1 else [said], **grade)


def prompt(change: Callable[[str], str], line: Json) -> None:
    sent = line["arguments"]["gen_args_0"]
    sent["arg_0"] = change(sent["arg_0"])


def entry(**new: Any) -> Callable[[Json], object]:
    """Set entries of a line."""
    return lambda line: line.update(new)


def doc(**new: Any) -> Callable[[Json], object]:
    return lambda line: line["doc"].update(new)


def options(**new: Any) -> Edit:
    return with_results(lambda data: data["configs"]["xlgo_dsa"]["metadata"].update(new))


def harness(name: str, value: object) -> Edit:
    """Set a number that the harness has made of the lines."""
    return with_results(lambda data: data["results"]["xlgo_dsa"].update({name: value}))


def wrong(lines: Lines, *, gone: bool) -> Lines:
    """The right lines, or the wrong ones."""
    return [line for line in lines if bool(line["acc"]) == gone]


def without(code: str, lines: Lines) -> Lines:
    return [line for line in lines if line["doc"]["language"] != code]


def counted(keep: Callable[[Lines], Lines], folder: Path, _: Path, **config: Any) -> None:
    """Ask less: lines away, and every count made to agree."""
    rewrite(samples(folder), keep)
    n = len(samples(folder).read_text("utf-8").splitlines())
    told = {"original": n, "effective": n}
    rewrite_json(results(folder), lambda data: data["n-samples"]["xlgo_dsa"].update(told))
    rewrite_json(results(folder), lambda data: data["config"].update(config))


def newer(folder: Path, _: Path) -> None:
    path = samples(folder)
    later = Path(shutil.copy(path, path.with_name(path.name.replace("_20", "_21"))))
    rewrite(later, partial(altered, change=answer))


def renamed_file(folder: Path, _: Path) -> None:
    path = samples(folder)
    shutil.copy(path, path.with_name(path.name.replace("dsa", "dsa_en")))


def mixed(other: str, task: str, first: int = 0) -> Edit:
    """The lines of another run, after the first ones of this."""

    def edit(folder: Path, runs: Path) -> None:
        own, others = (
            samples(top, task).read_text().splitlines(keepends=True)
            for top in (folder, runs / other)
        )
        samples(folder, task).write_text("".join(own[:first] + others[first:]))

    return edit


def beside(other: str, task: str) -> Edit:
    return lambda folder, runs: shutil.copy(samples(runs / other, task), samples(folder).parent)


def described(other: str) -> Edit:
    """The description of another run."""
    return lambda folder, runs: shutil.copy(results(runs / other), results(folder))


def turned(name: str, line: Json) -> None:
    line[name] = 1.0 - line[name]


def first_number(data: Any) -> None:
    """Change the first number below."""
    for name, value in list(data.items() if isinstance(data, dict) else enumerate(data)):
        if isinstance(value, dict | list) and value:
            first_number(value)
            return
        if isinstance(value, int | float) and not isinstance(value, bool):
            data[name] = value + 1
            return


_LINES: dict[str, Edit] = {
    "lines: first gone": with_lines(lambda lines: lines[1:]),
    "lines: last gone": with_lines(lambda lines: lines[:-1]),
    "lines: middle gone": with_lines(lambda lines: lines[:3] + lines[4:]),
    "lines: half gone": with_lines(lambda lines: lines[: len(lines) // 2]),
    "lines: every second gone": with_lines(lambda lines: lines[::2]),
    "lines: en gone": with_lines(partial(without, "en")),
    "lines: te gone": with_lines(partial(without, "te")),
    "lines: wrong ones gone": with_lines(partial(wrong, gone=True)),
    "lines: right ones gone": with_lines(partial(wrong, gone=False)),
    "lines: file gone": lambda folder, _: samples(folder).unlink(),
    "lines: file empty": lambda folder, _: samples(folder).write_text(""),
    "lines: file cut": lambda f, _: samples(f).write_bytes(samples(f).read_bytes()[:9000]),
    "lines: one broken": lambda f, _: samples(f).write_bytes(
        samples(f).read_bytes().replace(b'{"doc_id"', b"{", 1)
    ),
    "duplicates: first": with_lines(lambda lines: [lines[0], *lines]),
    "duplicates: all": with_lines(lambda lines: [*lines, *lines]),
    "duplicates: better before": with_lines(
        lambda lines: altered(lines, partial(answer, acc=1.0)) + lines
    ),
    "duplicates: better after": with_lines(
        lambda lines: lines + altered(lines, partial(answer, acc=1.0))
    ),
    "duplicates: a newer file with better answers": newer,
    "duplicates: under another name": renamed_file,
    "duplicates: renamed instance": with_lines(
        lambda lines: (
            lines + altered(lines[:1], partial(reference, instance_id="dsa-test-s0-c4-i9"))
        )
    ),
    "counts: wrong ones gone": partial(counted, partial(wrong, gone=True)),
    "counts: first gone": partial(counted, lambda lines: lines[1:]),
    "counts: te gone": partial(counted, partial(without, "te")),
    "counts: a limit": partial(counted, lambda lines: lines[:4], limit=4),
}
_REFERENCES: dict[str, Json] = {
    "golds: another": {"answer": {"state": "A1111"}},
    "golds: gone": {"answer": ...},
    "golds: null": {"answer": None},
    "golds: empty": {"answer": {}},
    "golds: as answered": {"answer": lambda _: {"state": "B2222"}},
    "ids: instance": {"instance_id": "dsa-test-s0-c4-i7"},
    "ids: instance gone": {"instance_id": ...},
    "ids: index": {"index": 77},
    "ids: index negative": {"index": -1},
    "ids: task": {"task": "slt"},
    "ids: unknown task": {"task": "nothing"},
    "ids: family": {"family": "easy"},
    "ids: language": {"language": lambda r: "te" if r["language"] == "en" else "en"},
    "ids: third language": {"language": "hi"},
    "ids: level": {"level": 1},
    "ids: level gone": {"level": ...},
    "ids: complexity": {"complexity": 5},
    "ids: complexity negative": {"complexity": -4},
    "ids: complexity zero": {"complexity": 0},
    "ids: complexity text": {"complexity": "4"},
    "ids: complexity real": {"complexity": 4.5},
    "ids: complexity large": {"complexity": 10**9},
    "ids: text": {"text": "revised"},
    "ids: split": {"split": "train"},
    "ids: condition": {"condition": "english_rules"},
    "ids: more": {"weight": 2},
    "seeds: another": {"seed": 1},
    "seeds: negative": {"seed": -1},
    "seeds: gone": {"seed": ...},
    "seeds: text": {"seed": "0"},
}
_PROMPTS: dict[str, Callable[[str], str]] = {
    "hint after": lambda text: text + "\nHint: it is the first room.",
    "hint before": lambda text: "Hint: it is the first room.\n" + text,
    "a word": lambda text: text.replace("Room", "Hall"),
    "empty": lambda text: "",
    "another": lambda text: "What is 1 + 1?",
    "a key": lambda text: text.replace("Gold", "Lead"),
    "cut": lambda text: text[:-40],
}
_CHANGES: dict[str, Callable[[Json], object]] = {
    **{name: partial(reference, **new) for name, new in _REFERENCES.items()},
    **{f"prompts: {name}": partial(prompt, change) for name, change in _PROMPTS.items()},
}
_ANSWERS: dict[str, Edit] = {
    "prompts: doc.id": each(doc(id="x"), 1),
    "prompts: doc.language": each(doc(language="hi"), 1),
    "prompts: doc.text": each(doc(text="revised")),
    "prompts: target": each(entry(target='{"state": "A1111"}'), 1),
    "answers: one pasted": each(answer, 3),
    "answers: all right": each(answer),
    "answers: all right, graded": each(partial(answer, acc=1.0)),
    "answers: one emptied": each(lambda line: answer(line, ""), 3),
    "answers: one gone": each(entry(resps=[], filtered_resps=[]), 1),
    "answers: two": each(lambda line: answer(line, "x", right(line)), 1),
    "answers: swapped": with_lines(
        lambda lines: [
            {**a, "resps": b["resps"], "filtered_resps": b["filtered_resps"]}
            for a, b in zip(lines, lines[::-1])
        ]
    ),
}
_SCORES: dict[str, Edit] = {
    **{
        f"scores: {name} of a line": each(partial(turned, name), 1)
        for name in ("acc", "parsed", "strict", "truncated")
    },
    **{
        f"scores: {name}{end},none": harness(f"{name}{end},none", 0.123)
        for name, end in product(("acc", "parsed", "strict", "truncated"), ("", "_stderr"))
    },
    "scores: smd of a line": each(entry(smd_te=["xlgobench", "smd_te", ["dsa", "en", 4, None]])),
    "scores: smd": harness("smd_te,none", "+99"),
    "scores: a number of scores.json": with_scores(lambda data: first_number(data["families"])),
    "scores: signature": with_scores(lambda data: data.update(signature="tasks:all")),
    "scores: a family gone": with_scores(lambda data: data.update(families={})),
    "scores: no scores": with_scores(lambda data: data.clear()),
    "scores: n-samples": with_results(lambda d: d["n-samples"]["xlgo_dsa"].update(effective=1)),
}
_MODELS: dict[str, Edit] = {
    "models: renamed": with_results(lambda data: data.update(model_name="best")),
    "models: arguments": with_results(lambda d: d["config"]["model_args"].update(profile="flat")),
    "models: no description": lambda folder, _: results(folder).unlink(),
    "seeds: option": options(xlgo_seed=3),
    "seeds: option of another type": options(xlgo_seed="x"),
    "options: more questions": options(per_level=50),
    "options: fewer levels": options(levels=1),
    "options: task": options(xlgo_task="slt"),
    "options: language": options(languages="en"),
    "options: wording": options(text="revised"),
    "options: split": options(xlgo_split="train"),
    "options: challenge": options(xlgo_challenge="nonce"),
}
_MIXTURES: dict[str, Edit] = {
    f"mixture: {name}": edit
    for other, task in product(("two", "other"), ("dsa", "slt"))
    for name, edit in {
        f"{task} of {other}": mixed(other, task),
        f"half of {task} of {other}": mixed(other, task, 4),
        f"{task} of {other} beside": beside(other, task),
        f"results of {other}": described(other),
    }.items()
}


def unreported(edit: Edit, folder: Path, runs: Path) -> None:
    """Make an edit and remove the report, whose numbers would show it."""
    edit(folder, runs)
    shutil.rmtree(folder / "report", ignore_errors=True)


_EDITS: dict[str, Edit] = {
    **_LINES,
    **{f"{name}, one": each(change, 1) for name, change in _CHANGES.items()},
    **{f"{name}, all": each(change) for name, change in _CHANGES.items()},
    **_ANSWERS,
    **_MODELS,
    **_MIXTURES,
}
EDITS: dict[str, Edit] = {
    **_EDITS,
    **_SCORES,
    **{f"{name}, no report": partial(unreported, edit) for name, edit in _EDITS.items()},
}
