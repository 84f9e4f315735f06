"""Taking the answer out of a response: the value of one key of the last JSON object that has it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from xlgo_metric.reading.grammar import Context, Words
from xlgo_metric.reading.normalise import fold
from xlgo_metric.reading.objects.jsonscan import Found, Scan, find_object, load_json
from xlgo_metric.reading.objects.lenient import Loose, read_last
from xlgo_metric.reading.settling import Form, beside, listed, passed_over, undecided
from xlgo_metric.reading.thinking import ENDS, split_thinking, standing

# What can be forgiven, by the name under which it is recorded.
LENIENT_RULES: dict[str, str] = {
    "prose": "text around the object",
    "fence": "the object stands in a code fence",
    "several_objects": "several objects have the key; the last one counts",
    "nested": "the object stands inside another one",
    "extra_keys": "the object has further members",
    "key_case": "the key is written otherwise: upper case, full width, final_state",
    "bare_key": "a key without quotes",
    "smart_quotes": "typographic or full-width quotes",
    "single_quotes": "single quotes",
    "trailing_comma": "a comma before the closing bracket",
    "comments": "comments inside the object",
    "fullwidth": "full-width or native punctuation, or compatibility forms of characters",
    "invisible": "invisible characters: bidirectional marks, zero width characters",
    "native_digits": "digits other than 0-9",
    "other_digits": "digits other than those in which the prompt writes identifiers",
    "lookalike": "a letter of another script that looks the same: Cyrillic, Greek, Latin",
    "unicode_minus": "a minus sign other than -",
    "integral_float": "an integer written as a decimal fraction",
    "numeric_string": "a number written as a string",
    "id_case": "an identifier in lower case",
    "id_text": "words around an identifier where the identifier alone was asked for",
    "decorated": "more around an identifier than a room's name: a sentence, marks of formatting",
    "unit": "a unit behind a number",
    "one_item": "a list of one entry that is the answer",
    "list_text": "a list written as a string",
    "members": "an entry, or the list, written as an object or a pair with further members",
    "not_json": "no JSON: LaTeX, HTML entities, JSON in a string, round brackets, no quotes",
    "other_syntax": "any other deviation from JSON",
}

# An object that only just begins stands within so many characters of the end.
_CUT_LENGTH = 60
_PASSED_OVER = 5
_AROUND = 600  # characters on either side of an object that are read for what they say of it
_LONGEST_LIST = 30_000
_DEPTH = 8
_ORDER = re.compile(
    r"(?:step|time|index|turn|iteration|round|number|no|id|stage|day|attempt|version|i|n|t)\w{0,10}",
    re.IGNORECASE,
)


@dataclass
class Extraction:
    """What was found in a response.

    Attributes:
        status: ``found``; ``no_answer`` (no object has the key); ``bad_format`` (one has, but it
            cannot be understood); ``truncated`` (the thinking or the last object never ends).
        value: the value of the key: a string, number, boolean, ``None`` or a list of these.
        notes: names of the `LENIENT_RULES` that were needed.
        other_keys: without an object that has the key: keys of the last one that was found.
        behind: what follows the object that was found, where that is known.
        answer: the response without thinking and what is struck out.
        struck: something is struck out.
        context: the words to read it by.
    """

    status: Literal["found", "no_answer", "bad_format", "truncated"]
    value: Any = None
    notes: set[str] = field(default_factory=set)
    other_keys: tuple[str, ...] = ()
    behind: str = ""
    answer: str = ""
    struck: bool = False
    context: Context = field(default_factory=Context)


def extract(
    text: str | None,
    key: str,
    *,
    language: str | None = None,
    steps_allowed: bool = False,
    is_example: Callable[[Any], bool] | None = None,
) -> Extraction:
    """The value of ``key`` in the last JSON object of a response that has it.

    Thinking is left out. An object that the text breaks off in is the answer that was meant: the
    response is then truncated whatever stands before. The last object decides even if it cannot be
    understood; only one of placeholders (``[v0, v1, ...]``) and the prompt's example are passed
    over for an earlier one. What is struck out, or denied or supposed where it stands, is passed
    over as well, and of two objects with "or" between them none is the answer. Takes time linear in
    the length of the text and never raises on any text.

    Args:
        text: the response; ``None`` is an empty one.
        key: in lower case.
        language: of the prompt.
        steps_allowed: the prompt allows text before the object, which then has to begin a line.
        is_example: tells the value of the prompt's own example.
    """
    response = split_thinking(text or "")
    answer = ENDS.sub("", response.answer).strip()
    plain = _plain_members(answer)
    whole = len(answer) == len(response.answer.strip())
    if (
        len(plain) == 1
        and plain[0][0] == key
        and whole
        and not (is_example and is_example(plain[0][1]))
    ):
        return Extraction("found", plain[0][1], context=Context(language, answer))
    left = standing(answer)
    found = _Search(left, key, language, is_example).last(response.closed, steps_allowed)
    found.answer, found.struck = left, left != answer
    if left != answer or not whole:
        found.notes.add("prose")
    return found


class _Search:
    """The search for the object that counts; what is passed over is blanked out."""

    def __init__(
        self, answer: str, key: str, language: str | None, is_example: Callable[[Any], bool] | None
    ) -> None:
        self.answer = answer
        self.key = key
        self.language = language
        self.is_example = is_example
        self.echoed = False
        self.undecided = False
        self.refused: list[Any] = []  # values that are denied: an equal one before is taken back

    def _context(self, start: int, end: int) -> Context:
        """The words to read what stands around a part of the answer by."""
        around = (
            f"{self.answer[max(0, start - _AROUND) : start]} {self.answer[end : end + _AROUND]}"
        )
        return Context(self.language, around)

    def last(self, closed: bool, steps_allowed: bool) -> Extraction:  # noqa: PLR0911
        """What the last object says that is passed over neither for its place nor its value."""
        scan = self._scan()
        answer, key, last_object = self.answer, self.key, scan.found
        if last_object is None:
            context = Context(self.language, answer[-2 * _AROUND :])
        else:
            context = self._context(*last_object.outer)
        later = self._later(last_object.outer[1] if last_object else 0, context)
        if later is not None and later.kind != "placeholder":
            return _loose_extraction(later, context, again=last_object is not None)
        end = last_object.end if last_object else -1
        if scan.cut_at > end:
            return Extraction("truncated")
        if scan.malformed_at > end and later is None:
            return Extraction("bad_format")
        if last_object is not None:
            several = scan.count > 1 and _is_one_of_several(answer, last_object, key, context)
            if self.undecided or several or last_object.value in self.refused:
                return Extraction("bad_format")
            notes = _object_notes(answer, last_object, key)
            notes |= _surroundings(answer, *last_object.outer, steps_allowed)
            if scan.count > 1:
                notes.add("several_objects")
            behind = answer[last_object.outer[1] :]
            return Extraction("found", last_object.value, notes, behind=behind, context=context)
        if not closed:
            return Extraction("truncated")
        echoed = scan.placeholder or scan.malformed_at >= 0 or later is not None or self.echoed
        status: Literal["no_answer", "bad_format"] = "bad_format" if echoed else "no_answer"
        return Extraction(status, other_keys=scan.other_keys, context=context)

    def _scan(self) -> Scan:
        scan = find_object(self.answer, self.key)
        for _ in range(_PASSED_OVER):
            if scan.found is None:
                break
            start, end = scan.found.outer
            words = self._context(start, end).words
            forms = _forms(self.answer, scan.found, self.key, min(2, scan.count))
            last = len(forms) - 1
            if (self.is_example and self.is_example(scan.found.value)) or (
                not self._stands_apart(start, end) and passed_over(self.answer, forms, last, words)
            ):
                self.echoed = True
            else:
                break
            if words.refused(self.answer[:start], self.answer[end:]):
                self.refused.append(scan.found.value)
            self.undecided = self.undecided or undecided(self.answer, forms, last, words)
            self.answer = self.answer[:start] + "□" * (end - start) + self.answer[end:]
            scan = find_object(self.answer, self.key)
        return scan

    def _stands_apart(self, start: int, end: int) -> bool:
        """Whether an object is the whole answer."""
        return not (self.answer[:start].strip() or self.answer[end:].strip())

    def _later(self, start: int, context: Context) -> Loose | None:
        """What the last object behind ``start`` says that need not be JSON."""
        rest = self.answer[start:]
        if self.key not in rest.lower() and "{" not in rest[-_CUT_LENGTH:]:
            return None
        later = read_last(rest, self.key, context)
        if later and later.kind == "value" and self.is_example and self.is_example(later.value):
            return None if start else Loose("placeholder")
        return later


def _is_one_of_several(answer: str, found: Found, key: str, context: Context) -> bool:
    """Whether the object is one of alternatives: joined by "or", or an entry of a list of them.

    Steps of a trace, which have more members, are none.
    """
    forms, words = _forms(answer, found, key, _PASSED_OVER), context.words
    last = len(forms) - 1
    if last and forms[-2].content != forms[-1].content:
        joined = beside(answer, forms, last, words, enumerated=found.alone)
        if joined or undecided(answer, forms, last, words) or listed(answer, forms, last, words):
            return True
    start, end = found.outer
    if (found.start, found.end) != found.outer and end - start <= _LONGEST_LIST:
        try:
            return _holds_candidates(json.loads(answer[start:end]), key)
        except (ValueError, RecursionError):
            return False
    return False


def _forms(answer: str, found: Found, key: str, count: int) -> list[Form]:
    """An object and those before it, ``count`` in all at most, as forms."""
    start = max(0, found.outer[0] - _LONGEST_LIST)
    forms = [Form(*found.outer, str(found.value))]
    while len(forms) < count:
        other = find_object(answer[start : forms[0].start], key).found
        if other is None:
            break
        first, last = other.outer
        forms.insert(0, Form(start + first, start + last, str(other.value)))
    return forms


def _holds_candidates(tree: Any, key: str, depth: int = 0) -> bool:
    """Whether a list in a tree has entries with different values of the key, and without order."""
    if depth > _DEPTH or not isinstance(tree, dict | list):
        return False
    if isinstance(tree, dict):
        return any(_holds_candidates(value, key, depth + 1) for value in tree.values())
    entries = [entry for entry in tree if isinstance(entry, dict)]
    if any(_ORDER.fullmatch(name) for entry in entries for name in entry):
        return False
    values = [json.dumps(value) for entry in entries for value in _values(entry, key)]
    return len(set(values)) > 1 or any(_holds_candidates(e, key, depth + 1) for e in tree)


def _values(entry: dict[str, object], key: str) -> list[Any]:
    """The key's value in an entry, or in objects that are members of it."""
    inner = [value[key] for value in entry.values() if isinstance(value, dict) and key in value]
    return [entry[key]] if key in entry and len(entry) == 1 else inner


