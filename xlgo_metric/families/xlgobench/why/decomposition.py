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

All effects of the section are tested together by the one procedure of differences
(``statistics.simultaneous``): first those of single contrasts and of whole parts, which decides
what is taken out of what, then all that is shown. Where something was taken out of a cause, the
cause is **claimed** only if both the whole and what is left of it are significant, on one side.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

import numpy as np

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
from xlgo_metric.statistics.claims import MARGIN
from xlgo_metric.statistics.draws import Floats
from xlgo_metric.statistics.simultaneous import Contrast, Inference, infer

ORDER_FREE, ONE_ORDER, WHOLE = "order-free", "one order", "whole"
_ORDER = (LENGTH, RULES, "format", LINES, "identifiers", TEXT)


Key = tuple[str, str]
"""A kind of effect (``gap``, ``whole``, ``single``, ``interaction``, ``contrast``, ``cause``) and a
name."""


@dataclass
class Decomposition:
    """The gap of one language, before claims are settled over the section.

    Attributes:
        data: the questions.
        method: how rules and lines were distinguished.
        parts: scores of rules and lines, or of the text, shape (questions,); their means are the
            whole effects.
        scores: of every effect that is tested, by kind and name.
        shares: which share of what length costs belongs to each part.
        taken_out: the single causes that become steps of their own.
        found: what is known of every effect.
    """

    data: CommonQuestions
    method: str
    parts: dict[str, Floats]
    scores: dict[Key, Floats]
    shares: dict[str, float]
    taken_out: list[Single] = field(default_factory=list)
    found: dict[Key, Inference] = field(default_factory=dict)

    def inside(self, part: str) -> list[Single]:
        """The causes that are taken out of a part."""
        return [one for one in self.taken_out if part in _within(one, self.method)]

    def is_claimed(self, key: Key) -> bool:
        """Whether an effect is significant, and the whole of what is left of it, too."""
        kind, name = key
        found = [self.found[key]]
        if kind == "cause":
            found.append(self.found["whole" if name in self.parts else "single", name])
            rest = [one.name for one in self.inside(name)] if name == TEXT else []
            if rest == [LENGTH]:
                # That the rest is nothing is a hypothesis of one contrast, whose test is exact.
                found.append(self.found["contrast", LENGTH_MATCHED])
        signs = {one.difference > 0 for one in found}
        return len(signs) == 1 and all(one.is_significant for one in found)


def decompose(data: CommonQuestions) -> Decomposition:
    """The effects of every cause that the conditions separate, before significance tests."""
    right = data.right
    method, parts = _parts(data)
    scores: dict[Key, Floats] = {("gap", ""): data.difference(ENGLISH, PLAIN)}
    scores |= {("whole", name): score for name, score in parts.items()}
    for one in SINGLES:
        if one.without in right and one.with_ in right:
            scores["single", one.name] = data.difference(one.without, one.with_)
    for name in sorted(set(right) - {ENGLISH, PLAIN}, key=_place):
        against = ENGLISH if name == LENGTH_MATCHED else PLAIN
        scores["contrast", name] = data.difference(name, against)
    if {ENGLISH_RULES, ENGLISH_LINES} <= right.keys():
        # What rules and lines of the language cost together, beyond each alone beside English.
        scores["interaction", ""] = data.difference(ENGLISH_RULES, ENGLISH) + data.difference(
            ENGLISH_LINES, PLAIN
        )
        for name, mixed in ((RULES, ENGLISH_LINES), (LINES, ENGLISH_RULES)):
            scores["alone", name] = data.difference(ENGLISH, mixed)
    return Decomposition(data, method, parts, scores, _shares(data, method))


def claim(gaps: Mapping[tuple[str, str], Decomposition]) -> None:
    """Test all effects of the section together, then those that are left of others."""
    _infer(gaps)
    for gap in gaps.values():
        gap.taken_out = [
            one for one in SINGLES
            if one.name in {LENGTH, *TAKEN_OUT} and ("single", one.name) in gap.scores
            and (one.name == LENGTH or _costs(gap.found["single", one.name]))
        ]  # fmt: skip
        for one in SINGLES:
            if ("single", one.name) in gap.scores:
                both = one in gap.taken_out
                score = _both_ends(gap, one) if both else gap.scores["single", one.name]
                gap.scores["cause", one.name] = score
        for name, whole in gap.parts.items():
            out = [
                (gap.shares[name] if one.name == LENGTH else 1.0) * gap.scores["cause", one.name]
                for one in gap.inside(name)
            ]
            gap.scores["cause", name] = whole - sum(out, np.zeros(gap.data.n))
    _infer(gaps)


def _costs(single: Inference) -> bool:
    return single.is_significant and single.difference > 0


def _infer(gaps: Mapping[tuple[str, str], Decomposition]) -> None:
    """Test the effects of all gaps together."""
    keys: list[tuple[Decomposition, Key]] = []
    contrasts: list[Contrast] = []
    for gap in gaps.values():
        for key, scores in gap.scores.items():
            one = gap.data.contrast(scores)
            gap.found[key] = Inference(one.difference, np.nan, np.nan, 1.0, False)
            if not gap.data.refused or not _is_chosen(gap.data, key):
                keys.append((gap, key))
                contrasts.append(one)
    for (gap, key), found in zip(keys, infer(contrasts)):
        gap.found[key] = found


