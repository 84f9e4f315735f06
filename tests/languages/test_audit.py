"""``xlgo audit``: from the language file to the spreadsheet and back."""

import csv
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tomlkit

import xlgo_dataset as xd
from xlgo_cli.cli import build_parser
from xlgo_cli.language.audit import Row, headings, read, toml_string, write
from xlgo_dataset.text.languages import FOLDER, available, load_language
from xlgo_metric.reading.values import table as words_of

DAY = "2026-03-31"
HEADINGS = [  # XLGoBench, appendix C.2, columns A to H
    "ENGLISH_GROUNDTRUTH", "TE_TRANSLATION", "Translation OK", "Edited Translation", "Comments",
    "Audit Done?", "Issues Found?", "Comments",
]  # fmt: skip
OK, EDIT, COMMENT, DONE, ISSUES, REMARK, ROW = 2, 3, 4, 5, 6, 7, 8
COUNT = "మొత్తం {n} మంది ఆటగాళ్లు ఉన్నారు. అందరినీ చేర్చండి."

Table = list[list[str]]
Change = Callable[[Table], object]


def run(*words: str, folder: Path) -> int:
    args = build_parser("audit").parse_args(["audit", *words, "--folder", str(folder)])
    return int(args.func(args))


def load(path: Path) -> Table:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file))


def save(path: Path, table: Table) -> None:
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file).writerows(table)


def row_of(table: Table, name: str) -> list[str]:
    (row,) = [row for row in table if row[ROW] == name]
    return row


def approve(table: Table, code: str = "te") -> None:
    for row in table[1:]:
        row[OK], row[DONE], row[ISSUES] = "Yes", "Yes", "False"
        if row[ROW].startswith("solve."):  # both people solve the prompts
            task = row[ROW].split(".")[1]
            row[EDIT] = row[REMARK] = json.dumps(xd.solve(xd.read(task, row[1], code)))


def leave_unsolved(table: Table, count: int) -> None:
    approve(table)
    for row in [row for row in table[1:] if row[ROW].startswith("solve.")][:count]:
        row[REMARK] = "{}"


def edit(table: Table, name: str, text: str, comment: str = "plain word") -> None:
    row = row_of(table, name)
    row[OK], row[EDIT], row[COMMENT] = "No", text, comment


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("exported") / "te.csv"
    assert run("export", "te", "--out", str(path), folder=FOLDER) == 0
    return path


@pytest.fixture
def sheet(exported: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(exported, tmp_path))


def take(path: Path, folder: Path, change: Change, auditor: str = "B. Devi") -> int:
    table = load(path)
    change(table)
    save(path, table)
    people = ("--reviewer", "A. Rao", "--auditor", auditor)
    return run("import", "te", str(path), *people, "--date", DAY, folder=folder)


def test_columns_are_those_of_the_paper_and_what_people_filled_in_is_not_overwritten(
    sheet: Path, folder: Path
) -> None:
    table = load(sheet)
    assert table[0][: len(HEADINGS)] == HEADINGS
    assert {len(row) for row in table} == {len(headings("te"))}
    with pytest.raises(ValueError, match="exists"):
        run("export", "te", "--out", str(sheet), folder=folder)
    assert run("export", "te", "--out", str(sheet), "--overwrite", folder=folder) == 0


def test_an_edit_becomes_the_revision_and_the_rest_of_the_file_stays(
    sheet: Path, folder: Path
) -> None:
    before = (folder / "te.toml").read_text("utf-8").splitlines()

    def change(table: Table) -> None:
        approve(table)
        edit(table, "t_rank.count", COUNT)
        edit(table, "dsa.room", "గది నం. {id}", 'a "number"')

    assert take(sheet, folder, change) == 0
    language, original = load_language("te", folder), load_language("te")
    string = language.tasks["t_rank"]["count"]
    found = string.text, string.revised, string.revised_note, string.back_translation
    text = original.tasks["t_rank"]["count"].text
    assert found == (text, COUNT, "plain word", "")  # the translation was one of the wording before
    assert language.tasks["dsa"]["room"].revised_note == 'a "number"'
    status = {"status": "audited", "reviewer": "A. Rao, B. Devi", "date": DAY}
    assert language.review == original.review | status
    assert language.revised_revision == original.revised_revision + 1
    after = (folder / "te.toml").read_text("utf-8").splitlines()
    new = {line.partition(" ")[0] for line in set(after) - set(before)}
    assert new == {*status, "revised", "revised_note", "revised_revision"}
    assert not [line for line in before if line.startswith("#") and line not in after]
    # One string had no revision before, the other loses its back-translation.
    assert len(after) == len(before) + 2 - 1
    assert {path.suffix for path in folder.iterdir()} == {".toml"}


