"""Rounds of two tasks in three languages, without a model and the harness."""

import json
import random
from collections import defaultdict
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scipy.stats import chi2

from xlgo_cli.cli import main
from xlgo_cli.harness import running
from xlgo_cli.harness.prepared import TaskDesign
from xlgo_lm_eval.answers import Answer, missing
from xlgo_metric.statistics.adaptive import NAME, Design

CODES = ("en", "hi", "te")
HALVES = {
    "slt": {"en": 30.0, "hi": 30.0, "te": 12.0},
    "dsa": {"en": 20.0, "hi": 19.0, "te": 20.0},
}
"""The complexity at which half of the answers are right."""
BUDGET, ENDS = 120, {"slt": (2, 90), "dsa": (3, 60)}


@cache
def is_right(task: str, code: str, size: int, index: int) -> bool:
    q = 20.0
    r = chi2.ppf(0.5, q) / q / HALVES[task][code] ** 2
    chance = chi2.cdf(q / (r * size**2), q)
    return random.Random(f"{task} {code} {size} {index}").random() < chance


def sample(task: str, code: str, size: int, index: int, acc: float | None) -> dict[str, Any]:
    """A sample of the harness; ``None`` if the request failed."""
    reference = {"task": task, "language": code, "complexity": size, "index": index}
    return {
        "doc": {"reference": json.dumps(reference)},
        "resps": [[missing("HTTP 500") if acc is None else Answer("x")]],
        **({} if acc is None else {"acc": acc}),
    }


class Session:
    """What a run of the harness would do, of answers that follow curves."""

    def __init__(self, folder: Path) -> None:
        designs = {
            task: TaskDesign((f"xlgo_{task}",), CODES, Design(*ENDS[task], len(CODES), BUDGET))
            for task in HALVES
        }
        request = SimpleNamespace(
            quiet=False, budget=BUDGET, folder=folder, model_name="acme/m x",
            metadata={"languages": "en,hi,te", "text": "revised", "xlgo_seed": 4},
        )  # fmt: skip
        self.run = SimpleNamespace(request=request, designs=designs)
        self.model = SimpleNamespace(world_size=1)
        self.wrote: dict[str, Any] = {}
        self.progress = SimpleNamespace(is_paused=False)
        self.asked: list[tuple[tuple[str, ...], dict[str, Any]]] = []
        self.saved: list[str] = []
        self.notes: list[str] = []

    def evaluate(self, names: list[str], metadata: dict[str, Any]) -> dict[str, Any]:
        self.asked.append((tuple(names), metadata))
        samples: dict[str, list[dict[str, Any]]] = {}
        for name in names:
            task = next(task for task in HALVES if task in name)
            samples[name] = [
                sample(task, code, *cell, float(is_right(task, code, *cell)))
                for cell in cells_of(metadata)[task]
                for code in CODES
            ]
        return {"samples": samples}

    def save(self, results: object, file: str, **about: object) -> None:
        self.saved.append(file)


