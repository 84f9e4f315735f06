"""Every generated task: independent confirmation, the JSON form, the languages.

The checkers themselves are held against the paper's printed examples.
"""

import json
import re
import unicodedata
from itertools import pairwise
from typing import Any
from unittest.mock import Mock, call

import datasets
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import xlgo_dataset as xd
from tests.looping import looped
from xlgo_dataset.families.simple_reasoning import counting, logic, questions
from xlgo_dataset.families.simple_reasoning.tasks.logic_negation import negate
from xlgo_metric.core import read_toml

from .checks import answers, confirm, grids, parse

simple_reasoning: Any = xd.family("simple_reasoning")

GRIDS = grids()
SETTINGS = [(task, i) for task, grid in GRIDS.items() for i in range(len(grid))]
PER_SETTING = 3


@looped(("task", "number"), SETTINGS)
def test_every_setting_is_confirmed_from_the_prompt(task, number):
    for index in range(PER_SETTING):
        confirm(simple_reasoning.generate(task, index=index, seed=5, **GRIDS[task][number]))


@pytest.mark.parametrize("task", questions.GENERATED)
def test_json_form_and_public_functions(task):
    instance = simple_reasoning.generate(task, index=7, seed=2, split="train")
    again = simple_reasoning.instance_from_json(task, json.loads(json.dumps(instance.to_json())))
    assert (again, vars(again.origin)) == (instance, vars(instance.origin))
    assert again.instance_id == instance.instance_id
    assert simple_reasoning.render(again, "en") == simple_reasoning.render(instance, "en")
    assert simple_reasoning.solve(again) == simple_reasoning.solve(instance)
    assert isinstance(instance.complexity, int)


def test_the_default_rows_are_the_papers_grid():
    papers = {
        "word_count": 6, "char_count": 2, "logic_eval": 18, "logic_negation": 18,
        "proof_tree": 6, "irrelevant": 8, "travel": 4,
    }  # fmt: skip
    for task, levels in papers.items():
        found = {(row["level"], row["index"]) for row in simple_reasoning.rows(task, ["en"], n=1)}
        assert found == {(level, 0) for level in range(levels)}, task


def test_every_wording_and_text_has_questions_of_its_own():
    rows = [
        *simple_reasoning.rows("proof_tree", ["en"], n=1, compeq_style=["explicit", "paper"]),
        *simple_reasoning.rows("proof_tree", ["en"], n=1, text="parallel"),
    ]
    assert len({row["id"] for row in rows}) == len({row["prompt"] for row in rows}) == 6 + 6 + 6
    alone, together = (
        [
            row
            for codes in asked
            for row in simple_reasoning.rows("char_count", codes, n=1, text="parallel")
        ]
        for asked in ((["en"], ["hi"]), (["en", "hi"],))
    )
    assert sorted(row["reference"] for row in alone) == sorted(row["reference"] for row in together)


@looped("full", [True, False])
@looped("task", ["logic_eval", "logic_negation"])
def test_formulas_reach_the_depth_unless_they_need_not(task, full):
    drawn = [simple_reasoning.generate(task, full_depth=full, depth=4, index=i) for i in range(9)]
    assert ({each.covariates["depth"] for each in drawn} == {4}) is full


def test_no_passage_of_a_language_comes_twice_before_all_have_come():
    count = len(counting.passages("own:te", "test", 50, 150)[0])
    first, second = (
        [
            simple_reasoning.generate("char_count", source="own:te", seed=seed, index=i).structure[
                "text"
            ]
            for i in range(count)
        ]
        for seed in (0, 1)
    )
    assert sorted(first) == sorted(second) == sorted(set(first))
    assert first != second


@looped(
    ("call", "words"),
    [
        (lambda: simple_reasoning.generate("nothing"), ["nothing", "word_count"]),
        (lambda: simple_reasoning.generate("travel", colour=1), ["colour", "cities"]),
        (lambda: simple_reasoning.generate("travel", cities=True), ["cities", "3", "40"]),
        (lambda: simple_reasoning.generate("travel", cities=3, visit=4), ["3", "4"]),
        (lambda: simple_reasoning.generate("logic_eval", size="huge"), ["huge", "small"]),
        (lambda: simple_reasoning.generate("proof_tree", split="dev"), ["dev", "validation"]),
        (lambda: xd.generate("unpuzzles"), ["rows"]),
        (lambda: simple_reasoning.generate("word_count", m=2000), ["2000"]),
        (lambda: simple_reasoning.generate("word_count", source="/no/such"), ["/no/such", "own"]),
        (lambda: simple_reasoning.options("travel", n=0), ["n=0"]),
        (lambda: simple_reasoning.options("unpuzzles"), ["source"]),
        (lambda: simple_reasoning.options("unpuzzles", colour=1), ["colour", "variant"]),
        (lambda: list(simple_reasoning.rows("word_count", ["zh"])), ["zh", "en"]),
        (lambda: xd.read("travel", "Hello", "en"), ["travel", "reads no prompts"]),
        (lambda: simple_reasoning.instance_from_json("travel", {}), ["structure"]),
        (
            lambda: simple_reasoning.render(simple_reasoning.generate("travel"), "en", "revised"),
            ["revised", "paper"],
        ),
    ],
)
def test_errors_say_what_is_allowed(call, words):
    with pytest.raises(ValueError, match="(?s)" + "".join(f"(?=.*{re.escape(w)})" for w in words)):
        call()


