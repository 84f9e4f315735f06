"""What the language files say about their readers, and the pages that show it."""

import xlgo_dataset as xd
from tests.looping import looped
from xlgo_dataset.text.languages import available, load_language

READ = tuple(code for code in available() if "second_reader" in load_language(code).review)


def test_every_machine_written_language_was_read_twice() -> None:
    assert set(READ) >= set(xd.LANGUAGES[1:])
    for code in available():
        review = load_language(code).review
        if review["status"].startswith("machine-written"):
            assert code in READ
            assert review["first_reader"]
            assert "no native speaker" in review["second_reader"]


def test_unaudited_texts_never_prove_a_gap() -> None:
    for code in available():
        language = load_language(code)
        written = any(
            string.source in ("machine-written", "rebuilt")
            for keys in language.tasks.values()
            for string in keys.values()
        )
        for task, judged in language.attribution.items():
            strings = language.tasks[task].values()
            if language.review["status"] != "audited" and written:
                machine = {string.source for string in strings} & {"machine-written", "rebuilt"}
                assert not machine or judged.paper != "yes", f"{code} {task}"
            if any(string.revised for string in strings):
                assert judged.revised != "yes", f"{code} {task}: no speaker read the revision"
            else:
                assert judged.revised in (judged.paper, "limited")


def test_rows_name_the_version_of_their_strings() -> None:
    """Another revision or version of one language's strings shows in its own rows only."""
    import json

    import xlgo_dataset as xd

    told = {}
    for code, text in (("en", "revised"), ("te", "revised"), ("te", "paper"), ("ko", "paper")):
        row = next(xd.family("xlgobench").rows("slt", [code], preset="smoke", text=text))
        reference = json.loads(row["reference"])
        told[code, text] = (reference["text"], reference["data"])
    te, ko = load_language("te"), load_language("ko")
    assert told["en", "revised"] == ("revised", xd.DATA_VERSION)
    assert told["te", "revised"] == (f"revised.{te.revised_revision}", xd.DATA_VERSION)
    assert told["te", "paper"] == ("paper", xd.DATA_VERSION)
    assert told["ko", "paper"] == ("paper", ko.data_version)
    assert ko.data_version > xd.DATA_VERSION


@looped(
    ("task", "language", "text", "status"),
    [
        ("slt", "en", "paper", "native-written"),
        ("slt", "en", "revised", "native-written"),  # it has no revision
        ("prdsa", "en", "revised", "edited"),
        ("slt", "zh", "paper", "audited"),  # by the paper's annotators
        ("slt", "zh", "revised", "edited"),
        ("slt", "te", "paper", "machine-written"),  # two passages are lost in print
        ("prdsa", "ta", "paper", "edited"),  # repaired from print
        ("slt", "yo", "paper", "machine-written"),
        ("travel", "te", "paper", "machine-written"),
        ("proof_tree", "en", "paper", "native-written"),
        ("proof_tree", "en", "parallel", "machine-written"),
        ("polymath", "te", "paper", ""),
    ],
)
def test_every_wording_has_a_status(task: str, language: str, text: str, status: str) -> None:
    assert xd.wording_status(task, language, text) == status
