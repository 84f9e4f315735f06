"""Every generated instance, checked by code that shares nothing with the generator."""

import hashlib
import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any, cast

import networkx as nx
import numpy as np
import pytest

import xlgo_dataset as xd
from tests.looping import looped
from xlgo_dataset.core import ids, rng
from xlgo_dataset.core.ids import SAMPLES
from xlgo_dataset.families.xlgobench import PUZZLES, prdsa, rows

IDENTIFIER = re.compile(r"[A-Z][1-9][0-9]{3}\Z")


@cache
def generated(task: str, complexity: int, index: int) -> xd.Instance:
    """An instance that several tests look at."""
    return xd.generate(task, complexity=complexity, seed=5, index=index)


def instances(task: str, count: int = 2) -> list[tuple[int, xd.Instance]]:
    """Instances over all ranges of Tables 1 and 3, and small ones."""
    return [
        (complexity, generated(task, complexity, index))
        for low, high in sorted(set(PUZZLES[task].RANGES.values()))
        for complexity in rows.complexities(low, high, 6)
        for index in range(count)
    ]


def check_slt(data: dict[str, Any], answer: list[int], complexity: int) -> None:
    records = {t["prev"]: t for t in data["transactions"]}
    assert len(records) == len(data["transactions"]) == complexity
    place, wealth = data["start"], Fraction(data["capital"])
    assert 1 <= wealth <= 9
    for expected in answer:
        record = records.pop(place)
        assert {record["a"], record["b"]} <= {*range(-9, 0), *range(1, 10)}
        wealth = record["a"] * wealth + record["b"]
        assert wealth == expected
        assert abs(wealth) <= 9
        place = record["cur"]
    assert not records
    people = {data["start"]} | {t["cur"] for t in data["transactions"]}
    assert len(people) == complexity + 1
    check_names(people)


def check_dsa(data: dict[str, Any], answer: str, complexity: int) -> None:
    rooms = {t["room"] for t in data["transitions"]}
    assert len(rooms) == len(data["keys"]) == complexity
    assert {(r, k) for r in rooms for k in ("gold", "silver")} == {
        (t["room"], t["key"]) for t in data["transitions"]
    }
    assert len(data["transitions"]) == 2 * complexity
    assert all(t["next"] in rooms and t["next"] != t["room"] for t in data["transitions"])
    place = data["start"]
    for key in data["keys"]:  # as a reader would: look through the lines for the one that fits
        (place,) = (
            t["next"] for t in data["transitions"] if t["room"] == place and t["key"] == key
        )
    assert place == answer
    check_names(rooms)


def check_prdsa(data: dict[str, Any], answer: list[str], complexity: int) -> None:
    rooms = {t["room"] for t in data["transitions"]}
    assert (len(rooms), len(data["keys"]) % 15) == (complexity, 0)
    moves = {(t["room"], t["key"]): t for t in data["transitions"]}
    assert len(moves) == len(data["transitions"]) == 2 * complexity
    for t in moves.values():
        assert t["next1"] != t["next2"]
        assert Fraction(t["p1"]) + Fraction(t["p2"]) == 1
        assert t["p1"] in ("0.1", "0.2", "0.3")
    mass = {data["start"]: Fraction(1)}
    for key in data["keys"]:
        after: dict[str, Fraction] = defaultdict(Fraction)
        for room, p in mass.items():
            for way in "12":
                after[moves[room, key][f"next{way}"]] += p * Fraction(moves[room, key][f"p{way}"])
        mass = after
    assert sum(mass.values()) == 1
    ranked = sorted(mass, key=lambda room: -mass[room])
    assert ranked[:8] == answer
    assert mass[answer[7]] > (mass[ranked[8]] if len(ranked) > 8 else 0)
    letters, numbers = {r[0] for r in rooms}, {r[1:] for r in rooms}
    assert len(letters) * len(numbers) < complexity + max(len(letters), len(numbers)) + 1
    check_names(rooms)


def check_graph_sp(data: dict[str, Any], answer: list[str], complexity: int) -> None:
    graph = nx.Graph([(a, b) for a, b, _ in data["edges"]])
    assert graph.number_of_edges() == len(data["edges"]) == complexity
    assert not list(nx.selfloop_edges(graph))
    assert list(nx.all_shortest_paths(graph, data["source"], data["target"])) == [answer]
    assert len(answer) - 1 >= 5
    assert nx.is_connected(graph)
    check_names(set(graph))


