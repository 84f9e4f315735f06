"""Translators that do not translate rank below one that loses a tenth of the words, everywhere."""

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
from xlgo_dataset.core.rng import Stream
from xlgo_dataset.families.lit.translator import decode, encode
from xlgo_metric.core import Record
from xlgo_metric.families.lit import FAMILY

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
