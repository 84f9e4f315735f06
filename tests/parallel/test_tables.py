"""Tables of answers: the numbers of the log that they were made of, and one line for a fault."""

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from contextvars import copy_context
from itertools import product
from pathlib import Path
from typing import Any

import datasets
import pandas as pd
import pytest

import xlgo_cli
import xlgo_metric as xm
from xlgo_cli import cli
from xlgo_cli.logs import lines, tables
from xlgo_cli.page.samples import graded_answers
from xlgo_cli.parallel.comparing import Options, compare_languages, graded
from xlgo_dataset.text.languages import code_of
from xlgo_metric.comparison import Cell
from xlgo_metric.comparison.frames import columns_of

ROWS: list[dict[str, Any]] = [
    {"qid": f"q{n}", "lang": code, "model": "acme/one", "ok": int(n % step != 0)}
    for code, step in (("English", 9), ("te-IN", 3), ("deu_Latn", 7))
    for n in range(60)
]
NUMBERS = ("n", "difference", "ci_low", "ci_high", "p_value", "is_significant", "discordant")


def numbers(cells: Iterable[Cell]) -> dict[str, list[Any]]:
    return {cell.other: [getattr(cell, name) for name in NUMBERS] for cell in cells}


def write(path: Path, rows: Sequence[Mapping[str, Any]], separator: str = ",") -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, list(rows[0]), delimiter=separator)
        table.writeheader()
        table.writerows(rows)
    return path


def gaps(path: Path, **options: Any) -> dict[str, list[Any]]:
    return numbers(compare_languages(path, ["*"], Options(**options)).gaps)


def logged(folder: Path, name: str) -> list[dict[str, Any]]:
    """The answers in a log of the harness, read without xlgo; ``name`` formats their lines."""
    rows = []
    for path in sorted(folder.rglob("samples_*.jsonl")):
        _, language, *subject = path.name.removeprefix("samples_").split("_2")[0].split("_")
        for line in map(json.loads, path.read_text("utf-8").splitlines()):
            if line["filter"] in ("none", "last-number"):
                verdict = line["exact_match"] if "exact_match" in line else line["acc"]
                rows.append({
                    "question": name.format(**line), "language": language,
                    "subject": "".join(subject), "correct": int(verdict), "gold": line["target"],
                    **({"cluster": line["doc"]["text"]} if "text" in line["doc"] else {}),
                })  # fmt: skip
    return rows


@pytest.mark.parametrize(
    ("log", "pattern", "name", "options"),
    [
        ("sums", "sums_{lang}", "{doc_id}", {"filter": "last-number"}),
        ("subjects", "sums_{lang}_*", "{doc_id}", {"filter": "last-number"}),
        ("larger", "larger_{lang}", "{doc[text]} {doc[part]}",
         {"pair_by": ("text", "part"), "cluster_by": "text"}),
    ],
)  # fmt: skip
def test_the_table_of_a_log_has_its_gaps_to_the_last_digit(  # noqa: PLR0917
    log: str, pattern: str, name: str, options: Any, tmp_path: Path, request: Any
) -> None:
    folder: Path = request.getfixturevalue(log)
    compared = compare_languages(folder, [pattern], Options(**options))
    assert gaps(write(tmp_path / "answers.csv", logged(folder, name))) == numbers(compared.gaps)
    assert len(compared.gaps) > 0


def test_every_format_and_door_has_the_same_gaps(tmp_path: Path) -> None:
    frame = pd.DataFrame(ROWS)
    expected = gaps(write(tmp_path / "a.csv", ROWS))
    assert (set(expected), expected["te"][0]) == ({"te", "de"}, 60)
    only = {code: {n for n in range(60) if n % step} for code, step in (("en", 9), ("te", 3))}
    assert expected["te"][-1] == (len(only["en"] - only["te"]), len(only["te"] - only["en"]))
    write(tmp_path / "c.tsv", ROWS, "\t")
    frame.to_parquet(tmp_path / "d.parquet")
    frame.to_json(tmp_path / "e.jsonl", orient="records", lines=True)
    # As a spreadsheet saves it: its mark, its ends of lines, and rows without values.
    lines = write(tmp_path / "f.csv", ROWS, ";").read_text("utf-8").splitlines()
    sheet = "\r\n".join([*lines[:9], ";;;", "", *lines[9:], ";;;", ""])
    (tmp_path / "f.csv").write_text(sheet, "utf-8-sig", newline="")
    for name in ("c.tsv", "d.parquet", "e.jsonl", "f.csv"):
        assert gaps(tmp_path / name) == expected, name
    for answers in (frame, datasets.Dataset.from_list(ROWS), ROWS):
        scores = xlgo_cli.report(answers, tmp_path / "report")
        cells = scores.score["families"]["parallel"]["by_language"]["cells"]
        assert numbers(map(Cell.of_json, cells)) == expected
        of_frame = numbers(xm.gaps(answers, "English").cells)
        assert of_frame == {"te-IN": expected["te"], "deu_Latn": expected["de"]}


