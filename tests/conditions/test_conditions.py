"""Rows under conditions: what the text says is the instance; what is refused; lengths; logs."""

import importlib.util
import json
import random
import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

import xlgo_dataset as xd
import xlgo_metric as xm
from tests.looping import looped
from tests.report.logs import DATE, LATER, sample, write_run
from xlgo_cli.logs.results import find_run, read_samples
from xlgo_dataset.families.xlgobench import conditions, instances
from xlgo_dataset.families.xlgobench.conditions import length
from xlgo_dataset.families.xlgobench.conditions.romanised import LANGUAGES as ROMANISED
from xlgo_dataset.text.document import read_list
from xlgo_lm_eval.tasks import utils
from xlgo_metric.families.xlgobench.conditions import contrasts

FAMILY = xd.family("xlgobench")
SMALL: dict[str, Any] = {"complexities": [5], "per_level": 2}


def rows(task: str, languages: list[str], **options: Any) -> list[dict[str, Any]]:
    return list(FAMILY.rows(task, languages, **SMALL, **options))


def test_ids_and_references() -> None:
    found = rows("dsa", ["en", "te"], conditions=("plain", "english_rules", "native_format"))
    assert [row["id"].removeprefix(row["instance_id"]) for row in found[:4]] == [
        "-en", "-te", "-te:english_rules", "-te:native_format",
    ]  # fmt: skip
    for row in found:
        reference = json.loads(row["reference"])
        name = reference.get("condition", "plain")
        assert row["id"].endswith("" if name == "plain" else f":{name}")
        assert reference["language"] == row["language"]
        assert reference["instance_id"] == row["instance_id"]
        assert FAMILY.prompt(reference, "paper") == row["prompt"]
        assert xm.grade(row["answer"], reference).correct
        assert reference["answer"] == xd.solve(
            xd.generate("dsa", complexity=5, index=row["index"])
        )  # plain under every condition
    assert len({row["id"] for row in found}) == len(found)
    assert len({row["instance_id"] for row in found}) == 2


def test_the_harness_makes_the_same_prompts() -> None:
    names = "plain,english_lines,native_format,length_matched"
    docs = utils.load(
        xlgo_family="xlgobench",
        xlgo_task="dsa",
        xlgo_options=",".join(FAMILY.options("dsa")),
        languages="en,te",
        conditions=names,
        **SMALL,
    )["test"]
    wanted = rows("dsa", ["en", "te"], conditions=names)
    assert [doc["id"] for doc in docs] == [row["id"] for row in wanted]
    assert [utils.doc_to_text(doc) for doc in docs] == [row["prompt"] for row in wanted]
    values = [utils.process_results(doc, [row["answer"]]) for doc, row in zip(docs, wanted)]
    plain = [value for value in values if value]  # the harness's table is that of plain questions
    assert len(plain) == sum("condition" not in json.loads(row["reference"]) for row in wanted)
    assert all(value["acc"] == 1.0 for value in plain)
    assert {value["smd_te"][2][1] for value in plain} == {"en", "te"}


