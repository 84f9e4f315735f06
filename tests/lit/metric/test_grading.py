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
from xlgo_metric import core, views
from xlgo_metric.families.lit import FAMILY, grading, judge, prompts
from xlgo_metric.families.lit.checks import (
    PLANTED,
    check_items,
    check_tables,
    plant,
    summarize_checks,
)
from xlgo_metric.families.lit.records import SEVERITIES, chain_of, mqm80, mqm_error, raw_mqm
from xlgo_metric.families.lit.values import MEASURES, chain_values
from xlgo_metric.statistics.draws import Stream as Draws

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
    values = core.values_of(MEASURES, found, REFERENCE)
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
    values = core.values_of(MEASURES, found, REFERENCE)
    assert (values["chrf_gated"], values["truncated"]) == (0, status == "truncated")


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
    assert (found.status, chain_of(found, REFERENCE)["status"]) == ("bad_format", "failed@1")


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
        grading.surface_scores(TEXT, "the " * 200_000)
        grading.surface_scores("1," * 100_000, "A" * 300_000)
        grading.copied("a " * 200_000, "a " * 199_999 + "b")


def recorded(
    outputs: list[str], verdicts: tuple[bool | None, ...] = (True, True, True), **last: Any
) -> views.Row:
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
    found = chain_values(chain | {"judgement": "ok", "errors": errors, "score": 70.0})
    assert (found["raw_mqm_gated"], found["mqm80_gated"], found["direct_gated"]) == (raw, fit, 70)


def test_a_chain_with_a_failed_request_is_missing():
    assert set(chain_values(recorded(["本", ""], status="error")).values()) == {None}


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
    kept = [word for place, word in enumerate(text.split()) if code != "en" or place % 10 != 9]
    return encode(" ".join(kept), code)


HONEST: Translate = _drops_a_tenth
DEGRADED: dict[str, Translate] = {
    "echo": lambda text, code: text,
    # A paraphrase of a kind, in English whatever the language that was asked for.
    "English-only": lambda text, code: (
        text.replace(" the ", " this ").replace(" a ", " one ").replace(" and ", ", also ")
    ),
    "base64": lambda text, code: base64.b64encode(text.encode()).decode() if code != "en" else text,
    "rot13": lambda text, code: codecs.encode(text, "rot13") if code != "en" else text,
    "JSON": lambda text, code: json.dumps({"text": text}) if code != "en" else text,
    "code": lambda text, code: f"def f():\n    return {text!r}\n" if code != "en" else text,
    "shuffled": lambda text, code: encode(_shuffled(text), code),
    "empty": lambda text, code: encode(text, code) if code != "en" else " ",
    "one language": lambda text, code: encode(text, "de") if code != "en" else text,
}


def judged(translate: Translate) -> list[xm.Record]:
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
            records.append(xm.Record(grade, reference))
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


# The judge: what is read of its replies, what errors weigh, and the checks of a judge itself.


MAJOR = '{"category": "accuracy/omission", "severity": "major", "original_span": "a"}'
GOOD = f'{{"errors": [{MAJOR}]}}'
PERFECT = '{"errors": []}'