def cells_of(metadata: dict[str, Any]) -> dict[str, list[tuple[int, int]]]:
    return {
        task: [(int(size), index) for size, indexes in one["cells"].items() for index in indexes]
        for task, one in metadata["plan"]["tasks"].items()
    }


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    made: Any = Session(tmp_path_factory.mktemp("run"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(running, "note", made.notes.append)
        running.run_adaptive(made)
    return made


def test_every_round_asks_each_task_new_questions_in_all_its_languages(session: Session) -> None:
    rounds = session.asked[:-1]
    asked: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for names, metadata in rounds:
        cells = cells_of(metadata)
        assert set(names) == {f"xlgo_{task}" for task in cells}
        assert metadata.items() > {"text": "revised", "languages": "en,hi,te"}.items()
        assert (metadata["plan"]["seed"], metadata["plan"]["design"]) == (4, NAME)
        for task, own in cells.items():
            assert metadata["plan"]["tasks"][task]["range"] == list(ENDS[task])
            asked[task] += own
    assert asked.keys() == HALVES.keys()
    assert len(rounds) > 4
    for task, own in asked.items():
        low, high = ENDS[task]
        assert len(own) == len(set(own)) <= BUDGET
        assert all(low <= size <= high for size, _ in own)
        # Each task is asked most where its own curve falls.
        drop = sum(HALVES[task].values()) / len(CODES)
        assert sum(drop / 2 < size < 2 * drop for size, _ in own) > len(own) / 2


def test_the_last_evaluation_is_of_all_rounds_and_its_plan_is_written(session: Session) -> None:
    assert session.saved == [running.PLAN]
    *rounds, (names, metadata) = session.asked
    own: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for _, of_round in rounds:
        for task, cells in cells_of(of_round).items():
            own[task] += cells
    assert cells_of(metadata) == {task: sorted(cells) for task, cells in own.items()}
    assert set(names) == {"xlgo_slt", "xlgo_dsa"}
    path = session.run.request.folder / "adaptive" / running.PLAN
    plan = json.loads(path.read_text())
    assert (plan["tasks"], plan["design"], plan["made_by"], plan["seed"]) == (
        metadata["plan"]["tasks"], "plan-of-acme_m_x", "acme/m x", 4,
    )  # fmt: skip
    assert session.progress.is_paused
    assert session.notes[-3:] == [
        *(f"{task}: {len(asked)} questions, budget used up" for task, asked in own.items()),
        f"plan: {path}",
    ]
    told = zip(session.notes[:-3], rounds, strict=True)
    for number, (text, (_, of_round)) in enumerate(told, 1):
        parts = []
        for task, cells in cells_of(of_round).items():
            ends = sorted({min(cells)[0], max(cells)[0]})
            parts.append(f"{task} {len(cells)} at {'-'.join(map(str, ends))}")
        assert text == f"[round {number}] {'; '.join(parts)}"


def test_outcomes_are_of_each_task_question_and_language() -> None:
    cells: dict[str, running.Cells] = {"slt": {9: (1,), 3: (4, 0)}, "dsa": {3: (0,)}}
    truth = {
        (task, code, size, index): (size + index + len(code + task) + place) % 3 > 0
        for task, sizes in cells.items() for size, indexes in sizes.items() for index in indexes
        for place, code in enumerate(CODES)
    }  # fmt: skip
    samples: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for key, right in reversed(truth.items()):
        samples[f"{key[0]}_{key[1]}"].append(sample(*key, 1.0 if right else 0.5))
    assert running.outcomes(samples, cells) == {
        task: [
            (size, index, {code: truth[task, code, size, index] for code in CODES})
            for size, indexes in sizes.items() for index in indexes
        ]
        for task, sizes in cells.items()
    }  # fmt: skip


CURVES = {"en": {"q": 8, "r": 0.04}, "te": {"q": 8, "r": 0.06}, "hi": {"q": 8, "r": 0.05}}
COMMAND = [
    "run", "--model", "xlgo-sim", "--model_args", "profile=profile.json", "--design", "adaptive",
    "--tasks", "xlgo_slt", "--languages", "en,te", "--budget", "40", "--c-min", "3",
    "--c-max", "7", "-o", "out",
]  # fmt: skip


def test_a_larger_budget_after_a_look_is_recorded_and_reported(folder: Path, capsys) -> None:
    (folder / "profile.json").write_text(json.dumps({"tasks": {"slt": CURVES}}))
    assert main(COMMAND) == 0
    more = [*COMMAND, "--budget", "50"]
    for again in (more, more):
        assert main(again) == 0
        docs = [
            json.loads(line)["doc"]
            for path in folder.rglob("samples_*.jsonl")
            for line in path.read_text("utf-8").splitlines()
        ]
        assert len({doc["id"] for doc in docs}) == 100
        assert {json.loads(doc["reference"])["design"] for doc in docs} == {
            "adaptive-pooled5-extended"
        }
    assert capsys.readouterr().out.count("changed after answers had been seen: this is rec") == 1
    page = (folder / "out" / "report" / "report.html").read_text("utf-8")
    assert "the budget was changed after answers had been seen" in page


def test_a_missing_answer_is_not_right_in_the_round_that_settles_what_is_asked_next() -> None:
    answered = [("en", 0, 1.0), ("en", 1, 1.0), ("te", 0, 1.0), ("te", 1, None)]
    samples = {"xlgo_slt": [sample("slt", code, 3, index, acc) for code, index, acc in answered]}
    found = running.outcomes(samples, {"slt": {3: (0, 1)}})
    assert found == {"slt": [(3, 0, {"en": True, "te": True}), (3, 1, {"en": True, "te": False})]}