def test_an_edit_of_a_plain_text_leaves_the_others_of_its_table(sheet: Path, folder: Path) -> None:
    file, strings = folder / "te.toml", load_language("te").tasks["t_rank"]
    document: Any = tomlkit.parse(file.read_text("utf-8"))
    document["t_rank"] = {"source": "printed", **{key: x.text for key, x in strings.items()}}
    file.write_text(tomlkit.dumps(document), encoding="utf-8")

    def change(table: Table) -> None:
        approve(table)
        edit(table, "t_rank.count", COUNT)

    assert take(sheet, folder, change) == 0
    edited = load_language("te", folder).tasks["t_rank"]
    assert (edited["count"].text, edited["count"].revised) == (strings["count"].text, COUNT)
    assert [edited[key].text for key in strings] == [x.text for x in strings.values()]
    assert {string.source for string in edited.values()} == {"printed"}


def without_audit(table: Table) -> None:
    approve(table)
    for row in table[1:]:
        row[DONE] = row[ISSUES] = ""


def with_issue(table: Table) -> None:
    approve(table)
    row_of(table, "slt.fee")[ISSUES:] = ["True", "still stiff", "slt.fee", "", ""]


@pytest.mark.parametrize(
    ("change", "auditor", "status"),
    [
        (approve, "B. Devi", "audited"),
        (approve, "", "checked, not audited"),
        (approve, "a.  RAO", "checked, not audited"),  # one person is no audit
        (without_audit, "B. Devi", "checked, not audited"),
        (with_issue, "B. Devi", "checked, not audited"),
        (lambda table: leave_unsolved(table, 2), "B. Devi", "audited"),
        (lambda table: leave_unsolved(table, 3), "B. Devi", "checked, not audited"),
        (lambda table: None, "B. Devi", "rebuilt in part, not audited"),
    ],
)
def test_status(sheet: Path, folder: Path, change: Change, auditor: str, status: str) -> None:
    take(sheet, folder, change, auditor)
    assert load_language("te", folder).review["status"] == status


def test_a_doubt_that_is_not_settled_keeps_a_language_from_being_audited(
    tmp_path: Path, folder: Path
) -> None:
    path = tmp_path / "yo.csv"
    run("export", "yo", "--out", str(path), folder=folder)
    table = load(path)
    approve(table, "yo")
    people = ("--reviewer", "A", "--auditor", "B")
    row_of(table, "doubt.1")[OK] = "No"
    save(path, table)
    with pytest.raises(ValueError, match="there is no comment"):
        run("import", "yo", str(path), *people, folder=folder)
    row_of(table, "doubt.1")[COMMENT] = "still weak"
    save(path, table)
    run("import", "yo", str(path), *people, folder=folder)
    assert load_language("yo", folder).review["status"] == "checked, not audited"


def put(name: str, column: int, value: str) -> Change:
    return lambda table: row_of(table, name).__setitem__(column, value)


def edited(name: str, text: str, comment: str = "x") -> Change:
    return lambda table: edit(table, name, text, comment)


def drop(table: Table) -> None:
    row_of(table, "dsa.gold")[:] = [""] * len(table[0])


def twice(table: Table) -> None:
    row_of(table, "dsa.gold")[:] = row_of(table, "dsa.silver")


