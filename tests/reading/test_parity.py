"""One style of answer gets one status in every language, for every task whose answers are read.

Styles that do not get one status stand in ``KNOWN``, with the languages that differ and the reason.
"""

import re
from collections import Counter, defaultdict
from itertools import islice

import xlgo_metric as xm
from tests.looping import looped

from .corpora import ALIKE, KINDS, PHRASES, phrase_cases


@looped("task", KINDS)
def test_of_invented_wordings_few_are_read_otherwise(task: str) -> None:
    """They are no evidence of how models answer, and no rule is there for them alone."""
    kind = KINDS[task]
    expected = {style["id"]: style["expected"] for style in PHRASES["styles"]}
    alike = ALIKE.get(kind.phrases, kind.phrases)
    statuses: Counter[bool] = Counter()
    false = 0
    for style, _, code, text in islice(phrase_cases(task, whole=False), 0, None, 3):
        wanted = expected[style][alike]
        grade = xm.grade(text, kind.reference | {"language": code})
        statuses[grade.status == wanted] += 1
        false += grade.correct and wanted != "correct"
    assert statuses.total() > 20
    assert statuses[True] / statuses.total() > 0.85
    assert false / statuses.total() < 0.06


# The styles that do not get one status in every language, the languages that differ, and why.
KNOWN: dict[str, dict[str, set[str]]] = {
    "dsa": {},
    "proof_tree": {
        "could_prose": {"ko"},  # no comma parts the two values
        "nodoubt_prose": {"yo"},  # the value stands before its label
        # The word for answer is a verb that names the value, too: "the mistake is to answer 28".
        "prose_then_common": {"en", "ar", "zh", "vi", "ha", "pl"},
    },
}


@looped("task", KNOWN)
def test_a_style_gets_one_status_in_every_language(task: str) -> None:
    kind = KINDS[task]
    statuses: dict[str, dict[str, str]] = defaultdict(dict)
    for style, number, code, text in phrase_cases(task, whole=True):
        if number == 0:
            statuses[style][code] = xm.grade(text, kind.reference | {"language": code}).status
    differ: dict[str, set[str]] = {}
    for style, of_language in statuses.items():
        common = Counter(of_language.values()).most_common(1)[0][0]
        if others := {code for code, status in of_language.items() if status != common}:
            differ[re.sub("_(to_right|to_wrong|wrong|mirror)$", "", style)] = others
    assert len(statuses) > 120
    assert differ == KNOWN[task]
