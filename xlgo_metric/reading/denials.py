"""Sentences, and what that of an answer says of it: denied, supposed, doubted, one of others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, cached_property
from typing import NamedTuple

from xlgo_metric.reading.patterns import CLOSING_MARKS, MARKS, Patterns, Rare, rare
from xlgo_metric.reading.spaces import seen
from xlgo_metric.reading.tables import LETTER, plain, unspaced

# A full stop breaks sentences before white space only, so that 3.5 stays whole.
BREAK = re.compile(r"\.(?=[\s\"')\]*_$]|\Z)(?!(?<=\b\d\.)\s[a-zß-ÿğış])|[!?؟。।॥۔።။។⟹⇒\n]+|…")
CLAUSE = re.compile(r"[;؛،、—]|,(?!\d{3}(?!\d))|\((?!\d)|\s-\s")


def clause_of(sentence: str, start: int, end: int) -> str:
    """The clause around a part of a sentence."""
    begins = [m.end() for m in CLAUSE.finditer(sentence, 0, start)]
    stop = CLAUSE.search(sentence, end)
    return sentence[max(begins, default=0) : stop.start() if stop else len(sentence)]


def first_end(text: str) -> int:
    """Where the sentence ends that a text begins in; 0 if it begins with a break."""
    mark = BREAK.search(text)
    if mark is None:
        return len(text)
    return mark.end() if text[: mark.start()].strip(" $`*_)}]\"'") else 0


class Sentence(NamedTuple):
    """A sentence, whether it asks, where it ends in its text, and whether "yes" follows it."""

    text: str
    asks: bool
    end: int
    affirmed: bool = False


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a text."""
    start = 0
    for mark in BREAK.finditer(text):
        if text[start : mark.start()].strip():
            yield Sentence(text[start : mark.start()], mark[0][0] in "?؟", mark.end())
        start = mark.end()
    if text[start:].strip():
        yield Sentence(text[start:], False, len(text))


_NEAR = 40
BEFORE = 240  # characters before an answer that may deny or condition it
BEHIND = 160
REST = 3_000  # of what follows an answer, at either end
_SIGNS = re.compile(
    r"[≠≢≉¬⊘❌✗✘✖🚫⛔]|~~|!=|<>|=/=|=\\=|/=|\\not|\\ne(?![a-z])|\\neq|\\x?cancel|\\bcancel|\\sout"
    r"|<(?:s|del|strike)>|!\s?[\"']?(?=[A-Z]\d{4})"
)
# A cross denies what stands beside it, unless a check mark does, or it belongs to a form before.
_CROSS_BEFORE = re.compile(r"(?<![}\]$>#])(?<![}\]$>#] )[❌✗✘🚫⛔][ \t*_`$]{0,6}\Z")
_CROSS_BEHIND = re.compile(r"[ \t*_`$)]{0,6}[❌✗✘🚫⛔]")
_CHECK_BEFORE = re.compile(r"[✅✔☑✓]\ufe0f?[ \t*_`$]{0,6}\Z")
_CHECK_BEHIND = re.compile(r"[ \t*_`$)]{0,6}[✅✔☑✓]")
_NUMBERED = re.compile(r"\bn[oº°]\s?[.:]|\bnº|(?<=\w\s)no(?=\s?[.:]?\s?[A-Z]\d{4})", re.IGNORECASE)
_SYMBOL = re.compile(r"(?<![^\W_])[A-Za-z](?![^\W_])")
_FORM = re.compile(r"[\d{<\[□]|(?<![^\W_])(?-i:[A-D])(?![^\W_'])")
VALUED = re.compile(r"\d|(?<![^\W_])(?-i:[A-D])(?![^\W_'])")
_COMMA = re.compile(r"[,;،؛、]")
WORD = re.compile(r"[^\W\d_]")
_COLON = re.compile(r":[\s`$*_>\\\[({]{0,12}\Z")
_STEP = re.compile(r"\d{1,3}(?!\d)")
_REMARK = re.compile(r"\([^()\n]{1,60}\)[\s*_`]{0,4}:[\s`$*_>\\\[({]{0,12}\Z")
# A line that ends with a colon belongs to the sentence of the form below it.
_LEADS_ON = re.compile(
    r":[ \t*_`]{0,6}\n(?:\s{0,9}(?:```)?(?:json|text|latex|math|python|\w{0,10}(?=\n)))?"
    r"[\s`$*_>\\\[({]{0,12}\Z"
)


