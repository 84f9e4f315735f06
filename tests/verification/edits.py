"""Edits of a results folder, as somebody might make who wants another number."""

import json
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

Json = dict[str, Any]
Edit = Callable[..., object]
"""Changes the first folder; the second holds other runs (see ``conftest.runs``)."""

PASTED = (
    "answers:", "mixture: answers of another model", "mixture: dsa of two", "mixture: slt of two",
    "mixture: half of dsa of two", "mixture: half of slt of two",
    "models: renamed", "models: no description", "mixture: results of two",
    "duplicates: a newer file with better answers",
)  # fmt: skip
"""What moves a number and cannot be seen in files: answers that were pasted, as docs/trust.md says,
and whose they are. (The runs ``one`` and ``two`` answer the same questions.)"""


def samples(folder: Path, task: str = "dsa") -> Path:
    return next(folder.glob(f"*/samples_xlgo_{task}_*.jsonl"))


def results(folder: Path) -> Path:
    return next(folder.glob("*/results_*.json"))


def rewrite(path: Path, change: Callable[[list[Json]], list[Json]]) -> None:
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in change(lines))
    path.write_text(text, "utf-8")


def rewrite_json(path: Path, change: Callable[[Json], None]) -> None:
    data = json.loads(path.read_text("utf-8"))
    change(data)
    path.write_text(json.dumps(data), "utf-8")


def without(code: str, lines: list[Json]) -> list[Json]:
    return [line for line in lines if line["doc"]["language"] != code]


def turned(name: str, line: Json) -> None:
    line[name] = 1.0 - line[name]


def changed(line: Json, change: Callable[[Json], object]) -> Json:
    change(line)
    return line


def with_lines(change: Callable[[list[Json]], list[Json]], task: str = "dsa") -> Edit:
    return lambda folder, _: rewrite(samples(folder, task), change)


def each(change: Callable[[Json], object], count: int | None = None) -> Edit:
    def edit(lines: list[Json]) -> list[Json]:
        for line in lines[:count]:
            change(line)
        return lines

    return with_lines(edit)


def reference(**new: Any) -> Callable[[Json], object]:
    """Set entries of a reference; ``...`` takes one away."""

    def change(line: Json) -> None:
        found = json.loads(line["doc"]["reference"])
        for name, value in new.items():
            if value is ...:
                found.pop(name, None)
            else:
                found[name] = value(found) if callable(value) else value
        line["doc"]["reference"] = json.dumps(found)
        if "answer" in found:
            line["target"] = json.dumps(found["answer"])

    return change


def answer(text: str | Callable[[Json], str], *, grade: float | None = None) -> Any:
    def change(line: Json) -> None:
        said = text(line) if callable(text) else text
        line["resps"], line["filtered_resps"] = [[said]], [said]
        if grade is not None:
            line["acc"] = grade

    return change


def right(line: Json) -> str:
    return json.dumps(json.loads(line["doc"]["reference"])["answer"])


def prompt(change: Callable[[str], str]) -> Callable[[Json], object]:
    def edit(line: Json) -> None:
        sent = line["arguments"]["gen_args_0"]
        sent["arg_0"] = change(sent["arg_0"])

    return edit


def consistent(change: Callable[[Json], object], count: int | None = None) -> Edit:
    """Change answers, and all numbers of the harness that follow from them."""

    def edit(folder: Path, _: Path) -> None:
        from xlgo_lm_eval.tasks.utils import aggregate, process_results

        for task in ("dsa", "slt"):
            kept: dict[str, list[Any]] = {}

            def regraded(lines: list[Json], kept: dict[str, list[Any]] = kept) -> list[Json]:
                for number, line in enumerate(lines):
                    if count is None or number < count:
                        change(line)
                    found = process_results(line["doc"], [line["filtered_resps"][0]])
                    line.update(json.loads(json.dumps(found)))
                    for name, value in found.items():
                        kept.setdefault(name, []).append(value)
                return lines

            rewrite(samples(folder, task), regraded)

            def told(data: Json, task: str = task, kept: dict[str, list[Any]] = kept) -> None:
                entry = data["results"][f"xlgo_{task}"]
                for name, values in kept.items():
                    tuples = isinstance(values[0], tuple)
                    mean = aggregate(values) if tuples else sum(values) / len(values)
                    entry[f"{name},none"] = mean
                    if not tuples:
                        m = sum(values) / len(values)
                        variance = sum((v - m) ** 2 for v in values) / (len(values) - 1)
                        entry[f"{name}_stderr,none"] = (variance / len(values)) ** 0.5

            rewrite_json(results(folder), told)
        shutil.rmtree(folder / "report")

    return edit