def both_keys_alike(table: Table) -> None:
    edit(table, "dsa.gold", "తాళంచెవి")
    edit(table, "dsa.silver", "తాళంచెవి")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (edited("t_rank.count", "మొత్తం ఆటగాళ్లు"), "row 38: t_rank.count (revised): the pl"),
        (edited("t_rank.count", COUNT + " வீரர்"), "not of this language's script"),
        (edited("t_rank.count", COUNT + "  "), "begins or ends with a space"),
        (edited("t_rank.count", "=" + COUNT), "formula"),
        (both_keys_alike, "dsa.gold: two of gold, silver are the same"),
        (put("t_rank.count", EDIT, COUNT), "Translation OK is not No"),
        (put("t_rank.count", OK, "No"), "there is no Edited Translation"),
        (put("t_rank.count", OK, "maybe"), "row 38: 'Translation OK' must be Yes or No"),
        (put("t_rank.count", ISSUES, "5"), "'Issues Found?' must be True or False"),
        (put("t_rank.count", ISSUES, "True"), "the audit has no comment"),
        (edited("t_rank.count", COUNT, ""), "the edit has no comment"),
        (edited("slt full example", "x"), "row 2: a full example cannot be edited"),
        (put("t_rank.count", 0, "There are {n} players."), "ground truth is not that of this"),
        (put("t_rank.count", 1, COUNT), "put changes into column D"),
        (put("t_rank.count", ROW, "t_rank.counts"), "there is no string 't_rank.counts'"),
        (put("t_rank.count", ROW, "t_rank.counts"), "the row t_rank.count is missing"),
        (drop, "the row dsa.gold is missing"),
        (twice, "dsa.silver is there more than once"),
        (lambda table: table[0].__setitem__(1, "TA_TRANSLATION"), "row 1: the headings must be"),
    ],
)
@pytest.mark.parametrize("exported", [".csv"], indirect=True)  # the checks know no format
def test_a_wrong_sheet_changes_nothing(
    sheet: Path, folder: Path, change: Change, message: str
) -> None:
    before = (folder / "te.toml").read_bytes()
    with pytest.raises(ValueError, match="te") as error:
        take(sheet, folder, change)
    assert message in str(error.value)
    assert sheet.name in str(error.value)
    assert (folder / "te.toml").read_bytes() == before


def test_csv_cells_that_begin_like_formulas_survive_the_way_there_and_back(tmp_path: Path) -> None:
    texts = ["=1+1", " =1+1", "\t@x", "- {a}", "'=1", "''+x", "'quoted'", "plain", "-1.5", "\r\n=x"]
    path = tmp_path / "te.csv"
    write(path, "te", [Row("e", text, "slt.fee") for text in texts])
    with path.open(encoding="utf-8-sig", newline="") as file:
        cells = [line[1] for line in csv.reader(file)][1:]
    assert [
        cell for cell in cells if cell.lstrip(" \t\r\n").startswith(("=", "+", "@", "- "))
    ] == []
    assert "'-1.5" in cells
    found = [row.translation for row in read(path, "te")]
    assert found == [text.replace("\r\n", "\n") for text in texts]


def test_a_sheet_has_a_row_for_everything_that_people_read(tmp_path: Path) -> None:
    path = tmp_path / "gu.csv"
    assert run("export", "gu", "--out", str(path), folder=FOLDER) == 0
    language, table = load_language("gu"), load(path)
    assert len(language.doubts) > 2
    expected = [
        name for task, strings in language.tasks.items()
        for name in (f"{task} full example", *(f"{task}.{key}" for key in strings))
    ]  # fmt: skip
    expected += [
        f"conditions.{name}.{key}" for name, of in language.conditions.items() for key in of
    ]
    for family in xd.FAMILIES.values():
        expected += [f"{family.name}.{place}" for place, _ in family.wordings("gu")]
    expected += [f"reader.{place}" for place in words_of("gu")]
    expected += [f"doubt.{number}" for number in range(1, len(language.doubts) + 1)]
    solved = [
        f"solve.{task}.{n}" for task in ("slt", "dsa", "graph_sp", "t_rank") for n in range(5)
    ]
    shown = {row[ROW]: row for row in table[1:]}
    assert (list(shown), len(shown)) == (expected + solved, len(table) - 1)
    assert [row[0] for name, row in shown.items() if name[:6] == "doubt."] == [*language.doubts]
    assert len({shown[name][1] for name in solved}) == len(solved)


# ``xlgo language``, and a made-up language, which is one file and no code.


def language(*words: str, folder: Path) -> int:
    args = build_parser("language").parse_args(["language", *words, "--folder", str(folder)])
    return int(args.func(args))


NEW = ("--name", "Kannada", "--native-name", "ಕನ್ನಡ", "--script", "Kannada")