def _is_chosen(data: CommonQuestions, key: Key) -> bool:
    """Whether answers under one side of an effect alone chose the questions."""
    singles = {one.name: (one.without, one.with_) for one in SINGLES}
    kind, name = key
    if kind == "contrast":
        return data.is_chosen(name, ENGLISH if name == LENGTH_MATCHED else PLAIN)
    return data.is_chosen(*(singles.get(name) or (ENGLISH, PLAIN)))


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
    causes: dict[str, Cause] = {}
    for kind, name in decomposed.scores:
        if kind != "cause":
            continue
        told: dict[str, object] = dict(_effect_json(decomposed, (kind, name)))
        if name in decomposed.parts:
            told["whole"] = _effect_json(decomposed, ("whole", name))
            told["taken_out"] = [one.name for one in decomposed.inside(name)]
        else:
            (single,) = (one for one in SINGLES if one.name == name)
            within = _within(single, decomposed.method)
            told["within"] = [part for part in within if part in decomposed.parts]
        causes[name] = cast(Cause, told)
    steps = {*decomposed.parts, *(one.name for one in decomposed.taken_out)}
    return {
        "n": data.n,
        "levels": [int(c) if c == int(c) else c for c in data.levels],
        "accuracy": {
            name: float(right.mean())
            for name, right in sorted(data.right.items(), key=lambda item: _place(item[0]))
        },
        "gap": _effect_json(decomposed, ("gap", "")),
        "method": decomposed.method,
        "interaction": _interaction_json(decomposed),
        "length_share": decomposed.shares if ("single", LENGTH) in decomposed.scores else None,
        "causes": {name: causes[name] for name in sorted(causes, key=_cause_place)},
        "steps": [_step(name, causes[name]) for name in _ORDER if name in steps],
        "contrasts": {
            name: {
                **_effect_json(decomposed, (kind, name)),
                "against": ENGLISH if name == LENGTH_MATCHED else PLAIN,
            }
            for kind, name in decomposed.scores
            if kind == "contrast"
        },
    }


def _step(name: str, cause: Cause) -> Step:
    return {
        "cause": name, "estimate": cause["estimate"], "low": cause["low"], "high": cause["high"],
        "claimed": cause["claimed"],
    }  # fmt: skip


def _parts(data: CommonQuestions) -> tuple[str, dict[str, Floats]]:
    """Scores of rules and lines by the mixed prompts that there are."""
    right, of = data.right, data.difference
    if {ENGLISH_RULES, ENGLISH_LINES} <= right.keys():
        return ORDER_FREE, {
            RULES: (of(ENGLISH, ENGLISH_LINES) + of(ENGLISH_RULES, PLAIN)) / 2.0,
            LINES: (of(ENGLISH, ENGLISH_RULES) + of(ENGLISH_LINES, PLAIN)) / 2.0,
        }
    if ENGLISH_LINES in right:
        return ONE_ORDER, {RULES: of(ENGLISH, ENGLISH_LINES), LINES: of(ENGLISH_LINES, PLAIN)}
    if ENGLISH_RULES in right:
        return ONE_ORDER, {RULES: of(ENGLISH_RULES, PLAIN), LINES: of(ENGLISH, ENGLISH_RULES)}
    return WHOLE, {TEXT: of(ENGLISH, PLAIN)}


def _interaction_json(decomposed: Decomposition) -> Interaction | None:
    """The interaction in JSON types.

    ``only_together``: the interaction costs something, and what each part costs alone lies within
    the margin of equivalence; that its test finds nothing would not show that there is nothing.
    """
    if ("interaction", "") not in decomposed.scores:
        return None
    told = _effect_json(decomposed, ("interaction", ""))
    alone = [decomposed.found["alone", name] for name in (RULES, LINES)]
    small = all(max(-one.ci_low, one.ci_high) < MARGIN for one in alone)
    return {**told, "only_together": bool(told["claimed"] and told["estimate"] > 0 and small)}


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


def _both_ends(decomposed: Decomposition, one: Single) -> Floats:
    """A single cause as a mean of both ends of the way from English to the language.

    With w and v the accuracies without and with it at the end where it was asked, it takes w - v
    there. At the other end it takes the same share, so (w - v) a / b: for length a is the accuracy
    of the language and b = v, for the others a is that of English and b = w. The scores are those
    of this estimate to first order (delta method); their mean is the estimate.
    """
    right = decomposed.data.right
    without, with_ = (right[name].astype(np.float64) for name in (one.without, one.with_))
    here = without - with_
    far, beside = (PLAIN, with_) if one.name == LENGTH else (ENGLISH, without)
    if not beside.any():
        return here
    far_right = right[far].astype(np.float64)
    ratio, slope = far_right.mean() / beside.mean(), here.mean() / beside.mean()
    scores: Floats = ((1.0 + ratio) * here + slope * (far_right - ratio * beside)) / 2.0
    return scores


def _within(one: Single, method: str) -> tuple[str, ...]:
    return (TEXT,) if method == WHOLE else one.within


def _effect_json(decomposed: Decomposition, key: Key) -> Told:
    """An effect; an interval that its claim does not support is drawn back to 0."""
    found, claimed = decomposed.found[key], decomposed.is_claimed(key)
    low, high = (found.difference if np.isnan(x) else x for x in (found.ci_low, found.ci_high))
    if not claimed:
        low, high = min(low, 0.0), max(high, 0.0)
    return {
        "estimate": found.difference, "low": low, "high": high, "p": found.p_value,
        "claimed": claimed,
    }  # fmt: skip


def _place(name: str) -> tuple[int, str]:
    """English first, then the conditions in their order, then those that are not known."""
    known = (ENGLISH, *CONDITIONS)
    return (known.index(name) if name in known else len(known)), name


def _cause_place(name: str) -> int:
    rest = [one.name for one in SINGLES if one.name not in _ORDER]
    return [*_ORDER, *rest].index(name)
