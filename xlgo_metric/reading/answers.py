"""Read the answer of a response: one reader for every family and for logs of other benchmarks.

The form that a prompt asks for decides; where none stands, words do, for the kinds that have them.
``docs/grading.md`` describes the rules and what each does on stored answers of real models.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from .forms import (
    Finder,
    Form,
    find_boxes,
    find_brackets,
    find_hashes,
    find_lists,
    find_objects,
    find_tags,
    find_unasked,
    is_key,
    unboxed,
    without_struck,
)
from .sentences import GAP, HEADING, Options, Sentences
from .thinking import ENDS, split_thinking
from .values import decimal_text, labels, pattern, read_number, touches

Status = Literal["answered", "no_answer", "bad_format", "truncated"]

_NEAR = 200  # a retraction stands so near behind an answer
_CLOSE = 500  # a form in thinking that never ends stands so near its end
_LONG = 20_000  # of a longer text only a heading at its end (``Answer: 42``) is read in words
_RUN_ON = 200_000  # longer responses are not searched for questions of their own
_QUESTIONS = 3
_WORD = re.compile(r"\w")
_FENCE = re.compile(r"`{1,3}\w{0,9}\s{0,3}\Z")
_FORMS_READ = 500  # of more forms the last ones are looked at


@dataclass(frozen=True)
class Answer:
    """What a response answers.

    Attributes:
        answer: the value; ``None`` unless the status is ``answered``.
        status: ``answered``; ``no_answer`` (nothing that could be an answer); ``bad_format`` (no
            single answer in a form or in words that say so, or one that is taken back);
            ``truncated`` (the text breaks off).
        in_form: the answer stands in the form that the prompt asks for.
        span: its offsets in the response; of a form, those of the form.
        rule: the rule that decided.
        content: what stands in the form.
        parts: different contents side by side, of which none is the answer.
    """

    answer: Any
    status: Status
    in_form: bool = False
    span: tuple[int, int] | None = None
    rule: str = "none"
    content: str = ""
    parts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Kind:
    """What is read: the form that is asked for and its values.

    Attributes:
        forms: finds the forms in a text.
        value: what the content of a form says; ``None`` if it cannot be read.
        words: ``number`` or ``choice``, for kinds that are read in words where no form stands.
        options: the letters of a choice.
        unasked: finds other forms, which count where no asked one stands.
        sign: what an answer looks like; a response without it is no answer.
        passed_over: contents that are no answers, such as the prompt's own example.
        asked: the prompt asks for the form; one that cannot be read then leaves nothing to read.
        first: the first form counts, as in the completions of base models.
        longest: of a longer response the end is read; the beginning, if the first form counts.
    """

    forms: Finder
    value: Callable[[str], Any]
    words: Literal["number", "choice"] | None = None
    options: Options | None = None
    unasked: Callable[[str], list[Form]] | None = None
    sign: re.Pattern[str] = _WORD
    passed_over: Callable[[str], bool] | None = None
    asked: bool = True
    first: bool = False
    longest: int = 200_000


FORMS: Mapping[str, Finder] = {
    "box": find_boxes,
    "bracket": find_brackets,
    "tag": find_tags,
    "hash": find_hashes,
    "list": find_lists,
}
"""The forms that ``extract_answer`` knows by name, beside ``json``."""


def extract_answer(
    response: str | None,
    kind: str,
    language: str = "en",
    choices: Mapping[str, str] | Collection[str] | None = None,
) -> Answer:
    r"""The answer of a response: of a puzzle, an exam or any other benchmark.

    Args:
        response: the model's whole output, with its thinking; ``None`` is an empty one.
        kind: ``number``, ``choice``, or the name of a form: ``box``, ``bracket``, ``tag``,
            ``hash``, ``list``, ``json``. Numbers and choices are read in words as well where no
            form stands.
        language: of the question. A language without a table is read with the words of English.
        choices: of a choice the letters of the options, or a mapping of letters to texts (default:
            A to E); of ``json`` the keys of the object.

    Returns:
        The answer: a number as a plain decimal string (``60%`` is ``"60"``), a letter, or the
        content of the form.

    Raises:
        ValueError: an unknown kind.

    >>> extract_answer("So she pays \\boxed{১৮} টাকা.", "number", language="bn").answer
    '18'
    >>> extract_answer("The answer is (B), not C.", "choice").answer
    'B'
    """
    return read_response(response, kind_of(kind, response, language, choices), language)


def kind_of(
    name: str,
    response: str | None = None,
    language: str = "en",
    choices: Mapping[str, str] | Collection[str] | None = None,
) -> Kind:
    """What ``extract_answer`` reads under a name; see there."""
    if name == "number":
        return number_kind(language)
    if name == "choice":
        letters = choices if isinstance(choices, Mapping) else dict.fromkeys(choices or "ABCDE", "")
        return choice_kind(Options(language, letters, response or ""))
    if name == "json":
        return Kind(partial(_objects, tuple(choices or ())), lambda content: content)
    if name not in FORMS:
        allowed = ", ".join(["number", "choice", *FORMS, "json"])
        raise ValueError(f"unknown kind of answer {name!r}: allowed are {allowed}")
    return Kind(FORMS[name], lambda content: content or None)


def _objects(keys: tuple[str, ...], text: str) -> tuple[list[Form], int]:
    """The objects of a text that have all of the keys."""
    objects, cut = find_objects(text, keys[0].lower() if keys else "")
    forms = [
        Form(item.start, item.end, text[item.start : item.end])
        for item in objects
        if all(any(is_key(name, key.lower()) for name in item.members) for key in keys[1:])
    ]
    return forms, cut


def number_kind(language: str, forms: Finder = find_boxes) -> Kind:
    """A number in a form, else in words."""

    def value(content: str) -> str | None:
        number = read_number(content, language)
        digits = [match.span() for match in re.finditer(r"\d+", content)]
        if number is None or any(
            touches(what, content, digits[0][0], digits[-1][1], language)
            for what in ("denied", "bounded")
        ):
            return None
        return decimal_text(number)

    return Kind(forms, value, "number", unasked=find_unasked, sign=re.compile(r"\d"))


def choice_kind(options: Options, forms: Finder | None = None) -> Kind:
    """The letter of an option in a form, else in words."""

    def marked(text: str) -> list[Form]:
        return sorted([*find_boxes(text)[0], *find_unasked(text)])

    if forms:
        return Kind(forms, options.of_form, "choice", options, marked, options.letter)
    return Kind(
        lambda text: (marked(text), -1),
        options.of_form,
        "choice",
        options,
        sign=options.letter,
        asked=False,
    )


def read_response(response: str | None, kind: Kind, language: str = "en") -> Answer:
    """Read an answer of a kind; see ``extract_answer``. Takes time linear in the response.

    Of thinking that never ends, a form before it is the answer, else one at its end.
    """
    text = response or ""
    parts = split_thinking(text)
    answer = _Reader(text, kind, language, parts.spans).read() if parts.spans else None
    if answer is None or not (parts.closed or answer.in_form):
        return _Reader(text, kind, language, (parts.open,), closed=False).read()
    return answer


class _Reader:
    """The reading of one response.

    Attributes:
        text: the answer behind thinking, with spaces for what is struck out or denied.
        raw: the same as it is written.
        seen: it has a form that is no placeholder.
        start: where it begins in the response.
        closed: whether the thinking is closed; else ``text`` is the thinking.
    """

    def __init__(
        self,
        response: str,
        kind: Kind,
        language: str,
        spans: Sequence[tuple[int, int]],
        closed: bool = True,
    ) -> None:
        self.kind, self.language, self.closed = kind, language, closed
        self.start = spans[0][0]
        self.thinking = response[: self.start] if closed else ""
        self.raw = "".join(
            " " * (begin - before) + response[begin:end]
            for (_, before), (begin, end) in zip([(0, self.start), *spans], spans)
        )
        text = without_struck(self.raw)
        if len(text) > kind.longest:
            cut = 0 if kind.first else len(text) - kind.longest
            text, self.start = text[cut : cut + kind.longest], self.start + cut
        ends = ENDS.search(text, max(0, len(text) - _NEAR))
        self.text = text[: ends.start()] if ends else text

    def regex(self, name: str) -> re.Pattern[str]:
        return pattern(name, self.language)

    def read(self) -> Answer:
        """What stands before a question of the response's own, if an answer does; else all."""
        text = self.text
        if self.closed and "\n" in text and len(text) <= _RUN_ON:
            heads = self.regex("run_on").finditer(text)
            for head, _ in zip(heads, range(_QUESTIONS)):
                self.text = text[: head.start()]
                if self.text.strip() and (answer := self._read()).status == "answered":
                    return answer
            self.text = text
        return self._read()

    def _read(self) -> Answer:
        answer = self._form() or (self._in_words() if self.kind.words else None)
        if answer is None:
            has_sign = self.seen or self.kind.sign.search(self.raw)
            return Answer(
                None, "truncated" if not self.closed else "bad_format" if has_sign else "no_answer"
            )
        if answer.span:
            begin, end = answer.span
            answer = replace(answer, span=(begin + self.start, end + self.start))
        return answer

    # The asked form

    def _form(self) -> Answer | None:
        """What the last form says that is neither denied nor a placeholder."""
        forms_asked, unclosed = self.kind.forms(self.text)
        self.seen = False
        forms = self._standing(
            forms_asked[:_FORMS_READ] if self.kind.first else forms_asked[-_FORMS_READ:]
        )
        in_form = bool(forms) or unclosed >= 0 or not self.kind.unasked
        if not in_form and self.kind.unasked:
            forms = self._standing(self.kind.unasked(self.text))
        if unclosed >= max(0, len(self.text) - _CLOSE) and (not forms or unclosed > forms[-1].end):
            return Answer(None, "truncated", rule="form")
        if not forms or not (self.closed or self._concludes(forms[-1])):
            return None
        return self._decided(forms, in_form)

    def _decided(self, forms: list[Form], in_form: bool) -> Answer | None:
        """What the form that counts says, unless the text behind it takes it back."""
        form = forms[0] if self.kind.first else forms[-1]
        rest = "" if self.kind.first else self.text[form.end : form.end + _NEAR]
        if self.closed and self._takes_back(rest):
            return Answer(None, "bad_format", rule="retraction")
        value = self.kind.value(form.content)
        if value is None:
            refused = Answer(None, "bad_format", rule="form", content=form.content)
            return refused if in_form and self.kind.asked else None
        parts = self._beside(forms, form)
        if len({str(self.kind.value(part)) for part in parts}) > 1:
            return Answer(None, "bad_format", rule="several", parts=tuple(parts))
        return Answer(value, "answered", in_form, form[:2], "form", form.content)

    def _takes_back(self, rest: str) -> bool:
        """Whether the text behind an answer takes it back; without words it needs no pattern."""
        return bool(_WORD.search(rest) and self.regex("retraction").search(rest))

    def _concludes(self, form: Form) -> bool:
        """Whether thinking that never ends has answered: at its end stands a box, or a form that is
        all there is behind a label."""
        text = self.text
        if unboxed(text[form.start : form.end]) != text[form.start : form.end]:
            return form.end >= len(text) - _CLOSE
        before = _FENCE.sub("", text[max(0, form.start - _NEAR) : form.start])
        return not _WORD.search(text, form.end) and any(
            HEADING.fullmatch(before, label.end()) for label in labels(before).finditer(before)
        )

    def _standing(self, forms: list[Form]) -> list[Form]:
        """The forms that are no placeholders and not denied; denied ones are blanked out."""
        standing, parts, done = [], [], 0
        for form in forms:
            holds = form.content and not self.regex("placeholder").fullmatch(form.content)
            if not holds or (self.kind.passed_over and self.kind.passed_over(form.content)):
                continue
            self.seen = True
            if touches("denied", self.text, form.start, form.end, self.language):
                parts += [self.text[done : form.start], " " * (form.end - form.start)]
                done = form.end
            else:
                standing.append(form)
        self.text = "".join([*parts, self.text[done:]])
        return standing

    def _beside(self, forms: list[Form], form: Form) -> list[str]:
        """The contents of a form and of those that only separators part from it, in order."""
        contents = [form.content]
        last = forms.index(form)
        for number in range(last, max(0, last - 50), -1):
            gap = self.text[forms[number - 1].end : forms[number].start]
            if (
                len(gap) > GAP
                or not self.regex("beside").fullmatch(gap)
                or ("\n" in gap and not gap.strip(" \r\n*_`$()\\"))
            ):
                break
            contents.insert(0, forms[number - 1].content)
        return contents

    # Words, where no form stands

    def _in_words(self) -> Answer | None:
        """The first rule that finds one value; one of different values leaves it to the next."""
        every_rule = self.closed and len(self.text) <= _LONG
        start = 0 if every_rule else max(0, len(self.text) - _NEAR)
        words = Sentences(self.text[start:], self.language, self.kind.options)
        rules = (words.label, words.bold, words.line, words.conclusion, words.ends)
        for rule in rules if every_rule else (words.heading,):
            values = rule()
            if len({value.value for value in values}) == 1:
                last = values[-1]
                if self._takes_back(words.text[last.end : last.end + _NEAR]):
                    return Answer(None, "bad_format", rule="retraction")
                return Answer(
                    last.value,
                    "answered",
                    False,
                    (last.start + start, last.end + start),
                    rule.__name__,
                )
            if rule == words.label and (answer := self._thought()):
                return answer
        return None

    def _thought(self) -> Answer | None:
        """The last form of the thinking, where the answer behind it has none."""
        if self.kind.sign.search(self.raw):
            return None
        forms = self.kind.forms(self.thinking)[0]
        value = self.kind.value(forms[-1].content) if forms else None
        if value is None:
            return None
        span = (forms[-1].start - self.start, forms[-1].end - self.start)
        return Answer(value, "answered", False, span, "thought", forms[-1].content)