def test_new_language_holds_every_english_string_to_translate(folder: Path) -> None:
    assert language("new", "qaa", *NEW, folder=folder) == 0
    text = (folder / "qaa.toml").read_text("utf-8")
    kannada, english = load_language("qaa", folder), load_language("en")
    assert "qaa" in available(folder)
    assert not kannada.default
    assert kannada.native_name == "ಕನ್ನಡ"
    for task, strings in english.tasks.items():
        assert list(kannada.tasks[task]) == list(strings)
        for string in strings.values():
            assert f"# {string.text}\n" in text


@pytest.mark.parametrize(
    ("code", "script", "message"),
    [
        *(("qaa", script, "Unicode has no such script")
          for script in ("Klingon", "", "Latin, Klingon", "La")),
        ("te", "Kannada", "already there"),
        ("format_blocks", "Kannada", "lower-case letters"),
    ],
)  # fmt: skip
def test_what_new_refuses(code: str, script: str, message: str, folder: Path) -> None:
    before = {path: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(ValueError, match=message):
        language("new", code, *NEW[:-1], script, folder=folder)
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


PACKAGE = Path(xd.__file__).parent

SCRIPT = """
import sys
import xlgo_dataset as xd
from xlgo_dataset.text.languages.checks import check_language
from xlgo_dataset.text.languages import load_language
from xlgo_cli.harness.make_tasks import task_files
assert xd.__file__.startswith(sys.argv[1]), xd.__file__
assert "qaa" in xd.available() and "qaa" not in xd.LANGUAGES
assert check_language(load_language("qaa")) == []
for task, complexity in {"slt": 12, "dsa": 6, "prdsa": 10, "graph_sp": 30, "t_rank": 33}.items():
    instance = xd.generate(task, complexity=complexity, seed=5)
    for text in xd.TEXTS:
        prompt = xd.render(instance, "qaa", text)
        assert "zu" in prompt
        again = xd.read(task, prompt, "qaa", text)
        assert again == instance
        assert xd.solve(again) == xd.solve(instance)
    told = xd.render(instance, "qaa", condition="english_rules")
    assert xd.read(task, told, "qaa", condition="english_rules") == instance
    rows = xd.load_dataset(f"{task}_qaa", split="test", levels=1, per_level=1)
    assert rows[0]["language"] == "qaa"
written = " ".join(map(str, task_files()))
assert all(f"{task}_qaa" in written for task in xd.family("xlgobench").TASKS)
print("done")
"""


def made_up(text: str) -> str:
    """A wording that no other language has: every word outside braces and JSON gets a prefix."""
    head, brace, sample = text.partition('{"')
    words = [f"zu{word}" if word.isalpha() and word.islower() else word for word in head.split(" ")]
    changed = " ".join(words)
    if "Room {" in changed or sample:
        changed, sample = changed.replace("Room", "Zumar"), sample.replace("Room", "Zumar")
    if changed == head and any(map(str.isalpha, head)):
        changed = changed.replace("Gold Key", "Zugold").replace("Silver Key", "Zusilver")
        changed = changed.replace("Example", "Zuample").replace("Match", "Zumatch")
    return f"{changed}{brace}{sample}"


def test_a_new_language_is_one_file_and_no_code(tmp_path: Path) -> None:
    copy = tmp_path / PACKAGE.name
    shutil.copytree(PACKAGE, copy)
    lines = [
        'code = "qaa"', 'name = "Madeup"', 'native_name = "Zumadeup"', 'script = "Latin"',
        'direction = "ltr"', "default = false", "", "[review]",
        'status = "translated, not audited"', 'reviewer = ""', 'date = ""', "",
    ]  # fmt: skip
    for task, strings in load_language("en").tasks.items():
        for key, string in strings.items():
            text = toml_string(made_up(string.text)).as_string()
            lines += [f"[{task}.{key}]", f"text = {text}", 'source = "translated"', ""]
    lines += ["[conditions]", 'status = "translated, not audited"']
    file = copy / FOLDER.relative_to(PACKAGE) / "qaa.toml"
    file.write_text("\n".join(lines), "utf-8")
    assert tomlkit.parse(file.read_text("utf-8"))["code"] == "qaa"
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path)],
        env=os.environ | {"PYTHONPATH": str(tmp_path), "HF_HOME": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "done"
