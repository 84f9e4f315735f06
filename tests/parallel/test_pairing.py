"""Logs whose questions cannot be paired beyond doubt are refused, in one line."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from xlgo_cli import cli
from xlgo_cli.parallel.comparing import Options, compare_languages

from .made import N

Lines = list[dict[str, Any]]
FILTER = Options(filter="last-number")


def changed(source: Path, target: Path, task: str, change: Callable[[Lines], Lines]) -> Path:
    """A copy of a results folder in which the log of one task is changed."""
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("report"))
    (path,) = target.rglob(f"samples_{task}_*.jsonl")
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in change(lines))
    path.write_text(text, "utf-8")
    return target


def described(folder: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    """The same folder with another description of the run."""
    (path,) = folder.rglob("results_*.json")
    data = json.loads(path.read_text("utf-8"))
    change(data)
    path.write_text(json.dumps(data), "utf-8")
    return folder


def refused(folder: Path, message: str, *options: str, capsys: Any, task: str = "sums") -> None:
    """The command ends with 2 and one line that says why."""
    given = ["--filter", "last-number"] if task == "sums" else []
    arguments = ["report", str(folder), "--parallel", f"{task}_{{lang}}", *given, *options]
    assert cli.main(arguments) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1, error


def moved(lines: Lines) -> Lines:
    """Every document at the place of the next one."""
    for line in lines:
        line["doc_id"] = (line["doc_id"] + 1) % N
    return lines


def swapped(a: int, b: int) -> Callable[[Lines], Lines]:
    """Two documents in the places of each other."""

    def change(lines: Lines) -> Lines:
        place = {a: b, b: a}
        for line in lines:
            line["doc_id"] = place.get(line["doc_id"], line["doc_id"])
        return lines

    return change


def without(*gone: int) -> Callable[[Lines], Lines]:
    return lambda lines: [line for line in lines if line["doc_id"] not in gone]


def test_the_order_of_lines_does_not_matter(sums: Path, tmp_path: Path) -> None:
    folder = changed(sums, tmp_path / "x", "sums_te", lambda lines: lines[::-1])
    found, expected = (compare_languages(f, ["sums_{lang}"], FILTER) for f in (folder, sums))
    assert found.gaps == expected.gaps


def turned(count: int) -> Callable[[Lines], Lines]:
    """So many lines with the other target of two."""
    return lambda lines: [
        {**line, "target": str(1 - int(line["target"]))} if number < count else line
        for number, line in enumerate(lines)
    ]


@pytest.mark.parametrize(
    ("task", "change", "message"),
    [
        ("sums_te", moved, "questions have another target in sums_te"),
        ("sums_te", swapped(2, 30), "questions have another target in sums_te"),
        ("sums_te", lambda lines: [*lines, {**lines[-1], "prompt_hash": "another"}],
         "document 39 is duplicated, with another prompt"),
        ("sums_te", lambda lines: [*lines, lines[-1]], "document 39 is duplicated:"),
        ("sums_en", lambda lines: [*lines[:-1], {**lines[-1], "exact_match": 0.4}],
         "exact_match is 0.4: a paired test needs"),
        ("sums_en", without(0), "1 of the 40 questions of sums_de are missing in sums_en"),
        ("larger_de", turned(5), "they are not the same questions"),
        ("larger_de", lambda lines: [{**line, "filter": "another"} for line in lines],
         "larger_de: no answer in de has the filter 'none'"),
    ],
)  # fmt: skip
def test_logs_that_cannot_be_paired(  # noqa: PLR0917
    task: str, change: Any, message: str, tmp_path: Path, capsys: Any, request: Any
) -> None:
    name = task.partition("_")[0]
    folder = changed(request.getfixturevalue(name), tmp_path / "x", task, change)
    options = ("--pair-by", "text,part") if name == "larger" else ()
    capsys.readouterr()  # what the harness said when it made the logs
    refused(folder, message, *options, capsys=capsys, task=name)


def test_another_order_with_the_same_targets(larger: Path, tmp_path: Path, capsys: Any) -> None:
    """Both choices are right equally often: only the name of the text gives the order away."""
    options = ("--pair-by", "doc_id", "--languages", "en,de", "--same", "none")
    message = "asks its questions in another order than"
    refused(larger, message, *options, capsys=capsys, task="larger")
    refused(larger, "another target", *options[:4], capsys=capsys, task="larger")


def test_missing_documents(sums: Path, tmp_path: Path, capsys: Any) -> None:
    folder = changed(sums, tmp_path / "x", "sums_sw", without(4, 25))
    refused(folder, "2 of the 40 questions of sums_en are missing in sums_sw", capsys=capsys)
    found = compare_languages(folder, ["sums_{lang}"], Options(filter="last-number", common=True))
    gap = next(gap for gap in found.gaps if gap.other == "sw")
    assert (gap.n, gap.discordant[0]) == (N - 2, 14)  # 25 is one that only English solves
    assert any("missing in sums_sw (document 4, 25): left out" in note for note in found.notes)


def test_a_broken_line_is_a_missing_document(sums: Path, tmp_path: Path, capsys: Any) -> None:
    folder = changed(sums, tmp_path / "x", "sums_sw", lambda lines: lines)
    (path,) = folder.rglob("samples_sums_sw_*.jsonl")
    rows = path.read_text("utf-8").splitlines()
    number = next(n for n, row in enumerate(rows) if '"doc_id": 7,' in row and "last-n" in row)
    rows[number] = rows[number][: len(rows[number]) // 2]
    path.write_text("\n".join(rows), "utf-8")
    refused(folder, "missing in sums_sw (document 7)", capsys=capsys)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data["n-shot"].update(sums_te=5), "shots (default and 5)"),
        (lambda data: data["versions"].update(sums_te=3.0), "version of the task (2.0 and 3.0)"),
        (
            lambda data: data["configs"]["sums_te"]["generation_kwargs"].update(temperature=1.0),
            "sums_en and sums_te differ in their settings: sampling",
        ),
    ],
)
def test_prompts_that_were_not_made_alike(
    sums: Path, tmp_path: Path, capsys: Any, change: Any, message: str
) -> None:
    def sampled(data: dict[str, Any]) -> None:
        data["configs"]["sums_te"]["generation_kwargs"].pop("do_sample")
        change(data)

    folder = described(changed(sums, tmp_path / "x", "sums_te", lambda lines: lines), sampled)
    refused(folder, message, capsys=capsys)
    options = Options(filter="last-number", allow_differences=True)
    assert any(
        "differ in their settings" in n
        for n in compare_languages(folder, ["sums_{lang}"], options).notes
    )


def test_a_few_other_targets_are_left_out_where_fields_name_questions(
    larger: Path, tmp_path: Path
) -> None:
    few = changed(larger, tmp_path / "few", "larger_de", turned(2))
    found = compare_languages(few, ["larger_{lang}"], Options(pair_by=("text", "part")))
    assert {gap.other: gap.n for gap in found.gaps} == {"de": N - 2, "sw": N}
    assert any("2 of 40 questions have another target" in note for note in found.notes)


def test_fields_that_name_no_question(larger: Path, capsys: Any) -> None:
    refused(larger, "which names no question", "--pair-by", "text", capsys=capsys, task="larger")


def test_prompts_that_were_not_translated(sums: Path, tmp_path: Path) -> None:
    (english,) = sums.rglob("samples_sums_en_*.jsonl")
    prompts = {
        row["doc_id"]: row["prompt_hash"]
        for row in map(json.loads, english.read_text("utf-8").splitlines())
    }

    def copied(lines: Lines) -> Lines:
        return [
            line if line["doc_id"] > 2 else {**line, "prompt_hash": prompts[line["doc_id"]]}
            for line in lines
        ]

    folder = changed(sums, tmp_path / "x", "sums_te", copied)
    notes = compare_languages(folder, ["sums_{lang}"], FILTER).notes
    assert any(note.startswith("3 of 40 prompts of sums_te are the same text") for note in notes)


def test_older_runs_are_left_out(sums: Path, tmp_path: Path) -> None:
    folder = tmp_path / "x"
    shutil.copytree(sums, folder, ignore=shutil.ignore_patterns("report"))
    for path in list(folder.rglob("*20*.json*")):
        stem, _, end = path.name.partition("_20")
        text = path.read_text("utf-8").replace('"exact_match": 0.0', '"exact_match": 1.0')
        path.with_name(f"{stem}_19{end}").write_text(text, "utf-8")  # a century earlier
    found = compare_languages(folder, ["sums_{lang}"], FILTER)
    assert found.gaps == compare_languages(sums, ["sums_{lang}"], FILTER).gaps
    assert sum("an older run of the same task" in note for note in found.notes) == 4
