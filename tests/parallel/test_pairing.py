"""Logs that the harness itself wrote: what is counted is what the simulated model did.

What cannot be paired beyond doubt is refused, in one line.
"""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import binomtest

from xlgo_cli import cli
from xlgo_cli.parallel.comparing import Options, ParallelRun, compare_languages, graded

from .conftest import BAD
from .made import N

Lines = list[dict[str, Any]]
FILTER = Options(filter="last-number")
BY_FIELDS = Options(pair_by=("text", "part"))


def of_sums(folder: Path, **options: Any) -> ParallelRun:
    return compare_languages(folder, ["sums_{lang}"], replace(FILTER, **options))


def of_larger(folder: Path, **options: Any) -> ParallelRun:
    return compare_languages(folder, ["larger_{lang}"], replace(BY_FIELDS, **options))


def notes_of(compared: ParallelRun) -> list[str]:
    notes = [note for benchmark in compared.benchmarks for note in benchmark.notes]
    return [*notes, *map(str, compared.run.problems.items)]


def test_generation_counts_what_the_model_did(sums: Path) -> None:
    compared = of_sums(sums)
    assert compared.benchmarks[0].about["paired_by"] == "doc_id"
    assert {gap.other for gap in compared.gaps} == {"de", "sw", "te"}
    for gap in compared.gaps:
        bad = BAD[gap.other]
        assert gap.n == N
        assert round(gap.accuracy * gap.n) == N - len(bad)
        assert round(gap.baseline_accuracy * gap.n) == N - len(BAD["en"])
        assert gap.discordant == (len(bad - BAD["en"]), len(BAD["en"] - bad))
        alone = binomtest(gap.discordant[0], sum(gap.discordant), 0.5).pvalue
        assert alone - 0.02 <= gap.p_value  # corrected for all three
        assert (gap.ci_low > 0 or gap.ci_high < 0) == gap.is_significant
    german = {
        (gap.baseline, gap.other): gap.difference for gap in of_sums(sums, baseline="de").gaps
    }
    assert german == {
        ("de", code): (len(BAD[code]) - len(BAD["de"])) / N for code in ("en", "sw", "te")
    }
    assert [gap.other for gap in compared.gaps if gap.is_significant] == ["sw"]


def test_fields_pair_multiple_choice_in_any_order_and_may_name_clusters(larger: Path) -> None:
    compared = of_larger(larger)
    assert compared.benchmarks[0].choice.metric == "acc"
    assert of_larger(larger, metric="acc_norm").benchmarks[0].choice.metric == "acc_norm"
    assert any("acc_norm" in note for note in notes_of(compared))
    assert {gap.other: gap.discordant[0] for gap in compared.gaps} == {"de": 2, "sw": 15}
    for gap, alone in zip(of_larger(larger, cluster_by="text").gaps, compared.gaps, strict=True):
        assert (gap.n, gap.discordant) == (N, alone.discordant)
        assert gap.clusters == N / 2 < alone.clusters
        assert bool(gap.refused) == (gap.other == "de")  # two of its texts differ


def test_subjects_count_together(subjects: Path, sums: Path, tmp_path: Path) -> None:
    (gap,) = compare_languages(subjects, ["sums_{lang}_*"], FILTER).gaps
    same = next(other for other in of_sums(sums).gaps if other.other == "sw")
    assert (gap.n, gap.discordant) == (N, same.discordant)
    shutil.copytree(subjects, tmp_path / "x", ignore=shutil.ignore_patterns("*sw_second*"))
    with pytest.raises(ValueError, match="20 of the 40 questions of sums_en_first"):
        compare_languages(tmp_path / "x", ["sums_{lang}_*"], FILTER)


def changed(source: Path, target: Path, task: str, change: Callable[[Lines], Lines]) -> Path:
    """A copy of a results folder in which the log of one task is changed."""
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("report"))
    (path,) = target.rglob(f"samples_{task}_*.jsonl")
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in change(lines))
    path.write_text(text, "utf-8")
    return target


def swapped(lines: Lines) -> Lines:
    """Two documents in the places of each other."""
    place = {2: 30, 30: 2}
    return [{**line, "doc_id": place.get(line["doc_id"], line["doc_id"])} for line in lines]


def without(*gone: int) -> Callable[[Lines], Lines]:
    return lambda lines: [line for line in lines if line["doc_id"] not in gone]


def turned(count: int) -> Callable[[Lines], Lines]:
    """So many lines with the other target of two."""
    return lambda lines: [
        {**line, "target": str(1 - int(line["target"]))} if number < count else line
        for number, line in enumerate(lines)
    ]


