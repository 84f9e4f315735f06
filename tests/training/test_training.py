"""Rows to train on: conversations, weights, a curriculum, nothing of the test split."""

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings, strategies as st

import xlgo_dataset as xd
import xlgo_metric as xm
from tests.looping import looped

SMALL = {"slt": 5, "dsa": 6, "prdsa": 9, "graph_sp": 20, "t_rank": 12}
_ID = re.compile(r"[A-Z][0-9]{4}")


def renamed(instance: Any) -> Any:
    """The same puzzle under other names, its lines in reverse order."""
    data = instance.to_json()
    names = sorted(set(_ID.findall(json.dumps(data))))
    others = {name: f"{chr(65 + i % 26)}{7000 + i}" for i, name in enumerate(reversed(names))}
    again = json.loads(_ID.sub(lambda found: others[found[0]], json.dumps(data)))
    for lines in ("transactions", "transitions", "edges", "matches"):
        if lines in again:
            again[lines].reverse()
    return xd.instance_from_json(instance.task, again)


@pytest.mark.parametrize("task", SMALL)
def test_renaming_keeps_the_structure(task: str) -> None:
    for index in range(20):
        instance = xd.generate(task, complexity=SMALL[task], index=index)
        again = renamed(instance)
        assert again != instance
        assert xd.isomorphism_hash(again) == xd.isomorphism_hash(instance)


KEYS, EVEN = {"gold": "silver", "silver": "gold"}, {"p1": "0.1", "p2": "0.9"}


@looped(
    ("task", "change"),
    [
        ("slt", lambda x: {"capital": x["capital"] % 9 + 1}),
        ("slt", lambda x: {"transactions": [t | {"a": -t["a"]} for t in x["transactions"]]}),
        ("slt", lambda x: {"transactions": [t | {"b": -t["b"]} for t in x["transactions"]]}),
        ("dsa", lambda x: {"keys": [KEYS[key] for key in x["keys"]]}),
        ("dsa", lambda x: {"transitions": [t | {"next": x["start"]} for t in x["transitions"]]}),
        ("prdsa", lambda x: {"keys": [KEYS[key] for key in x["keys"]]}),
        ("prdsa", lambda x: {"transitions": [t | EVEN for t in x["transitions"]]}),
        ("graph_sp", lambda x: {"source": x["target"], "target": x["source"]}),
        ("graph_sp", lambda x: {"target": x["edges"][0][0]}),
        ("t_rank", lambda x: {"matches": [pair[::-1] for pair in x["matches"]]}),
    ],
)  # fmt: skip
def test_all_that_is_asked_is_part_of_the_structure(
    task: str, change: Callable[[Any], dict[str, Any]]
) -> None:
    instance = xd.generate(task, complexity=SMALL[task])
    data = instance.to_json()
    again = xd.instance_from_json(task, data | change(data))
    assert xd.isomorphism_hash(again) != xd.isomorphism_hash(instance)


@looped("apart", [0, 1])
@looped(("task", "least"), [("slt", 8), ("dsa", 12), ("graph_sp", 68), ("t_rank", 32)])
def test_structures_are_told_where_they_come_again(task: str, least: int, apart: int) -> None:
    """Below a size; never of what this package does not make."""
    sizes: dict[str, Any] = {"complexities": [least - apart], "per_level": 1}
    (row,) = xd.family("xlgobench").rows(task, ["te"], seed=3, split="train", **sizes)
    reference, asked = json.loads(row["reference"]), xd.read(task, row["prompt"], "te")
    assert xd.isomorphism_hash_of(reference) == (xd.isomorphism_hash(asked) if apart else None)
    assert xd.isomorphism_hash_of({**reference, "complexity": [least]}) is None


def test_structures_of_networks_are_classes_of_isomorphism() -> None:
    """Against networkx, with source and target marked."""
    found = []
    for index in range(25):
        instance = xd.generate("graph_sp", complexity=20, index=index)
        data = instance.to_json()
        graph = nx.Graph([edge[:2] for edge in data["edges"]])
        for name in graph:
            graph.nodes[name]["mark"] = (name == data["source"]) + 2 * (name == data["target"])
        found.append((graph, xd.isomorphism_hash(instance)))
    same = {True: 0, False: 0}
    for i, (a, name_a) in enumerate(found):
        for b, name_b in found[:i]:
            equal = nx.is_isomorphic(a, b, node_match=lambda x, y: x["mark"] == y["mark"])
            same[equal] += 1
            assert equal == (name_a == name_b)
    assert min(same.values()) > 0