def test_named_columns_hold_for_one_call(tmp_path: Path) -> None:
    names = {"question": "qid", "language": "lang", "correct": "z"}
    renamed = [{**row, "z": row["ok"], "ok": "no verdict"} for row in ROWS]
    xlgo_cli.report(renamed, tmp_path / "r", columns=names)
    assert not lines.COLUMNS.get({})


@pytest.mark.parametrize(
    ("commands", "options", "words"),
    [
        ("report score", "--options=x=1 --judge=x=1 --metadata-file=x=1",
         ": only for tasks of xlgo"),
        ("score compare leaderboard", "--written", ""),  # asked of a report alone
    ],
)  # fmt: skip
def test_what_does_nothing_for_a_table_is_refused(
    commands: str, options: str, words: str, tmp_path: Path, capsys: Any
) -> None:
    table = str(write(tmp_path / "a.csv", ROWS))
    for command, option in product(commands.split(), options.split()):
        assert cli.main([command, table, option]) == 2
        assert option.partition("=")[0] + words in capsys.readouterr().err


def changed(number: int, **values: Any) -> list[dict[str, Any]]:
    return [{**row, **values} if n == number else row for n, row in enumerate(ROWS)]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (changed(3, ok="maybe"), "row 5: column ok: 'maybe': allowed are 1, 1.0, true"),
        (changed(3, ok=""), "row 5: column ok: ''"),
        (changed(3, ok="=1+1"), "row 5: column ok: '=1+1'"),
        (changed(0, qid=""), "row 2: column qid: '' (empty)"),
        (changed(3, qid="q99"), "1 of the 60 questions"),
        ([{"a": 1, "b": 2}], "no column says which question (question_id, qid"),
        ([{"id": 1, "en": 1, "te": 0}], "languages in columns must be put into rows"),
        ([{"id": 1, "lang": "en"}], "no column says what is correct (correct, is_correct"),
        (
            [{"id": 1, "lang": code, "answer": 3, "output": "3"} for code in ("en", "te")],
            "--read number or choice",
        ),
        ([row for row in ROWS if row["lang"] == "English"], "fewer than two languages"),
    ],
)
def test_a_fault_is_one_line_that_names_row_and_column(
    rows: list[dict[str, Any]], words: str, tmp_path: Path, capsys: Any
) -> None:
    assert cli.main(["report", str(write(tmp_path / "answers.csv", rows))]) == 2
    assert words in capsys.readouterr().err.strip().splitlines()[-1]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.csv", "id,lang,ok\n1,en,1\n".encode("utf-16"), "UTF-8"),
        ("a.csv", b",".join(b"c%d" % n for n in range(100_000)) + b"\n1\n", "100,000 columns"),
        ("a.csv", b"column," * 1_000_000 + b"\n1\n", "no header"),
        ("a.csv", b'id,lang,ok\n1,en,1,"2\n', "a.csv: "),
        ("a.csv", b'id,lang,ok\n1,en,1,\n1,te,1,\n', "more cells than the first line has names"),
        ("a.csv", b"id,lang,ok\n\n1,en,2\n", "row 3: column ok: '2'"),
        ("a.json", b'[{"id": 1, "lang": "en", "ok": 1}]', "a table of answers as .jsonl"),
        ("a.jsonl", b'{"id": 1, "lang": "en", "ok": 1}\n\n{"id": 1, "lang": "te", "ok": 2}\n',
         "row 3: column ok: '2'"),
        ("a.jsonl", b'{"id": 1, "lang": "en", "ok": 1}\n[1]\n', "a.jsonl:2: not a JSON object"),
        ("samples_mgsm_en_2026-01-01T00-00-00.jsonl",
         b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "a pointer of Git LFS"),
    ],
)  # fmt: skip
def test_hostile_files_are_one_line(
    name: str, content: bytes, words: str, tmp_path: Path, capsys: Any
) -> None:
    (tmp_path / name).write_bytes(content)
    assert cli.main(["report", str(tmp_path / name)]) == 2
    said = capsys.readouterr().err.strip()
    assert words in said
    assert len(said.splitlines()) == 1


