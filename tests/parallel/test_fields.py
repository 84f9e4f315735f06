"""Logs with the languages in a field: which field it is, and which files have which language."""

import json
from pathlib import Path
from typing import Any

import pytest

from xlgo_cli.logs.lines import Problems
from xlgo_cli.logs.results import find_run
from xlgo_cli.parallel.comparing import Options, parts_of
from xlgo_cli.parallel.known import Benchmark

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
