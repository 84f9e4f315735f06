"""Languages by whatever people write."""

from __future__ import annotations

from tests.looping import looped
from xlgo_cli.harness.options import parse
from xlgo_dataset.text.language_codes import code_of
from xlgo_dataset.text.languages import available, load_language


@looped(
    ("text", "code"),
    [
        ("telugu", "te"), ("EN", "en"), ("zh-CN", "zh"), ("tel_Telu", "te"), ("తెలుగు", "te"),
        ("zho_Hans", "zh"), ("pt-BR", "pt"), ("es-419", "es"), ("fil", "fil"), ("arb_Arab", "ar"),
        ("Hindi", "hi"), ("swh", "sw"),
        # Another script than that of the prompts, and what is no language of xlgo.
        ("zh_Hant", "zh_Hant"), ("zh-TW", "zh-TW"), ("te_Latn", "te_Latn"), ("xx", "xx"),
        ("english_rules", "english_rules"), ("", ""),
    ],
)  # fmt: skip
def test_what_is_meant(text: str, code: str) -> None:
    assert code_of(text) == code


def test_every_language_has_its_code_and_names() -> None:
    for code in available():
        own = load_language(code)
        assert {code_of(code), code_of(own.name), code_of(own.native_name)} == {code}


def test_on_the_command_line() -> None:
    request = parse(["--model", "dummy", "--languages", "English", "telugu,EN", "--limit", "1"])
    assert request.metadata["languages"] == "en,te"
