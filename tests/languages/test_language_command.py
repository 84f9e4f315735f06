"""``xlgo language``, and a made-up language, which is one file and no code."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import tomlkit

import xlgo_dataset as xd
from xlgo_cli.cli import build_parser
from xlgo_cli.language.file import toml_string
from xlgo_dataset.text.languages import FOLDER, available, load_language


def run(*words: str, folder: Path) -> int:
    args = build_parser("language").parse_args(["language", *words, "--folder", str(folder)])
    return int(args.func(args))


NEW = ("--name", "Kannada", "--native-name", "ಕನ್ನಡ", "--script", "Kannada")


def test_new_language_holds_every_english_string_to_translate(folder: Path) -> None:
    assert run("new", "qaa", *NEW, folder=folder) == 0
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
        run("new", code, *NEW[:-1], script, folder=folder)
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_check_of_an_unknown_language(folder: Path) -> None:
    with pytest.raises(ValueError, match="unknown language 'xx'"):
        run("check", "xx", folder=folder)


def test_list_shows_who_checked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("list", folder=folder) == 0
    lines = capsys.readouterr().out.splitlines()
    assert {line.split()[0] for line in lines if line.strip()} >= {*available(folder)}
    (telugu,) = [line for line in lines if line.startswith(" te ")]
    assert "rebuilt in part, not audited" in telugu
    assert "2 rebuilt" in telugu
    assert "no/limited" in telugu


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
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
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