def test_rows_are_conversations_that_grade_as_correct() -> None:
    sizes: dict[str, Any] = {"complexities": [2, 4], "exclude": ()}
    rows = list(xd.training_rows("slt", ["en", "te"], per_level=3, **sizes))
    assert [(row["complexity"], row["language"]) for row in rows] == [
        (size, code) for size in (2, 4) for _ in range(3) for code in ("en", "te")
    ]
    for row in rows:
        assert [turn["role"] for turn in row["prompt"] + row["completion"]] == ["user", "assistant"]
        assert "-train-" in row["instance_id"]
        assert xm.grade(row["completion"][0]["content"], row["reference"]).correct
    mixed = xd.training_rows("slt", ["en"], per_level=2, order="mixed", **sizes)
    assert [row["complexity"] for row in mixed] == [2, 4, 2, 4]
    everywhere = xd.training_rows("slt", per_level=1, **sizes)
    assert [row["language"] for row in everywhere] == [*xd.LANGUAGES] * 2
    turns = xd.training_rows("slt", {"en": 2, "te": 1}, per_level=3, **sizes)
    assert [row["language"] for row in turns] == ["en", "te", "en"] * 2


@pytest.mark.parametrize("order", ["rising", "mixed"])
def test_weights_hold_at_every_complexity(order: Any) -> None:
    weights = {"en": 7, "hi": 2, "te": 1}
    sizes: dict[str, Any] = {"complexities": [1, 2, 3, 5, 8], "exclude": ()}
    rows = xd.training_rows("slt", weights, per_level=20, order=order, **sizes)
    counts = Counter((row["complexity"], row["language"]) for row in rows)
    assert counts == {
        (size, code): 2 * weight for size in (1, 2, 3, 5, 8) for code, weight in weights.items()
    }


def test_a_complexity_of_which_nothing_is_left_is_told(caplog: pytest.LogCaptureFixture) -> None:
    sizes: dict[str, Any] = {"complexities": [1, 2], "per_level": 2}
    held = xd.isomorphism_hashes("slt", split="train", complexities=[1], per_level=2)
    first = xd.isomorphism_hash(xd.generate("slt", complexity=2, split="train"))
    codes = ("en", "te", "hi")
    rows = list(xd.training_rows("slt", codes, exclude=iter({*held, first}), **sizes))
    assert [(row["complexity"], row["language"]) for row in rows] == [(2, code) for code in codes]
    assert re.findall(r"at complexity (\d+) every one of (\d+)", caplog.text) == [("1", "2")]
    next(xd.training_rows("char_count", ["en"], order="mixed", n=1))
    assert "char_count: nothing says which of its questions are alike" in caplog.text


