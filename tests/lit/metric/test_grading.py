"""Grading what became of a chain, the gate, and translators that do not translate."""

import base64
import codecs
import json
import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from itertools import pairwise
from typing import Any

import pytest

import xlgo_dataset as xd
import xlgo_metric as xm
from tests.clock import processor_seconds
from tests.lit.made import record_of
from tests.looping import looped
from xlgo_dataset.core.rng import Stream
from xlgo_dataset.families.lit.translator import decode, encode
from xlgo_metric.core import Record, values_of
from xlgo_metric.families.lit import FAMILY
from xlgo_metric.families.lit.grading import copied, surface_scores
from xlgo_metric.families.lit.records import chain_of, mqm_error
from xlgo_metric.families.lit.values import MEASURES, chain_values
from xlgo_metric.views import Row

CODES = ["en", "de", "fr", "en"]
ORIGINAL = "The kettle sang while the old gardener told his story to the children of the village."
GERMAN = (
    "Der Kessel sang, während der alte Gärtner den Kindern des Dorfes seine Geschichte erzählte."
)
FRENCH = "La bouilloire chantait pendant que le vieux jardinier racontait son histoire aux enfants."
REFERENCE = {
    "family": "lit", "task": "lit_custom", "language": "en", "text_id": "t", "text_split": "main",
    "category": "informal", "subcategory": "informal", "sequence": "en-de-fr-en", "tier": "",
    "chain": {"codes": CODES}, "original": ORIGINAL, "answer": ORIGINAL, "data_origin": "user",
}  # fmt: skip


def chain(*texts: str, states: tuple[str, ...] = ()) -> dict[str, Any]:
    hops = [
        {"hop": k + 1, "src": CODES[k], "tgt": CODES[k + 1], "text": text, "reasoning": None,
         "state": states[k] if states else "ok"}
        for k, text in enumerate(texts)
    ]  # fmt: skip
    return {"kind": "translation", "hops": hops}


def grade(outcome: Any) -> xm.Grade:
    return xm.grade(outcome if isinstance(outcome, str) else json.dumps(outcome), REFERENCE)


def test_a_whole_chain_waits_for_a_judge() -> None:
    found = grade(chain(GERMAN, FRENCH, ORIGINAL))
    assert (found.status, found.correct) == ("needs_judge", False)
    assert found.details["another_language"] == found.details["copied"] == []
    assert grade(chain(GERMAN, GERMAN, ORIGINAL)).details["copied"] == [2]
    values = values_of(MEASURES, found, REFERENCE)
    assert values.keys() == {one.name for one in MEASURES if one.in_harness}
    assert values["chrf"] == values["chrf_gated"] == 100
    assert values["in_language"] == 1


@pytest.mark.parametrize(
    ("outcome", "status", "failed"),
    [
        (chain(GERMAN, "", states=("ok", "empty")), "no_answer", "failed@2"),
        (chain(GERMAN, " "), "no_answer", "failed@2"),
        (chain(GERMAN, "La", states=("ok", "length")), "truncated", "failed@2"),
        (chain("", states=("refused",)), "no_answer", "failed@1"),
        (chain(GERMAN, FRENCH), "no_answer", "failed@2"),
    ],
)
def test_a_chain_that_broke_off(outcome: Any, status: str, failed: str) -> None:
    found = grade(outcome)
    assert found.status == status
    known = chain_of(found, REFERENCE)
    assert (known["status"], known["final"]) == (failed, "")
    assert values_of(MEASURES, found, REFERENCE)["chrf_gated"] == 0


@looped(
    "outcome",
    [
        "I do not know.", "[]", "3", "null", '"x"', "{}", '{"hops": 3}', '{"hops": [3]}',
        '{"hops": [{}]}', "[" * 100_000, '{"hops": ' + "[" * 100_000,
        "{", {"hops": [*chain(GERMAN, FRENCH, ORIGINAL)["hops"], {"hop": 4}]},
        {"hops": [{"hop": 2, "src": "en", "tgt": "de", "text": "x", "state": "ok"}]},
        {"hops": [{"hop": 1, "src": "en", "tgt": "fr", "text": "x", "state": "ok"}]},
        {"hops": [{"hop": 1, "src": "en", "tgt": "de", "text": None, "state": "ok"}]},
        {"hops": [{"hop": 1, "src": "en", "tgt": "de", "text": "x", "state": "fine"}]},
        {"hops": [{"hop": 1, "src": "en", "tgt": "de", "text": "x", "state": ["ok"]}]},
        chain("", FRENCH, states=("empty", "ok")),
        {"hops": [{"hop": 1}] * 100_000},
    ],
)  # fmt: skip
def test_what_is_no_such_chain(outcome: Any) -> None:
    found = grade(outcome)
    assert found.status == "bad_format"
    assert chain_of(found, REFERENCE)["status"] == "failed@1"


