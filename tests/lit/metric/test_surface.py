from dataclasses import replace

import pytest

from tests.clock import processor_seconds
from xlgo_metric.families.lit.grading import copied, surface_scores
from xlgo_metric.families.lit.records import ChainRecord, Hop, Judgement, MqmError
from xlgo_metric.families.lit.values import chain_values, gate_of

TEXT = "The committee, to its credit, did not reject the proposal outright."


def test_hostile_texts_take_bounded_time():
    with processor_seconds(5):
        surface_scores(TEXT, "the " * 200_000)
        surface_scores("1," * 100_000, "A" * 300_000)
        copied("a " * 200_000, "a " * 199_999 + "b")


def chain(outputs, languages=("ja", "de", "en"), verdicts=(True, True, True), status="ok"):
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
    record = chain(outputs, verdicts=verdicts)
    assert gate_of(record) == gate
    values = chain_values(record)
    assert values["chrf"] == 100
    assert values["chrf_gated"] == (100 if gate == "open" else 0)


def judged(*errors):
    record = chain(["委員会は提案を却下しなかった。", "Der Ausschuss lehnte nicht ab.", TEXT])
    found = replace(record, judgement=Judgement("ok", tuple(MqmError(*e) for e in errors)))
    return chain_values(found)


@pytest.mark.parametrize(("severity", "raw", "fit"), [("minor", 99, 100), ("critical", 0, 0)])
def test_only_a_critical_error_leaves_nothing_of_a_text(
    severity: str, raw: float, fit: float
) -> None:
    found = judged(("accuracy/untranslated", severity))
    assert (found["raw_mqm_gated"], found["mqm80_gated"]) == (raw, fit)


def test_a_chain_with_a_failed_request_is_missing():
    lost = chain(["本", ""], status="failed@2")
    hops = (lost.hops[0], replace(lost.hops[1], status="error"))
    assert set(chain_values(replace(lost, hops=hops)).values()) == {None}


@pytest.mark.parametrize(("missing", "worth"), [("fail", 0.0), ("drop", None)])
def test_chains_that_broke_off(missing, worth):
    values = chain_values(chain(["本", "Ein"], status="failed@2"), missing=missing)
    zeros = {name for name, value in values.items() if value == 0.0}
    if worth is None:
        assert not zeros
    else:
        assert zeros == {"mqm80", "exact"} | {name for name in values if name.endswith("_gated")}
    assert all(value in (0.0, None) for value in values.values())