def check_t_rank(data: dict[str, Any], answer: list[str], complexity: int) -> None:
    graph = nx.DiGraph([tuple(match) for match in data["matches"]])
    assert graph.number_of_edges() == len(data["matches"]) == complexity
    assert (list(nx.all_topological_sorts(graph)), data["n"]) == ([answer], graph.number_of_nodes())
    if complexity >= 25:
        assert data["n"] == round(complexity / 3)
    check_names(set(graph))


def check_names(names: set[str]) -> None:
    assert all(IDENTIFIER.match(name) for name in names)
    assert not names & set(SAMPLES)


CHECKS = {task: check for task in PUZZLES if (check := globals().get(f"check_{task}"))}


@pytest.mark.parametrize("task", PUZZLES)
def test_instances_are_what_they_claim(task: str) -> None:
    """By a check of each puzzle that shares no code with its generator."""
    assert task in CHECKS, f"the puzzle {task} has no independent check: write check_{task}"
    assert set(PUZZLES[task].RANGES) == set(rows.PRESETS), f"RANGES of {task} lacks a preset"
    for complexity, instance in instances(task):
        assert instance.complexity == complexity
        (answer,) = xd.solve(instance).values()
        CHECKS[task](instance.to_json(), answer, complexity)


@pytest.mark.parametrize(("complexity", "index"), [(10, 533), (12, 1105), (14, 122), (14, 870)])
def test_no_room_outside_the_answer_is_as_probable_as_one_inside(
    complexity: int, index: int
) -> None:
    """Of about 2,000 questions one is drawn first with the eighth room as probable as the ninth."""
    instance = xd.generate("prdsa", complexity=complexity, index=index)
    states: Any = xd.solve(instance)["states"]
    check_prdsa(instance.to_json(), states, complexity)


def test_probabilities_of_more_keys_than_the_papers_are_exact() -> None:
    data = generated("prdsa", 12, 0).to_json()
    again = xd.instance_from_json("prdsa", data | {"keys": data["keys"] * 2})
    check_prdsa(again.to_json(), again.answer["states"], 12)


@pytest.mark.parametrize("task", CHECKS)
@pytest.mark.parametrize("step", [8, pytest.param(1, marks=pytest.mark.slow)])
def test_the_prompt_holds_all_that_is_needed(task: str, step: int) -> None:
    """Every language at the least complexity; at the others some, others at each."""
    known = xd.family_of(task).languages(task)
    for place, (_, instance) in enumerate(instances(task, count=1)):
        asked = known[place % step :: step] if place else known
        for language, text in product(asked, xd.TEXTS):
            prompt = xd.render(instance, language, text)
            again = xd.read(task, prompt, language, text)
            assert again == instance, (instance.complexity, language, text)
            assert {*re.findall(r'"(\w+)"\s*:', prompt)} == xd.solve(instance).keys(), (
                f"{task}: the prompt in {language} does not ask for ANSWER_KEY"
            )
            assert xd.solve(again) == xd.solve(instance)


def test_every_small_complexity_of_the_graph_puzzles_is_hit() -> None:
    """And larger ones than any preset has."""
    for task, low, high in (("graph_sp", 12, 90), ("t_rank", 1, 60)):
        for complexity in (*range(low, high), 1100):
            instance = xd.generate(task, complexity=complexity)
            (answer,) = xd.solve(instance).values()
            CHECKS[task](instance.to_json(), answer, complexity)


DOOR_TO_KEY = r"(- .*)(\n[^§]*?)1\. .*\n.* Key"
PUZZLE, DOORS = xd.generate("slt", complexity=4), xd.render(xd.generate("dsa", complexity=2), "en")
GAMES = xd.render(xd.generate("t_rank", complexity=6), "en")
ROOMS = xd.render(xd.generate("prdsa", complexity=9), "en")