@pytest.mark.parametrize(
    ("task", "languages", "options", "said"),
    [
        ("slt", "en,te", {"conditions": "english_names"}, "slt: the condition english_names"),
        ("dsa", "te", {"conditions": "plain,english"}, "'plain,english' must be names of plain,"),
        ("dsa", "te", {"conditions": ""}, "conditions='' must be names of plain,"),
        ("dsa", "te", {"conditions": 3}, "=3 must be names of .*, joined by commas or in a list"),
        ("dsa", "ur", {"conditions": "romanised"}, "dsa ur: the condition romanised is for hi"),
        ("slt", "zh", {"conditions": "length_matched"}, "slt zh: length_matched: a prompt of 5"),
        (
            "dsa",
            "te",
            {"conditions": "length_matched", "condition_tokenizer": "no/such"},
            "tokenizer 'no/such' cannot be loaded",
        ),
    ],
)
def test_what_is_refused(task: str, languages: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        rows(task, languages.split(","), **options)


SIZE_OF = {"slt": 12, "dsa": 6, "prdsa": 10, "graph_sp": 30, "t_rank": 33}
LIBRARIES = ("uroman", "pypinyin", "cutlet", "unidic_lite")


def languages(name: str) -> list[str]:
    """The languages that a condition has."""
    every = ROMANISED if name == "romanised" else xd.available()
    return [code for code in xd.available() if code in every and code != "en"]


def prompts(task: str, name: str, text: str, codes: list[str]) -> list[tuple[str, str]]:
    """Languages and prompts of one instance, through the rows."""
    options: dict[str, Any] = {"condition_tokenizer": "characters"}
    if name == "length_matched":
        pytest.importorskip("mistral_common")
        options["condition_tokenizer"] = "tekken"
    rows = FAMILY.rows(
        task, codes, complexities=[SIZE_OF[task]], per_level=1, seed=9, conditions=name, text=text,
        **options,
    )  # fmt: skip
    return [(row["language"], row["prompt"]) for row in rows]


@pytest.mark.parametrize("task", SIZE_OF)
@pytest.mark.parametrize("name", conditions.CONDITIONS)
@pytest.mark.parametrize("third", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 2))])
def test_prompts_are_read_back_and_solved(task: str, name: str, third: int) -> None:
    """By default in a third of the languages: every two of task, condition, language meet."""
    if name == "english_names" and task not in ("dsa", "prdsa"):
        pytest.skip("its lines name no rooms or keys")
    if name == "romanised" and not all(map(importlib.util.find_spec, LIBRARIES)):
        pytest.skip("the libraries are not installed")
    instance = xd.generate(task, complexity=SIZE_OF[task], seed=9)
    texts = xd.TEXTS[1:] if name == "length_matched" else xd.TEXTS
    codes = languages(name)
    # Each language in one of the wordings; the six tasks begin at another one.
    first = list(SIZE_OF).index(task)
    for number, text in enumerate(texts):
        asked = codes[(number + first) % len(texts) :: len(texts)]
        asked = asked[(third + first + list(conditions.CONDITIONS).index(name)) % 3 :: 3]
        for language, prompt in prompts(task, name, text, asked):
            again = xd.read(task, prompt, language, text, condition=name)
            assert again == instance, (language, text)
            assert xd.solve(again) == xd.solve(instance)


def lines_of(prompt: str) -> list[str]:
    """The lines with data, told by two identifiers in them."""
    return [
        re.sub("[A-Z][0-9]{4}", "#", line)
        for line in prompt.splitlines()
        if line.startswith("- ") or re.match(r"\d+\. .*[A-Z]\d{4}.*[A-Z]\d{4}", line)
    ]


def around(prompt: str) -> list[str]:
    """The lines of a prompt without data."""
    data = re.compile(r"- |\d+\. .*[A-Z]\d{4}.*[A-Z]\d{4}")
    return [line for line in prompt.splitlines() if not data.match(line)]


@looped("language", ["te", "ar", "ja", "es"])
@looped("task", ["slt", "graph_sp", "t_rank"])
def test_blocks_come_from_the_language_that_they_should(task: str, language: str) -> None:
    """Without names, the prompts of two conditions are those of two languages, lines swapped."""
    instance = xd.generate(task, complexity=SIZE_OF[task], seed=4)
    english, own = xd.render(instance, "en"), xd.render(instance, language)
    rules = xd.render(instance, language, condition="english_rules")
    lines = xd.render(instance, language, condition="english_lines")
    assert lines_of(rules) == lines_of(own) != lines_of(english)
    assert (lines_of(lines), around(rules)) == (lines_of(english), around(english))
    assert around(lines)[:-1] == around(own)[:-1]  # the last paragraph is the format, in English
    assert around(lines)[-1] == around(own)[-1] == around(english)[-1]
    assert xd.render(instance, language, condition="english_format") == own


@looped("task", ["dsa", "prdsa"])
@looped("code", languages("english_rules"))
def test_a_sample_answer_has_the_rooms_of_the_lines_and_the_words_of_the_rules(
    task: str, code: str
) -> None:
    """Words that a language inflects otherwise in a mixed prompt stand there as its file says."""
    instance = xd.generate(task, complexity=9)
    english, own = (
        re.split(r"(?=\{)|(?<=\})", xd.load_language(one).strings(task)["example"])
        for one in ("en", code)
    )
    for name, words, rooms in (("english_names", own, english), ("english_rules", english, own)):
        prompt = xd.render(instance, code, condition=name)
        assert words[0] + rooms[1] in prompt
        for key, string in xd.load_language(code).conditions.get(name, {}).items():
            parts = re.split(r"\{\w+\}", string.text) if key.startswith(f"{task}_") else []
            assert all(part in prompt for part in parts), (name, key)


@looped(("language", "package"), [("hi", "uroman"), ("zh", "pypinyin"), ("ja", "unidic_lite")])
def test_a_missing_library_is_named(
    monkeypatch: pytest.MonkeyPatch, language: str, package: str
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name != package or None)
    with pytest.raises(ValueError, match=f"package {package} for {language}, which is not"):
        rows("slt", [language], conditions="romanised")


