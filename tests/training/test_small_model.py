"""The parts of the small-model benchmark that a wrong line would make lie without notice."""

from __future__ import annotations

import sys
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

import xlgo_dataset as xd

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import small_figures as figures


def cells(shares: dict[str, float]) -> dict[str, Any]:
    return {
        code: {
            "levels": [{"complexity": 1, "n": 100, "correct": 100 * share}],
            "smd": 0.1,
            "smd_sd": 0.02,
            "difference": None if code == "en" else {"is_significant": False, "p_value": 0.2},
        }
        for code, share in shares.items()
    }


def midranks(values: list[float]) -> list[float]:
    return [
        sum(other < value for other in values) + (values.count(value) + 1) / 2 for value in values
    ]


@pytest.mark.parametrize(
    "shares",
    [
        [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3],
        [0.9, 0.6, 0.7, 0.8, 0.5, 0.2, 0.2],
        [0.1, 0.2, 0.3, 0.4, 0.4, 0.6, 0.5],
    ],
)
def test_the_exact_p_counts_all_orders(shares: list[float]) -> None:
    first, second = midranks(list(figures.SKEWED.values())), midranks(shares)

    def product(order: Any) -> float:
        return abs(sum((a - 4) * (b - 4) for a, b in zip(order, second)))

    told = product(first)
    orders = [product(order) for order in permutations(first)]
    rho, p = figures.rank_agreement(cells(dict(zip(figures.SKEWED, shares))))
    assert rho is not None
    spread = (sum((a - 4) ** 2 for a in first) * sum((b - 4) ** 2 for b in second)) ** 0.5
    assert abs(rho) == pytest.approx(told / spread)
    assert p == pytest.approx(sum(found >= told - 1e-9 for found in orders) / len(orders))


def test_no_rank_where_all_are_alike() -> None:
    assert figures.rank_agreement(cells(dict.fromkeys(figures.SKEWED, 0.5))) == (None, None)


def test_the_picture_is_small(tmp_path: Path) -> None:
    stages = {stage: cells(dict.fromkeys(figures.SKEWED, 0.5)) for stage in figures.COLOURS}
    figures.draw({0: stages, 1: stages}, tmp_path / "gap.svg")
    assert 1_000 < (tmp_path / "gap.svg").stat().st_size < 100_000


def test_the_picture_tells_how_many_questions_each_design_asked() -> None:
    def asked(n: int, more: int) -> dict[str, Any]:
        found = cells(dict.fromkeys(figures.SKEWED, 0.5))
        for cell in found.values():
            cell["levels"] = [
                {"complexity": 1, "n": n, "correct": 1},
                {"complexity": 3, "n": more, "correct": 0},
            ]
        return found

    found = {
        0: {"skewed": asked(100, 100), "skewed/adaptive": asked(190, 5)},
        1: {"skewed": asked(100, 100), "skewed/adaptive": asked(173, 5)},
    }
    told = figures.questions(found, "")
    assert told == "100, 100 questions with 1, 3 transactions"
    told = figures.questions(found, figures.ADAPTIVE)
    assert told == "173–190, 5 questions with 1, 3 transactions"


def test_tokens_hold_every_prompt_and_only_answers_are_learnt() -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("transformers")
    import small_training as training

    tokenizer = training.phrase_tokenizer()
    rows = []
    for code in training.SKEWED:
        for size in training.SIZES:
            for index in range(5):
                asked = xd.generate("slt", complexity=size, seed=7, index=index)
                prompt, answer = xd.render(asked, code), '{"chain":[-9,8]}'
                ids = tokenizer(prompt).input_ids
                assert training.UNKNOWN not in ids
                assert len(ids) < 100
                assert tokenizer.decode(ids) == prompt
                rows.append((ids + tokenizer(answer).input_ids + [training.END], len(ids)))
    ids, learnt = training.tensors(rows)
    for (tokens, start), line, chosen in zip(rows, ids, learnt):
        assert line[1:][chosen].tolist() == tokens[start:]
        assert torch.all(line[len(tokens) :] == training.PAD)


def test_new_names_leave_the_puzzle_as_it_is() -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("transformers")
    import small_training as training

    tokenizer = training.phrase_tokenizer()
    chance = torch.Generator().manual_seed(0)
    for code in training.SKEWED:
        asked = xd.generate("slt", complexity=3, seed=7, index=1)
        ids = tokenizer(xd.render(asked, code), return_tensors="pt").input_ids
        new = training.renamed(ids, training.halves(tokenizer), len(tokenizer), chance)
        other = xd.read("slt", tokenizer.decode(new[0]), code)
        assert xd.isomorphism_hash(other) == xd.isomorphism_hash(asked)
        assert other.to_json()["start"] != asked.to_json()["start"]
        assert xd.solve(other) == xd.solve(asked)


def test_prompts_with_rules_or_lines_in_english_have_no_unknown_words() -> None:
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    import small_model
    import small_training as training

    tokenizer = training.phrase_tokenizer()
    for condition in small_model.CONDITIONS:
        for size in training.SIZES:
            asked = xd.generate("slt", complexity=size, seed=7)
            ids = tokenizer(xd.render(asked, "te", condition=condition)).input_ids
            assert training.UNKNOWN not in ids
            assert len(ids) <= training.LONGEST
