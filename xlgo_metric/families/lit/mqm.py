"""MQM scores of a round trip, from the errors that a judge marked (LiT, section 4.1).

The judge names errors and how severe they are; the score is always computed here, so that it can
be computed again under other weights without asking a judge.

The paper does not print its weights. 1/5/25 without a floor and without regard to length is an
inference from its tables: 26 of the 176 means of a model and a sequence are negative, down to -46,
so there is no floor; that mean takes 146 points a text, which is 6 critical errors at 25 but 15 at
10; and the models with the lowest scores lose most on abstracts, which points per word would
favour. It is likely and not proven, and that is why the weights are an option.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

SEVERITIES = ("minor", "major", "critical")
CATEGORIES = (
    "accuracy/mistranslation",
    "accuracy/omission",
    "accuracy/addition",
    "accuracy/untranslated",
    "fluency/grammar",
    "fluency/spelling",
    "fluency/punctuation",
    "fluency/inconsistency",
    "terminology",
    "style/awkward",
    "style/register",
    "locale",
    "non-translation",
    "other",
)
THRESHOLD = 80.0
"""A raw score from here on counts as fit for its purpose."""

_SCHEME = re.compile(r"(\d{1,4}(?:\.\d{1,4})?)" + 2 * r"/(\d{1,4}(?:\.\d{1,4})?)")


@dataclass(frozen=True)
class MqmError:
    """One error that a judge marked.

    Attributes:
        category: one of `CATEGORIES`.
        severity: one of `SEVERITIES`.
        original_span: the words of the original that it concerns; may be empty.
        output_span: the words of the round trip that it concerns; may be empty.
        explanation: the judge's reason; may be empty.
    """

    category: str
    severity: str
    original_span: str = ""
    output_span: str = ""
    explanation: str = ""


@dataclass(frozen=True)
class Scheme:
    """How errors become a score.

    Attributes:
        name: as it stands in signatures and column names, such as ``1/5/25``.
        minor, major, critical: penalty points of an error.
    """

    name: str
    minor: float
    major: float
    critical: float

    def points(self, severity: str) -> float:
        """The penalty of an error of this severity."""
        return {"minor": self.minor, "major": self.major, "critical": self.critical}[severity]


def scheme(name: str) -> Scheme:
    """The weighting of that name: points of minor, major and critical errors, ``1/5/25``.

    Raises:
        ValueError: not of this form, or a milder error weighs more than a severer one.
    """
    match = _SCHEME.fullmatch(name)
    if match is None:
        raise ValueError(
            f"the weights {name!r} cannot be read: give points of minor, major and critical errors "
            "such as 1/5/25"
        )
    minor, major, critical = (float(match[i]) for i in (1, 2, 3))
    if not 0 <= minor <= major <= critical or critical == 0:
        raise ValueError(
            f"the weights {name!r} do not rise: a severer error must not weigh less than a milder"
        )
    return Scheme(name, minor, major, critical)


DEFAULT_SCHEME = scheme("1/5/25")


def penalty(errors: Iterable[MqmError], weights: Scheme = DEFAULT_SCHEME) -> float:
    """The sum of the points of all errors."""
    return sum(weights.points(error.severity) for error in errors)


def raw_mqm(errors: Iterable[MqmError], weights: Scheme = DEFAULT_SCHEME) -> float:
    """100 minus the penalty, without a floor: 100 for no errors, negative for many."""
    return 100.0 - penalty(errors, weights)


def mqm80(raw: float) -> float:
    """100 where the raw score is 80 or more, else 0; its mean is the paper's headline number."""
    return 100.0 if raw >= THRESHOLD else 0.0