SIZES = {"slt": [4, 40], "dsa": [4, 32], "prdsa": [9, 25], "graph_sp": [12, 70], "t_rank": [6, 100]}


@pytest.fixture(scope="module")
def count() -> Callable[[str], int]:
    """Tokens of a text."""
    mistral = pytest.importorskip("mistral_common.tokens.tokenizers.mistral")
    encode = mistral.MistralTokenizer.v3(is_tekken=True).instruct_tokenizer.tokenizer.encode
    return lambda text: len(encode(text, False, False))


@pytest.mark.parametrize("task", SIZES)
def test_lengths_are_within_two_percent(task: str, count: Callable[[str], int]) -> None:
    found = list(FAMILY.rows(
        task, ["zh", "te"], complexities=SIZES[task], per_level=1, text="revised",
        conditions="plain,length_matched", condition_tokenizer="tekken",
    ))  # fmt: skip
    for plain, matched in zip(found[::2], found[1::2]):
        wanted, reached = count(plain["prompt"]), count(matched["prompt"])
        assert abs(reached - wanted) <= 0.02 * wanted
        reference = json.loads(matched["reference"])
        assert (reference["tokenizer"], reference["tokens"]) == ("tekken", [wanted, reached])
        assert reference["language"] == matched["language"] == plain["language"]
        assert FAMILY.prompt(reference, "revised") == matched["prompt"]  # without the tokenizer
        asked = xd.read(task, plain["prompt"], plain["language"], "revised")
        english = xd.render(asked, "en", "revised")
        left = [line for line in matched["prompt"].splitlines() if line in english.splitlines()]
        assert left == english.splitlines()  # nothing of it is lost or moved


@pytest.mark.parametrize("task", SIZES)
def test_filler_says_nothing_of_the_puzzle(task: str) -> None:
    template = instances.PUZZLES[task].template(xd.load_language("en").strings(task))
    forbidden = re.compile(
        r"\d|[A-Z]\d|\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|first|second|third|"
        r"twice|once|half|hundred|dozen|gold|silver|keys?|rooms?|friends?|neighbou?rs?|classmates?|"
        r"coworkers?|relatives?|gifts?|gifted|fees?|factor|multiplied|balance|"
        r"defeat(?:ed)?|beat|won|lost|winner|"
        r"probability|trigger|transition|chain|path|rank(?:ing)?|shortest)\b",
        re.IGNORECASE,
    )
    assert len(set(length.pool(task))) == len(length.pool(task)) >= 25
    for sentence in length.pool(task):
        assert not forbidden.search(sentence), sentence
        assert sentence.endswith(".")
        for line in (f"- {sentence}\n", f"{sentence}\n"):
            with pytest.raises(ValueError, match="should stand"):
                read_list(line, 0, template)


def test_two_runs_of_one_folder_are_put_together(tmp_path: Path) -> None:
    for date, names in ((DATE, ("plain", "english_rules")), (LATER, ("plain", "native_format"))):
        asked = rows("dsa", ["te"], conditions=names)
        samples = [sample(row, row["answer"], number) for number, row in enumerate(asked)]
        write_run(tmp_path, task="dsa", languages=("te",), date=date, samples=samples)
    found = [
        (s.reference["instance_id"], s.reference.get("condition"))
        for s in read_samples(find_run(tmp_path))
    ]
    assert len(found) == len(set(found)) == 2 * 3  # the plain ones count once


# Two tasks, three languages and five conditions with lost answers: every contrast by fractions.


ASKED_SIZES = {"slt": {10: 6, 20: 9, 30: 4}, "dsa": {5: 8, 6: 5}}
"""Questions of each complexity."""
ASKED: dict[str, dict[str, float]] = {
    "en": {"plain": 0.9},
    "te": {"plain": 0.4, "english_rules": 0.5, "english_lines": 0.7, "length_matched": 0.8},
    "hi": {"plain": 0.6, "native_format": 0.3, "romanised": 0.5},
}


