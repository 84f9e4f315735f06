"""A twenty-fourth language is one file: a made-up one, in a copy of the package."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import tomlkit

import xlgo_dataset as xd
from xlgo_cli.language.file import toml_string
from xlgo_dataset.text.languages import FOLDER, load_language

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