@looped(
    ("call", "allowed"),
    [
        *(
            (partial(xd.generate, task, complexity=size), ("allowed are", "must be an integer"))
            for task, size in (
                ("prdsa", 3), ("prdsa", 8), ("dsa", 1), ("slt", 0), ("graph_sp", 11),
                ("t_rank", 0), ("slt", 10**9), ("slt", 2.5), ("slt", True),
            )
        ),
        *(
            (partial(ids.codes, cast("list[str]", names)), (f"{names[-1]!r} is not an identifier",))
            for names in (
                ["A1234", "A0123"], ["b2345"], ["A123"], [""],
                ["A123٤"], ["Ａ1234"], ["A1234\n"], [5], [None], ["A1234", b"B2345"],
            )
        ),
        (partial(ids.codes, ["A1234B", "5678"]), ("'A1234B' is not an identifier",)),
        (partial(ids.codes, ["A12345", "B123"]), ("'A12345' is not an identifier",)),
        *(
            (call, ("bound must be 1..",))
            for bound in (0, -1, rng.MAX_BOUND + 1)
            for call in (
                partial(rng.Stream("k").integers, bound, 1),
                partial(rng.Stream("k").integer, bound),
            )
        ),
        (
            partial(rng.Stream("k").sample, 8, 9),
            ("cannot draw 9 different integers below 8",),
        ),
        (lambda: xd.generate("sltt", complexity=4), ("slt, dsa, prdsa",)),
        (
            lambda: list(xd.family("xlgobench").rows("slt", ["en"], complexities=[2], levels=2)),
            ("give complexities or levels, not both",),
        ),
        (lambda: xd.generate("slt", complexity=4, split="dev"), ("test, validation, train",)),
        (lambda: xd.generate("slt", complexty=4), ("complexty",)),
        (lambda: xd.generate("slt"), ("complexity",)),
        (lambda: xd.generate("slt", complexity=4, seed="0"), ("seed must be an integer",)),
        (lambda: xd.generate("slt", complexity=4, index=-1), ("index must be 0 or more",)),
        (lambda: xd.render(PUZZLE, "xx"), ("unknown language 'xx': allowed are en, ar, hi",)),
        (lambda: xd.read("slt", "text", "xx"), ("unknown language 'xx': allowed are en, ar, hi",)),
        (lambda: xd.render(PUZZLE, "en", "fancy"), ("paper, revised",)),
        (lambda: xd.read("slt", "hello", "en"), ("should stand at character 0",)),
        # A list of keys where the doors should stand, and doors among the keys.
        (lambda: xd.read("dsa", re.sub("(- .*\n)+", "1. Gold Key\n", DOORS), "en"), ("a list",)),
        (lambda: xd.read("dsa", re.sub(DOOR_TO_KEY, r"\1\2\1", DOORS), "en"), ("a list",)),
        *(
            (partial(xd.read, task, prompt.replace(*edit), "en"), (message,))
            for task, prompt, edit, message in (
                ("t_rank", GAMES, ("\n6. ", "\n7. "), "the paragraph 'end' should stand"),
                ("t_rank", GAMES, ("\n6. ", "\n. "), "the paragraph 'end' should stand"),
                ("t_rank", GAMES, ("the JSON.", "the JSON. Now"), "the end should stand"),
                ("t_rank", GAMES, ("exactly 4", "exactly 5"), "5 players are announced, 4 play"),
                ("dsa", DOORS, ("all 2 triggers", "all 3 triggers"), "the paragraph 'rules'"),
                ("dsa", DOORS.replace("exactly 2", "exactly 3"), ("all 2", "all 3"), "3 keys"),
                ("prdsa", ROOMS.replace("exactly 15", "exactly 9"), ("all 15", "all 9"), "9 keys"),
            )
        ),
        *(
            (partial(xd.instance_from_json, "slt", {"transactions": [entry]}), (message,))
            for entry, message in (
                ({"a": 10, "b": 1}, "a = 10 must be"), ({"a": 1, "b": 0}, "b = 0 must be"),
            )
        ),
        (
            partial(xd.instance_from_json, "prdsa", {"transitions": [{"p1": "0.1", "p2": "0.8"}]}),
            ("unknown pair p1, p2",),
        ),
        (
            partial(xd.instance_from_json, "t_rank", {"matches": [["A1000", "B2000", "C3000"]]}),
            ("must be [winner, loser]",),
        ),
        (
            partial(xd.instance_from_json, "graph_sp", {"edges": [["A1000", "B2000", "foes"]]}),
            ("the relation one of friends",),
        ),
        (lambda: xd.instance_from_json("slt", {"start": "A1000"}), ("transactions",)),
        (lambda: xd.instance_from_json("slt", {"transactions": 1}), ("not of the form of",)),
        (lambda: xd.instance_from_json("t_rank", {"matches": [["A1", "B2000"]]}), ("A1",)),
    ],
)  # fmt: skip
def test_unknown_names_list_the_allowed_ones(
    call: Callable[[], object], allowed: tuple[str, ...]
) -> None:
    with pytest.raises(ValueError, match="|".join(map(re.escape, allowed))):
        call()


