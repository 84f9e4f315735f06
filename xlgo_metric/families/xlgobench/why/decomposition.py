"""A language's gap decomposed: what each cause costs, on the same questions.

The gap is the accuracy of plain English minus that of the plain language over the questions that
were answered under every condition. It is the sum of the **steps** from one to the other:

- *length*: plain English minus English that is as long as the language's prompt;
- *rules* and *lines*: where both mixed prompts were asked, the two are a full factorial (English,
  English rules, English lines, the language) and each has its Shapley value, the mean of its effect
  before and after the other was changed; with one mixed prompt there is one order, which is told;
  with none, the *text* is one step;
- *format* and *identifiers* are parts of rules and lines, and become steps of their own, taken out
  of them, where the tests hold that they cost something.

What a longer text costs is a part of what the language's lines and rules cost. It is taken out of
both in proportion to the bytes that each of them adds (of a prompt's tokens nothing is known here;
blocks of one script have them in proportion to bytes).

The contrasts of length, format and identifiers are asked at one end of the way only: length in
English, the others in the language. A cause is taken to turn the same share of correct answers
wrong at the other end, where there are more or fewer of them. Its step is the mean of both ends,
as it is for rules and lines.

A cause is **claimed** where Holm's p over all tests of the section is below .05. The p of a single
contrast and of a Shapley value is exact. Where something was taken out, both must hold, on one
side: the exact test of the whole and Student's test of what is left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import cast

import numpy as np

from xlgo_metric.comparison.compare import adjusted
from xlgo_metric.core import PLAIN
from xlgo_metric.families.xlgobench.section import Cause, Interaction, Step, Why
from xlgo_metric.families.xlgobench.section import Effect as Told
from xlgo_metric.families.xlgobench.why.answers import CommonQuestions
from xlgo_metric.families.xlgobench.why.causes import (
    CONDITIONS,
    ENGLISH,
    ENGLISH_LINES,
    ENGLISH_RULES,
    LENGTH,
    LENGTH_MATCHED,
    LINES,
    RULES,
    SINGLES,
    TAKEN_OUT,
    TEXT,
    Single,
)
from xlgo_metric.statistics.claims import is_significant
from xlgo_metric.statistics.draws import Floats
from xlgo_metric.statistics.effects import (
    Effect,
    averaged,
    combined,
    flipped,
)

ORDER_FREE, ONE_ORDER, WHOLE = "order-free", "one order", "whole"
_ORDER = (LENGTH, RULES, "format", LINES, "identifiers", TEXT)


@dataclass
class Part:
    """A cause within the text: rules, lines, or the text as a whole.

    Attributes:
        scores: of each question, shape (questions,); their mean is the whole effect.
        whole: the effect and its exact p.
        p: of the whole and of what is left of it.
    """

    scores: Floats
    whole: Effect
    p: float


@dataclass
class Decomposition:
    """The gap of one language, before claims are settled over the section.

    Attributes:
        data: the questions.
        gap: plain English minus the plain language.
        method: how rules and lines were distinguished.
        parts: rules and lines, or the text.
        singles: the causes of one contrast, as far as they were asked.
        contrasts: of each condition, its accuracy minus that of the plain questions (of plain
            English for ``length_matched``).
        interaction: what the rules and lines of the language cost together beyond what each costs
            alone beside English; exact under the hypothesis that a question's score is as likely
            to have the other sign; ``None`` without both mixed prompts.
        shares: which share of what length costs belongs to each part.
        p_holm: of ``gap``, ``parts``, ``singles``, ``interaction`` and ``contrasts``, by (kind,
            name).
    """

    data: CommonQuestions
    gap: Effect
    method: str
    parts: dict[str, Part]
    singles: dict[str, Effect]
    contrasts: dict[str, Effect]
    interaction: Effect | None
    shares: dict[str, float]
    p_holm: dict[tuple[str, str], float] = field(default_factory=dict)


def decompose(data: CommonQuestions) -> Decomposition:
    """The effects of every cause that the conditions separate, before significance tests."""
    right = data.right
    singles = {
        one.name: data.effect(one.without, one.with_)
        for one in SINGLES
        if one.without in right and one.with_ in right
    }
    contrasts = {
        name: data.effect(name, ENGLISH if name == LENGTH_MATCHED else PLAIN)
        for name in sorted(set(right) - {ENGLISH, PLAIN}, key=_place)
    }
    method, total = _parts(data)
    decomposed = Decomposition(
        data, data.effect(ENGLISH, PLAIN), method, {}, singles, contrasts, _interaction(data),
        _shares(data, method),
    )  # fmt: skip
    for name, (scores, effect) in total.items():
        # Whatever may be a part of it must not explain it, found or not.
        inside = [one for one in _asked(decomposed) if name in _within(one, method)]
        inside = [one for one in inside if singles[one.name].estimate > 0]
        decomposed.parts[name] = part = Part(scores, effect, effect.p)
        part.p = _claimable(effect, _left(decomposed, name, inside))
    return decomposed


def claim(gaps: Mapping[tuple[str, str], Decomposition]) -> None:
    """Holm over all tests of the section: gaps, causes and contrasts."""
    tests: list[tuple[Decomposition, tuple[str, str], float]] = []
    for decomposed in gaps.values():
        tests.append((decomposed, ("gap", ""), decomposed.gap.p))
        tests += [(decomposed, ("part", name), part.p) for name, part in decomposed.parts.items()]
        tests += [(decomposed, ("single", name), one.p) for name, one in decomposed.singles.items()]
        if decomposed.interaction is not None:
            tests.append((decomposed, ("interaction", ""), decomposed.interaction.p))
        as_single = {_condition(one) for one in SINGLES}
        tests += [
            (decomposed, ("contrast", name), one.p)
            for name, one in decomposed.contrasts.items()
            if name not in as_single
        ]
    for (decomposed, key, _), claimed in zip(tests, adjusted([p for _, _, p in tests])):
        decomposed.p_holm[key] = 1.0 if claimed is None else claimed
    for decomposed in gaps.values():
        for one in SINGLES:
            if one.name in decomposed.singles:
                p = decomposed.p_holm["single", one.name]
                decomposed.p_holm["contrast", _condition(one)] = p


def as_json(decomposed: Decomposition) -> Why:
    """The gap of a language in plain JSON types; after ``claim``.

    Returns:
        ``n`` and ``levels`` (questions and their complexities), ``accuracy`` by condition,
        ``gap``, ``method``, ``length_share`` by part, ``causes`` (with ``within`` and
        ``taken_out``), ``steps`` (they sum to the gap) and ``contrasts``. Effects are fractions;
        those of causes and steps are positive where the language is behind for it, those of
        contrasts where the condition is better than what it is held against.
    """
    data = decomposed.data
    taken_out = [
        one for one in _asked(decomposed) if one.name == LENGTH or _is_step(decomposed, one)
    ]
    causes: dict[str, Cause] = {}
    for one in SINGLES:
        if one.name in decomposed.singles:
            p, single = decomposed.p_holm["single", one.name], decomposed.singles[one.name]
            if one in taken_out:
                single = replace(combined(*_both_ends(decomposed, one), data.cluster), p=single.p)
            within = [name for name in _within(one, decomposed.method) if name in decomposed.parts]
            causes[one.name] = cast(Cause, {**_effect_json(single, p), "within": within})
    for name, part in decomposed.parts.items():
        inside = [one for one in taken_out if name in _within(one, decomposed.method)]
        whole_part = {
            "p": part.p,
            "whole": asdict(part.whole),
            "taken_out": [o.name for o in inside],
        }
        left = _effect_json(_left(decomposed, name, inside), decomposed.p_holm["part", name])
        causes[name] = cast(Cause, {**left, **whole_part})
    steps = [
        name for name in _ORDER if name in decomposed.parts or name in {o.name for o in taken_out}
    ]
    return {
        "n": data.n,
        "levels": [int(c) if c == int(c) else c for c in data.levels],
        "accuracy": {
            name: float(right.mean())
            for name, right in sorted(data.right.items(), key=lambda item: _place(item[0]))
        },
        "gap": _effect_json(decomposed.gap, decomposed.p_holm["gap", ""]),
        "method": decomposed.method,
        "interaction": _interaction_json(decomposed),
        "length_share": decomposed.shares if LENGTH in decomposed.singles else None,
        "causes": {name: causes[name] for name in sorted(causes, key=_cause_place)},
        "steps": [_step(name, causes[name]) for name in steps],
        "contrasts": {
            name: {
                **_effect_json(effect, decomposed.p_holm["contrast", name]),
                "against": ENGLISH if name == LENGTH_MATCHED else PLAIN,
            }
            for name, effect in decomposed.contrasts.items()
        },
    }


def _step(name: str, cause: Cause) -> Step:
    return {
        "cause": name, "estimate": cause["estimate"], "low": cause["low"], "high": cause["high"],
        "claimed": cause["claimed"],
    }  # fmt: skip


def _parts(data: CommonQuestions) -> tuple[str, dict[str, tuple[Floats, Effect]]]:
    """Scores of rules and lines by the mixed prompts that there are, and their exact effects."""
    right = data.right
    if {ENGLISH_RULES, ENGLISH_LINES} <= right.keys():
        both = (ENGLISH, ENGLISH_LINES, ENGLISH_RULES, PLAIN)
        none, by_rules, by_lines, all_ = (right[name].astype(np.int64) for name in both)
        halves = {
            RULES: none - by_rules + by_lines - all_,
            LINES: none - by_lines + by_rules - all_,
        }
        return ORDER_FREE, {
            name: (h / 2.0, averaged(h, data.cluster)) for name, h in halves.items()
        }
    if ENGLISH_LINES in right:
        pairs = {RULES: (ENGLISH, ENGLISH_LINES), LINES: (ENGLISH_LINES, PLAIN)}
    elif ENGLISH_RULES in right:
        pairs = {RULES: (ENGLISH_RULES, PLAIN), LINES: (ENGLISH, ENGLISH_RULES)}
    else:
        pairs = {TEXT: (ENGLISH, PLAIN)}
    parts = {
        name: (right[a].astype(np.float64) - right[b], data.effect(a, b))
        for name, (a, b) in pairs.items()
    }
    return (ONE_ORDER if len(pairs) > 1 else WHOLE), parts


def _interaction(data: CommonQuestions) -> Effect | None:
    """Rules and lines of the language together, beyond the sum of each alone beside English."""
    if not {ENGLISH_RULES, ENGLISH_LINES} <= data.right.keys():
        return None
    english, plain, rules, lines = (
        data.right[name].astype(np.int64) for name in (ENGLISH, PLAIN, ENGLISH_RULES, ENGLISH_LINES)
    )
    return flipped(rules + lines - english - plain, 2.0, data.cluster)


def _interaction_json(decomposed: Decomposition) -> Interaction | None:
    """The interaction in JSON types; ``only_together`` where neither part alone costs anything."""
    if decomposed.interaction is None:
        return None
    told = _effect_json(decomposed.interaction, decomposed.p_holm["interaction", ""])
    alone = [decomposed.data.effect(ENGLISH, name).p for name in (ENGLISH_RULES, ENGLISH_LINES)]
    silent = not any(map(is_significant, alone)) and decomposed.interaction.estimate > 0
    return {**told, "only_together": bool(told["claimed"] and silent)}


def _shares(data: CommonQuestions, method: str) -> dict[str, float]:
    """Which share of the bytes that the language adds are those of rules and of lines.

    The lines take everything where sizes are not known or do not say, because they are most of a
    prompt.
    """
    if method == WHOLE:
        return {TEXT: 1.0}
    size = data.sizes
    added = {RULES: 0.0, LINES: 1.0}
    if {ENGLISH, PLAIN} <= size.keys():
        rules = [
            size[a] - size[b]
            for a, b in ((ENGLISH_LINES, ENGLISH), (PLAIN, ENGLISH_RULES))
            if a in size and b in size
        ]
        if rules:
            added[RULES] = sum(rules) / len(rules)
            added[LINES] = size[PLAIN] - size[ENGLISH] - added[RULES]
    total = sum(added.values())
    if total == 0.0 or min(added.values()) * total < 0.0:  # one grew, the other shrank
        return {name: float(added[name] == max(added.values(), key=abs)) for name in added}
    return {name: value / total for name, value in added.items()}


def _claimable(whole: Effect, left: Effect) -> float:
    """The p value with which a part is claimed: both must hold, and point to the same side.

    What is taken out may be more than the part has of it, where causes weaken each other. Then
    something is left on the other side, of which the whole shows nothing.
    """
    return max(whole.p, left.p) if whole.estimate * left.estimate > 0 else 1.0


def _left(decomposed: Decomposition, name: str, inside: Sequence[Single]) -> Effect:
    """What is left of a part when the causes within it are taken out."""
    part = decomposed.parts[name]
    if not inside:
        return part.whole
    scores, reach = part.scores, 1.0
    for one in inside:
        taken_out, its_reach = _both_ends(decomposed, one)
        share = decomposed.shares[name] if one.name == LENGTH else 1.0
        scores, reach = scores - share * taken_out, reach + share * its_reach
    left = combined(scores, reach, decomposed.data.cluster)
    if name == TEXT and [one.name for one in inside] == [LENGTH]:
        # That the rest is nothing is a hypothesis of one contrast, and so of an exact test.
        return replace(left, p=decomposed.data.effect(LENGTH_MATCHED, PLAIN).p)
    return left


def _both_ends(decomposed: Decomposition, one: Single) -> tuple[Floats, float]:
    """A single cause as a mean of both ends of the way from English to the language.

    With w and v the accuracies without and with it at the end where it was asked, it takes w - v
    there. At the other end it takes the same share, so (w - v) a / b: for length a is the accuracy
    of the language and b = v, for the others a is that of English and b = w. The scores are those
    of this estimate to first order (delta method); their mean is the estimate.

    Returns:
        Scores, shape (questions,), and the largest absolute value that one can have.
    """
    right = decomposed.data.right
    without, with_ = (right[name].astype(np.float64) for name in (one.without, one.with_))
    here = without - with_
    far, beside = (PLAIN, with_) if one.name == LENGTH else (ENGLISH, without)
    if not beside.any():
        return here, 1.0
    far_right = right[far].astype(np.float64)
    ratio, slope = far_right.mean() / beside.mean(), here.mean() / beside.mean()
    scores: Floats = ((1.0 + ratio) * here + slope * (far_right - ratio * beside)) / 2.0
    return scores, float((1.0 + ratio) + abs(slope) * max(1.0, ratio)) / 2.0


def _asked(decomposed: Decomposition) -> list[Single]:
    """The causes that can be taken out of a part, as far as they were asked."""
    names = {LENGTH, *TAKEN_OUT} & decomposed.singles.keys()
    return [one for one in SINGLES if one.name in names]


def _is_step(decomposed: Decomposition, one: Single) -> bool:
    found = decomposed.singles[one.name]
    return found.estimate > 0 and is_significant(decomposed.p_holm["single", one.name])


def _within(one: Single, method: str) -> tuple[str, ...]:
    return (TEXT,) if method == WHOLE else one.within


def _condition(one: Single) -> str:
    """The condition whose contrast this cause is."""
    return one.with_ if one.without == ENGLISH else one.without


def _effect_json(effect: Effect, p_holm: float) -> Told:
    return {
        "estimate": effect.estimate, "low": effect.low, "high": effect.high, "p": effect.p,
        "p_holm": p_holm, "claimed": is_significant(p_holm),
    }  # fmt: skip


def _place(name: str) -> tuple[int, str]:
    """English first, then the conditions in their order, then those that are not known."""
    known = (ENGLISH, *CONDITIONS)
    return (known.index(name) if name in known else len(known)), name


def _cause_place(name: str) -> int:
    rest = [one.name for one in SINGLES if one.name not in _ORDER]
    return [*_ORDER, *rest].index(name)