def of_lines() -> Iterator[tuple[str, Edit]]:
    yield from (
        ("lines: first gone", with_lines(lambda lines: lines[1:])),
        ("lines: last gone", with_lines(lambda lines: lines[:-1])),
        ("lines: middle gone", with_lines(lambda lines: lines[:3] + lines[4:])),
        ("lines: half gone", with_lines(lambda lines: lines[: len(lines) // 2])),
        ("lines: every second gone", with_lines(lambda lines: lines[::2])),
    )
    for code in ("en", "te"):
        yield f"lines: {code} gone", with_lines(partial(without, code))
    yield from (
        ("lines: wrong ones gone", with_lines(lambda lines: [s for s in lines if s["acc"]])),
        ("lines: right ones gone", with_lines(lambda lines: [s for s in lines if not s["acc"]])),
        ("lines: file gone", lambda folder, _: samples(folder).unlink()),
        ("lines: file empty", lambda folder, _: samples(folder).write_text("")),
        ("lines: file cut", lambda f, _: samples(f).write_bytes(samples(f).read_bytes()[:9000])),
        (
            "lines: one broken",
            lambda f, _: samples(f).write_bytes(
                samples(f).read_bytes().replace(b'{"doc_id"', b"{", 1)
            ),
        ),
        ("duplicates: first", with_lines(lambda lines: [lines[0], *lines])),
        ("duplicates: all", with_lines(lambda lines: [*lines, *lines])),
    )

    def better(lines: list[Json], *, before: bool) -> list[Json]:
        more = [json.loads(json.dumps(line)) for line in lines]
        for line in more:
            answer(right, grade=1.0)(line)
        return [*more, *lines] if before else [*lines, *more]

    yield from (
        ("duplicates: better before", with_lines(lambda lines: better(lines, before=True))),
        ("duplicates: better after", with_lines(lambda lines: better(lines, before=False))),
    )

    def another_date(folder: Path, _: Path) -> None:
        path = samples(folder)
        newer = path.with_name(path.name.replace("_20", "_21"))
        shutil.copy(path, newer)
        rewrite(newer, lambda lines: [answer(right)(line) or line for line in lines])

    yield from (
        ("duplicates: a newer file with better answers", another_date),
        (
            "duplicates: under another name",
            lambda f, _: shutil.copy(
                samples(f), samples(f).with_name(samples(f).name.replace("dsa", "dsa_en"))
            ),
        ),
        (
            "duplicates: renamed instance",
            with_lines(
                lambda lines: [
                    *lines,
                    changed(
                        json.loads(json.dumps(lines[0])), reference(instance_id="dsa-test-s0-c4-i9")
                    ),
                ]
            ),
        ),
    )


def of_references() -> Iterator[tuple[str, Edit]]:
    changes: dict[str, dict[str, Any]] = {
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
    for name, new in changes.items():
        for count in (1, None):
            yield f"{name}, {'one' if count else 'all'}", each(reference(**new), count)


def of_prompts() -> Iterator[tuple[str, Edit]]:
    changes: dict[str, Callable[[str], str]] = {
        "hint after": lambda text: text + "\nHint: it is the first room.",
        "hint before": lambda text: "Hint: it is the first room.\n" + text,
        "a word": lambda text: text.replace("Room", "Hall"),
        "empty": lambda text: "",
        "another": lambda text: "What is 1 + 1?",
        "a key": lambda text: text.replace("Gold", "Lead"),
        "cut": lambda text: text[:-40],
    }
    for name, change in changes.items():
        for count in (1, None):
            yield f"prompts: {name}, {'one' if count else 'all'}", each(prompt(change), count)
    yield from (
        ("prompts: doc.id", each(lambda line: line["doc"].update(id="x"), 1)),
        ("prompts: doc.language", each(lambda line: line["doc"].update(language="hi"), 1)),
        ("prompts: doc.text", each(lambda line: line["doc"].update(text="revised"))),
        ("prompts: target", each(lambda line: line.update(target='{"state": "A1111"}'), 1)),
    )


def of_scores() -> Iterator[tuple[str, Edit]]:
    for name in ("acc", "parsed", "strict", "truncated"):
        yield (
            f"scores: {name} of a line",
            each(partial(turned, name), 1),
        )
        for end in ("", "_stderr"):
            key = f"{name}{end},none"
            yield (
                f"scores: {key}",
                lambda f, _, key=key: rewrite_json(
                    results(f), lambda data: data["results"]["xlgo_dsa"].update({key: 0.123})
                ),
            )
    yield from (
        (
            "scores: smd of a line",
            each(lambda line: line.update(smd_te=["xlgobench", "smd_te", ["dsa", "en", 4, None]])),
        ),
        (
            "scores: smd",
            lambda f, _: rewrite_json(
                results(f), lambda d: d["results"]["xlgo_dsa"].update({"smd_te,none": "+99"})
            ),
        ),
    )

    def scores(change: Callable[[Json], None]) -> Edit:
        return lambda folder, _: rewrite_json(folder / "report" / "scores.json", change)

    def first(data: Any) -> None:
        """Change the first number below."""
        entries = list(data.items()) if isinstance(data, dict) else list(enumerate(data))
        for name, value in entries:
            if isinstance(value, int | float) and not isinstance(value, bool):
                data[name] = value + 1
                return
            if isinstance(value, dict | list) and value:
                first(value)
                return

    yield from (
        ("scores: a number of scores.json", scores(lambda data: first(data["families"]))),
        ("scores: signature", scores(lambda data: data.update(signature="tasks:all"))),
        ("scores: a family gone", scores(lambda data: data.update(families={}))),
        ("scores: no scores", lambda f, _: (f / "report" / "scores.json").write_text("{}")),
        (
            "scores: n-samples",
            lambda f, _: rewrite_json(
                results(f), lambda d: d["n-samples"]["xlgo_dsa"].update(effective=1)
            ),
        ),
    )


def of_answers() -> Iterator[tuple[str, Edit]]:
    yield from (
        ("answers: one pasted", each(answer(right), 3)),
        ("answers: all right", each(answer(right))),
        ("answers: all right, graded", each(answer(right, grade=1.0))),
        ("answers: one emptied", each(answer(""), 3)),
        ("answers: one gone", each(lambda line: line.update(resps=[], filtered_resps=[]), 1)),
        (
            "answers: two",
            each(
                lambda line: line.update(
                    resps=[["x", right(line)]], filtered_resps=[["x", right(line)]]
                ),
                1,
            ),
        ),
        (
            "answers: swapped",
            with_lines(
                lambda lines: [
                    {**a, "resps": b["resps"], "filtered_resps": b["filtered_resps"]}
                    for a, b in zip(lines, lines[::-1])
                ]
            ),
        ),
        ("answers: all right, everywhere", consistent(answer(right))),
        ("answers: one pasted, everywhere", consistent(answer(right), 4)),
        ("answers: one taken away, everywhere", consistent(answer("?"), 1)),
    )


def of_models() -> Iterator[tuple[str, Edit]]:
    def info(change: Callable[[Json], None]) -> Edit:
        return lambda folder, _: rewrite_json(results(folder), change)

    yield from (
        ("models: renamed", info(lambda data: data.update(model_name="best"))),
        ("models: arguments", info(lambda d: d["config"]["model_args"].update(profile="flat"))),
        ("models: no description", lambda folder, _: results(folder).unlink()),
    )

    def options(**new: Any) -> Callable[[Json], None]:
        return lambda data: data["configs"]["xlgo_dsa"]["metadata"].update(new)

    yield from (
        ("seeds: option", info(options(xlgo_seed=3))),
        ("seeds: option of another type", info(options(xlgo_seed="x"))),
        ("options: more questions", info(options(per_level=50))),
        ("options: fewer levels", info(options(levels=1))),
        ("options: task", info(options(xlgo_task="slt"))),
        ("options: language", info(options(languages="en"))),
        ("options: wording", info(options(text="revised"))),
        ("options: split", info(options(xlgo_split="train"))),
        ("options: challenge", info(options(xlgo_challenge="nonce"))),
    )

    def everywhere(folder: Path, _: Path) -> None:
        rewrite_json(results(folder), lambda data: data.update(model_name="best"))
        shutil.rmtree(folder / "report")

    yield "models: renamed, everywhere", everywhere


def of_mixtures() -> Iterator[tuple[str, Edit]]:
    for other in ("two", "other"):
        for task in ("dsa", "slt"):
            yield from (
                (
                    f"mixture: {task} of {other}",
                    lambda f, runs, other=other, task=task: shutil.copy(
                        samples(runs / other, task), samples(f, task)
                    ),
                ),
                (
                    f"mixture: half of {task} of {other}",
                    lambda f, runs, other=other, task=task: samples(f, task).write_text(
                        "".join(
                            samples(f, task).read_text().splitlines(keepends=True)[:4]
                            + samples(runs / other, task).read_text().splitlines(keepends=True)[4:]
                        )
                    ),
                ),
                (
                    f"mixture: {task} of {other} beside",
                    lambda f, runs, other=other, task=task: shutil.copy(
                        samples(runs / other, task), samples(f, task).parent
                    ),
                ),
            )
        yield (
            f"mixture: results of {other}",
            lambda f, runs, other=other: shutil.copy(results(runs / other), results(f)),
        )

    def pasted(folder: Path, runs: Path) -> None:
        said = {}
        for task in ("dsa", "slt"):
            for line in samples(runs / "two", task).read_text().splitlines():
                found = json.loads(line)
                said[found["doc"]["id"]] = found["filtered_resps"][0]
        consistent(answer(lambda line: said[line["doc"]["id"]]))(folder, runs)

    yield "mixture: answers of another model, everywhere", pasted


def of_states() -> Iterator[tuple[str, Edit]]:
    """Questions that are asked less: wrong answers away, and every count made to agree."""

    def counted(folder: Path, keep: Callable[[list[Json]], list[Json]]) -> None:
        rewrite(samples(folder), keep)
        lines = len(samples(folder).read_text("utf-8").splitlines())
        rewrite_json(
            results(folder),
            lambda data: data["n-samples"]["xlgo_dsa"].update(original=lines, effective=lines),
        )

    yield from (
        (
            "counts: wrong ones gone",
            lambda f, _: counted(f, lambda ls: [s for s in ls if s["acc"]]),
        ),
        ("counts: first gone", lambda f, _: counted(f, lambda lines: lines[1:])),
        ("counts: te gone", lambda f, _: counted(f, partial(without, "te"))),
    )

    def limited(folder: Path, _: Path) -> None:
        counted(folder, lambda lines: lines[:4])
        rewrite_json(results(folder), lambda data: data["config"].update(limit=4))

    yield "counts: a limit", limited


def all_edits() -> list[tuple[str, Edit]]:
    """Every edit, and every edit without the report, whose numbers would show it."""
    edits = [
        *of_lines(), *of_references(), *of_prompts(), *of_scores(), *of_answers(), *of_models(),
        *of_mixtures(), *of_states(),
    ]  # fmt: skip

    def unreported(edit: Edit) -> Edit:
        def both(folder: Path, runs: Path) -> None:
            edit(folder, runs)
            shutil.rmtree(folder / "report", ignore_errors=True)

        return both

    more = [
        (f"{name}, no report", unreported(edit))
        for name, edit in edits
        if not name.startswith("scores:")
    ]
    return [*edits, *more]
