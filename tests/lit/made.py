"""Made records whose scores are known."""

import hashlib
from collections.abc import Sequence
from typing import Any

from xlgo_metric import core, views
from xlgo_metric.families.lit.records import mqm_error

CHAINS = {
    "e_asia": ("high", ("ja", "ko", "zh-Hans", "ru")),
    "n_east": ("high", ("bg", "el", "tr", "fa")),
    "africa": ("low", ("sw", "ar", "ha", "am")),
}
CATEGORY = {"stem": "abstracts", "inference": "pragmatics", "informal": "informal"}


def errors(penalty: int) -> list[views.Row]:
    """Errors that weigh so much at 1/5/25."""
    critical, rest = divmod(penalty, 25)
    major, minor = divmod(rest, 5)
    return [
        *(mqm_error("accuracy/addition", "critical") for _ in range(critical)),
        *(mqm_error("accuracy/omission", "major") for _ in range(major)),
        *(mqm_error("style/awkward", "minor") for _ in range(minor)),
    ]


def record_of(
    hops: Sequence[views.Row], reference: dict[str, Any], *, whole: bool = True, **judged: views.Row
) -> core.Record:
    """A record of hops, whose grade says of them what grading does."""
    details = {
        "copied": [hop["hop"] for hop in hops if hop["copied"]],
        "another_language": [hop["hop"] for hop in hops if hop["language_ok"] is False],
        "language_unknown": [hop["hop"] for hop in hops if hop["language_ok"] is None],
        "missing": any(hop["status"] == "error" for hop in hops),
        "judge": "rule",
        **judged,
    }
    answer = {"status": "ok" if whole else f"failed@{len(hops)}", "hops": list(hops)}
    return core.Record(core.Grade(False, "needs_judge", answer=answer, details=details), reference)


def number(*key: object) -> int:
    """A number from 0 to 99 that depends on the key alone."""
    return hashlib.sha256(repr(key).encode()).digest()[0] % 100


def made(
    text_id: str, subcategory: str, sequence: str, penalty: int | None, *, failed: int = 0
) -> core.Record:
    """One chain; without a penalty its judgement could not be read, ``failed`` is the last hop."""
    tier, languages = CHAINS[sequence]
    hops, source = [], "en"
    for place, target in enumerate((*languages, "en")[: failed or None], start=1):
        broken = place == failed
        output = f"The text {text_id} told." if target == "en" else f"{target}本文{text_id}" * 3
        hops.append({
            "hop": place, "src": source, "tgt": target, "output": "" if broken else output,
            "status": "empty" if broken else "ok", "language_ok": None if broken else True,
            "reasoning": "I think in English.", "copied": False,
        })  # fmt: skip
        source = target
    reference = {
        "task": "lit_main", "text_id": text_id, "subcategory": subcategory,
        "category": CATEGORY[subcategory], "text_split": "main", "sequence": sequence, "tier": tier,
        "original": f"The text {text_id} tells of 12 boats. Nobody saw them leave at night.",
        "data_origin": "sample",
    }  # fmt: skip
    mqm: views.Row = {"status": "none" if failed else "unparsed"}
    direct: views.Row = {"status": "none"}
    if penalty is not None and not failed:
        mqm = {"status": "ok", "errors": errors(penalty)}
        direct = {"status": "ok", "score": float(max(0, 100 - penalty))}
    return record_of(hops, reference, whole=not failed, judgement=mqm, direct=direct)


def made_set(
    sizes: dict[str, int] | None = None, shift: int = 0, *, sequences: tuple[str, ...] = ()
) -> list[core.Record]:
    """A full grid; a chain's penalty is a fixed number of its text and sequence plus ``shift``."""
    return [
        made(
            f"{sub}{i:02d}",
            sub,
            sequence,
            number(sub, i) // 3 + number(sub, i, sequence) // 5 + shift,
        )
        for sub, size in (sizes or {"stem": 5, "inference": 6, "informal": 9}).items()
        for i in range(size)
        for sequence in sequences or tuple(CHAINS)
    ]
