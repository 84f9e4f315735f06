"""Sentences, and what they say of an answer: denied, supposed, doubted, taken back or replaced."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from xlgo_metric.reading.patterns import CLOSING_MARKS, MARKS, Patterns, rare
from xlgo_metric.reading.tables import LETTER, seen

# A full stop breaks sentences before white space only, so that 3.5 stays whole.
BREAK = re.compile(r"\.(?=[\s\"')\]*_$]|\Z)(?!(?<=\b\d\.)\s[a-zß-ÿğış])|[!?؟。।॥۔።။។⟹⇒\n]+|…")
CLAUSE = re.compile(r"[;؛،、—]|,(?!\d{3}(?!\d))|\((?!\d)|\s-\s")

# Where a sentence may end in a script that has no mark for it.
UNMARKED = re.compile(r"(?<=[\u0e01-\u0e4e])\s(?=[\u0e01-\u0e4e])")


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
    """A sentence, whether it asks something, and where it ends in its text."""

    text: str
    asks: bool
    end: int


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a text."""
    start = 0
    for mark in BREAK.finditer(text):
        if text[start : mark.start()].strip():
            yield Sentence(text[start : mark.start()], mark[0][0] in "?؟", mark.end())
        start = mark.end()
    if text[start:].strip():
        yield Sentence(text[start:], False, len(text))


_BEFORE = 240  # characters before an answer that may deny or condition it
_BEHIND = 160
_REST = 3_000  # of what follows an answer, at either end
_SIGNS = re.compile(
    r"[≠≢≉¬⊘❌✗✘✖🚫⛔]|~~|!=|<>|=/=|=\\=|/=|\\not|\\ne(?![a-z])|\\neq|\\x?cancel|\\bcancel|\\sout"
    r"|<(?:s|del|strike)>|!\s?[\"']?(?=[A-Z]\d{4})"
)
_NUMBERED = re.compile(r"\bn[oº°]\s?[.:]|\bnº|(?<=\w\s)no(?=\s?[.:]?\s?[A-Z]\d{4})", re.IGNORECASE)
_SYMBOL = re.compile(r"(?<![^\W_])[A-Za-z](?![^\W_])")
_VALUED = re.compile(r"\d|(?<![^\W_])(?-i:[A-D])(?![^\W_'])")
_COMMA = re.compile(r"[,;،؛、]")