def test_every_leg_of_the_reference_path_is_the_cheapest_and_the_budget_is_their_sum() -> None:
    """Read from the reference alone, as an answer is graded."""
    rows = list(
        xd.family("simple_reasoning").rows("travel", ["en"], n=4, cities=(5, 10), visit=(3, 4))
    )
    assert len(rows) == 16
    dearer = 0
    for row in rows:
        reference = json.loads(row["reference"])
        prices = {(origin, to): by_mode for origin, to, by_mode in reference["edges"]}
        path = reference["answer"]["itinerary"]
        cities = [path[0][0], *(to for _, to, _ in path)]
        assert (cities[0], cities[-1]) == (reference["start"], reference["end"])
        assert len(set(cities)) == len(cities) == reference["visit"]
        assert all(first[1] == second[0] for first, second in pairwise(path))
        for place, (origin, to, mode) in enumerate(path):
            legs = {
                city: min(by_mode.values())
                for (start, city), by_mode in prices.items()
                if start == origin and city not in cities[: place + 1]
            }
            assert prices[origin, to][mode] == legs[to] == min(legs.values())
            dearer += len(set(prices[origin, to].values())) > 1
        assert sum(prices[origin, to][mode] for origin, to, mode in path) == reference["budget"]
    assert dearer


LANGUAGES = sorted(xd.available(), key=lambda code: code != "en")
PARALLEL: dict[str, Any] = {
    "logic_eval": [{"depth": 4, "vocabulary": v} for v in ("movies", "letters", "rand20")],
    "logic_negation": [{"depth": 4, "vocabulary": v} for v in ("movies", "letters", "rand20")],
    "proof_tree": [{"depth": 6, "diverse": True}, {"depth": 6, "diverse": False}],
    "irrelevant": [{"trees": 1, "sentences": 20}],
    "travel": [{"cities": 10, "visit": 4, "modes": 10}],
}


@looped("language", LANGUAGES)
@looped("task", PARALLEL)
def test_every_language_is_confirmed_from_the_prompt(task, language):
    """In one of the settings; the next language takes the next one."""
    index = LANGUAGES.index(language) % len(PARALLEL[task])
    question = simple_reasoning.generate(task, index=index, **PARALLEL[task][index])
    confirm(question, language, "parallel")


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("task", PARALLEL)
def test_the_whole_grid_is_confirmed_from_the_prompt(task, language):
    for row in simple_reasoning.rows(task, [language], n=3, text="parallel"):
        params = json.loads(row["reference"])["params"]
        confirm(simple_reasoning.generate(task, index=row["index"], **params), language, "parallel")


P, Q = ["prop", 0], ["prop", 1]
NOT_P, NOT_Q = ["not", P], ["not", Q]
SOME = ["pred", 0, 0]


@pytest.mark.parametrize(
    ("formula", "key"),
    [
        (P, NOT_P),
        (NOT_P, P),
        (["not", ["and", P, Q]], ["and", P, Q]),
        (["and", P, Q], ["or", NOT_P, NOT_Q]),
        (["or", NOT_P, Q], ["and", P, NOT_Q]),
        (["implies", P, Q], ["and", P, NOT_Q]),
        (["iff", P, Q], ["or", ["and", P, NOT_Q], ["and", NOT_P, Q]]),
        (["forall", 0, SOME], ["exists", 0, ["not", SOME]]),
        (["exists", 0, ["not", SOME]], ["forall", 0, SOME]),
    ],
)
def test_the_printed_rules_of_negation(formula, key):
    assert negate(formula) == key


def test_truth_tables_by_hand():
    for formula, n, table in (
        (["implies", P, Q], 2, 0b1101),
        (["iff", P, Q], 2, 0b1001),
        (["and", P, NOT_Q], 2, 0b0010),
        (["or", ["prop", 2], P], 3, 0b11111010),
    ):
        assert logic.Evaluator(logic.columns(n), 1 << n)(formula) == table


