"""What is said to be known of benchmarks, against the task files of the installed harness."""

import re
from pathlib import Path

import lm_eval
import pytest

from tests.looping import looped
from xlgo_cli.parallel.answers import without_language
from xlgo_cli.parallel.known import KNOWN, Benchmark, baseline_in, benchmark_of, matches

TASKS = Path(lm_eval.__file__).parent / "tasks"
FOLDERS = {
    "mgsm": "mgsm", "global": "global_mmlu", "mmlu": "mmlu_prox", "belebele": "belebele",
    "xcopa": "xcopa", "xstorycloze": "xstorycloze", "xnli": "xnli", "paws": "paws-x",
}  # fmt: skip


USABLE = [one for one in KNOWN if not one.refused]


@looped("one", USABLE)
def test_the_harness_has_such_tasks(one: Benchmark) -> None:
    folder = TASKS / FOLDERS[one.pattern.split("_")[0]]
    texts = {path: path.read_text("utf-8") for path in folder.rglob("*yaml*")}
    whole = "".join(texts.values())
    assert (one.filter or "") in whole
    # A place in the data is one among what is left, so it must not pair questions there.
    assert "process_docs" not in whole or one.key
    there = {
        name
        for path, text in texts.items()
        if path.suffix == ".yaml"
        for name in re.findall(r"^task: *([\w-]+) *$", text, re.MULTILINE)
    }
    if one.pattern.startswith("mmlu_prox_lite") and not any("lite" in name for name in there):
        pytest.skip("this release of the harness has no MMLU-ProX-Lite")
    found = matches(one.pattern, there)
    assert len(found) >= 5
    if "xcopa" in one.pattern:
        with pytest.raises(ValueError, match="give --baseline"):
            baseline_in(found, None)
        assert baseline_in(found, "it") == "it"
    else:
        assert baseline_in(found, None).startswith("en")
    subjects = {frozenset(tasks) for tasks in found.values()}
    assert len(subjects) == 1  # the same subjects in every language
    assert ("*" in one.pattern) == (subjects != {frozenset([""])})


def test_a_pattern_finds_language_and_subject() -> None:
    tasks = ["global_mmlu_te_stem", "global_mmlu_en_social_sciences", "global_mmlu_full_te_law"]
    assert matches("global_mmlu_{lang}_*", tasks) == {
        "en": {"social_sciences": "global_mmlu_en_social_sciences"},
        "te": {"stem": "global_mmlu_te_stem"},
    }
    assert matches("global_mmlu_full_{lang}_*", tasks) == {"te": {"law": "global_mmlu_full_te_law"}}
    assert list(matches("b_{lang}", ["b_tel_Telu", "b_zho_Hans", "b_easy", "ab_te"])) == [
        "tel_Telu",
        "zho_Hans",
    ]
    assert list(matches("b_{lang}", ["b_spanish", "b_en"], ["spanish", "en"])) == ["en", "spanish"]


@pytest.mark.parametrize("one", [one for one in KNOWN if one.refused], ids=lambda one: one.pattern)
def test_what_is_not_parallel_is_refused(one: Benchmark) -> None:
    with pytest.raises(ValueError, match="cannot be paired"):
        benchmark_of(one.pattern)


def test_an_id_without_its_language_is_that_of_the_question() -> None:
    cases = {
        ("mgsm-17-te", "te"): "mgsm-17-*", ("te/x/3", "te"): "*/x/3",
        ("link-2-eng_Latn", "eng_Latn"): "link-2-*", ("latest-te.2", "te"): "latest-*.2",
        ("e.g", "eg"): "e.g",
    }  # fmt: skip
    assert {case: without_language(*case) for case in cases} == cases