A, B, C, D = "A1000", "B2000", "C3000", "D4000"
FRIENDS = [[A, B, "friends"], [B, D, "friends"], [A, C, "friends"], [C, D, "friends"]]
RECORDS = [{"prev": A, "cur": B, "a": 1, "b": 1}, {"prev": C, "cur": D, "a": 1, "b": 1}]
MOVES = [
    {"room": room, "key": "gold", "next": A, "next1": A, "next2": B, "p1": "0.1", "p2": "0.9"}
    for room in (A, B)
]


@pytest.mark.parametrize(
    ("task", "content", "says"),
    [
        ("graph_sp", {"edges": FRIENDS, "source": A, "target": D}, "2 ways to go on"),
        ("t_rank", {"matches": [[A, B], [A, C]]}, "more than one ranking"),
        ("t_rank", {"matches": [[A, B], [B, C], [C, B]]}, "a circle"),
        ("slt", {"start": A, "capital": 1, "transactions": RECORDS}, "no record .* after 1"),
        ("dsa", {"start": A, "keys": ["gold", "gold"], "transitions": MOVES}, "each of the two"),
        ("prdsa", {"start": A, "keys": ["gold"], "transitions": MOVES}, "each of the two"),
    ],
)
def test_a_puzzle_without_exactly_one_answer_has_none(task: str, content: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        xd.solve(xd.instance_from_json(task, content))


GOLDEN = Path(__file__).parent.parent / "golden" / "xlgobench"
PROMPTS = json.loads((GOLDEN / "prompts.json").read_text(encoding="utf-8"))
"""Lines of each prompt, by task and language."""
INSTANCES = json.loads((GOLDEN / "instances.json").read_text(encoding="utf-8"))
CELLS = [(task, language) for task in xd.TASKS for language in xd.LANGUAGES]


@looped(("task", "language"), CELLS)
def test_renders_and_reads_byte_for_byte(task: str, language: str) -> None:
    instance = xd.instance_from_json(task, INSTANCES[task])
    printed = "\n".join(PROMPTS[f"{task}.{language}"])
    assert (xd.render(instance, language), xd.read(task, printed, language)) == (printed, instance)


@pytest.mark.parametrize("task", xd.TASKS)
def test_solves_the_printed_instance(task: str) -> None:
    data = INSTANCES[task]
    expected = data["top3"] if task == "prdsa" else data["answer"]
    assert xd.solve(xd.instance_from_json(task, data)) == {data["answer_key"]: expected}


def test_printed_distribution_is_exact() -> None:
    codes, masses = prdsa.distribution(prdsa.from_json(INSTANCES["prdsa"]))
    printed = {p["room"]: int(p["exact_decimal_e15"]) for p in INSTANCES["prdsa"]["distribution"]}
    assert {ids.name(code): mass for code, mass in zip(codes, masses.tolist())} == printed


# The data is a promise: the same bytes everywhere, and nothing shared between seeds or splits.


data: Any = xd.family("xlgobench")


@pytest.mark.parametrize("hash_seed", ["12345", pytest.param("0", marks=pytest.mark.slow)])
def test_another_process_makes_the_same_bytes(hash_seed: str) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tests.frozen", "--check", "--one-in", "2", "questions/xlgobench"],
        env=os.environ | {"PYTHONHASHSEED": hash_seed},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "nothing differs" in run.stdout


@pytest.mark.parametrize("task", xd.TASKS)
def test_no_prompt_is_shared_between_seeds_splits_or_indexes(task: str) -> None:
    sizes = {"preset": "smoke", "levels": 3, "per_level": 4}
    prompts = [
        row["prompt"]
        for seed in (0, 1, 42, 43)
        for split in xd.SPLITS
        for row in data.rows(task, ["en"], split=split, seed=seed, **sizes)
    ]
    assert len(set(prompts)) == len(prompts) == 4 * 3 * 12


@pytest.mark.parametrize(
    ("preset", "ranges"),
    [
        ("paper", {"slt": (100, 600), "dsa": (32, 2090), "prdsa": (9, 61), "graph_sp": (70, 720),
                   "t_rank": (100, 400)}),
        ("lite", {"slt": (10, 600), "dsa": (32, 2090), "prdsa": (9, 61), "graph_sp": (70, 200),
                  "t_rank": (25, 150)}),
    ],
)  # fmt: skip
def test_levels_of_the_presets(preset: str, ranges: dict[str, tuple[int, int]]) -> None:
    """Tables 1 and 3 of the paper."""
    chosen = {task: data.options(task, preset=preset) for task in ranges}
    least = {task: PUZZLES[task].POSSIBLE[0] for task in ranges}
    if preset == "paper":
        assert {x: data.complexity_range(x) for x in ranges} == {
            x: (least[x], ranges[x][1]) for x in ranges
        }
    assert {task: (of["c_min"], of["c_max"]) for task, of in chosen.items()} == ranges
    assert {(of["levels"], of["per_level"]) for of in chosen.values()} == {(20, 50)}


def test_every_code_has_its_name() -> None:
    # Spelled out by nested counting, and not by the formula of the code.
    names = [f"{letter}{n}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" for n in range(1000, 10000)]
    assert (len(names), ids.codes(iter(names)).tolist()) == (ids.TOTAL, list(range(ids.TOTAL)))
    assert ids.names(np.arange(ids.TOTAL)) == names
    assert [ids.code(name) for name in names[::997]] == list(range(ids.TOTAL))[::997]
    for codes in (ids.codes([]), ids.codes(["A1000"])):
        assert (codes.dtype, codes.ndim) == (np.int32, 1)


M0, M1 = 0xD2E7470EE14C6C93, 0xCA5A826395121157
W0, W1 = 0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B
MASK = (1 << 64) - 1


def philox(counter: list[int], key: list[int]) -> list[int]:
    """Ten rounds of Salmon et al. (2011), section 3.2."""
    (a, b, c, d), (k, m) = counter, key
    for _ in range(10):
        p, q = M0 * a, M1 * c
        a, b, c, d = (q >> 64) ^ b ^ k, q & MASK, (p >> 64) ^ d ^ m, p & MASK
        k, m = (k + W0) & MASK, (m + W1) & MASK
    return [a, b, c, d]


def test_philox_written_out_meets_the_published_vector() -> None:
    # Random123's known answers for philox4x64-10 of zero counter and key.
    assert philox([0] * 4, [0] * 2) == [
        0x16554D9ECA36314C,
        0xDB20FE9D672D0FDC,
        0xD7E772CEE186176B,
        0x7E68B68AEC7BA23B,
    ]


def words_by_hand(n: int, *parts: object) -> list[int]:
    text = "\x1f".join(f"{type(part).__name__}:{part}" for part in parts)
    digest = hashlib.sha256(text.encode()).digest()
    key = [int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:16], "little")]
    # NumPy counts up before it draws.
    return [word for counter in range(1, n + 1) for word in philox([counter, 0, 0, 0], key)][:n]


