"""Two parts, three sequences and every way to fail: all counts and shares made once more."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import hypot, sqrt
from statistics import fmean, stdev
from typing import Any

import pytest

from tests.lit.made import CHAINS, made, made_set, record_of
from xlgo_metric import core, views
from xlgo_metric.families.lit import FAMILY, summary, tables, values
from xlgo_metric.families.lit.records import chain_of, mqm_error, parts_of, raw_mqm

POINTS = {"minor": 1, "major": 5, "critical": 25}


def section_of(records: Sequence[core.Record], **options: Any) -> Any:
    return summary.summarize(records, **{"draws": 50, **options})


def chains_of(records: Sequence[core.Record]) -> list[views.Row]:
    return [chain_of(record.grade, record.reference) for record in records]


FATES: dict[int, dict[str, Any]] = {
    1: {"copied": True},
    2: {"language_ok": False},
    3: {"language_ok": None},
    4: {"copied": True, "language_ok": False},  # the first reason counts
}
"""What is so of the hop in the middle."""


def spoiled(record: core.Record, place: int) -> core.Record:
    """One of ten fates, in turn."""
    fate, reference = place % 10, record.reference
    hops, details = record.grade.answer["hops"], record.grade.details
    names = (reference["text_id"], reference["subcategory"], reference["sequence"])
    if fate in FATES:
        hops[len(hops) // 2] |= FATES[fate]
    if fate in (5, 6):
        broken = made(*names, 9, failed=fate - 3).grade.answer["hops"]
        broken[-1]["status"] = "empty" if fate == 5 else "error"
        return record_of(broken, reference, whole=False)
    judged = {key: details[key] for key in ("judgement", "direct")}
    if fate == 7:
        judged = {"judgement": {"status": "error"}, "direct": {"status": "unparsed"}}
    if fate == 8:
        judged = {"direct": {"status": "error"}}
    return record_of(hops, reference, **judged)


@cache
def records() -> dict[str, list[core.Record]]:
    """Twenty-one texts of three subcategories, and three of one in the other part."""
    every = [
        made(f"{kind}{number}", kind, sequence, (7 * number + len(sequence)) % 33)
        for kind, size in {"stem": 6, "inference": 5, "informal": 10}.items()
        for number in range(size)
        for sequence in CHAINS
    ]
    main = [spoiled(record, place) for place, record in enumerate(every)]
    further = [
        made(f"r{number}", "stem", sequence, 5 * number)
        for number in range(3)
        for sequence in ("africa", "e_asia")
    ]
    for record in further:
        record.reference.update(task="lit_robustness", text_split="robustness")
    return {"main": main[:-2], "robustness": further}


@cache
def chains() -> dict[str, list[views.Row]]:
    return {part: chains_of(own) for part, own in records().items()}


@cache
def whole() -> Any:
    return section_of([record for own in records().values() for record in own])


def test_coverage_and_warnings_count_every_fate() -> None:
    section = whole()
    main = chains()["main"]
    coverage = section["splits"]["main"]["coverage"]
    there = [one for one in main if not any(hop["status"] == "error" for hop in one["hops"])]
    finished = [one for one in there if one["status"] == "ok"]
    assert (coverage["chains"], coverage["recorded"]) == (63, len(main))
    assert (coverage["missing"], coverage["finished"]) == (len(main) - len(there), len(finished))
    assert coverage["failed"] == {"failed@2": len(there) - len(finished)}
    for key in ("judgement", "direct"):
        counts = Counter(one[key] for one in finished)
        told = coverage[{"judgement": "judgements"}.get(key, key)]
        assert told == {name: counts[name] for name in ("ok", "unparsed", "error", "none")}
    assert sum(coverage["gate"].values()) == len(finished)
    places = Counter(place % 10 for place in range(len(main)))
    expected = {"copied": places[1] + places[4], "another_language": places[2],
                "language_unknown": places[3]}  # fmt: skip
    assert {name: coverage["gate"][name] for name in expected} == expected
    other = section["splits"]["robustness"]["coverage"]
    assert (other["chains"], other["recorded"], other["gate"]["open"]) == (6, 6, 6)
    told = tables.warnings_of("main", section["splits"]["main"], main, "fail")
    assert told[1:] == [
        "main: 2 of 63 chains are not recorded.",
        f"main: {coverage['missing']} of 61 chains are missing, since requests failed: the same "
        "command asks for them again.",
        f"main: {places[5]} chains broke off; they count 0 in mqm80 and gated scores.",
        f"main: {places[7]} judgements could not be read; they are left out.",
        f"main: {places[8]} finished chains have no judgements yet.",
        f"main: {places[7] + places[8]} direct scores could not be read; they are left out.",
    ]
    of_robustness = ["robustness: fewer than 4 texts of STEM: these have no standard error."]
    assert section["warnings"][-1:] == of_robustness
    assert section["warnings"][1:] == [
        *told,
        *tables.warnings_of(
            "robustness", section["splits"]["robustness"], chains()["robustness"], "fail"
        ),
    ]


def test_gated_scores_are_zero_where_a_hop_is_no_translation() -> None:
    """Counted chain by chain, for each sequence, and the mean over sequences."""
    section = whole()
    for part, own in chains().items():
        means = []
        cells = section["splits"][part]["metrics"]
        for sequence in dict.fromkeys(one["sequence"] for one in own):
            shares, raws = [], []
            for one in (one for one in own if one["sequence"] == sequence):
                lost = sum(POINTS[error["severity"]] for error in one["errors"])
                hops = one["hops"]
                is_open = one["status"] == "ok" and all(
                    hop["language_ok"] and not hop["copied"] for hop in hops
                )
                is_judged = one["status"] != "ok" or one["judgement"] == "ok"
                if is_judged and all(hop["status"] != "error" for hop in hops):
                    shares.append(100 * (is_open and lost <= 20))
                    raws.append(max(0, 100 - lost) * is_open)
            view = f"sequence:{sequence}"
            assert cells["mqm80_gated"][view]["n"] == len(shares)
            exact = Fraction(sum(shares), len(shares))
            assert cells["mqm80_gated"][view]["mean"] == pytest.approx(float(exact))
            assert cells["raw_mqm_gated"][view]["mean"] == pytest.approx(sum(raws) / len(raws))
            means.append(exact)
        macro = cells["mqm80_gated"]["macro_category"]["mean"]
        expected = {"": float(sum(means, Fraction(0)) / len(means)), "_macro": macro}
        for end, value in expected.items():
            assert tables.headline(section)[f"lit_{part}_mqm80_gated{end}"] == pytest.approx(value)
    told = [words for _, words in tables.findings(section)]
    for part in chains():
        coverage = section["splits"][part]["coverage"]
        begin = f"LiT {part}: {coverage['finished']} of {coverage['chains']} chains reached"
        assert any(words.startswith(begin) for words in told)


def test_hops_are_counted_for_every_sequence_and_hop() -> None:
    main = chains()["main"]
    rows = {(row["sequence"], row["hop"]): row for row in values.hop_table(main)}
    assert list(rows) == [(name, hop) for name in sorted(CHAINS) for hop in range(1, 6)]
    for (sequence, number), row in rows.items():
        hops = [
            (
                one["hops"][number - 1],
                one["original"] if number == 1 else one["hops"][number - 2]["output"],
            )
            for one in main
            if one["sequence"] == sequence and len(one["hops"]) >= number
        ]
        there = [(hop, source) for hop, source in hops if hop["status"] == "ok"]
        told = [hop["language_ok"] for hop, _ in there if hop["language_ok"] is not None]
        assert row["n"] == len(hops)
        assert (row["src"], row["tgt"]) == (hops[0][0]["src"], hops[0][0]["tgt"])
        counts = Counter(hop["status"] for hop, _ in hops)
        assert {name: n for name, n in row["statuses"].items() if n} == dict(counts)
        assert row["in_language"] == pytest.approx(sum(told) / len(told))
        assert row["language_unknown"] == len(there) - len(told)
        assert row["copied"] == pytest.approx(sum(hop["copied"] for hop, _ in there) / len(there))
        ratios = [len(hop["output"]) / len(source) for hop, source in there]
        assert row["length_ratio"] == pytest.approx(sum(ratios) / len(ratios))


def test_errors_of_finished_and_judged_chains_only() -> None:
    def marked(*errors: tuple[str, str], **more: Any) -> views.Row:
        (chain,) = chains_of([made("a", "stem", "e_asia", 0)])
        return {**chain, "errors": [mqm_error(*error) for error in errors], **more}

    added, left_out, style = "accuracy/addition", "accuracy/omission", "style/awkward"
    found = values.error_kinds([
        marked((added, "minor"), (added, "minor")),  # a minor addition is no hallucination
        marked((added, "major"), (left_out, "minor"), (style, "minor")),
        marked((left_out, "critical")),
        marked(),
        marked((style, "critical"), status="failed@5"),
        *chains_of([made("a", "stem", "e_asia", None)]),  # its judgement could not be read
    ])  # fmt: skip
    assert (found["chains"], found["errors"]) == (4, 6)
    assert found["counts"] == {
        added: {"minor": 2, "major": 1, "critical": 0},
        left_out: {"minor": 1, "major": 0, "critical": 1},
        style: {"minor": 1, "major": 0, "critical": 0},
    }
    total = 2 + 5 + 1 + 1 + 25
    assert {name: share for name, share in found["points"].items() if share} == pytest.approx(
        {added: 7 / total, left_out: 26 / total, style: 1 / total,
         "minor": 4 / total, "major": 5 / total, "critical": 25 / total}
    )  # fmt: skip
    assert (found["omission"], found["hallucination"], found["no_error"]) == (0.5, 0.25, 0.25)


def test_standard_errors_are_those_of_resampled_texts() -> None:
    """Within a subcategory the error is s / sqrt(n); the macro one joins them."""
    texts: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for chain in chains_of(made_set()):
        texts[chain["subcategory"]][chain["text_id"]].append(raw_mqm(chain["errors"]))
    exact = {name: stdev(map(fmean, own.values())) / sqrt(len(own)) for name, own in texts.items()}
    cells = section_of(made_set(), draws=2_000)["splits"]["main"]["metrics"]["raw_mqm"]
    for name, se in exact.items():
        assert cells[f"subcategory:{name}"]["se"] == pytest.approx(se, rel=0.08)
    joint = hypot(*exact.values()) / len(exact)
    assert cells["macro_category"]["se"] == pytest.approx(joint, rel=0.08)


@pytest.mark.parametrize(
    ("mistake", "options", "message"),
    [
        ({}, {"weights": "x"}, "cannot be read"),
        ({}, {"weights": "5/1/25"}, "do not rise"),
        ({}, {"weights": "0/0/0"}, "do not rise"),
        ({"text_split": "third"}, {}, "unknown split 'third'"),
        ({"text_id": "a", "subcategory": "informal"}, {}, "the text 'a' has two values of 'subcat"),
        ({"tier": "low"}, {}, "the sequence 'e_asia' has two values of 'tier'"),
    ],
)
def test_mistakes_are_told(mistake, options, message):
    first, second = made("a", "stem", "e_asia", 1), made("b", "stem", "e_asia", 1)
    second.reference.update(mistake, sequence="africa" if "text_id" in mistake else "e_asia")
    with pytest.raises(ValueError, match=message):
        section_of([first, second], **options)


def test_of_a_repeated_chain_the_first_counts() -> None:
    reference = {
        "task": "lit_africa", "text_id": "a", "subcategory": "stem", "category": "abstracts",
        "text_split": "main", "sequence": "africa", "tier": "low", "original": "Hi there.",
    }  # fmt: skip
    parts, left_out = parts_of(
        [
            core.Record(
                core.Grade(True, "correct", answer={"status": "ok", "hops": [hop]}), reference
            )
            for final in ("first", "second")
            for hop in [{"hop": 1, "src": "en", "tgt": "en", "output": final, "status": "ok"}]
        ]
    )
    assert ([chain["final"] for chain in parts["main"]], left_out) == (["first"], 1)


def test_models_stand_in_the_order_of_their_scores_with_the_average_below() -> None:
    shifts = {"low": 12, "high": 0, "middle": 5}
    sections = {name: section_of(made_set(shift=shift)) for name, shift in shifts.items()}
    found = {table.name: table for table in FAMILY.many(sections, {})}
    table = found["lit_main_raw_mqm_gated_category"]
    assert [row[0] for row in table.rows] == ["high", "middle", "low", "Average"]
    assert [c.name for c in table.columns][:4] == ["model", "average", "SE", "stem"]
    for place in (1, 3, 4, 5):
        column = [row[place] for row in table.rows]
        assert column[-1] == pytest.approx(fmean(column[:-1]))
    # The average of a row is the plain mean of its categories.
    for row in table.rows:
        assert row[1] == pytest.approx(fmean(row[3:]))
    assert [c.name for c in found["lit_main_mqm80_gated_sequence"].columns][3:5] == ["high", "low"]
    assert "Judged by rule." in table.caption
    assert "lit_metrics" in found
    two = {name: sections[name] for name in ("low", "high")}
    two["low"] = two["low"] | {"options": two["low"]["options"] | {"judge": "another"}}
    found = {table.name: table for table in FAMILY.many(two, {})}
    assert "judge all with one judge" in found["lit_main_raw_mqm_gated_category"].caption
    assert "lit_metrics" not in found  # two models are always ranked alike or the other way round