@pytest.mark.parametrize("order", ["rising", "mixed"])
@pytest.mark.parametrize(
    ("split", "others"), [("train", ("test", "validation")), ("validation", ("test",))]
)
def test_questions_of_other_splits_are_left_out_unasked(
    split: Any, others: tuple[Any, ...], order: Any
) -> None:
    options: dict[str, Any] = {"complexities": [1, 2], "seed": 4}
    held = frozenset[str]().union(
        *(xd.isomorphism_hashes("slt", split=other, **options) for other in others)
    )
    given: dict[str, Any] = {"split": split, "order": order, "per_level": 150, **options}
    every = list(xd.training_rows("slt", ["en"], exclude=(), **given))
    apart = [
        row
        for row in every
        if xd.isomorphism_hash(xd.read("slt", row["prompt"][0]["content"], "en")) not in held
    ]
    assert 0 < len(apart) < len(every)
    assert list(xd.training_rows("slt", ["en"], **given)) == apart
    assert list(xd.training_rows("slt", ["en"], exclude=held, **given)) == apart


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"split": "test"}, "come from 'train'"),
        ({"order": "falling"}, "unknown order"),
        ({"languages": ["xx"]}, "unknown language 'xx'"),
        *(
            ({"languages": {"en": 1, "te": weight}}, "weight of 'te' .* integers above 0")
            for weight in (0, 1.5)
        ),
        ({"languages": []}, "no language"),
        ({"nonsense": 1}, "unknown option"),
    ],
)
def test_what_cannot_be_is_refused_at_once(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        xd.training_rows("slt", **given)


FUNCTIONS = (xm.reward, xm.partial_reward, xm.format_reward)


def reference(task: str, answer: Any, **more: Any) -> str:
    return json.dumps({"task": task, "answer": answer, **more})


CHAIN = reference("slt", {"chain": [4, -7, 12, 0]})
EIGHT = [f"A{n}" for n in range(1000, 1008)]
ROOMS = reference("prdsa", {"states": EIGHT})
RANKING = reference("t_rank", {"ranking": ["A1000", "B1000", "C1000", "D1000"]})
PATH = reference("graph_sp", {"path": ["A1000", "B1000", "C1000", "D1000", "E1000"]})


@looped(
    ("answer", "asked", "share"),
    [
        ({"chain": [4, -7, 12, 1]}, CHAIN, 3 / 4),
        ({"chain": [4, 0, 12, 0]}, CHAIN, 1 / 4),
        ({"chain": [5, -7, 12, 0]}, CHAIN, 0),
        ({"chain": [4, -7]}, CHAIN, 2 / 4),
        ({"chain": [4, -7, 12, 0, 1]}, CHAIN, 1),
        ({"state": "B1000"}, reference("dsa", {"state": "A1000"}), 0),
        ({"states": [*EIGHT[:6], "B1000", "B1001"]}, ROOMS, 6 / 8),
        ({"states": EIGHT + [f"B{n}" for n in range(1000, 1056)]}, ROOMS, 8 / 64),
        ({"states": EIGHT[:1] * 8}, ROOMS, 1 / 8),
        ({"path": ["A1000", "X1000", "E1000"]}, PATH, 0),
        ({"path": ["A1000", "B1000", "C1000", "E1000"]}, PATH, 2 / 4),
        ({"ranking": ["A1000", "B1000", "D1000", "C1000"]}, RANKING, 2 / 4),
    ],
)
def test_partial_credit_by_hand(answer: dict, asked: str, share: float) -> None:
    text = json.dumps(answer)
    assert xm.reward([text], [asked]) == [0.0]
    assert xm.partial_reward([text], [asked]) == [pytest.approx(0.9 * share)]


@pytest.mark.parametrize("task", xd.TASKS)
def test_the_right_answer_gets_all(task: str) -> None:
    smallest = {"prdsa": 9, "graph_sp": 20}.get(task, 6)
    sizes: dict[str, Any] = {"complexities": [smallest], "per_level": 2, "exclude": ()}
    for row in xd.training_rows(task, ["en", "te"], **sizes):
        text = row["completion"][0]["content"]
        turns = [
            [{"role": "assistant", "content": said}]
            for said in (text, [{"type": "text", "text": text}])
        ]
        for function in FUNCTIONS:
            assert function([text, *turns], [row["reference"]] * 3) == [1.0] * 3


def test_form() -> None:
    right = '{"chain": [4, -7, 12, 0]}'
    texts = [right, f"It is {right}", '{"chain": [1]}', "four", "", '{"chain": "x"}']
    judged = reference("unpuzzles", {"text": "seven"}, family="easy", domain=None)
    assert xm.format_reward(
        [*texts, "My final answer is: Six", "Six it is"], [CHAIN] * len(texts) + [judged] * 2
    ) == [1.0, 0.5, 1.0, 0.0, 0.0, 0.0, 1.0, 0.5]


HOSTILE: list[Any] = [
    None, 7, float("nan"), [], {}, [None], [{"role": "assistant"}], [{"content": 5}], b"{}",
    [{"role": "user", "content": '{"chain": [4, -7, 12, 0]}'}],
    [{"role": "tool", "content": '{"chain": [4, -7, 12, 0]}'}],
    "[" * 30_000, '{"chain":' * 6_000, '{"chain": [' + "9" * 30_000 + "]}", "\ud800\x00",
    '{"chain": [1e999999999]}', "<think>" * 10_000, [[[]]], "{" * 50_000,
]  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS)
def test_hostile_completions_earn_nothing(function: Any) -> None:
    for asked in (CHAIN, ROOMS, PATH, RANKING):
        assert function(HOSTILE, [asked] * len(HOSTILE)) == [0.0] * len(HOSTILE)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(-20, 20), max_size=8), st.lists(st.integers(-20, 20), min_size=1))
def test_less_than_one_unless_correct(given_chain: list[int], right: list[int]) -> None:
    asked = reference("slt", {"chain": right})
    text = json.dumps({"chain": given_chain})
    correct = xm.grade(text, asked).correct
    assert xm.reward([text], [asked]) == [float(correct)]
    (partial,) = xm.partial_reward([text], [asked])
    assert (partial == 1.0) == correct
    assert correct or 0.0 <= partial <= 0.9