MALFORMED = {
    "nothing": None,
    "empty": "",
    "space": " \n\t ",
    "prose": "The round trip keeps the meaning. There are no errors.",
    "refusal": "I'm sorry, I can't help with that.",
    "null": "null",
    "number": "100",
    "string": '"no errors"',
    "bare empty list": "[]",
    "bare list": f"[{MAJOR}]",
    "empty object": "{}",
    "other key": '{"mistakes": []}',
    "singular key": '{"error": []}',
    "nested answer": '{"result": {"errors": []}}',
    "errors null": '{"errors": null}',
    "errors false": '{"errors": false}',
    "errors text": '{"errors": "none"}',
    "errors number": '{"errors": 0}',
    "errors object": '{"errors": {}}',
    "errors of texts": '{"errors": ["a major mistranslation"]}',
    "errors of null": '{"errors": [null]}',
    "errors of lists": '{"errors": [[]]}',
    "severity missing": '{"errors": [{"category": "accuracy/omission"}]}',
    "severity null": '{"errors": [{"category": "other", "severity": null}]}',
    "severity number": '{"errors": [{"category": "other", "severity": 3}]}',
    "severity unknown": '{"errors": [{"category": "other", "severity": "moderate"}]}',
    "severity neutral": '{"errors": [{"category": "other", "severity": "none"}]}',
    "severity of all": '{"errors": [{"category": "other", "severity": "minor|major|critical"}]}',
    "one bad among good": f'{{"errors": [{MAJOR}, {{"severity": "huge"}}]}}',
    "key twice, empty last": f'{{"errors": [{MAJOR}], "errors": []}}',
    "key twice in an error": '{"errors": [{"severity": "critical", "severity": "minor"}]}',
    "key in two cases": f'{{"Errors": [{MAJOR}], "errors": []}}',
    "cut off": '{"errors": [{"category": "accuracy/omission", "severity": "cri',
    "cut after one error": f'{{"errors": [{MAJOR}, {{"category": "accuracy/addition", "seve',
    "cut in a fence": f'```json\n{{"errors": [{MAJOR},',
    "trailing comma": f'{{"errors": [{MAJOR},]}}',
    "single quotes": "{'errors': []}",
    "single quotes around a perfect one": """{'errors': [{'output_span': '{"errors": []}'}]}""",
    "no quotes": "{errors: []}",
    "comment": '{"errors": [] /* none */}',
    "python": "{'errors': [], 'ok': True}",
    "NaN": '{"errors": NaN}',
    "yaml": "errors: []",
    "xml": "<errors></errors>",
    "unclosed thinking": '<think>So the answer is {"errors": []}',
    "only thinking": '<think>{"errors": []}</think>',
    "one answer twice": f"{GOOD}\n{GOOD}",  # it is asked for again
    "two answers": f"{PERFECT}\nOn a second look:\n{GOOD}",
    "two answers, perfect last": f"{GOOD}\nOn a second look:\n{PERFECT}",
    "broken answer that quotes": f'{{"errors": [{MAJOR}, {{"output_span": {PERFECT}',
    "quotation in a bad fence": f'```json\n{{"errors": [{MAJOR} {PERFECT}\n```',
    "thinking mark in single quotes": "{'errors': [{'output_span': '</think>{\"errors\": []}'}]}",
    "severity told in prose": f"Error 1, severity critical: a lost sentence.\n{PERFECT}",
    "braces beside it": f"{{critical: a lost sentence}} {PERFECT}",
    "template repeated": '{"errors": [{"category", "severity", "original_span"}]}',
    "deep": '{"errors": ' + "[" * 100_000,
    "many braces": "{" * 150_000,
    "long number": '{"errors": [], "n": ' + "9" * 50_000 + "}",
    "too many": json.dumps({"errors": [{"severity": "minor"}] * 400}),
    "too long": PERFECT + " " * 10 + "x" * 300_000,
    "direct score instead": '{"score": 100}',
    "control characters": "\x00\x01{",
    "lone surrogate": '\ud800{"errors"',
}


@looped("name", MALFORMED)
def test_a_malformed_reply_is_never_a_perfect_score(name):
    assert prompts.read_mqm(MALFORMED[name]) is None


@looped(
    "text",
    [
        GOOD,
        f"  {GOOD}\n",
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```",
        f"Here is my judgement:\n\n{GOOD}\nThat is all.",
        f"<think>Is anything {{lost}}? Yes.</think>\n{GOOD}",
        f"It is lost, no doubt.</think>{GOOD}",
        GOOD.replace("errors", "Errors"),
        GOOD.replace("major", " Major "),
        GOOD.replace("}]}", ', "note": "</think>"}], "confidence": 0.9}'),
        "\ufeff".join(["", GOOD]),
    ],
)
def test_readable_replies(text):
    errors = prompts.read_mqm(text)
    assert [(e["category"], e["severity"]) for e in errors] == [("accuracy/omission", "major")]
    assert raw_mqm(errors) == 95


@pytest.mark.parametrize(
    ("text", "score"),
    [('{"score": 87}', 87), ('{"score": 87.5}', 87.5), ('{"score": "90"}', 90),
     ("Well.\n```json\n{\"score\": 0}\n```", 0), ('{"score": 100}', 100)],
)  # fmt: skip
def test_direct_scores(text, score):
    assert prompts.read_direct(text) == score


@looped(
    "text",
    [None, "", "100", "score: 100", '{"score": null}', '{"score": true}', '{"score": [100]}',
     '{"score": 101}', '{"score": -1}', '{"score": 1e999}', '{"score": NaN}', '{"score": "high"}',
     '{"score": "100%"}', '{"score": 100', '{"errors": []}', '{"score": 20, "score": 100}',
     '{"score": 100} or {"score": 20}', '<think>{"score": 100}', '{"score": {"score": 100}}',
     '{"score": "0-100"}', "{'score': 100}"],
)  # fmt: skip
def test_malformed_direct_scores(text):
    assert prompts.read_direct(text) is None


@pytest.mark.parametrize(
    "text",
    ['{"a":' * 39_000, "[{" * 99_000, '{"' * 99_000, "{}" * 99_000, '{"a":{}' * 28_000,
     "```json\n" * 24_000, "{" + '"k":1,' * 33_000, '{"x":"' + "\\" * 190_000,
     '{"n":' + "1" * 190_000, ('{"a":' * 300 + "x") * 130],
)  # fmt: skip
def test_hostile_replies_take_bounded_time(text):
    with processor_seconds(2):
        assert prompts.read_mqm(text) is None