def test_the_right_option_stands_in_every_place():
    found = [simple_reasoning.generate("logic_eval", index=i).answer["choice"] for i in range(60)]
    assert {*found} == {*"ABCD"}


# Paper 002, appendix I.4 (prompt example) and I.7.
BASIC = """Courtney has 14 more apples than Peggie. Ida has 31 apples. The number of apples that
Peggie has more than Courtney is equal to the difference between the number of apples that Amy and
Ida have. Dian has 13 apples. Prudence gives 7 apples to Dian. Jose has 13 more apples than Agatha.
Wilson has 40 apples. The number of apples that Agatha has more than Jose is equal to the difference
between the number of apples that Georgia and Wilson have. Lacie has 13 more apples than Federico.
The number of apples that Federico has more than Lacie is equal to the difference between the number
of apples that Annabelle and Georgia have. The number of apples that Dian has more than Amy is equal
to the difference between the number of apples that Nellie and Annabelle have. Arleth has 4 more
apples than Mathew. The number of apples that Mathew has more than Arleth is equal to the difference
between the number of apples that Lindsay and Nellie have. How many apples does Lindsay have?"""
DIVERSE = """Milo has 24 blueberries. The number of blueberries that Milo has increases by 19/6
times. Aubrey has 1 more blueberry than Larue. Gregory has 3 blueberries. The number of
blueberries that Larue has more than Aubrey is equal to the difference between the number of
blueberries that Thaddeus and Gregory have. Zane has 7 blueberries. The number of blueberries that
Zane has increases by 9/7 times. Odell has 21 blueberries. Christian has 3 blueberries. If
Christian has more than 5 blueberries, Christian will transfer their blueberries to Odell. Milo
splits all the blueberries she owns equally among Thaddeus and Della. Zane and Odell redistribute
their blueberries to ensure each has an equal amount. Thaddeus has 17 more blueberries than Zane
and Artie combined. Keegan has 7 more blueberries than Aliya and 7 fewer blueberries than Everett.
Aliya has 0 blueberries. Margarita has 1 blueberry. If Margarita has more than 4 blueberries,
Margarita will transfer their blueberries to Artie. The number of blueberries that Everett has
increases by 17/14 times. If Everett has more than 2 blueberries, Everett will transfer their
blueberries to Artie. How many blueberries does Artie have?"""


@pytest.mark.parametrize(("text", "number"), [(BASIC, 13), (DIVERSE, 25)])
def test_the_printed_examples(text, number):
    statements, asked, _ = parse(" ".join(text.split()))
    assert answers(statements, asked) == {number}


# Counting: each prompt is counted again by code that shares nothing with it.
#
# In the parallel wording of nine languages, and in the paper's English one.


COUNTED = {
    "char_count": ("en", "ar", "es", "hi", "ja", "ru", "ta", "te", "zh"),
    "word_count": ("en", "ar", "es", "hi", "ru", "ta", "te"),
}
CELLS = [(task, code, "parallel") for task, codes in COUNTED.items() for code in codes]
CELLS += [(task, "en", "paper") for task in COUNTED]
OPTIONS: dict[str, dict[str, Any]] = {
    "char_count": {"m": [50, 100]},
    "word_count": {"m": [50, 100], "k": [1, 3, 6], "min_length": 3},
}
VIRAMAS = "\u094d\u09cd\u0c4d\u0d4d"  # those that bind consonants: not the Tamil one


def table(code):
    return read_toml(counting.FOLDER / f"{code}.toml")


def split_characters(written: str, conjuncts: bool) -> list[str]:
    """Characters by rules GB9, GB9a and, if wanted, GB9c of Annex #29, for letters and marks."""
    found: list[str] = []
    for c in written:
        mark = unicodedata.category(c) in ("Mn", "Mc", "Me") or c in "\u200c\u200d"
        # Past the marks of a nukta or joiner, a virama binds a consonant to the one before it.
        bound = (
            conjuncts
            and bool(found)
            and unicodedata.category(c) == "Lo"
            and found[-1].rstrip("\u200d\u093c\u09bc\u0c3c")[-1:] in tuple(VIRAMAS)
            and unicodedata.category(found[-1][0]) == "Lo"
        )
        if found and (mark or bound):
            found[-1] += c
        else:
            found.append(c)
    return found


