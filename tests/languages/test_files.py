"""Every language file: what it must hold, and that it says what the printed prompts say."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import xlgo_dataset as xd
from tests.languages.rules import problems
from tests.looping import looped
from xlgo_cli.folders import read_settings
from xlgo_dataset.text.languages import FOLDER, TEXTS, available, load_language
from xlgo_dataset.text.languages.checks import check_blocks
from xlgo_metric.reading.values import codes

GOLDEN = json.loads(
    (Path(__file__).parents[1] / "golden/xlgobench/prompts.json").read_text("utf-8")
)

# Written down by hand from the paper's English prompts.
PLACEHOLDERS = {
    "slt": {"intro": "start capital", "gift": "prev cur a b", "fee": "prev cur a b", "format": ""},
    "dsa": {
        "intro": "", "start": "room", "transition": "room key next", "question": "",
        "question_end": "", "example": "", "room": "id", "gold": "", "silver": "",
        "rules": "n gold silver",
    },
    "prdsa": {
        "intro": "", "start": "room", "transition": "room key next1 p1 next2 p2",
        "question": "keys k", "example": "", "room": "id", "gold": "", "silver": "",
        "key_separator": "", "rules": "n k",
    },
    "graph_sp": {
        "header": "", "friends": "a b", "neighbors": "a b", "classmates": "a b",
        "coworkers": "a b", "relatives": "a b", "question": "source target", "format": "",
    },
    "t_rank": {
        "header": "", "match": "winner loser", "question": "", "count": "n", "puzzle_note": "",
        "format": "",
    },
}  # fmt: skip


def found(text: str) -> set[str]:
    return set(re.findall(r"\{([a-z0-9]+)\}", text))


@looped("code", available())
def test_every_rule_is_kept(code: str) -> None:
    assert problems(load_language(code)) == []


def test_format_blocks_keep_every_rule() -> None:
    assert check_blocks() == []


@looped("code", available())
@looped("text", TEXTS)
def test_keys_and_placeholders(code: str, text: str) -> None:
    language = load_language(code)
    assert set(language.tasks) >= set(PLACEHOLDERS)
    for task, wanted in PLACEHOLDERS.items():
        strings = language.strings(task, text)
        assert set(strings) == set(wanted)
        for key, names in wanted.items():
            allowed = set(names.split())
            if (task, key, text) == ("prdsa", "rules", "revised"):
                allowed |= {"gold", "silver"}
            assert found(strings[key]) == allowed, f"{task}.{key}"


@looped("code", xd.LANGUAGES)
@looped("task", xd.TASKS)
def test_every_wording_of_the_paper_stands_in_its_printed_prompt(code: str, task: str) -> None:
    prompt = "\n".join(GOLDEN[f"{task}.{code}"])
    for key, text in load_language(code).strings(task).items():
        if found(text) == {"id"}:
            text = text.replace("{id}", "A0000")  # noqa: PLW2901
            pattern = re.escape(text).replace("A0000", "[A-Z][0-9]{4}")
        else:
            pattern = re.sub(r"\\\{[a-z0-9]+\\\}", ".+", re.escape(text))
        assert re.search(pattern, prompt), f"{key} is not in the prompt"


def test_default_set_and_order() -> None:
    assert xd.LANGUAGES == ("en", "ar", "hi", "ja", "ta", "te", "zh")
    files = {path.stem for path in FOLDER.glob("*.toml")} - {"format_blocks"}
    assert available() == (*xd.LANGUAGES, *sorted(files - set(xd.LANGUAGES)))
    assert [code for code in available() if load_language(code).default] == list(xd.LANGUAGES)
    assert set(codes()) >= set(available())  # the reader knows each of them


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a = " + b"[" * 100_000, "nested"),
        (b"a = " + b"{a = " * 50_000, "nested"),
        (b"a = '\xff'", "UTF-8"),
    ],
)
def test_a_hostile_toml_file_is_one_line(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "own.toml"
    path.write_bytes(data)
    instance = xd.generate("slt", complexity=2)
    for action in (lambda: read_settings(path), lambda: xd.render(instance, "en", str(path))):
        with pytest.raises(ValueError, match=message) as error:
            action()
        assert len(str(error.value).splitlines()) == 1


@looped("code", available())
def test_names_and_directions_are_those_of_cldr(code: str) -> None:
    babel = pytest.importorskip("babel")
    locale = babel.Locale.parse(code)
    language = load_language(code)
    # Benchmarks say Bengali; in Indonesian and Malay a language is named with "Bahasa".
    assert language.name == {"bn": "Bengali"}.get(code, locale.get_display_name("en"))
    own = locale.get_display_name(code).lower().replace("\u2018", "\u02bb")
    assert language.native_name.lower().removeprefix("bahasa ") == own
    wanted = "rtl" if locale.text_direction == "rtl" else "ltr"
    assert language.direction == wanted