@cache
def _near() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What stands near a part of a sentence, before and behind it.

    It is so many characters, and the rest of a word cut by them, where spaces part words.
    """
    mark = rf"[^\s{unspaced()}]"
    before = rf"(?<!\S){mark}{{1,24}}(?={mark}).{{15}}\Z|.{{0,15}}\Z"
    behind = rf".{{8}}(?<={mark}){mark}{{1,24}}(?!\S)|.{{0,8}}"
    return re.compile(before, re.DOTALL), re.compile(behind, re.DOTALL)


def _around(before: str, behind: str) -> tuple[str, str, str, str]:
    """What is read around an answer: text before and behind it, and its sentence on each side."""
    before, _, behind = seen(f"{before[-BEFORE:]}\0{behind[:BEHIND]}").partition("\0")
    before = _LEADS_ON.sub(": ", before)
    start = max((m.end() for m in BREAK.finditer(before)), default=0)
    stop = BREAK.search(behind)
    return before, behind, before[start:], behind[: stop.start() if stop else len(behind)]


class Denials(Patterns):
    """The words of some languages, with what denies an answer in its own sentence."""

    def unscaled(self, text: str) -> str:
        """A text without a sign or word at its end that makes another number of the one before."""
        return self._scale.sub("", plain(text)) if text[-1:] else text

    def passed_over(self, before: str, behind: str) -> bool:
        """Whether an answer between two texts is none: denied, supposed, or asked about.

        >>> from xlgo_metric.reading.grammar import words_for
        >>> words = words_for("en", "")
        >>> words.passed_over("The answer is not ", " but 24"), words.passed_over("not hard: ", "")
        (True, False)
        """
        before, behind, ahead, after = _around(before, behind)
        asked = self._question.match(behind)
        denied = self._denied(before[-120:].rpartition("\n\n")[2], behind)
        if denied or (asked and self._yes.match(behind, asked.end())):
            return denied
        return (
            bool(asked and not (self._why.search(ahead) or _FORM.search(asked[0])))
            or self._supposed(ahead, after)
            or self._doubted(ahead, after)
            or self._guessed(ahead, after, behind[len(after) :])
            or self._example(ahead, after)
            or self._unfinished(ahead, after)
            or self._unsure(ahead, after)
        )

    def _unfinished(self, ahead: str, after: str) -> bool:
        """Whether its sentence says that an answer is none yet: an intermediate value, a sample."""
        remark = _REMARK.search(ahead)
        if remark and self._withdraw.search(remark[0]):
            return True  # "rejected draft (please ignore):"
        found = [m for m in self._interim.finditer(ahead) if self._affirmed(ahead, *m.span())]
        if found:
            rest = self._label_first.sub("", ahead[found[-1].end() :])
            if _COLON.search(rest) and not _COMMA.search(rest):
                rest = _STEP.sub("", rest)  # "intermediate result after step 3:"
            if not (self._turn.search(rest) or self._label.search(rest)):
                return True
        behind = self._interim.search(after)
        if behind is None or not self._affirmed(after, *behind.span()):
            return False
        between = after[: behind.start()]
        apart = self._but.search(between) or _COMMA.search(between) or _FORM.search(between)
        return not (apart or self._label.search(between) or VALUED.search(after, behind.end()))

    def refused(self, before: str, behind: str) -> bool:
        """Whether an answer that is passed over is denied or called unfinished: none at all.

        An equal one before it is none either. That a question or a condition names an answer says
        nothing of another place where it stands.
        """
        _, behind, ahead, after = _around(before, behind)
        if self._if.search(f"{ahead} {after}") or self._question.match(behind):
            return False
        return self._denied(ahead, behind) or self._unfinished(ahead, after)

    def _example(self, ahead: str, after: str) -> bool:
        """Whether an answer is an example of others: "other candidates such as 24"."""
        return bool(self._example_before.search(ahead) or self._example_behind.match(after))

    def _guessed(self, ahead: str, after: str, rest: str) -> bool:
        """Whether an answer is an earlier try that "but" rejects, in its sentence or the next."""
        drafts = list(self._draft.finditer(ahead))
        remark = after.lstrip(" $*_`.").startswith(")") and ahead.count("(") > ahead.count(")")
        if self._maybe.search(ahead) and self._drops(rest):
            return True
        if not drafts or self._turn.search(ahead, drafts[-1].end()):
            return False
        if remark or self._said_wrong(after):
            return True  # "(my first guess was 28)"
        but = self._but.search(after) or next(
            (m for m in self._shift.finditer(after) if _FORM.search(after, m.end())), None
        )
        if but is None:
            next_one = rest.lstrip(".。।!…*_$` \n")
            return bool(self._but.match(next_one))
        return not self._affirms(self._right_word, after)

    def _said_wrong(self, after: str) -> bool:
        """Whether the rest of a sentence calls what stands before it wrong, and names no other."""
        wrong = self._wrong_word.search(after)
        return bool(wrong and self._affirmed(after, *wrong.span()) and not _FORM.search(after))

    def _drops(self, rest: str) -> bool:
        """Whether a text begins with a sentence that says of what it points to that it is wrong."""
        every = (one for one in sentences(rest) if WORD.search(one.text))
        sentence = next((one.text for one in every if not one.asks), "")
        turn = self._but.match(sentence.lstrip())
        told = sentence.lstrip()[turn.end() :] if turn else sentence
        wrong = self._affirms(self._wrong_word, sentence)
        dropped = self._withdraw.search(sentence) or self._denied_behind.match(told)
        return not _FORM.search(sentence) and bool(wrong or dropped)

    def _denied(self, before: str, behind: str) -> bool:
        if _CROSS_BEFORE.search(before) and not _CHECK_BEHIND.match(behind):
            return True
        if _CROSS_BEHIND.match(behind) and not _CHECK_BEFORE.search(before):
            return True
        if self._marked_wrong.match(behind):
            return True
        if self._denied_ahead(before) and not self._or_before.search(before):
            return True
        maybe, denied = self._maybe_behind.match(behind), self._denied_behind.match(behind)
        if maybe and denied and denied.end() <= maybe.end():
            denied = denied if denied.start("not") < maybe.start("maybe") else None
        elif maybe and not denied:
            return False  # "cannot be ruled out"
        label = self._wrong_label.search(before)
        return bool(denied or (label and self._affirmed(before, *label.span())))

    def _denied_ahead(self, before: str) -> bool:
        """Whether a text ends with words that deny what follows, and not "none other than"."""
        denied = self._denied_before.search(before)
        return denied is not None and not any(
            m.start() < denied.start() < m.end() for m in self._so.finditer(before)
        )

    def _supposed(self, ahead: str, after: str) -> bool:
        sentence = f"{ahead} \x00 {after}"
        conditional = self._would.search(sentence) and (
            self._condition(sentence) or self._inverted.search(sentence)
        )
        if conditional and not self._beyond_condition(ahead, after):
            return True
        found = list(self._suppose.finditer(ahead))
        if found and not self._ends(ahead, found[-1].end()):
            return True
        behind = self._suppose.search(after)
        return behind is not None and not self._ends(after[: behind.start()])

    def _condition(self, sentence: str) -> re.Match[str] | None:
        """The first condition of a sentence, if it is not one of care: "if counted properly".

        A word that begins a sentence is none if it means "but" as well, as in Telugu.
        """
        first = self._but.match(sentence, len(sentence) - len(sentence.lstrip()))
        condition = self._if.search(sentence, first.end() if first else 0)
        careful = self._careful.search(sentence) if condition else None
        return None if careful and self._affirmed(sentence, *careful.span()) else condition

    def _beyond_condition(self, ahead: str, after: str) -> bool:
        """Whether a condition in the sentence of an answer is one of another answer.

        It stands before "but" ("if it were so, it would be 28, but it is"), or behind a comma and
        has an answer of its own ("it is 20, because otherwise it would be 28").
        """
        before = [m.end() for m in self._would.finditer(ahead)]
        would = self._would.search(after)
        if before and not would:
            return bool(self._but.search(ahead, before[-1]) or ";" in ahead[before[-1] :])
        condition, comma = self._if.search(after), _COMMA.search(after)
        if before or not (would and comma and condition) or self._if.search(ahead):
            return False
        first = min(condition.start(), would.start())
        return comma.start() < first and bool(_FORM.search(after, would.end()))

    def _ends(self, text: str, start: int = 0) -> bool:
        """Whether the reach of a supposition ends in a text: at a clause, a value, "so"."""
        return bool(self._turn.search(text, start) or _COMMA.search(text, start))

    def _doubted(self, ahead: str, after: str) -> bool:
        """Whether its sentence says of an answer that it is not believed, or a mistake.

        The words reach up to the next value, and not beyond "but" or "so". That others are right
        with it makes up for what is said of them.
        """
        doubts = [m for m in self._doubt.finditer(ahead) if self._affirmed(ahead, *m.span())]
        if doubts and not self._turned_from(ahead[doubts[-1].end() :]):
            return True
        doubt = self._doubt.search(after)
        if doubt and not self._turn.search(self._right_word.sub("", after[: doubt.start()])):
            return self._affirmed(after, *doubt.span()) and not self._of_next(after, *doubt.span())
        return not self._agreed(after) and (self._said_of(after) or self._mistaken(ahead))

    def _turned_from(self, text: str) -> bool:
        """Whether the reach of a doubt ends in a text: "I disagree with them and my answer is"."""
        if self._turn.search(text):
            return True
        return any(self._label.search(text, m.end()) for m in self._and.finditer(text))

    def _of_next(self, after: str, start: int, end: int) -> bool:
        """Whether words behind an answer speak of a further one: "and by no means 28"."""
        form = _FORM.search(after, end)
        joined = self._and.search(after[:start]) or _COMMA.search(after, 0, start)
        return bool(form and joined and self._tight.fullmatch(after[end : form.start()]))

    def _said_of(self, after: str) -> bool:
        """Whether others answer so: "is what one gets who forgets a step"."""
        others = self._others.search(after)
        mistake = None if others else self._mistake_behind.search(after)
        apart = mistake and _FORM.search(after, 0, mistake.start())
        if mistake and not (apart or self._not_near.search(after, 0, mistake.end())):
            others = mistake
        if others is None or _FORM.search(after, others.end()):
            return False
        return bool(self._if.search(others[0])) or not self._ends(after[: others.start()])

    def _mistaken(self, ahead: str) -> bool:
        """Whether an answer is called a mistake, or that of others, before it."""
        faults = list(self._fault.finditer(ahead))
        if not faults or self._admits(ahead):
            return False
        start, end = faults[-1].span()
        if self._turn.search(ahead, end) or not self._affirmed(ahead, start, end):
            return False
        if _FORM.search(ahead, 0, start) and _COMMA.search(ahead, end):
            return False  # "although 28 is tempting, it is"
        if self._if.search(ahead) and _COMMA.search(ahead, end):
            return bool(self._others.search(ahead))  # "unless I misread the question, it is"
        return True

    def _agreed(self, after: str) -> bool:
        """Whether a further part of its sentence says that an answer is right."""
        for right in self._right_word.finditer(after):
            apart = CLAUSE.search(after, 0, right.start()) or self._and.search(
                after[: right.start()]
            )
            if apart and self._affirmed(after, *right.span()):
                return not self._wrong_word.search(after)
        return False

    @cached_property
    def _bound_before(self) -> re.Pattern[str]:
        return self._compiled(rf"{self._either('bound_before')}{MARKS}\Z")

    def bounded(self, before: str) -> bool:
        """Whether a text ends with a word that makes a bound of the number behind it."""
        return bool(self._bound_before.search(seen(before[-80:])))

    def _unsure(self, ahead: str, after: str, several: bool = False) -> bool:
        """Whether a sentence says before or behind an answer that there is none."""
        found = [m for m in self._decline.finditer(ahead) if self._declines(ahead, *m.span())]
        if found:
            between = _SYMBOL.sub(" ", ahead[found[-1].end() :])
            if not (
                self._moves_on(between)
                or ":" in between
                or (not several and self._tight.fullmatch(between))
            ):
                return True
        behind = self._decline.search(after)
        if behind is None or not self._declines(after, *behind.span()):
            return False
        return several or not self._moves_on(after[: behind.start()])

    def _moves_on(self, text: str) -> bool:
        return bool(self._onward.search(text) or _COMMA.search(text))

    def _declines(self, sentence: str, start: int, end: int) -> bool:
        """Whether words say that there is no answer, and not that there is no mistake or other."""
        begin = max((m.end() for m in self._and.finditer(sentence) if m.end() <= start), default=0)
        stop = min((m.start() for m in self._and.finditer(sentence, end)), default=len(sentence))
        ahead = CLAUSE.split(sentence[begin:start])[-1]
        rest = CLAUSE.split(sentence[end:stop])[0]
        places = (self._fault, self._wrong_word, self._other, self._none)
        return not any(place.search(part) for place in places for part in (ahead, rest))

    def _declined(self, sentence: str) -> bool:
        """Whether a sentence says that there is no answer."""
        return any(self._declines(sentence, *m.span()) for m in self._decline.finditer(sentence))

    def denies(self, text: str) -> bool:
        """Whether a short text that should be an answer holds a word or sign of negation."""
        return bool(_SIGNS.search(text)) or self._negates(_NUMBERED.sub(" ", seen(text)))

    def bounds(self, text: str) -> bool:
        """Whether a short text gives a number as a bound, or as part of another number."""
        return bool(self._bound.search(seen(text)))

    def declines(self, text: str) -> bool:
        """Whether the end of a text says that there is no answer."""
        return bool(self._decline.search(seen(text[-REST:])))

    @rare("maybe")
    def _maybe_behind(self) -> str:
        link = self._either("closing", "copula")
        link = rf"{CLOSING_MARKS}(?:{link}\s{{0,3}}){{0,3}}"
        return rf"{link}(?:{LETTER}{{1,24}}\s){{0,3}}(?P<maybe>{self._either('maybe')})"

    def _affirmed(self, sentence: str, start: int, end: int) -> bool:
        """Whether no negation stands near a part of a sentence.

        >>> from xlgo_metric.reading.grammar import words_for
        >>> affirmed = words_for("en", "")._affirmed
        >>> affirmed("not the answer wrong", 15, 20), affirmed("a knot the answer wrong", 18, 23)
        (False, True)
        """
        ahead_of, beyond = _near()
        before = ahead_of.search(sentence, max(0, start - _NEAR), start)
        behind = beyond.match(sentence, end, end + _NEAR)
        near, after = before[0] if before else "", behind[0] if behind else ""
        near, after = CLAUSE.split(near)[-1], CLAUSE.split(BREAK.split(after)[0])[0]
        onward = max((m.end() for m in self._onward.finditer(near)), default=0)
        near = near[onward:]
        return not (self._not_near.search(near) or self._not_after.search(after))

    def _affirms(self, word: Rare, sentence: str, start: int = 0) -> bool:
        """Whether a word stands in a sentence, behind ``start``, and no negation near it."""
        return any(self._affirmed(sentence, *m.span()) for m in word.finditer(sentence, start))

    def _admits(self, sentence: str) -> bool:
        """Whether a sentence begins a correction or takes an answer back."""
        return bool(self._opens_correction.match(sentence)) or bool(
            self._admit.search(sentence) or self._withdraw.search(sentence)
        )
