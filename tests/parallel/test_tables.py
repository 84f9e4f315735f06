"""Tables of answers: the numbers of the log that they were made of, and one line for a fault."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import datasets
import pandas as pd
import pytest

import xlgo_cli
import xlgo_metric as xm
from xlgo_cli import cli
from xlgo_cli.logs.formats import tables
from xlgo_cli.parallel.comparing import Options, compare_languages, graded
from xlgo_cli.report.samples import graded_answers
from xlgo_dataset.text.languages import code_of
from xlgo_metric.comparison import Cell

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


def logged(folder: Path, name: Callable[[Any], Any]) -> list[dict[str, Any]]:
    """The answers in a log of the harness, read without xlgo."""
    rows = []
    for path in sorted(folder.rglob("samples_*.jsonl")):
        _, language, *subject = path.name.removeprefix("samples_").split("_2")[0].split("_")
        for line in map(json.loads, path.read_text("utf-8").splitlines()):
            if line["filter"] in ("none", "last-number"):
                verdict = line["exact_match"] if "exact_match" in line else line["acc"]
                rows.append({
                    "question": name(line), "language": language, "subject": "".join(subject),
                    "correct": int(verdict), "gold": line["target"],
                    **({"cluster": line["doc"]["text"]} if "text" in line["doc"] else {}),
                })  # fmt: skip
    return rows


@pytest.mark.parametrize(
    ("log", "pattern", "name", "options"),
    [
        ("sums", "sums_{lang}", lambda line: line["doc_id"], {"filter": "last-number"}),
        ("subjects", "sums_{lang}_*", lambda line: line["doc_id"], {"filter": "last-number"}),
        ("larger", "larger_{lang}", lambda line: line["doc"]["label"], {"pair_by": ("where",)}),
    ],
)
def test_the_table_of_a_log_has_its_gaps_to_the_last_digit(  # noqa: PLR0917
    log: str, pattern: str, name: Any, options: Any, tmp_path: Path, request: Any
) -> None:
    folder: Path = request.getfixturevalue(log)
    if log == "larger":  # paired by a field
        folder, name = tmp_path, lambda line: line["doc"]["where"]
        for path in request.getfixturevalue(log).rglob("samples_*.jsonl"):
            lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
            for line in lines:
                line["doc"]["where"] = f"{line['doc']['text']} {line['doc']['part']}"
            (tmp_path / path.name).write_text("\n".join(map(json.dumps, lines)), "utf-8")
    found = numbers(compare_languages(folder, [pattern], Options(**options)).gaps)
    table = write(tmp_path / "answers.csv", logged(folder, name))
    assert gaps(table) == found
    assert len(found) > 0


def test_every_format_and_door_has_the_same_gaps(tmp_path: Path) -> None:
    frame = pd.DataFrame(ROWS)
    expected = gaps(write(tmp_path / "a.csv", ROWS))
    assert set(expected) == {"te", "de"}
    assert expected["te"][0] == 60
    only = {code: {n for n in range(60) if n % step} for code, step in (("en", 9), ("te", 3))}
    assert expected["te"][-1] == (len(only["en"] - only["te"]), len(only["te"] - only["en"]))
    assert gaps(write(tmp_path / "b.csv", ROWS, ";")) == expected
    assert gaps(write(tmp_path / "c.tsv", ROWS, "\t")) == expected
    frame.to_parquet(tmp_path / "d.parquet")
    assert gaps(tmp_path / "d.parquet") == expected
    frame.to_json(tmp_path / "e.jsonl", orient="records", lines=True)
    assert gaps(tmp_path / "e.jsonl") == expected
    (tmp_path / "f.csv").write_bytes(b"\xef\xbb\xbf" + (tmp_path / "a.csv").read_bytes())
    assert gaps(tmp_path / "f.csv") == expected
    for answers in (frame, datasets.Dataset.from_list(ROWS), ROWS):
        scores = xlgo_cli.report(answers, tmp_path / "report")
        cells = scores.score["families"]["parallel"]["by_language"]["cells"]
        assert numbers(map(Cell.of_json, cells)) == expected
        of_frame = numbers(xm.gaps(answers, "English").cells)
        assert of_frame == {"te-IN": expected["te"], "deu_Latn": expected["de"]}


def test_the_command_needs_no_option_and_says_what_was_taken(tmp_path: Path, capsys: Any) -> None:
    assert cli.main(["report", str(write(tmp_path / "a.csv", ROWS))]) == 0
    out, err = capsys.readouterr()
    assert "question = qid, language = lang, correct = ok, model = model" in err
    assert (tmp_path / "report" / "report.html").is_file()
    assert "Telugu" in out
    renamed = [{"x": row["qid"], "y": row["lang"], "z": row["ok"]} for row in ROWS]
    table = write(tmp_path / "b.csv", renamed)
    assert cli.main(["score", str(table), "--columns", "question=x,language=y", "correct=z"]) == 0
    xlgo_cli.report(
        renamed, tmp_path / "r", columns={"question": "x", "language": "y", "correct": "z"}
    )
    assert not tables.COLUMNS.get({})  # of the next command or call it says nothing
    assert "Telugu" in capsys.readouterr().out


def test_two_tables_without_a_task_are_of_one(tmp_path: Path, capsys: Any) -> None:
    rows = [{name: row[name] for name in ("qid", "lang", "ok")} for row in ROWS]
    worse = [{**row, "ok": int(int(row["qid"][1:]) % 2)} for row in rows]
    before, after = (str(write(tmp_path / f"{n}.csv", r)) for n, r in (("b", rows), ("a", worse)))
    page = tmp_path / "c.html"
    assert cli.main(["compare", before, after, "--out", str(page)]) == 0
    assert "60 questions" in page.read_text("utf-8")


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


def test_several_models_in_one_table(tmp_path: Path, capsys: Any) -> None:
    models = {
        name: [{**row, "model": name, "ok": int((hash_of(row) + k) % 4 > 0)} for row in ROWS]
        for k, name in enumerate("abc")
    }
    for name, rows in models.items():
        write(tmp_path / f"{name}.csv", rows)
    table = write(tmp_path / "ab.csv", [*models["a"], *models["b"]])
    page = ["--out", str(tmp_path / "page.html"), "--json"]
    assert cli.main(["compare", str(table), *page]) == 0
    together = json.loads(capsys.readouterr().out)["pairs"]
    assert cli.main(["compare", str(tmp_path / "a.csv"), str(tmp_path / "b.csv"), *page]) == 0
    apart = json.loads(capsys.readouterr().out)["pairs"]
    assert [pair["n"] for pair in apart] == [60] * 3
    three = [str(tmp_path / f"{name}.csv") for name in models]
    assert cli.main(["compare", *three, *page]) == 2
    assert "3 models: give the results of two (xlgo leaderboard" in capsys.readouterr().err
    assert cli.main(["compare", three[0], *page]) == 2
    assert "one model: give" in capsys.readouterr().err
    assert [pair["n"] for pair in together] == [60] * 3
    every = write(tmp_path / "abc.csv", [row for rows in models.values() for row in rows])
    assert cli.main(["leaderboard", str(every), "--out", str(tmp_path / "board"), "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["models"]) == 3
    assert cli.main(["report", str(every), "--quiet"]) == 0
    assert "Left out: b, c" in capsys.readouterr().err


def hash_of(row: Mapping[str, Any]) -> int:
    return random.Random(f"{row['qid']} {row['lang']}").randrange(100)


def changed(number: int, **values: Any) -> list[dict[str, Any]]:
    return [{**row, **values} if n == number else row for n, row in enumerate(ROWS)]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (changed(3, ok="maybe"), "row 5: column ok: 'maybe': allowed are 1, 1.0, true"),
        (changed(3, ok=""), "row 5: column ok: ''"),
        (changed(3, ok="=1+1"), "row 5: column ok: '=1+1'"),
        (changed(70, lang="Klingonish"), "row 72: column lang: 'Klingonish' (no language)"),
        (changed(0, qid=""), "row 2: column qid: '' (empty)"),
        (changed(3, qid="q4"), "row 6: a second answer to question 'q4' in en (the first: row 5)"),
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
    said = capsys.readouterr().err.strip().splitlines()[-1]
    assert words in said
    assert "answers" in said or "fewer" in words or "questions" in words


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.csv", b"id,lang,ok\n1,en\0,1\n", "byte 15 is NUL"),
        ("a.csv", "id,lang,ok\n1,en,é\n".encode("latin-1"), "not UTF-8 text (a byte e9)"),
        ("a.csv", "id,lang,ok\n1,en,1\n".encode("utf-16"), "UTF-8"),
        ("a.csv", b",".join(b"c%d" % n for n in range(100_000)) + b"\n1\n", "100,000 columns"),
        ("a.csv", b",".join(b"c%d" % n for n in range(1_000_000)) + b"\n1\n", "no header"),
        ("a.csv", b'id,lang,ok\n1,en,1,"2\n', "a.csv: "),
        ("a.csv", b'id,lang,ok\n1,en,1,\n1,te,1,\n', "more cells than the first line has names"),
        ("a.csv", b"id,lang,ok\n1,en,1\n1,te,1,1\n", "Expected 3 fields in line 3, saw 4"),
        ("a.csv", b"id,lang,ok\n\n1,en,2\n", "row 3: column ok: '2'"),
        ("a.csv", b"id,lang,ok\n", "no answers below"),
        ("a.csv", b"", "the first line is empty"),
        ("a.json", b'[{"id": 1, "lang": "en", "ok": 1}]', "a table of answers as .jsonl"),
        ("a.jsonl", b'{"id": 1, "lang": "en", "ok": 1}\n\n{"id": 1, "lang": "te", "ok": 2}\n',
         "row 3: column ok: '2'"),
        ("a.parquet", b"PAR1 no", "not a Parquet file"),
        ("a.jsonl", b'{"id": 1, "lang": "en", "ok": 1}\n[1]\n', "a.jsonl:2: not a JSON object"),
        ("a.xlsx", b"PK", "a spreadsheet: save its sheet as CSV"),
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


def test_empty_rows_and_the_marks_of_a_spreadsheet_change_nothing(tmp_path: Path) -> None:
    plain = gaps(write(tmp_path / "plain.csv", ROWS))
    lines = write(tmp_path / "sheet.csv", ROWS, ";").read_text("utf-8").splitlines()
    sheet = "\r\n".join([*lines[:9], ";;;", "", *lines[9:], ";;;", ""])
    (tmp_path / "sheet.csv").write_text(sheet, "utf-8-sig", newline="")
    assert gaps(tmp_path / "sheet.csv") == plain


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


@pytest.mark.parametrize("column", ["gold", "question_text"])
def test_two_benchmarks_with_equal_ids_are_not_compared(
    column: str, tmp_path: Path, capsys: Any
) -> None:
    """Ten of sixty questions have another text or answer; ``4`` and ``"4"`` are one answer."""

    def table(name: str, shift: int, text: type) -> str:
        rows = [
            {**row, "model": name, column: text(int(row["qid"][1:]) + shift * (n % 60 < 10))}
            for n, row in enumerate(ROWS)
        ]
        pd.DataFrame(rows).to_json(tmp_path / f"{name}.jsonl", orient="records", lines=True)
        return str(tmp_path / f"{name}.jsonl")

    first, same, unlike = table("a", 0, int), table("b", 0, str), table("c", 100, int)
    page = ["--out", str(tmp_path / "page.html")]
    assert cli.main(["compare", first, same, *page]) == 0
    assert cli.main(["compare", first, unlike, *page]) == 2
    said = capsys.readouterr().err
    what = "another correct answer" if column == "gold" else "another text"
    assert f"30 of the 180 that have the same name have {what} (first q0 in en: '0' and" in said
    assert cli.main(["compare", first, unlike, *page, "--allow-differences"]) == 0
    assert "the two runs differ in their settings: questions: 30 of" in capsys.readouterr().out


def test_names_and_codes_of_a_language_in_a_frame_are_one_language() -> None:
    names = {"English": ("en", "eng_Latn"), "te-IN": ("Telugu", "te"), "deu_Latn": ("de", "German")}
    mixed = [{**row, "lang": names[row["lang"]][n % 2]} for n, row in enumerate(ROWS)]
    found = xm.gaps(mixed, "English", language_of=code_of)
    assert found.baseline == "en"
    codes = [{**row, "lang": names[row["lang"]][0]} for row in ROWS]
    plain = xm.gaps(codes, columns={"question": "qid"}).cells
    assert [numbers([cell])[cell.other] for cell in found.cells] == [
        numbers([cell])[cell.other] for cell in plain
    ]
    assert [cell.other for cell in found.cells] == ["te", "de"]


def test_cells_that_are_empty_lose_no_answer() -> None:
    plain = numbers(xm.gaps(ROWS, "English").cells)
    for empty in (None, float("nan"), ""):
        rows = [{**row, "task": empty, "cluster": empty, "model": empty} for row in ROWS]
        assert numbers(xm.gaps(rows, "English").cells) == plain
    for name in ("ok", "lang"):
        with pytest.raises(ValueError, match=f"row 3: column {name}: ''"):
            xm.gaps([{**row, name: None} if n == 2 else row for n, row in enumerate(ROWS)])


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
    (alert, *_) = compare_languages(path, ["*"], options).benchmarks[0].alerts
    assert "is 0 for 100.0% of the answers" in alert
    (alert,) = [
        a for a in compare_languages(path, ["*"], options).benchmarks[0].alerts if "Read again" in a
    ]
    assert f"xlgo report '{path}' --common --cluster-by none --read number" in alert
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
        assert response is not None
        assert response.split()[0] == code
        assert correct == (int(response.split()[1]) % 3 > 0)


def test_what_a_report_of_runs_or_frames_does_not_take_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="plots: only a frame"):
        xlgo_cli.report(tmp_path, plots=True)
    with pytest.raises(ValueError, match="options: not of a frame"):
        xlgo_cli.report(ROWS, tmp_path / "out", options={"baseline": "te"})