@cache
def records() -> tuple[xm.Record, ...]:
    """Of the questions under one condition only a half was asked plainly; some answers are lost."""
    rng = random.Random(41)
    return tuple(
        xm.Record(xm.Grade(status == "correct", status, status == "correct"), {
            "family": "xlgobench", "task": task, "language": code, "complexity": size,
            "instance_id": f"{task}-{size}-{index}", "data": 1, "text": "paper",
            **({} if name == "plain" else {"condition": name}),
        })
        for task, sizes in ASKED_SIZES.items()
        for code, chances in ASKED.items()
        for name, chance in chances.items()
        if (task, name) != ("dsa", "native_format")
        for size, n in sizes.items()
        for index in range(n)
        if (task, code, name) != ("slt", "hi", "plain") or index % 2 == 0
        if rng.random() > 0.05
        for status in [STATUSES[2] if rng.random() < chance else rng.choice(STATUSES[:2])]
    )  # fmt: skip


STATUSES: Any = ("wrong", "no_answer", "correct")


@cache
def found() -> tuple[dict[str, Any], list[str]]:
    return contrasts(xm.AnswerTable.of_records(records()), "en")


def of(task: str, code: str, name: str) -> dict[tuple[int, str], xm.Record]:
    return {
        (one.reference["complexity"], one.reference["instance_id"]): one
        for one in records()
        if (one.reference["task"], one.reference["language"]) == (task, code)
        and one.reference.get("condition", "plain") == name
    }


def levels_alike(right: dict[tuple[int, str], int]) -> Fraction:
    return mean(
        mean(Fraction(n) for key, n in right.items() if key[0] == size)
        for size in {size for size, _ in right}
    )


def expected() -> dict[
    tuple[str, str, str], tuple[str, dict[Any, xm.Record], dict[Any, xm.Record]]
]:
    """Of each contrast what it is against, and the answers of both on common questions."""
    made = {}
    for task in ASKED_SIZES:
        for code, names in ASKED.items():
            for name in names if code != "en" else ():
                if not (other := of(task, code, name)):
                    continue
                is_english = name in ("plain", "length_matched")
                base = of(task, "en", "plain") if is_english else of(task, code, "plain")
                common = base.keys() & other.keys()
                made[task, code, name] = (
                    "english" if is_english else "plain",
                    {key: base[key] for key in common},
                    {key: other[key] for key in common},
                )
    return made


def test_every_contrast_is_on_the_questions_of_its_own_task_and_language() -> None:
    cells = {
        (one["where"]["task"], one["where"]["language"], one["other"]): one
        for one in found()[0]["contrasts"]
    }
    assert cells.keys() == expected().keys()
    for key, (against, base, other) in expected().items():
        cell = cells[key]
        first, second = (
            {name: int(one.grade.correct) for name, one in side.items()} for side in (base, other)
        )
        assert (cell["baseline"], cell["n"]) == (against, len(base))
        assert cell["baseline_accuracy"] == pytest.approx(float(levels_alike(first)))
        assert cell["accuracy"] == pytest.approx(float(levels_alike(second)))
        gains = [first[name] - second[name] for name in first]
        assert cell["discordant"] == [gains.count(1), gains.count(-1)]


def test_every_condition_is_counted() -> None:
    counts = found()[0]["asked"]
    for task in ASKED_SIZES:
        for code, names in ASKED.items():
            own = counts[task][code]
            assert own.keys() == {name for name in names if of(task, code, name)}
            for name, numbers in own.items():
                every = list(of(task, code, name).values())
                right = sum(one.grade.correct for one in every)
                assert (numbers["n"], numbers["correct"]) == (len(every), right)
                assert numbers["accuracy"] == pytest.approx(right / len(every))
                read = sum(one.grade.status != "no_answer" for one in every)
                assert numbers["parsed"] == pytest.approx(read / len(every))


def test_warnings_name_the_conditions_with_few_plain_questions() -> None:
    warnings = found()[1]
    table = xm.AnswerTable.of_records(records())
    other, told = contrasts(table, "hi")
    assert not [cell for cell in other["contrasts"] if cell["other"] == "length_matched"]
    assert "slt/te: length_matched is in English: no contrast to 'hi'" in told
    (_, alone) = contrasts(table.where(language="te"), "en")
    assert {f"{task}/te: no plain questions in 'en': no gap" for task in ASKED_SIZES} <= {*alone}
    few = {
        (task, code, name): (len(base), len(of(task, code, name)))
        for (task, code, name), (_, base, _) in expected().items()
        if name != "plain" and len(base) < 0.8 * len(of(task, code, name))
    }
    assert few.keys() == {("slt", "hi", "native_format"), ("slt", "hi", "romanised")}
    assert warnings == [
        f"{task}/{code}: {common} of {n} questions under {name} were answered plainly, too: only "
        "these are compared; ask all conditions together with plain"
        for (task, code, name), (common, n) in few.items()
    ]