def test_a_table_of_gigabytes_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    path = tmp_path / "answers.csv"
    path.write_bytes(b"id,lang,ok\n")
    with path.open("r+b") as file:
        file.truncate(5 << 30)  # sparse
    assert cli.main(["report", str(path)]) == 2
    assert "5.0 GiB: a table of answers has 1 GiB at most" in capsys.readouterr().err
    monkeypatch.setattr(tables, "LARGEST", 10)
    pd.DataFrame(ROWS).to_parquet(tmp_path / "answers.parquet")
    assert cli.main(["report", str(tmp_path / "answers.parquet")]) == 2


@pytest.mark.parametrize("codes", [("en", "te", "de"), ("eng_Latn", "tel_Telu", "deu_Latn")])
def test_a_log_without_a_date_in_its_name_is_of_its_task(
    codes: tuple[str, ...], tmp_path: Path, capsys: Any
) -> None:
    """Its languages have the names of this project, whatever the tasks call them."""
    for row in ROWS:
        code = dict(zip(("English", "te-IN", "deu_Latn"), codes))[row["lang"]]
        line = {"doc_id": int(row["qid"][1:]), "doc": {}, "target": row["qid"], "acc": row["ok"],
                "metrics": ["acc"], "resps": [["1"]], "arguments": [[f"{code} {row['qid']}"]],
                "filter": "none"}  # fmt: skip
        with (tmp_path / f"samples_sums_{code}.jsonl").open("a", encoding="utf-8") as file:
            print(json.dumps(line), file=file)
    found = compare_languages(tmp_path, ["sums_{lang}"], Options(baseline=codes[0])).gaps
    assert numbers(found) == gaps(write(tmp_path / "table.csv", ROWS))
    (tmp_path / "table.csv").unlink()
    assert cli.main(["report", str(tmp_path), "--parallel", "sums_{lang}"]) == 0
    out = capsys.readouterr().out
    assert "Telugu" in out
    assert "Telu" not in out.replace("Telugu", "")


def test_two_benchmarks_with_equal_ids_are_not_compared(tmp_path: Path, capsys: Any) -> None:
    """Ten of sixty questions have another text or answer; ``4`` and ``"4"`` are one answer."""

    def table(name: str, changed: str = "", text: type = int) -> str:
        rows: list[dict[str, Any]] = [
            {**row, "model": name}
            | {
                column: text(int(row["qid"][1:]) + 100 * (column == changed and n % 60 < 10))
                for column in ("gold", "question_text")
            }
            for n, row in enumerate(ROWS)
        ]
        pd.DataFrame(rows).to_json(tmp_path / f"{name}.jsonl", orient="records", lines=True)
        return str(tmp_path / f"{name}.jsonl")

    compare = ["compare", "--out", str(tmp_path / "page.html"), table("a")]
    assert cli.main([*compare, table("b", text=str)]) == 0
    for column, what in (("gold", "another correct answer"), ("question_text", "another text")):
        assert cli.main([*compare, table("c", column)]) == 2
        said = f"30 of the 180 that have the same name have {what} (first q0 in en: '0' and"
        assert said in capsys.readouterr().err
    assert cli.main([*compare, table("c", "gold"), "--allow-differences"]) == 0
    assert "the two runs differ in their settings: questions: 30 of" in capsys.readouterr().out