def test_other_families_know_right_and_wrong_alone() -> None:
    about = {"task": "polymath_low", "family": "polymath", "language": "en", "answer": "12"}
    for function in (xm.reward, xm.partial_reward):
        assert function([r"\boxed{12}", r"\boxed{13}"], [json.dumps(about)] * 2) == [1.0, 0.0]


@pytest.mark.parametrize(
    ("completions", "asked", "message"),
    [
        (["a", "b"], CHAIN, "2 completions but 1 references"),
        ("a", CHAIN, "completions must be a list"),
        (["a"], '{"task": "slt"}', "no 'answer'"),
    ],
)
def test_mistakes_in_the_data_are_named(completions: Any, asked: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        xm.reward(completions, [asked])


_CHAT = (
    "{% for m in messages %}<{{ m['role'] }}> {{ m['content'] }} {% endfor %}"
    "{% if add_generation_prompt %}<assistant> {% endif %}"
)


def watched(function: Callable[..., list[float]], calls: list[Any]) -> Callable[..., list[float]]:
    def call(completions: Any, reference: Any, **columns: Any) -> list[float]:
        found = function(completions, reference, **columns)
        calls.append((completions, reference, found, set(columns)))
        return found

    call.__name__ = function.__name__
    return call


def tiny(texts: list[str]) -> tuple[Any, Any]:
    """A model of a few thousand weights and a tokenizer of whole words."""
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    words = sorted({word for text in texts for word in re.findall(r"\w+|[^\w\s]", text)})
    special = ["<pad>", "<eos>", "<unk>", "<user>", "<assistant>"]
    vocabulary = {word: i for i, word in enumerate([*special, *words])}
    core = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    core.pre_tokenizer = pre_tokenizers.Split(Regex(r"\w+|[^\w\s]"), "removed", invert=True)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=core, pad_token="<pad>", eos_token="<eos>", unk_token="<unk>"
    )
    tokenizer.add_special_tokens({"additional_special_tokens": ["<user>", "<assistant>"]})
    tokenizer.chat_template = _CHAT
    config = LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=16, intermediate_size=32, num_hidden_layers=1,
        num_attention_heads=2, num_key_value_heads=2, max_position_embeddings=1024,
        pad_token_id=0, eos_token_id=1, bos_token_id=1,
    )  # fmt: skip
    return LlamaForCausalLM(config), tokenizer


@pytest.mark.slow
def test_a_step_of_grpo(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    trl = pytest.importorskip("trl")
    from datasets import Dataset

    options: dict[str, Any] = {"complexities": [1, 2], "per_level": 2}
    held = xd.isomorphism_hashes("slt", complexities=[1, 2], per_level=50)
    rows = list(xd.training_rows("slt", ["en", "te"], exclude=held, **options))
    model, tokenizer = tiny([row["prompt"][0]["content"] for row in rows])
    calls: list[Any] = []
    functions = [xm.reward, xm.partial_reward, xm.format_reward]
    settings = trl.GRPOConfig(
        output_dir=str(tmp_path), per_device_train_batch_size=4, num_generations=2, max_steps=2,
        max_completion_length=8, use_cpu=True, report_to=[], save_strategy="no",
        shuffle_dataset=False, reward_weights=[1.0, 0.5, 0.1], logging_steps=1, bf16=False,
    )  # fmt: skip
    trainer = trl.GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        reward_funcs=[watched(function, calls) for function in functions],
        train_dataset=Dataset.from_list(rows),
        args=settings,
    )
    trainer.train()
    assert trainer.state.global_step == 2
    assert len(calls) >= len(functions)
    for completions, reference, found, columns in calls:
        assert len(completions) == len(reference) == len(found) == 4
        assert all(turn["role"] == "assistant" for told in completions for turn in told)
        assert {"language", "complexity", "instance_id"} <= columns
        assert all(0.0 <= value <= 1.0 for value in found)
    logged = {name for entry in trainer.state.log_history for name in entry}
    assert {f"rewards/{function.__name__}/mean" for function in functions} <= logged
    # Rows come in the order of the curriculum, each as often as there are generations.
    assert calls[0][1] == [rows[0]["reference"]] * 2 + [rows[1]["reference"]] * 2