def test_a_reference_must_hold_a_chain() -> None:
    with pytest.raises(ValueError, match="'chain' with 'codes'"):
        xm.grade("x", {k: v for k, v in REFERENCE.items() if k != "chain"})


@pytest.mark.parametrize(
    ("texts", "status"),
    [
        ((GERMAN, FRENCH, ORIGINAL), "correct"),
        ((ORIGINAL, FRENCH, ORIGINAL), "wrong"),  # the first hop is a copy
        ((FRENCH, GERMAN, ORIGINAL), "wrong"),  # the hops are in another language
    ],
)
def test_a_judge_cannot_pass_what_is_no_translation(texts: tuple[str, ...], status: str) -> None:
    """A perfect round trip by English or by a wrong language is no success."""
    found = grade(chain(*texts))
    decided = FAMILY.judge.decide(found, ['{"errors": []}', '{"score": 100}'], "judge")
    assert (decided.status, decided.correct) == (status, status == "correct")
    assert decided.details["judgement"] == {"status": "ok", "errors": []}
    assert decided.details["direct"] == {"status": "ok", "score": 100}


TEXT = "The committee, to its credit, did not reject the proposal outright."


def test_hostile_texts_take_bounded_time():
    with processor_seconds(5):
        surface_scores(TEXT, "the " * 200_000)
        surface_scores("1," * 100_000, "A" * 300_000)
        copied("a " * 200_000, "a " * 199_999 + "b")


def recorded(
    outputs: list[str], verdicts: tuple[bool | None, ...] = (True, True, True), **last: Any
) -> Row:
    """What is known of a chain; ``last`` is so of its last hop, which then broke it off."""
    hops, source, given = [], "en", TEXT
    for number, (output, target, is_own) in enumerate(zip(outputs, ("ja", "de", "en"), verdicts)):
        hops.append({
            "hop": number + 1, "src": source, "tgt": target, "output": output, "status": "ok",
            "language_ok": is_own, "copied": output == given,
        })  # fmt: skip
        source, given = target, output
    hops[-1].update(last)
    record = record_of(hops, REFERENCE | {"original": TEXT}, whole=not last)
    return chain_of(record.grade, record.reference)


@pytest.mark.parametrize(
    ("outputs", "verdicts", "gate"),
    [
        (
            ["委員会は提案を却下しなかった。", "Der Ausschuss lehnte nicht ab.", TEXT],
            (True, True, True),
            "open",
        ),
        (
            ["委員会は提案を却下しなかった。", "Der Ausschuss lehnte nicht ab.", TEXT],
            (True, None, True),
            "language_unknown",
        ),
        (
            ["委員会は提案を却下しなかった。", "Der Ausschuss lehnte nicht ab.", TEXT],
            (None, False, True),
            "another_language",
        ),
        (
            ["委員会は提案を却下しなかった。", "Der Ausschuss lehnte nicht ab.", TEXT],
            (True, True, False),
            "another_language",
        ),
        (["委員会は提案を却下しなかった。", TEXT, TEXT], (True, True, True), "copied"),
        (
            ["委員会は提案を却下しなかった。", "委員会は提案を却下しなかった。", TEXT],
            (True, None, True),
            "copied",
        ),
    ],
)
def test_the_gate_looks_at_every_hop(outputs, verdicts, gate):
    chain = recorded(outputs, verdicts)
    assert chain["gate"] == gate
    values = chain_values(chain)
    assert values["chrf"] == 100
    assert values["chrf_gated"] == (100 if gate == "open" else 0)


@pytest.mark.parametrize(("severity", "raw", "fit"), [("minor", 99, 100), ("critical", 0, 0)])
def test_only_a_critical_error_leaves_nothing_of_a_text(
    severity: str, raw: float, fit: float
) -> None:
    chain = recorded(["委員会は提案を却下しなかった。", "Der Ausschuss lehnte nicht ab.", TEXT])
    errors = [mqm_error("accuracy/untranslated", severity)]
    found = chain_values(chain | {"judgement": "ok", "errors": errors})
    assert (found["raw_mqm_gated"], found["mqm80_gated"]) == (raw, fit)


def test_a_chain_with_a_failed_request_is_missing():
    lost = recorded(["本", ""], status="error")
    assert set(chain_values(lost).values()) == {None}