def _loose_extraction(later: Loose, context: Context, again: bool) -> Extraction:
    """An object that is no JSON decides as the last one, whether it can be read or not."""
    if later.kind == "value":
        notes = {"not_json"} | ({"several_objects"} if again else set())
        return Extraction("found", later.value, notes, context=context)
    return Extraction("truncated" if later.kind == "cut" else "bad_format")


def _plain_members(answer: str) -> list[tuple[str, Any]]:
    """The members of an answer that is one flat JSON object and nothing else; else none."""
    if not (answer.startswith("{") and answer.endswith("}")):
        return []
    if answer.count("{") > 1 or answer.count("[") > 1:
        return []
    members: list[tuple[str, Any]] | None = load_json(answer)
    return members or []


def _object_notes(answer: str, found: Found, key: str) -> set[str]:
    """The rules that the object itself needs."""
    notes = set(found.notes)
    if not notes and load_json(answer[found.start : found.end]) is None:
        notes.add("other_syntax")
    if found.key != key:
        notes.add("key_case")
    if not found.alone:
        notes.add("extra_keys")
    if found.outer != (found.start, found.end):
        notes.add("nested")
    return notes


def _surroundings(answer: str, start: int, end: int, steps_allowed: bool) -> set[str]:
    """The rules that the text around ``answer[start:end]`` needs."""
    notes = set()
    before, after = answer[:start], answer[end:].strip()
    line = before[before.rfind("\n") + 1 :].strip()
    above = before.rstrip()
    last_line = above[above.rfind("\n") + 1 :].strip()
    if last_line.startswith("```"):
        notes.add("fence")
        after = after.removeprefix("```")
        above = above.removesuffix(last_line)
        line = ""
    if after or (line if steps_allowed else above.strip()):
        notes.add("prose")
    return notes


_LATER_LENGTH = 30_000
_LATER_PLACES = 20
_LATER_MEMBER = re.compile(r"\{\s{0,9}\"([^\"\\{}]{1,60})\"\s{0,9}:")
_LATER_BOX = re.compile(r"\\f?boxed\s?\{([^{}]{1,2000})\}")


def later_values(text: str, words: Words) -> Iterator[Any]:
    """Values that stand as answers without the asked key, as JSON or text.

    Of objects those with one member, whose key is in another script or names an answer in a
    language of ``words``.
    """
    if "{" not in text and "｛" not in text:
        return
    text = fold(text[-_LATER_LENGTH:])
    for match in list(_LATER_BOX.finditer(text))[-_LATER_PLACES:]:
        content = match[1].strip(" $")
        yield content.replace("'", '"') if content.startswith("[") else content
    decoder = json.JSONDecoder()
    for match in list(_LATER_MEMBER.finditer(text))[-_LATER_PLACES:]:
        if match[1].isascii() and not words.names_answer.search(match[1].replace("_", " ")):
            continue
        try:
            found, end = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            continue
        if len(found) == 1 and not words.passed_over(text[: match.start()], text[end:]):
            yield from found.values()
