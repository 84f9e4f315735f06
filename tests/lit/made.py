"""Made records whose scores are known."""

import hashlib

from xlgo_metric.families.lit.records import ChainRecord, Hop, Judgement, MqmError

CHAINS = {
    "e_asia": ("high", ("ja", "ko", "zh-Hans", "ru")),
    "n_east": ("high", ("bg", "el", "tr", "fa")),
    "africa": ("low", ("sw", "ar", "ha", "am")),
}
CATEGORY = {"stem": "abstracts", "inference": "pragmatics", "informal": "informal"}


def errors(penalty: int) -> tuple[MqmError, ...]:
    """Errors that weigh so much at 1/5/25."""
    critical, rest = divmod(penalty, 25)
    major, minor = divmod(rest, 5)
    return (
        *(MqmError("accuracy/addition", "critical") for _ in range(critical)),
        *(MqmError("accuracy/omission", "major") for _ in range(major)),
        *(MqmError("style/awkward", "minor") for _ in range(minor)),
    )


def number(*key: object) -> int:
    """A number from 0 to 99 that depends on the key alone."""
    return hashlib.sha256(repr(key).encode()).digest()[0] % 100


def made(
    text_id: str, subcategory: str, sequence: str, penalty: int | None, *, failed: int = 0
) -> ChainRecord:
    """One chain; without a penalty its judgement could not be read, ``failed`` is the last hop."""
    tier, languages = CHAINS[sequence]
    original = f"The text {text_id} tells of 12 boats. Nobody saw them leave the harbour at night."
    hops, source = [], "en"
    for place, target in enumerate((*languages, "en"), start=1):
        broken = place == failed
        output = f"The text {text_id} told." if target == "en" else f"{target}本文{text_id}" * 3
        hops.append(
            Hop(place, source, target, "" if broken else output, "empty" if broken else "ok",
                None if broken else True, "I think in English.")
        )  # fmt: skip
        source = target
        if broken:
            break
    whole = not failed
    judged = whole and penalty is not None
    return ChainRecord(
        text_id, subcategory, CATEGORY[subcategory], "main", sequence, tier, tuple(hops),
        "ok" if whole else f"failed@{failed}", original,
        f"The text {text_id} told." if whole else "",
        Judgement("ok", errors(penalty or 0)) if judged
        else Judgement("unparsed" if whole else "none"),
        Judgement("ok", score=float(max(0, 100 - (penalty or 0)))) if judged else Judgement(),
    )  # fmt: skip


def made_set(
    sizes: dict[str, int] | None = None, shift: int = 0, *, sequences: tuple[str, ...] = ()
) -> list[ChainRecord]:
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