@pytest.mark.parametrize(
    ("counts", "raw"),
    [((0, 0, 0), 100), ((1, 0, 0), 99), ((0, 4, 0), 80), ((1, 4, 0), 79), ((0, 0, 1), 75),
     ((2, 3, 4), -17), ((0, 0, 6), -50)],
)  # fmt: skip
def test_scores(counts, raw):
    severities = [s for s, count in zip(SEVERITIES, counts) for _ in range(count)]
    assert raw_mqm([mqm_error("other", severity) for severity in severities]) == raw
    assert mqm80(raw) == (100 if raw >= 80 else 0)


SOUND = {
    "ferry": "The ferry to Harwich left at 6 in the evening. It was not full, and the crew had "
    "time to talk. A man called Pieter said that he had crossed 40 times this year. Nobody "
    "believed him, but he kept a list in his coat.",
    "oven": "We can't repair the oven before Monday. Yesterday the baker Amina sold twelve loaves "
    "and kept two for us. The flour is stored in a dry room, and the cat must never sleep there.",
    "paper": "Our method is slower than the one of Chen by 3 percent. It does, however, need no "
    "labels. We tested it on 250 images, and errors were rare. Future work should look at video.",
}


@pytest.mark.parametrize(
    ("kind", "text", "output"),
    [
        ("negation", "It is not here.", "It is here."),
        ("negation", "They can't win.", "They can win."),
        ("negation", "They won't win.", "They will win."),
        ("negation", "She didn’t ask.", "She did ask."),
        ("negation", "He never asks.", "He asks."),
        ("negation", "It is here.", "It is not here."),
        ("negation", "Go home.", None),
        ("number", "No figures here.", None),
        ("number", "Version 1.5 of A12.", None),
        ("entity", "Nothing named.", None),
        ("omission", "One sentence only.", None),
    ],
)
def test_planted_errors_by_hand(kind, text, output):
    assert plant(kind, text, Draws("hand")) == output


@pytest.mark.parametrize(
    ("original", "output", "found"),
    [
        ("It rains a lot.", "It rains a lot.", []),
        ("It rains a lot.", "", ["critical non-translation"]),
        (
            "It rains a lot today.",
            "Сегодня идёт сильный дождь.",
            ["critical non-translation"],
        ),
        ("We sold 12 boats.", "We sold 13 boats.", ["major accuracy/mistranslation"]),
        ("It is not full.", "It is full.", ["major accuracy/mistranslation"]),
        ("We can't go home.", "We can go home.", ["major accuracy/mistranslation"]),
        ("He met Ada there.", "He met Ivan there.", ["major accuracy/mistranslation"]),
        ("It rains a lot today.", "It rains very much today.", ["minor style/awkward"]),
        ("Wait; it rains.", "Wait, it rains.", ["minor style/awkward"]),
        ("It rains and the sun is gone from us.", "It rains.", ["major accuracy/omission"]),
        ("It rains.", "It rains and the sun is gone from us.", ["critical accuracy/addition"]),
        ("so " * 1_500 + "it ends", "so " * 1_500 + "it goes on", ["critical other"]),
    ],
)
def test_the_judge_by_rule(original, output, found):
    errors = judge.rule_errors(original, output)
    assert [f"{error['severity']} {error['category']}" for error in errors] == found


def test_a_good_judge_passes_its_checks():
    items = check_items(SOUND)
    assert check_items(SOUND) == items
    assert check_items(SOUND, seed=1) != items
    judged = {name: judge.rule_errors(*texts) for name, texts in items.items()}
    found: Any = summarize_checks(items, judged)
    assert (found["unread"], found["identity"]) == (0, {"n": 3, "share": 1, "passed": True})
    assert {kind: cell["n"] for kind, cell in found["planted"].items()} == dict.fromkeys(PLANTED, 3)
    assert all(cell["detected"] == 1 for cell in found["planted"].values())
    assert found["planted"]["empty"]["severities"] == {"minor": 0, "major": 0, "critical": 1}
    assert found["planted"]["number"]["mean"] == 95
    assert found["repeat"] == {"n": 3, "deviation": 0, "flips": 0}
    severe = [mqm_error("other", "minor"), mqm_error("other", "critical")]
    worst: Any = summarize_checks(["planted/number/a"], {"planted/number/a": severe})
    assert worst["planted"]["number"]["severities"] == {"minor": 0, "major": 0, "critical": 1}
    small = {"identity//a": [mqm_error("other", "major")]}
    assert summarize_checks(small, small)["identity"] == {"n": 1, "share": 1, "passed": True}  # 95
    asked = FAMILY.judge.check([xm.Record(xm.Grade(False, "needs_judge"), REFERENCE)]).questions
    assert [x.repeat for x in asked if x.item.startswith("repeat/")] == [0, 1, 2]
    blind: Any = summarize_checks(items, {name: [] for name in items})
    assert not any(cell["detected"] for cell in blind["planted"].values())
    checks, planted = check_tables(found)
    assert {row[0]: row[-1] for row in checks.rows}["unchanged text scores 95 or more"] == "passed"
    assert [row[0] for row in planted.rows] == list(PLANTED)
