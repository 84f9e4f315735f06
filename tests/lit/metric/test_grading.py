"""Grading what became of a chain, and the gate: anything may come as a response."""

import json
from dataclasses import replace
from typing import Any

import pytest

import xlgo_metric as xm
from tests.clock import processor_seconds
from tests.looping import looped
from xlgo_metric.core import values_of
from xlgo_metric.families.lit import FAMILY
from xlgo_metric.families.lit.grading import copied, surface_scores
from xlgo_metric.families.lit.records import ChainRecord, Hop, Judgement, MqmError, record_of
from xlgo_metric.families.lit.values import MEASURES, chain_values, gate_of

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
    record = record_of(found, REFERENCE)
    assert record.chain_status == failed
    assert record.final == ""
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
    assert record_of(found, REFERENCE).chain_status == "failed@1"


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


def recorded(outputs, languages=("ja", "de", "en"), verdicts=(True, True, True), status="ok"):
    hops, source, given = [], "en", TEXT
    for number, (output, target, verdict) in enumerate(zip(outputs, languages, verdicts), 1):
        state = "length" if status != "ok" and number == len(outputs) else "ok"
        same = output == given
        hops.append(Hop(number, source, target, output, state, verdict, copied=same))
        source, given = target, output
    final = outputs[-1] if status == "ok" else ""
    return ChainRecord("t", "stem", "abstracts", "main", "s", "", tuple(hops), status, TEXT, final)


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
    record = recorded(outputs, verdicts=verdicts)
    assert gate_of(record) == gate
    values = chain_values(record)
    assert values["chrf"] == 100
    assert values["chrf_gated"] == (100 if gate == "open" else 0)


def judged(*errors):
    record = recorded(["委員会は提案を却下しなかった。", "Der Ausschuss lehnte nicht ab.", TEXT])
    found = replace(record, judgement=Judgement("ok", tuple(MqmError(*e) for e in errors)))
    return chain_values(found)


@pytest.mark.parametrize(("severity", "raw", "fit"), [("minor", 99, 100), ("critical", 0, 0)])
def test_only_a_critical_error_leaves_nothing_of_a_text(
    severity: str, raw: float, fit: float
) -> None:
    found = judged(("accuracy/untranslated", severity))
    assert (found["raw_mqm_gated"], found["mqm80_gated"]) == (raw, fit)


def test_a_chain_with_a_failed_request_is_missing():
    lost = recorded(["本", ""], status="failed@2")
    hops = (lost.hops[0], replace(lost.hops[1], status="error"))
    assert set(chain_values(replace(lost, hops=hops)).values()) == {None}


@pytest.mark.parametrize(("missing", "worth"), [("fail", 0.0), ("drop", None)])
def test_chains_that_broke_off(missing, worth):
    values = chain_values(recorded(["本", "Ein"], status="failed@2"), missing=missing)
    zeros = {name for name, value in values.items() if value == 0.0}
    if worth is None:
        assert not zeros
    else:
        assert zeros == {"mqm80", "exact"} | {name for name in values if name.endswith("_gated")}
    assert all(value in (0.0, None) for value in values.values())
