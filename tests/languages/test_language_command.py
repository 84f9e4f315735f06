"""``xlgo language``."""

from pathlib import Path

import pytest

from xlgo_cli.cli import build_parser
from xlgo_dataset.text.languages import available, load_language


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


@pytest.mark.parametrize("script", ["Klingon", "", "Latin, Klingon", "La"])
def test_new_refuses_a_script_that_unicode_does_not_have(script: str, folder: Path) -> None:
    with pytest.raises(ValueError, match="Unicode has no such script"):
        run("new", "qaa", *NEW[:-1], script, folder=folder)
    assert not (folder / "qaa.toml").exists()


@pytest.mark.parametrize("code", ["te", "format_blocks"])
def test_new_refuses_what_exists(code: str, folder: Path) -> None:
    before = (folder / f"{code}.toml").read_bytes()
    with pytest.raises(ValueError, match=r"already there|lower-case letters"):
        run("new", code, *NEW, folder=folder)
    assert (folder / f"{code}.toml").read_bytes() == before


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