class Denials(Patterns):
    """The words of some languages, with what denies an answer in its own sentence."""

    def unscaled(self, text: str) -> str:
        """A text without a sign or word at its end that makes another number of the one before."""
        return self._scale.sub("", seen(text)) if text[-1:] else text

    def passed_over(self, before: str, behind: str) -> bool:
        """Whether an answer between two texts is none: denied, supposed, or asked about.

        >>> from xlgo_metric.reading.grammar import words_for
        >>> words = words_for("en", "")
        >>> words.passed_over("The answer is not ", " but 24"), words.passed_over("not hard: ", "")
        (True, False)
        """
        before, behind = seen(before[-_BEFORE:]), seen(behind[:_BEHIND])
        start = max((m.end() for m in BREAK.finditer(before)), default=0)
        stop = BREAK.search(behind)
        ahead, after = before[start:], behind[: stop.start() if stop else len(behind)]
        asked = self._question.match(behind)
        denied = self._denied(before[-120:], behind)
        if denied or (asked and self._yes.match(behind, asked.end())):
            return denied
        return (
            bool(asked and not self._why.search(ahead))
            or self._supposed(ahead, after)
            or self._doubted(ahead, after)
            or self._guessed(ahead, after, behind[len(after) :])
            or self._example(ahead, after)
            or self._unsure(ahead, after)
        )

    def _example(self, ahead: str, after: str) -> bool:
        """Whether an answer is an example of others: "other candidates such as 24"."""
        return bool(self._example_before.search(ahead) or self._example_behind.match(after))

    def _guessed(self, ahead: str, after: str, rest: str) -> bool:
        """Whether an answer is an earlier try that "but" rejects, in its sentence or the next."""
        drafts = list(self._draft.finditer(ahead))
        if not drafts or self._turn.search(ahead, drafts[-1].end()):
            return False
        but = self._but.search(after)
        if but is None:
            next_one = rest.lstrip(".。।!…*_$` \n")
            return bool(self._but.match(next_one))
        return not any(self._affirmed(after, *m.span()) for m in self._right_word.finditer(after))

    def _denied(self, before: str, behind: str) -> bool:
        if self._denied_before.search(before) and not self._or_before.search(before):
            return True
        maybe, denied = self._maybe_behind.match(behind), self._denied_behind.match(behind)
        if maybe and denied and denied.end() <= maybe.end():
            denied = denied if denied.start("not") < maybe.start("maybe") else None
        elif maybe and not denied:
            return False  # "cannot be ruled out"
        label = self._wrong_label.search(before)
        return bool(denied or (label and self._affirmed(before, *label.span())))

    def _supposed(self, ahead: str, after: str) -> bool:
        sentence = f"{ahead} \x00 {after}"
        if self._if.search(sentence) and self._would.search(sentence):
            return True
        found = list(self._suppose.finditer(ahead))
        if found and not self._ends(ahead, found[-1].end()):
            return True
        behind = self._suppose.search(after)
        return behind is not None and not self._ends(after[: behind.start()])

    def _ends(self, text: str, start: int = 0) -> bool:
        """Whether the reach of a supposition ends in a text: at a clause, a value, "so"."""
        return bool(self._turn.search(text, start) or _COMMA.search(text, start))

    def _doubted(self, ahead: str, after: str) -> bool:
        """Whether its sentence says of an answer that it is not believed, or a mistake.

        The words reach up to the next value, and not beyond "but" or "so". That others are right
        with it makes up for what is said of them.
        """
        doubts = [m for m in self._doubt.finditer(ahead) if self._affirmed(ahead, *m.span())]
        if doubts and not self._turn.search(ahead, doubts[-1].end()):
            return True
        doubt = self._doubt.search(after)
        if doubt and not self._turn.search(self._right_word.sub("", after[: doubt.start()])):
            return self._affirmed(after, *doubt.span())
        return not self._agreed(after) and (self._said_of(after) or self._mistaken(ahead))

    def _said_of(self, after: str) -> bool:
        """Whether others answer so: "is what one gets who forgets a step"."""
        others = self._others.search(after)
        if others is None or _VALUED.search(after, others.end()):
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
        return not self._moves_on(after[: behind.start()])

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

    def denies(self, text: str) -> bool:
        """Whether a short text that should be an answer holds a word or sign of negation."""
        return bool(_SIGNS.search(text)) or self._negates(_NUMBERED.sub(" ", seen(text)))

    def bounds(self, text: str) -> bool:
        """Whether a short text gives a number as a bound, or as part of another number."""
        return bool(self._bound.search(seen(text)))

    def declines(self, text: str) -> bool:
        """Whether the end of a text says that there is no answer."""
        return bool(self._decline.search(seen(text[-_REST:])))

    @rare("maybe")
    def _maybe_behind(self) -> str:
        link = self._either("closing", "copula")
        link = rf"{CLOSING_MARKS}(?:{link}\s{{0,3}}){{0,3}}"
        return rf"{link}(?:{LETTER}{{1,12}}\s){{0,3}}(?P<maybe>{self._either('maybe')})"

    def _affirmed(self, sentence: str, start: int, end: int) -> bool:
        """Whether no negation stands near a part of a sentence."""
        near, after = sentence[max(0, start - 15) : start], sentence[end : end + 8]
        near, after = CLAUSE.split(near)[-1], UNMARKED.split(after)[0]
        onward = max((m.end() for m in self._onward.finditer(near)), default=0)
        near = near[onward:]
        return not (self._not_near.search(near) or self._not_after.search(after))

    @rare("fault", "others")
    def _fault(self) -> str:
        return self._either("fault", "others")

    @rare("others")
    def _others(self) -> str:
        return self._either("others")

    def _admits(self, sentence: str) -> bool:
        """Whether a sentence begins a correction or takes an answer back."""
        return bool(self._opens_correction.match(sentence)) or bool(
            self._admit.search(sentence) or self._withdraw.search(sentence)
        )

    @cached_property
    def _other(self) -> re.Pattern[str]:
        return self._compiled(self._either("other"))

    @cached_property
    def _not_after(self) -> re.Pattern[str]:
        return self._compiled(self._either("not_behind", "none"))

    @rare("wrong")
    def _wrong_word(self) -> str:
        return self._any("wrong")

    @cached_property
    def _none(self) -> re.Pattern[str]:
        return self._compiled(self._either("none"))

    @rare("right")
    def _right_word(self) -> str:
        return self._either("right")