@pytest.mark.parametrize(("missing", "worth"), [("fail", 0.0), ("drop", None)])
def test_chains_that_broke_off(missing, worth):
    values = chain_values(recorded(["本", "Ein"], status="length"), missing=missing)
    zeros = {name for name, value in values.items() if value == 0.0}
    if worth is None:
        assert not zeros
    else:
        assert zeros == {"mqm80", "exact"} | {name for name in values if name.endswith("_gated")}
    assert all(value in (0.0, None) for value in values.values())


rows: Any = partial(xd.family("lit").rows, languages=["en"])


TEXTS = 6
Translate = Callable[[str, str], str]
"""From an English text and the code of a language to an output."""


def _shuffled(text: str) -> str:
    words = text.split()
    order = Stream("shuffled", 0, text).permutation(len(words))
    return " ".join(words[place] for place in order.tolist())


def _drops_a_tenth(text: str, code: str) -> str:
    """Into English, every tenth word is gone; until then nothing is lost."""
    words = text.split()
    kept = [word for place, word in enumerate(words) if code != "en" or place % 10 != 9]
    return encode(" ".join(kept), code)


def _english(text: str, code: str) -> str:
    """A paraphrase of a kind, in English whatever the language that was asked for."""
    return text.replace(" the ", " this ").replace(" a ", " one ").replace(" and ", ", also ")


HONEST: Translate = _drops_a_tenth
DEGRADED: dict[str, Translate] = {
    "echo": lambda text, code: text,
    "English-only": _english,
    "base64": lambda text, code: base64.b64encode(text.encode()).decode() if code != "en" else text,
    "rot13": lambda text, code: codecs.encode(text, "rot13") if code != "en" else text,
    "JSON": lambda text, code: json.dumps({"text": text}) if code != "en" else text,
    "code": lambda text, code: f"def f():\n    return {text!r}\n" if code != "en" else text,
    "shuffled": lambda text, code: encode(_shuffled(text), code),
    "empty": lambda text, code: encode(text, code) if code != "en" else " ",
    "one language": lambda text, code: encode(text, "de") if code != "en" else text,
}


def judged(translate: Translate) -> list[Record]:
    """Chains of a translator, judged by the rule."""
    records = []
    for name in ("lit_e_asia", "lit_c_europe", "lit_s_america"):
        for row in list(rows(name))[: 8 * TEXTS : 8]:
            reference = json.loads(str(row["reference"]))
            text, hops = reference["original"], []
            for number, (src, tgt) in enumerate(pairwise(reference["chain"]["codes"]), 1):
                output = translate(text, tgt)
                hops.append({"hop": number, "src": src, "tgt": tgt, "text": output, "state": "ok"})
                text = decode(output) if "⟦" in output else text
            response = json.dumps({"kind": "translation", "hops": hops})
            grade = FAMILY.grade(response, reference)
            if asked := FAMILY.judge.questions(grade, response, reference):
                replies = [FAMILY.judge.simulated_judge_reply(one.prompt) for one in asked]
                grade = FAMILY.judge.decide(grade, replies, "rule")
            records.append(Record(grade, reference))
    return records


@cache
def section(name: str) -> Mapping[str, Any]:
    return FAMILY.summarize(judged(DEGRADED.get(name, HONEST)), draws=2)


@pytest.mark.parametrize("name", DEGRADED)
def test_what_is_no_translation_ranks_last_in_every_view(name: str) -> None:
    metrics, others = (section(one)["splits"]["main"]["metrics"] for one in ("honest", name))
    for metric in ("mqm80_gated", "raw_mqm_gated", "direct_gated", "chrf_gated"):
        if metric not in others and name == "empty":
            continue  # no chain is finished, so nobody could judge any
        for view, cell in metrics[metric].items():
            assert others[metric][view]["mean"] < cell["mean"], (metric, view)
    if name not in ("shuffled", "empty"):
        told = FAMILY.findings(section(name))[:2]
        (warning,) = [line for kind, line in told if kind == "warn" and "gated" in line]
        assert "18 of 18 finished chains are not translations all the way" in warning
    # The headline's first numbers are the gated ones.
    first, value = next(iter(FAMILY.headline(section(name)).items()))
    assert re.fullmatch("lit_main_.*_gated", first)
    assert value == 0


def test_an_honest_translator_passes_the_gate() -> None:
    gate = section("honest")["splits"]["main"]["coverage"]["gate"]
    assert gate == {"open": 18, "copied": 0, "another_language": 0, "language_unknown": 0}
    told = [line for _, line in FAMILY.findings(section("honest"))]
    assert not [line for line in told if "not translations" in line]