def counted(task, prompt, code, wording):
    """What is asked about, and the text, by the strings of the language alone."""
    if wording == "paper":
        head, _, passage = re.split(r"Here is the text(\.?)\n", prompt)
        (asked,) = re.findall(r"in the list \[(.*)\] appears|the character \"(.*)\" appears", head)
        return "".join(asked).split(", "), passage
    own = table(code)
    lines = prompt.split("\n")
    assert lines[0] == own["characters" if task == "char_count" else "words"]
    assert lines[-2].startswith(f"{own['text']}: ")
    passage = lines[-2].removeprefix(f"{own['text']}: ")
    if task == "char_count":
        assert lines[-1] == f"{own['number']} #N#"
        return [lines[1].removeprefix("C: ")], passage
    asked = [re.fullmatch(rf"{i}: (\S+)", line)[1] for i, line in enumerate(lines[1:-2], 1)]
    assert lines[-1] == f"{own['numbers']} [{', '.join(['N'] * len(asked))}]"
    return asked, passage


@looped(("task", "code", "wording"), CELLS)
def test_every_prompt_is_counted_again(task, code, wording):
    spaced = table(code).get("spaces", True)
    sentences = unicodedata.normalize("NFC", "".join(table(code)["articles"]).lower())
    for row in simple_reasoning.rows(task, [code], n=20, text=wording, **OPTIONS[task]):
        asked, passage = counted(task, row["prompt"], code, wording)
        counts = json.loads(row["answer"])["counts"]
        if wording == "parallel":  # the paper's has other texts
            assert re.sub(r"\s", "", passage) in re.sub(r"\s", "", sentences)
        if task == "word_count":
            tokens = passage.split()
            assert [sum(token == word for token in tokens) for word in asked] == counts
            assert all(word[0].isalpha() and len(word) >= 3 for word in asked)
            others = {t for t in tokens if t[0].isalpha() and len(t) >= 3} - set(asked)
            assert all(tokens.count(other) <= min(counts) for other in others)
        else:
            ways = [split_characters(passage, conjuncts) for conjuncts in (True, False)]
            assert [way.count(asked[0]) for way in ways] == counts * 2
            assert asked[0][0].isalpha()
        words = len(passage.split()) if spaced else len(split_characters(passage, True)) // 2
        m = json.loads(row["reference"])["params"]["m"]
        assert m <= words <= {50: 150, 100: 266}[m]


def test_a_text_is_the_same_however_its_accents_are_written(tmp_path):
    for form in ("NFC", "NFD"):
        (tmp_path / form).write_text(unicodedata.normalize(form, "Le café\n" * 9), "utf-8")
    assert counting.load(str(tmp_path / "NFD")) == counting.load(str(tmp_path / "NFC"))


def test_a_copy_of_wikitext_has_a_part_for_each_split(tmp_path):
    text = " = A title = \n\n The {0} text . \n = = A part = = \n Its end . \n"
    for split, part in (("test", "test"), ("validation", "valid"), ("train", "train")):
        (own := tmp_path / "own").mkdir(exist_ok=True)
        (own / f"wiki.{part}.tokens").write_text(text.format(split), "utf-8")
        table = pa.table({"text": text.format(split).split("\n")})
        (folder := tmp_path / "hub" / "raw").mkdir(parents=True, exist_ok=True)
        pq.write_table(table[:3], folder / f"{split}-0.parquet")
        pq.write_table(table[3:], folder / f"{split}-1.parquet")
        for place in (own, folder.parent):
            articles = counting.load(str(place), split).articles
            assert articles == ((f"the {split} text .",), ("its end .",))


def test_passages_are_of_the_lengths_that_are_asked_for(tmp_path):
    """Paragraphs; where they are few also runs, from each on the shortest: 2 + 3, 3 + 4."""
    for more, runs in ((0, [5, 7]), (counting.FEW, [])):
        sizes = (*[6] * more, 2, 3, 4, 5, 9, 8, 1)
        (path := tmp_path / str(more)).write_text("\n".join("w " * size for size in sizes))
        found, _ = counting.passages(str(path), "test", 5, 8)
        assert [len(passage.split()) for passage in found] == [6] * more + [5, 8, *runs]


def test_wikitext_comes_from_the_hub_at_run_time(monkeypatch):
    text = {"text": [" = Title = \n", *(["word " * 60 + "\n"] * 3)]}
    hub = Mock(side_effect=[text, OSError("no network")])
    monkeypatch.setattr(datasets, "load_dataset", hub)
    load = counting.load.__wrapped__  # what is loaded here is not kept
    assert len(load("wikitext", "test").articles[0]) == 3
    assert hub.call_args == call("Salesforce/wikitext", "wikitext-2-v1", split="test")
    with pytest.raises(ValueError, match=r"no network.*own"):
        load("wikitext", "train")