def test_names_and_codes_of_a_language_in_a_frame_are_one_language() -> None:
    names = {"English": ("en", "eng_Latn"), "te-IN": ("Telugu", "te"), "deu_Latn": ("de", "German")}
    mixed = [{**row, "lang": names[row["lang"]][n % 2]} for n, row in enumerate(ROWS)]
    compared = xm.gaps(mixed, "English", language_of=code_of)
    assert (compared.baseline, [cell.other for cell in compared.cells]) == ("en", ["te", "de"])
    plain = numbers(xm.gaps(ROWS, "English").cells)
    assert [*numbers(compared.cells).values()] == [*plain.values()]
    heads = columns_of(["Question ID", "LANG", "correct", "model"], {"model": ""})
    assert heads == {"question": "Question ID", "language": "LANG", "correct": "correct"}
    for empty in (None, float("nan"), ""):  # loses no answer
        rows = [{**row, "task": empty, "cluster": empty, "model": empty} for row in ROWS]
        assert numbers(xm.gaps(rows, "English").cells) == plain
    for name in ("ok", "lang"):
        with pytest.raises(ValueError, match=f"row 3: column {name}: ''"):
            xm.gaps([{**row, name: None} if n == 2 else row for n, row in enumerate(ROWS)])


def test_answers_to_one_question_count_with_their_mean_in_every_door(tmp_path: Path) -> None:
    rows = [
        {**row, "repeat": repeat, "ok": row["ok"] if repeat else int(row["qid"][1:]) % 2}
        for number, row in enumerate(ROWS)
        for repeat in range(1 + number % 3)
    ]
    of_file = gaps(write(tmp_path / "table.csv", rows))
    of_frame = numbers(xm.gaps(rows, "English").cells)
    assert of_frame == {"te-IN": of_file["te"], "deu_Latn": of_file["de"]}
    assert {cell[0] for cell in of_file.values()} == {60}


def test_a_column_of_clusters_counts_in_every_door(tmp_path: Path) -> None:
    """Fewer than 20 short values would be a category if the column had another name."""
    rows = [{**row, "cluster": int(row["qid"][1:]) // 4} for row in ROWS]
    compared = compare_languages(write(tmp_path / "table.csv", rows), ["*"], Options())
    for cell in (*compared.gaps, *xm.gaps(rows, "English").cells):
        assert cell.clusters == 15


def test_the_command_that_reads_again_keeps_the_options(tmp_path: Path) -> None:
    rows = [{**row, "ok": 0, "response": "1", "gold": "1"} for row in ROWS]
    path = write(tmp_path / "a table.csv", rows)
    options = Options(cluster_by="none", common=True)
    alerts = compare_languages(path, ["*"], options).benchmarks[0].alerts
    assert "is 0 for 100.0% of the answers" in alerts[0]
    (alert,) = (alert for alert in alerts if "Read again" in alert)
    assert f"xlgo report '{path}' --common --cluster-by none --read number" in alert
    context = copy_context()
    context.run(lines.COLUMNS.set, {"question": "qid"})
    alerts = context.run(compare_languages, path, ["*"], Options()).benchmarks[0].alerts
    assert f"xlgo report '{path}' --columns question=qid --read number" in alerts[-1]
    two = write(tmp_path / "two.csv", [{**row, "model": name} for name in "ab" for row in rows])
    for model in (None, "b"):
        compared = compare_languages(two, ["*"], Options(), model=model).benchmarks[0]
        assert f"--model {model or 'a'} --read number" in compared.alerts[-1]


def test_answers_of_the_page_are_those_of_their_language(tmp_path: Path) -> None:
    """The report has English first; the table has it second."""
    rows = [
        {"id": f"q{n}", "lang": code, "ok": int(n % 3 > 0), "response": f"{code} {n}"}
        for code in ("te", "en", "hi") for n in range(9)
    ]  # fmt: skip
    scored = graded(write(tmp_path / "answers.csv", rows), ["*"], Options())
    shown = [
        (key[2], sample.response, record.grade.correct)
        for key, record, sample in graded_answers(scored)
    ]
    assert len(shown) == 27
    for code, response, correct in shown:
        language, number = str(response).split()
        assert (language, int(number) % 3 > 0) == (code, correct)


def test_what_a_report_of_runs_or_frames_does_not_take_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="plots: only a frame"):
        xlgo_cli.report(tmp_path, plots=True)
    with pytest.raises(ValueError, match="options: not of a frame"):
        xlgo_cli.report(ROWS, tmp_path / "out", options={"baseline": "te"})
