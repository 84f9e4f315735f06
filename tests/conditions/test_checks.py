"""What language files hold for conditions: the rules, and a language that brings its own."""

import xlgo_dataset as xd
from tests.languages.rules import problems
from tests.looping import looped
from xlgo_dataset.text.languages import format_blocks


@looped("code", xd.available())
def test_every_file_keeps_the_rules_and_says_who_wrote_it(code: str) -> None:
    language = xd.load_language(code)
    assert [text for text in problems(language) if text.startswith("conditions")] == []
    assert language.conditions_status == "machine-written, not audited"
    tables = set(language.conditions)
    if code == "en":
        assert tables == {"filler"}
    else:
        inflected = {"english_rules", "english_names"}
        assert tables - inflected == {*format_blocks()}