@pytest.mark.parametrize(
    ("task", "change", "options", "message"),
    [
        ("sums_te", lambda lines: [{**x, "doc_id": (x["doc_id"] + 1) % N} for x in lines], "",
         "questions have another target in sums_te"),  # each at the place of the next one
        ("sums_te", swapped, "", "questions have another target in sums_te"),
        ("sums_te", lambda lines: [*lines, {**lines[-1], "prompt_hash": "another"}], "",
         "document 39 is duplicated, with another prompt"),
        ("sums_te", lambda lines: [*lines, lines[-1]], "", "document 39 is duplicated:"),
        ("sums_en", lambda lines: [*lines[:-1], {**lines[-1], "exact_match": 0.4}], "",
         "exact_match is 0.4: a paired test needs"),
        ("sums_en", without(0), "", "1 of the 40 questions of sums_de are missing in sums_en"),
        ("sums_sw", without(4, 25), "", "2 of the 40 questions of sums_en are missing in sums_sw"),
        ("larger_de", turned(5), "", "they are not the same questions"),
        ("larger_de", lambda lines: [{**line, "filter": "another"} for line in lines], "",
         "larger_de: no answer in de has the filter 'none'"),
        # Both choices are right equally often: only the name of the text gives the order away.
        ("larger_de", list, "--pair-by doc_id --languages en,de --same none",
         "asks its questions in another order than"),
        ("larger_de", list, "--pair-by doc_id --languages en,de", "another target"),
        ("larger_de", list, "--pair-by text", "which names no question"),
        ("sums_te", list, "--languages de,sw", "give --baseline"),
        ("sums_te", list, "--languages de", "only one language"),
        ("sums_te", list, "--pair-by uid", "no field 'uid'"),
        ("sums_te", list, "--same uid", "no such field"),
    ],
)  # fmt: skip
def test_logs_that_cannot_be_paired(  # noqa: PLR0917
    task: str, change: Any, options: str, message: str, tmp_path: Path, capsys: Any, request: Any
) -> None:
    name = task.partition("_")[0]
    folder = changed(request.getfixturevalue(name), tmp_path / "x", task, change)
    usual = {"sums": ["--filter", "last-number"], "larger": ["--pair-by", "text,part"]}[name]
    capsys.readouterr()  # what the harness said when it made the logs
    command = ["report", str(folder), "--parallel", f"{name}_{{lang}}", *usual, *options.split()]
    assert cli.main(command) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1, error


def test_missing_documents_are_left_out_of_what_is_common(sums: Path, tmp_path: Path) -> None:
    folder = changed(sums, tmp_path / "x", "sums_sw", without(4, 25))
    scored = graded(folder, ["sums_{lang}"], replace(FILTER, common=True, languages=("en", "sw")))
    assert (scored.count, scored.asked.total() + scored.lacking) == (2 * (N - 2), 2 * N)
    compared = of_sums(folder, common=True)
    gap = next(gap for gap in compared.gaps if gap.other == "sw")
    assert (gap.n, gap.discordant[0]) == (N - 2, 14)  # 25 is one that only English solves
    assert any(
        "missing in sums_sw (document 4, 25): left out" in note for note in notes_of(compared)
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data["n-shot"].update(sums_te=5), "shots (default and 5)"),
        (lambda data: data["versions"].update(sums_te=3.0), "version of the task (2.0 and 3.0)"),
        (
            lambda data: data["configs"]["sums_te"]["generation_kwargs"].update(
                temperature=1.0, do_sample=True
            ),
            "sums_en and sums_te differ in their settings: sampling",
        ),
    ],
)
def test_prompts_that_were_not_made_alike(
    sums: Path, tmp_path: Path, change: Callable[[Any], None], message: str
) -> None:
    folder = changed(sums, tmp_path / "x", "sums_te", list)
    (path,) = folder.rglob("results_*.json")
    data = json.loads(path.read_text("utf-8"))
    change(data)
    path.write_text(json.dumps(data), "utf-8")
    with pytest.raises(ValueError, match="differ") as error:
        of_sums(folder)
    assert message in str(error.value)
    notes = notes_of(of_sums(folder, allow_differences=True))
    assert any("differ in their settings" in note for note in notes)


def test_a_few_other_targets_are_left_out_where_fields_name_questions(
    larger: Path, tmp_path: Path
) -> None:
    compared = of_larger(changed(larger, tmp_path / "few", "larger_de", turned(2)))
    assert {gap.other: gap.n for gap in compared.gaps} == {"de": N - 2, "sw": N}
    assert any("2 of 40 questions have another target" in note for note in notes_of(compared))


def test_prompts_that_were_not_translated(sums: Path, tmp_path: Path) -> None:
    (english,) = sums.rglob("samples_sums_en_*.jsonl")
    rows = map(json.loads, english.read_text("utf-8").splitlines())
    prompts = {row["doc_id"]: row["prompt_hash"] for row in rows if row["doc_id"] < 3}

    def copied(lines: Lines) -> Lines:
        """In another order, which does not matter, with the first prompts in English."""
        return [
            {**line, "prompt_hash": prompts.get(line["doc_id"], line["prompt_hash"])}
            for line in lines[::-1]
        ]

    compared = of_sums(changed(sums, tmp_path / "x", "sums_te", copied))
    said = "3 of 40 prompts of sums_te are the same text"
    assert any(note.startswith(said) for note in notes_of(compared))
    assert compared.gaps == of_sums(sums).gaps


def test_older_runs_are_left_out(sums: Path, tmp_path: Path) -> None:
    folder = changed(sums, tmp_path / "x", "sums_te", list)
    for path in list(folder.rglob("*20*.json*")):
        stem, _, end = path.name.partition("_20")
        text = path.read_text("utf-8").replace('"exact_match": 0.0', '"exact_match": 1.0')
        path.with_name(f"{stem}_19{end}").write_text(text, "utf-8")  # a century earlier
    compared = of_sums(folder)
    assert compared.gaps == of_sums(sums).gaps
    assert sum("an older run of the same task" in note for note in notes_of(compared)) == 4
