"""The simulated model: it understands prompts, and is right as often as its profile says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from scipy.special import gammainc
from scipy.stats import binom

import xlgo_dataset as xd
import xlgo_metric as xm
from xlgo_cli.simulate import simulator as simulator_
from xlgo_cli.simulate.simulator import PROFILES, Simulator, identify, load_profile
from xlgo_dataset.core.rng import Stream

solve: Any = xd.solve  # the value of its one key is what the puzzle asks for

SIZES = {"slt": 12, "dsa": 20, "prdsa": 12, "graph_sp": 40, "t_rank": 20}
HALF = {"q": 6, "r": 1 / 20**2}


@pytest.fixture
def profile(tmp_path) -> str:
    path = tmp_path / "mine.json"
    tasks = {task: {"en": HALF, "te": {"q": 3, "r": 1 / 12**2}} for task in xd.TASKS}
    path.write_text(json.dumps({"tasks": tasks}))
    return str(path)


def questions(task: str, count: int) -> list[Any]:
    return [xd.generate(task, complexity=SIZES[task], seed=8, index=i) for i in range(count)]


def reference(instance: Any) -> dict[str, Any]:
    return {"task": instance.task, "answer": solve(instance)}


@pytest.mark.parametrize("task", xd.TASKS)
@pytest.mark.parametrize("text", xd.TEXTS)
def test_every_prompt_is_recognised_from_its_text(task: str, text: str) -> None:
    (instance,) = questions(task, 1)
    for language in xd.available():
        prompt = xd.render(instance, language, text)
        found = identify(prompt)
        assert found is not None
        assert (found.task, found.language) == (task, language)
        assert (found.complexity, found.answer) == (instance.complexity, solve(instance))
        assert found.question == json.dumps(instance.to_json(), sort_keys=True)


@pytest.mark.parametrize("condition", ["plain", "romanised", "length_matched"])
def test_a_reference_says_more_than_a_text(tmp_path, profile: str, condition: str) -> None:
    """Prompts under a condition or in another wording are answered where the reference is known."""
    wording = tmp_path / "mine.toml"
    wording.write_text('[slt]\nformat = "Answer in JSON."\n')
    text = str(wording) if condition == "plain" else "paper"
    family = xd.family_of("slt")
    rows = family.rows(
        "slt", ["en", "te"], complexities=[2], per_level=20, text=text, conditions=condition
    )
    simulator, right = Simulator(profile), 0
    for row in rows:
        reply = simulator.answer(row["prompt"], json.loads(row["reference"]))
        assert reply != simulator_.UNKNOWN_PROMPT
        right += xm.grade(reply, row["reference"]).correct
    assert right > 30  # at complexity 2 nearly all are right


@pytest.mark.parametrize(
    "prompt", ["", "What is 2 + 2?", "Match results:\n1. nonsense", "{" * 9999]
)
def test_other_prompts_get_a_plain_answer(profile: str, prompt: str) -> None:
    assert Simulator(profile).answer(prompt) == simulator_.UNKNOWN_PROMPT


def test_a_language_without_a_curve_is_as_good_as_english(profile: str) -> None:
    simulator = Simulator(profile)
    assert simulator.accuracy("slt", "sw", 15) == simulator.accuracy("slt", "en", 15) > 0.5
    assert simulator.accuracy("other", "en", 15) == 0.0


@pytest.mark.parametrize("language", ["en", "te"])
def test_right_as_often_as_the_curve_says(profile: str, language: str) -> None:
    """Every puzzle; the curve is computed here, the binomial interval misses once in 10,000."""
    simulator = Simulator(profile, seed=1)
    curve = json.loads(Path(profile).read_text())["tasks"]["slt"][language]
    count = 60
    for task in xd.TASKS:
        c = SIZES[task]
        p = gammainc(curve["q"] / 2, curve["q"] / (2 * curve["r"] * c * c))
        right = sum(
            xm.grade(simulator.answer(xd.render(i, language)), reference(i)).correct
            for i in questions(task, count)
        )
        low, high = binom.interval(0.9999, count, p)
        assert low <= right <= high, (task, right, p * count)


def test_answers_do_not_depend_on_order_or_process(profile: str) -> None:
    prompts = [xd.render(i, "ta") for task in xd.TASKS for i in questions(task, 4)]
    here = [Simulator(profile, seed=3).answer(prompt) for prompt in prompts]
    backwards = Simulator(profile, seed=3)
    assert [backwards.answer(prompt) for prompt in prompts[::-1]][::-1] == here
    assert [Simulator(profile, seed=4).answer(prompt) for prompt in prompts] != here
    code = (
        "import json, sys; from xlgo_cli.simulate.simulator import Simulator; "
        "s = Simulator(sys.argv[1], seed=3); "
        "print(json.dumps([s.answer(p) for p in json.load(sys.stdin)]))"
    )
    other = subprocess.run(
        [sys.executable, "-c", code, profile],
        input=json.dumps(prompts),
        text=True,
        capture_output=True,
        check=True,
        env=os.environ | {"PYTHONHASHSEED": "77"},
    )
    assert json.loads(other.stdout) == here


@pytest.mark.parametrize("correlation", [0.0, 0.6, 1.0])
@pytest.mark.parametrize("count", [160, pytest.param(400, marks=pytest.mark.slow)])
def test_correlation_is_the_correlation_of_being_right(
    tmp_path, correlation: float, count: int
) -> None:
    path = tmp_path / "half.json"
    r = 1 / 6.93**2  # one half at complexity 6
    path.write_text(json.dumps({"tasks": {"slt": {"en": {"q": 4, "r": r}}}}))
    simulator = Simulator(str(path), seed=2, correlation=correlation)
    pairs: Counter[tuple[bool, bool]] = Counter()
    for index in range(count):
        instance = xd.generate("slt", complexity=6, index=index)
        first, second = (
            xm.grade(simulator.answer(xd.render(instance, language)), reference(instance)).correct
            for language in ("en", "hi")
        )
        pairs[first, second] += 1
    both, one, other, none = (pairs[a, b] for a in (True, False) for b in (True, False))
    spread = ((both + one) * (other + none) * (both + other) * (one + none)) ** 0.5
    phi = (both * none - one * other) / spread
    assert phi == pytest.approx(correlation, abs=3.4 / count**0.5)  # 3.4 standard errors at most


def test_responses_have_every_form_that_a_grader_must_bear(profile: str) -> None:
    simulator = Simulator(profile, seed=5)
    statuses: Counter[tuple[str, bool]] = Counter()
    forms: Counter[str] = Counter()
    for instance in questions("dsa", 400):
        response = simulator.answer(xd.render(instance, "ja"))
        grade = xm.grade(response, reference(instance))
        statuses[grade.status, grade.strict] += 1
        forms[response[:3] if not response.startswith("{") else "{"] += 1
    assert {"{", "```", "<th", "Fol"} <= forms.keys()
    assert forms["{"] > 200
    for found in (("correct", True), ("correct", False), ("wrong", True), ("wrong", False)):
        assert statuses[found] > 10
    assert statuses["no_answer", False] + statuses["truncated", False] > 0


@pytest.mark.parametrize("task", xd.TASKS)
def test_a_slip_is_wrong_and_of_the_right_shape(task: str) -> None:
    for number, instance in enumerate(questions(task, 40)):
        right = solve(instance)
        wrong = simulator_.slip(right, Stream(number))
        assert wrong.keys() == right.keys()
        grade = xm.grade(json.dumps(wrong), reference(instance))
        assert grade.status == "wrong"
        assert wrong == simulator_.slip(right, Stream(number))


def test_the_shipped_profiles_are_readable() -> None:
    names = [path.stem for path in PROFILES.glob("*.json")]
    assert "demo" in names
    for name in names:
        curves = load_profile(name)
        assert {task for task, _ in curves} == set(xd.TASKS)
        assert {language for _, language in curves} == set(xd.LANGUAGES)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "not valid JSON"),
        ("[]", "not a profile"),
        ('{"tasks": {"slt": {"en": {"q": 1}}}}', "not a profile"),
        ('{"tasks": {"slt": {"en": {"q": 1, "r": 0}}}}', "must be above 0"),
        ('{"tasks": {"slt": {"en": {"q": NaN, "r": 1}}}}', "must be above 0"),
    ],
)
def test_broken_profiles_are_refused(tmp_path, content: str, message: str) -> None:
    path = tmp_path / "broken.json"
    path.write_text(content)
    with pytest.raises(ValueError, match=message):
        load_profile(str(path))


def test_impossible_arguments_are_refused(profile: str) -> None:
    with pytest.raises(ValueError, match=r"unknown profile 'nobody'.*demo"):
        Simulator("nobody")
    with pytest.raises(ValueError, match="correlation must lie between 0 and 1"):
        Simulator(profile, correlation=1.5)