@pytest.mark.parametrize("key", [("xlgo", 1, "slt", 100, "test", 0, 3, 0), ("x",), ("é", -5)])
def test_words(key: tuple[int | str, ...]) -> None:
    assert rng.Stream(*key).words(11).tolist() == words_by_hand(11, *key)


def test_integers_are_scaled_words() -> None:
    drawn = rng.Stream("k").integers(1000, 70).tolist()
    scaled = [((word >> 24) * 1000) >> 40 for word in words_by_hand(70, "k")]
    assert drawn == scaled == list(map(rng.Stream("k").integer, [1000] * 70))


@looped("size", [None, 1, 2])
@looped("n", range(1, 40))  # of so few words none may be below the limit
def test_the_first_of_a_permutation_are_those_of_the_whole(n: int, size: int | None) -> None:
    words, mask = words_by_hand(n, "k", n), ~((1 << (n - 1).bit_length()) - 1)
    order = sorted(range(n), key=lambda place: (words[place] & mask, place))
    assert rng.Stream("k", n).permutation(n, size).tolist() == order[:size]


@pytest.mark.parametrize(("bound", "size"), [(1, 1), (10, 10), (10, 4), (1000, 30), (1000, 499)])
def test_a_sample_holds_different_numbers(bound: int, size: int) -> None:
    drawn = rng.Stream("s", bound, size).sample(bound, size).tolist()
    assert len(set(drawn)) == len(drawn) == size
    assert set(drawn) <= set(range(bound))
