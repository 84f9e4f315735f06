"""Clusters and languages of logs, the numbers against SciPy, benchmarks of the harness."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import lm_eval
import pandas as pd
import pytest

from tests.looping import looped
from xlgo_cli.logs.lines import Problems, SampleFile
from xlgo_cli.logs.results import find_run
from xlgo_cli.parallel.answers import without_language
from xlgo_cli.parallel.comparing import Options, answer_table, parts_of
from xlgo_cli.parallel.pairing import (
    KNOWN,
    Benchmark,
    Paired,
    baseline_in,
    benchmark_of,
    cluster_field,
    matches,
    pair,
)


def answers(language: str, right: list[bool]) -> pd.DataFrame:
    """Answers to as many questions, in their order, the right answer of each its number."""
    file = SampleFile(Path("x"), f"task_{language}", "2026", "model")
    numbers = range(len(right))
    return pd.DataFrame({
        "language": language, "subject": "", "doc_id": numbers, "file": file, "place": numbers,
        "correct": right, "logged": right, "target": numbers, "repeat": 0,
        "prompt": [f"{language} {n}" for n in numbers],
    })  # fmt: skip


def paired(first: list[bool], second: list[bool]) -> Paired:
    return pair(answers("en", first), answers("te", second), (), "target")


def with_field(name: str, en: Sequence[object], te: Sequence[object]) -> Paired:
    """Two languages whose documents have a field; each question has an answer of its own."""
    found = paired([True] * len(en), [True] * len(te))
    column = f"field {name}"
    return found._replace(
        base=found.base.assign(**{column: en}), other=found.other.assign(**{column: te})
    )


TWOS, SIXTY = [n // 2 for n in range(12)], [n // 2 for n in range(60)]
ALIKE = ("passage", TWOS, [f"te {n}" for n in TWOS])
UNLIKE = ("passage", TWOS, [*TWOS[1:], 9])


def clusters(found: Sequence[Paired], field: str | None = None, by: Sequence[str] = ()) -> str:
    return cluster_field(found, {"passage": "p", "page": 3, "year": 1999}, field, "", by)


@pytest.mark.parametrize(
    ("documents", "field", "by", "expected"),
    [
        ([ALIKE], None, (), "passage"),
        *(([ALIKE], name, (), name) for name in ("subject", "year", "none")),
        ([UNLIKE], None, (), "none"),
        ([ALIKE, UNLIKE], None, (), "none"),  # in every language
        ([("passage", range(12), range(12))], None, (), "none"),  # a question has its own
        ([("page", TWOS, TWOS)], None, (), "none"),  # six short values: a category,
        ([("page", TWOS, TWOS)], "page", (), "page"),  # unless it is named
        ([("page", SIXTY, SIXTY)], None, (), "page"),
        ([("page", SIXTY, SIXTY)], None, ("page",), "none"),
        ([("year", SIXTY, SIXTY)], None, (), "none"),  # whatever its values
    ],
)
def test_a_field_is_a_cluster_where_it_repeats_alike_in_every_language(
    documents: Any, field: str | None, by: Sequence[str], expected: str
) -> None:
    assert clusters([with_field(*one) for one in documents], field, by) == expected


def test_another_form_of_the_answer_is_no_cluster() -> None:
    many = with_field("page", SIXTY, SIXTY)
    follows = many._replace(
        base=many.base.assign(target=many.base["field page"]),
        other=many.other.assign(target=many.other["field page"]),
    )
    assert clusters([follows]) == "none"


def test_answers_have_the_clusters_of_the_baseline() -> None:
    alike = with_field(*ALIKE)
    with pytest.raises(ValueError, match="no such field: choose among none, subject, passage"):
        clusters([alike], "story")
    names = answer_table([alike], "passage", "x").frame["cluster"]
    assert list(names) == [f"parallel {n}" for n in TWOS] * 2
    assert answer_table([alike], "none", "x").frame["cluster"].nunique() == 12


DATE = "2026-03-01T10-00-00"


def logs(folder: Path, tasks: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """The files of tasks, by name, from what their questions are."""
    for task, docs in tasks.items():
        lines = [
            {"doc_id": n, "doc": doc, "target": "1", "acc": 1.0, "resps": [["1"]]}
            for n, doc in enumerate(docs)
        ]
        path = folder / f"samples_{task}_{DATE}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return {file.task: file for file in find_run(folder).files}


def found(
    files: dict[str, Any], pattern: str = "*", field: str | None = None, languages: Any = ()
) -> tuple[str, dict[str, dict[str, str]]]:
    options = Options(language_by=field, languages=tuple(languages))
    split, by_language = parts_of(Benchmark(pattern), files, options, Problems())
    assert list(by_language) == sorted(by_language)
    return str(split), {
        code: {subject: log.file.task for subject, log in own.items()}
        for code, own in by_language.items()
    }


def docs(*codes: str, name: str = "lang", **more: str) -> list[dict[str, Any]]:
    return [{name: code, "number": n, **more} for n, code in enumerate(codes)]


def test_each_task_of_a_pattern_is_a_subject_of_the_languages_that_it_has(tmp_path: Path) -> None:
    files = logs(
        tmp_path,
        {"law": docs("te", "en", "hi"), "art": docs("en", "te"), "other": docs("en", "de")},
    )
    both = {"law": "law", "art": "art"}
    assert found(files, "[la]*") == ("lang", {"en": both, "hi": {"law": "law"}, "te": both})
    assert found(files, "law") == ("lang", {code: {"": "law"} for code in ("en", "hi", "te")})
    assert found(files, "[la]*", languages=["te", "en"]) == ("lang", {"en": both, "te": both})
    with pytest.raises(ValueError, match=r"names fewer than two languages \(te\)"):
        found(files, "law", languages=["te"])
    with pytest.raises(ValueError, match="no task of the run fits: there are art, law, other"):
        found(files, "none*")


def test_the_field_is_one_that_every_question_of_every_task_has(tmp_path: Path) -> None:
    """A usual name comes before codes, and what names one language only is none."""
    first = [{**one, "code": other} for one, other in zip(docs("en", "te"), ("en", "de"))]
    second = [{**one, "code": "en"} for one in docs("hi", "en")]
    files = logs(tmp_path / "a", {"a": first, "b": second})
    assert found(files)[0] == "lang"
    assert found(files, field="code")[1] == {"de": {"a": "a"}, "en": {"a": "a", "b": "b"}}
    files = logs(tmp_path / "b", {"a": first, "b": [{"code": "en"}, {"code": "hi", "lang": "hi"}]})
    assert found(files)[0] == "code"
    ids = [{"id": f"q{n}-{code}", "subset": "s"} for n in range(3) for code in ("en", "te")]
    for number, (tasks, field, words) in enumerate(
        [
            ((docs("x1", "y2", name="kind"), docs("en", "te", name="kind")), None,
             "no field of the questions names their language"),
            ((docs("hi", "te", name="tongue"), docs("ja", "zh", name="tongue")), None,
             "give --language-by FIELD, among tongue"),  # codes without English may be anything
            ((ids, ids), "subset", "'subset' names fewer than two languages"),
        ]
    ):  # fmt: skip
        files = logs(tmp_path / f"{number}", dict(zip("ab", tasks)))
        with pytest.raises(ValueError, match=words):
            found(files, field=field)
        if "tongue" in words:
            assert set(found(files, field="tongue")[1]) == {"hi", "ja", "te", "zh"}


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