_BETWEEN = 160  # characters between two answers of which neither is the only one
_SAID = re.compile(r"\b(?!(?:json|text|latex)\b)\w")  # a word that is no language of a code block
_BRIEF = 60  # a sentence of no more says nothing but "not this, that"
_NUMBER = re.compile(r"(?:(?<![\w)\]}-])-)?(?:\d[\d.]*(?:,\d{3})*[\d.]*\d|\d)")
_LATIN = r"0-9A-Za-z_\u00c0-\u024f"  # letters of other scripts may touch an option
_LETTER = re.compile(rf"(?<![{_LATIN}])(?-i:[B-D]|A(?! [a-z\u00e0-\u024f]))(?![{_LATIN}'])")


@dataclass(frozen=True)
class Aftermath:
    """What the text behind an answer says of it.

    Attributes:
        withdrawn: it takes the answer back.
        claims: sentences behind a correction, or which say what the answer should be: each may
            name another answer. In the form of `seen`.
        last: the last sentence, if it is none of these and one before it says of something that it
            is wrong: it may state another answer. Else prose does not beat a form.
    """

    withdrawn: bool = False
    claims: tuple[str, ...] = ()
    last: str = ""


class Retractions(Denials):
    """The same, with what stands between two answers or behind the last."""

    def joined(self, between: str) -> bool:
        """Whether "or" joins two answers with this text between them.

        >>> from xlgo_metric.reading.grammar import words_for
        >>> words_for("en", "").joined(" or, perhaps, ")
        True
        """
        if between.strip() == "/":
            return True
        return len(between) <= 100 and bool(self._joint.fullmatch(seen(between)))

    @rare("maybe")
    def _maybe(self) -> str:
        return self._either("maybe")

    def undecided(self, before: str, between: str, behind: str) -> bool:
        """Whether the sentence of two answers, or the next, says that none of them is chosen."""
        gap = seen(between)
        if BREAK.search(gap):
            following = "" if _SAID.search(between) else behind[:_BEHIND]
            rest = next((one.text for one in self._sentences(seen(following))), "")
            declined = self._decline.finditer("" if _VALUED.search(rest) else rest)
            return any(self._declines(rest, *m.span()) for m in declined)
        ahead, after = seen(before[-_BEFORE:]), seen(behind[:_BEHIND])
        asked = None if CLAUSE.search(gap) else self._question.match(after)
        if asked and not self._yes.match(after, asked.end()):
            return True  # "is it this or that?"
        start = max((m.end() for m in BREAK.finditer(ahead)), default=0)
        stop = BREAK.search(after)
        ahead, after = ahead[start:], after[: stop.start() if stop else len(after)]
        if self._if.search(ahead) and self._denied(ahead, gap):
            return True  # "if not this, then that"
        return not self._turn.search(gap) and self._unsure(ahead, after, several=True)

    def one_of_two(self, between: str, behind: str, before: str = "") -> bool:
        """Whether an answer is one of several, by what stands around them and between.

        >>> from xlgo_metric.reading.grammar import words_for
        >>> words_for("en", "").one_of_two(", but it could also be ", "")
        True
        """
        if self.joined(between):
            return True
        if len(between) > _BETWEEN:
            return False
        if self.undecided(before, between, behind):
            return True
        parts = [part for part in BREAK.split(seen(between).strip("$ ")) if part.strip()]
        if len(parts) > 2 or (len(parts) == 2 and self._settles(parts[0])):
            return False
        if self._maybe_behind.match(seen(behind[:_BEHIND])):
            return True
        last = parts[-1] if parts else ""
        return bool(self._maybe.search(last)) and not self._opens_correction.match(last)

    def _settles(self, sentence: str) -> bool:
        """Whether a sentence says that the answer before it is wrong."""
        return bool(self._opens_correction.match(sentence)) or self._retracts(sentence)

    def both(self, between: str) -> bool:
        """Whether two answers stand side by side, joined by "and" or a comma, or by "or".

        >>> from xlgo_metric.reading.grammar import words_for
        >>> words_for("en", "").both(" and ")
        True
        """
        return len(between) <= _BEHIND and bool(self._both.fullmatch(seen(between)))

    def aftermath(self, behind: str, answer: str = "") -> Aftermath:
        """What the text behind an answer says of it: nothing, a retraction, or a correction.

        That an earlier try was wrong ("at first I thought 24, but that was wrong") takes back
        nothing if it gave another answer.

        >>> from xlgo_metric.reading.grammar import words_for
        >>> words_for("en", "").aftermath(" But this answer is wrong, so I have to reject it.")
        Aftermath(withdrawn=True, claims=(), last='')
        """
        if not behind.strip():
            return Aftermath()
        if len(behind) > 2 * _REST:
            behind = f"{behind[:_REST]}\n{behind[-_REST:]}"
        corrected = withdrawn = faulty = False
        claims: list[str] = []
        last = ""
        behind = seen(behind)
        asked = False  # about another value, directly before: a question, a draft, a supposition
        questioned = False
        for sentence, asks, end in self._sentences(behind):
            own_sentence = end == first_end(behind)  # the rest of the answer's own sentence
            last = ""
            if asks:
                asked, questioned = not own_sentence and self._names_another(sentence, answer), True
                continue
            refused = not (own_sentence or questioned) and self._only_no.fullmatch(sentence)
            withdrawn, questioned = withdrawn or bool(refused), False
            asked = asked and self._refuses(sentence)
            if asked or (not own_sentence and self._claimed(sentence, answer)):
                continue
            condition = self._if.search(sentence)
            tried = self._draft.search(sentence) or self._suppose.search(sentence)
            tried = tried or (condition and self._label.search(sentence))
            asked = bool(tried) and self._names_another(sentence, answer)
            if condition:
                clause = CLAUSE.search(sentence, condition.end())
                then_clause = sentence[clause.end() :] if clause else ""
                withdrawn = withdrawn or (
                    self._calls_wrong(then_clause) and not self._would.search(then_clause)
                )
                continue
            corrected = corrected or bool(self._opens_correction.match(sentence))
            faulty = faulty or self._holds_wrong(sentence)
            withdrawn = withdrawn or (
                self._retracts(sentence) and not self._of_another(sentence, answer)
            )
            withdrawn = withdrawn or (not own_sentence and self._rejected(sentence, answer))
            declined = self._decline.finditer(sentence)
            if any(
                self._declines(sentence, *m.span()) and not self._made_up(sentence, m.end())
                for m in declined
            ):
                unsure = corrected or (len(sentence) <= _BRIEF and not self._other.search(sentence))
                withdrawn = withdrawn or faulty or (unsure and bool(self._label.search(sentence)))
            elif corrected or withdrawn or (not own_sentence and self._should.search(sentence)):
                claims.append(sentence)
            elif not own_sentence and faulty:
                last = sentence
            elif turned := self._turned(sentence):
                claims.append(turned)
        return Aftermath(withdrawn, tuple(claims), last)

    def _names_another(self, sentence: str, answer: str) -> bool:
        """Whether a sentence holds a value of the kind of an answer, and not the answer."""
        named = _LETTER if _LETTER.fullmatch(answer.strip()) else _NUMBER
        every, own = named.findall(sentence)[:200], named.findall(seen(answer))[:200]
        if not (every and own):
            return False
        if 1 < len(own) <= len(every):  # a list, most of whose entries both may have
            return all(every[i : i + len(own)] != own for i in range(len(every)))
        return not {*every} & {*own}

    def _claimed(self, sentence: str, answer: str) -> bool:
        """Whether a sentence is one about another answer that others give: "some would say 26"."""
        others = self._others.search(sentence)
        struck = "□□" in sentence  # an object that is passed over
        if not (others and (struck or self._names_another(sentence, answer))):
            return False
        named = _LETTER if _LETTER.fullmatch(answer.strip()) else _NUMBER
        should = self._should.search(sentence)
        replaced = should and named.search(sentence, should.end())
        if replaced or self._opens_correction.match(sentence):
            return False
        right = self._right_word.finditer(sentence, others.end())
        if not self._holds_wrong(sentence) and any(
            self._affirmed(sentence, *m.span()) for m in right
        ):
            return False
        own = self._admit.search(sentence) or self._so.search(sentence, others.end())
        return not (own and self._label.search(sentence, own.end()))

    def _rejected(self, sentence: str, answer: str) -> bool:
        """Whether a sentence says that others give the answer itself, and that it is wrong."""
        if not (self._others.search(sentence) and self._holds_wrong(sentence)):
            return False
        named = _LETTER if _LETTER.fullmatch(answer.strip()) else _NUMBER
        every = named.findall(sentence)[:200]
        return bool(every) and every == named.findall(seen(answer))[:200]

    def _refuses(self, sentence: str) -> bool:
        """Whether a sentence does no more than to answer a question with no, or to drop a try."""
        if _NUMBER.search(sentence) or self._label.search(sentence) or self._admit.search(sentence):
            return False
        refused = self._opens_correction.match(sentence) or self._holds_wrong(sentence)
        dropped = self._not_near.search(sentence) or self._withdraw.search(sentence)
        return bool(refused or dropped)

    def _of_another(self, sentence: str, answer: str) -> bool:
        """Whether a sentence calls another answer wrong: an earlier try, or its first value."""
        if not self._names_another(sentence, answer):
            return False
        named = _LETTER if _LETTER.fullmatch(answer.strip()) else _NUMBER
        every = list(named.finditer(sentence))
        if self._draft.search(sentence):
            return True
        start, rest = every[0].start(), sentence[every[0].end() :]
        labels = list(self._label.finditer(sentence))  # "my earlier answer 24 was wrong"
        dropped = not labels and self._withdraw.search(rest)
        begins = start <= _BRIEF // 4 and (dropped or self._holds_wrong(rest))
        wrong = begins or self._denied_behind.match(rest)
        if not wrong or self._admit.search(sentence):
            return False
        return all(self._tight.fullmatch(sentence[label.end() : start]) for label in labels)

    def _turned(self, sentence: str) -> str:
        """The end of a sentence from "but", if it says that something else is right."""
        turns = list(self._but.finditer(sentence))
        rest = sentence[turns[-1].end() :] if turns else ""
        right = any(self._affirmed(rest, *m.span()) for m in self._right_word.finditer(rest))
        return rest if right else ""

    def _sentences(self, text: str) -> Iterator[Sentence]:
        """The sentences of a text; a question that is answered with "yes" asks nothing."""
        for sentence in self._parted(text):
            ending = self._question_end.search(sentence.text[-20:])
            if not (sentence.asks or ending):
                yield sentence
            elif not self._yes.match(text, sentence.end):
                yield sentence._replace(asks=True)
            else:
                length = len(sentence.text) - (len(ending[0]) if ending else 0)
                yield sentence._replace(text=sentence.text[:length], asks=False)

    def _parted(self, text: str) -> Iterator[Sentence]:
        """The sentences of a text; Thai parts them by spaces, but for conditions."""
        for sentence in sentences(text):
            if not UNMARKED.search(sentence.text) or self._if.search(sentence.text):
                yield sentence
                continue
            parts = UNMARKED.split(sentence.text)
            for number, part in enumerate(parts, 1):
                last = number == len(parts)
                length = sum(map(len, parts[number:])) + len(parts) - number
                yield Sentence(part, sentence.asks and last, sentence.end - length)

    def _holds_wrong(self, sentence: str) -> bool:
        """Whether a sentence says of anything that it is wrong."""
        return any(self._affirmed(sentence, *m.span()) for m in self._wrong_word.finditer(sentence))

    def _retracts(self, sentence: str) -> bool:
        valued = _NUMBER.search(sentence) or _LETTER.search(sentence)
        clauses = CLAUSE.split(sentence) if not valued else [sentence]
        if any(map(self._only_wrong.fullmatch, clauses)):
            return True
        points = len(sentence) <= _BRIEF or bool(self._points.search(sentence))
        patterns = [self._admit, self._withdraw] if points else [self._admit]
        spans = [m.span() for pattern in patterns for m in pattern.finditer(sentence)]
        spans = [
            (start, end)
            for start, end in spans
            if self._affirmed(sentence, start, end) and not self._none.search(sentence, start, end)
        ]
        return any(self._is_own(sentence, *span) for span in (*spans, *self._wrong_at(sentence)))

    def _made_up(self, sentence: str, at: int) -> bool:
        """Whether a sentence goes on with "but" and the answer: "but this is my answer"."""
        turn = self._but.search(sentence, at)
        rest = sentence[turn.end() :] if turn else ""
        return bool(
            self._label.search(rest)
            and self._points.search(rest)
            and not self._not_near.search(rest)
            and not self._holds_wrong(rest)
            and not self._should.search(rest)
            and not _NUMBER.search(rest)
            and not _LETTER.search(rest)
        )

    def _wrong_at(self, sentence: str) -> list[tuple[int, int]]:
        """Where a sentence says that what it points to is wrong."""
        denied = self._not_right.finditer(sentence) if self._not_near.search(sentence) else ()
        return [
            found.span("wrong")
            for found in (*self._wrong.finditer(sentence), *denied)
            if not self._not_near.search(found["middle"]) and not self._covers(sentence, found)
        ]

    def _calls_wrong(self, sentence: str) -> bool:
        return any(self._is_own(sentence, *span) for span in self._wrong_at(sentence))

    def _covers(self, sentence: str, found: re.Match[str]) -> bool:
        """Whether a word for wrong is a part of a longer one about mistakes: "a common mistake"."""
        start = found.start("wrong")
        return any(m.start() < start < m.end() for m in self._fault.finditer(sentence))

    def _is_own(self, sentence: str, start: int, end: int) -> bool:
        """Whether a part of a sentence speaks of the answer, and nothing behind makes up for it."""
        if self._other.search(clause_of(sentence, start, start)[: start + 1]):
            return False
        ahead = CLAUSE.split(self._but.split(sentence[:start])[-1])[-1]
        after = CLAUSE.split(self._but.split(sentence[end:])[0])[0]
        if self._draft.search(ahead) or self._draft.search(after):
            return False
        perhaps = [(part, m) for part in (ahead, after) for m in self._maybe.finditer(part)]
        if any(self._affirmed(part, *m.span()) for part, m in perhaps):
            return False
        if self._made_up(sentence, end):
            return False
        return not any(
            self._affirmed(sentence, *m.span())
            for m in self._right_word.finditer(sentence, end)
            if CLAUSE.search(sentence, end, m.start()) or self._but.search(sentence, end, m.start())
        )
