"""The grammar of answers: which of those that a response gives stands, in every language alike.

The words come from the tables of languages (`tables`); here are the places in which they mean
something. ``docs/grading.md`` has the grammar on one page. Everything looks at bounded parts of a
text and takes time linear in them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from xlgo_metric.reading.patterns import CLOSING_MARKS, MARKS, Patterns
from xlgo_metric.reading.sentences import (
    BREAK,
    CLAUSE,
    Sentence,
    clause_of,
    first_end,
    sentences,
)
from xlgo_metric.reading.tables import LETTER, seen

_BEFORE = 240  # characters before an answer that may deny or condition it
_BEHIND = 160
_REST = 3_000  # of what follows an answer, at either end
_SENTENCES = 60
_BRIEF = 60  # a sentence of no more says nothing but "not this, that"
_ASKED = re.compile(r"[^.!?؟。।॥۔።။។\n{}<\\]{0,30}[?؟]")
_SIGNS = re.compile(
    r"[≠≢≉¬⊘❌✗✘✖🚫⛔]|~~|!=|<>|=/=|=\\=|/=|\\not|\\ne(?![a-z])|\\neq|\\x?cancel|\\bcancel|\\sout"
    r"|<(?:s|del|strike)>|!\s?[\"']?(?=[A-Z]\d{4})"
)
_OPERATORS = re.compile(r"[\s()+\-*/×÷·=$\\]*|(?:[^\w.;,]|\\times|\\cdot|\\div)*")
_NUMBERED = re.compile(r"\bn[oº°]\s?[.:]|\bnº|(?<=\w\s)no(?=\s?[.:]?\s?[A-Z]\d{4})", re.IGNORECASE)
_TO = re.compile(rf"\s*(?:-|{LETTER}{{1,5}})\s*")
_LIST = re.compile(r"[\s,،、;&]+")


@dataclass(frozen=True)
class Aftermath:
    """What the text behind an answer says of it.

    Attributes:
        withdrawn: it takes the answer back.
        claims: sentences behind a correction, or which say what the answer should be: each may
            name another answer. In the form of `seen`.
    """

    withdrawn: bool = False
    claims: tuple[str, ...] = ()


@dataclass(frozen=True)
class Stated:
    """What a sentence gives as the answer.

    Attributes:
        words: the part of the sentence that does, in the form of `seen`.
        values: what stands there of the kind that was looked for.
        hedged: one of several is given: "either 20 or 21".
        behind: the text behind the sentence.
    """

    words: str
    values: tuple[str, ...]
    hedged: bool = False
    behind: str = ""


class Words(Patterns):
    """The words of some languages, with the questions that the grammar asks of them."""

    def unscaled(self, text: str) -> str:
        """A text without a sign or word at its end that makes another number of the one before."""
        return self._scale.sub("", seen(text)) if text[-1:] else text

    def passed_over(self, before: str, behind: str) -> bool:
        """Whether an answer between two texts is none: denied, supposed, or asked about.

        >>> from xlgo_metric.reading.lexicon import words_for
        >>> words = words_for("en", "")
        >>> words.passed_over("The answer is not ", " but 24"), words.passed_over("not hard: ", "")
        (True, False)
        """
        before, behind = seen(before[-_BEFORE:]), seen(behind[:_BEHIND])
        return (
            self._denied(before[-120:], behind)
            or bool(_ASKED.match(behind))
            or self._supposed(before, behind)
        )

    def _denied(self, before: str, behind: str) -> bool:
        if self._denied_behind.match(behind):
            return True
        return bool(self._denied_before.search(before)) and not self._or_before.search(before)

    def _supposed(self, before: str, behind: str) -> bool:
        start = max((m.end() for m in BREAK.finditer(before)), default=0)
        stop = BREAK.search(behind)
        ahead, after = before[start:], behind[: stop.start() if stop else len(behind)]
        sentence = f"{ahead} \x00 {after}"
        return bool(self._if.search(sentence)) and bool(self._would.search(sentence))

    @cached_property
    def _bound_before(self) -> re.Pattern[str]:
        return self._compiled(rf"{self._any('bound_before')}{MARKS}\Z")

    def bounded(self, before: str) -> bool:
        """Whether a text ends with a word that makes a bound of the number behind it."""
        return bool(self._bound_before.search(seen(before[-80:])))

    def joined(self, between: str) -> bool:
        """Whether "or" joins two answers with this text between them.

        >>> from xlgo_metric.reading.lexicon import words_for
        >>> words_for("en", "").joined(" or, perhaps, ")
        True
        """
        if between.strip() == "/":
            return True
        return len(between) <= 100 and bool(self._joint.fullmatch(seen(between)))

    @cached_property
    def _maybe(self) -> re.Pattern[str]:
        return self._compiled(self._any("maybe"))

    @cached_property
    def _maybe_behind(self) -> re.Pattern[str]:
        link = self._any("closing", "copula")
        return self._compiled(
            rf"{CLOSING_MARKS}(?:{link}\s{{0,3}}){{0,3}}(?:{LETTER}{{1,12}}\s){{0,3}}{self._any('maybe')}"
        )

    def one_of_two(self, between: str, behind: str) -> bool:
        """Whether an answer is one of several, by what stands between them and behind it.

        >>> from xlgo_metric.reading.lexicon import words_for
        >>> words_for("en", "").one_of_two(", but it could also be ", "")
        True
        """
        if self.joined(between):
            return True
        between = seen(between) if len(between) <= 100 else "."
        if BREAK.search(between.strip("$ ")):
            return False
        return bool(self._maybe.search(between) or self._maybe_behind.match(seen(behind[:_BEHIND])))

    def denies(self, text: str) -> bool:
        """Whether a short text that should be an answer holds a word or sign of negation."""
        return bool(_SIGNS.search(text)) or bool(self._not.search(_NUMBERED.sub(" ", seen(text))))

    def bounds(self, text: str) -> bool:
        """Whether a short text gives a number as a bound, or as part of another number."""
        return bool(self._bound.search(seen(text)))

    def declines(self, text: str) -> bool:
        """Whether the end of a text says that there is no answer."""
        return bool(self._decline.search(seen(text[-_REST:])))

    def aftermath(self, behind: str) -> Aftermath:
        """What the text behind an answer says of it: nothing, a retraction, or a correction.

        >>> from xlgo_metric.reading.lexicon import words_for
        >>> words_for("en", "").aftermath(" But this answer is wrong, so I have to reject it.")
        Aftermath(withdrawn=True, claims=())
        """
        if not behind.strip():
            return Aftermath()
        if len(behind) > 2 * _REST:
            behind = f"{behind[:_REST]}\n{behind[-_REST:]}"
        corrected = withdrawn = faulty = False
        claims: list[str] = []
        behind = seen(behind)
        for sentence, asks, end in sentences(behind):
            own = end == first_end(behind)  # the rest of the answer's own sentence
            if asks or self._if.search(sentence):
                continue
            corrected = corrected or bool(self._opens_correction.match(sentence))
            faulty = faulty or self._holds_wrong(sentence)
            withdrawn = withdrawn or self._retracts(sentence)
            if self._decline.search(sentence):
                unsure = corrected or (len(sentence) <= _BRIEF and not self._other.search(sentence))
                withdrawn = withdrawn or faulty or (unsure and bool(self._label.search(sentence)))
            elif corrected or withdrawn or (not own and self._should.search(sentence)):
                claims.append(sentence)
        return Aftermath(withdrawn, tuple(claims))

    def _holds_wrong(self, sentence: str) -> bool:
        """Whether a sentence says of anything that it is wrong."""
        return any(self._affirmed(sentence, *m.span()) for m in self._wrong_word.finditer(sentence))

    def _affirmed(self, sentence: str, start: int, end: int) -> bool:
        """Whether no negation stands near a part of a sentence."""
        near, after = sentence[max(0, start - 15) : start], sentence[end : end + 8]
        near = CLAUSE.split(near)[-1]
        return not (self._not_near.search(near) or self._not_after.search(after))

    @cached_property
    def _other(self) -> re.Pattern[str]:
        return self._compiled(self._any("other"))

    @cached_property
    def _not_after(self) -> re.Pattern[str]:
        return self._compiled(self._any("not_behind", "none"))

    @cached_property
    def _wrong_word(self) -> re.Pattern[str]:
        return self._compiled(self._any("wrong"))

    def _retracts(self, sentence: str) -> bool:
        if self._only_wrong.fullmatch(sentence):
            return True
        if any(self._affirmed(sentence, *m.span()) for m in self._admit.finditer(sentence)):
            return True
        points = len(sentence) <= _BRIEF or bool(self._points.search(sentence))
        if points and any(
            self._affirmed(sentence, *m.span()) for m in self._withdraw.finditer(sentence)
        ):
            return True
        for found in self._wrong.finditer(sentence):
            if not self._not_near.search(found["middle"]):
                return True
        return False

    def stated(self, text: str, value: re.Pattern[str], *, loose: bool = False) -> Stated | None:
        """What the last sentence with a label, or with "not … but", gives as the answer.

        Args:
            text: a response, or a part of one.
            value: what an answer looks like.
            loose: a sentence may give it without a label: "no, it is 21".
        """
        end = self._heading.sub(r"\g<1>: ", seen(text[-2 * _REST :]))
        later: Sentence | None = None
        for sentence in self._asserted(end, value):
            rest = end[sentence.end :]
            stated = self._stated(sentence.text, value, loose)
            if stated is None and later and self._only_denies(sentence.text, value):
                rest = end[later.end :]
                stated = self._alone(later.text, value)
            later = sentence
            if stated is None and not rest.strip():
                stated = self._concluded(sentence.text, value)
            if stated is not None:
                return replace(stated, behind=rest)
        return None

    def _only_denies(self, sentence: str, value: re.Pattern[str]) -> bool:
        """Whether a sentence says of every value that it is not the answer."""
        return all(self._denied_at(sentence, *m.span()) for m in value.finditer(sentence))

    def _alone(self, sentence: str, value: re.Pattern[str]) -> Stated | None:
        """What a short sentence with one value gives."""
        every = list(value.finditer(sentence))
        brief = len(every) == 1 and len(sentence) <= _BRIEF // 2
        return self._part(sentence, every, every, every[0]) if brief else None

    @cached_property
    def _heading(self) -> re.Pattern[str]:
        """A line that is a label and nothing else, with what parts it from the next line."""
        return self._compiled(
            rf"(?:(?<=\n)|\A)([#*_>\s]{{0,9}}{self._any('label')})[*_:\s]{{0,5}}\n\s{{0,9}}(?=\S)"
        )

    @cached_property
    def _so(self) -> re.Pattern[str]:
        return self._compiled(self._any("so"))

    def _concluded(self, sentence: str, value: re.Pattern[str]) -> Stated | None:
        """What the last sentence gives in which a word of conclusion stands and one value."""
        if not self._so.search(sentence):
            return None
        every = list(value.finditer(sentence))[:200]
        clause = CLAUSE.search(sentence, every[0].end())
        stop = clause.start() if clause else len(sentence)
        first = [m for m in every if m.end() <= stop]
        left = [m for m in first if not self._denied_at(sentence, *m.span())]
        if len({m[0] for m in left}) != 1 and not self._joins_all(sentence, left):
            return None
        return self._part(sentence, every, left + [m for m in every if m.start() >= stop], left[0])

    def _joins_all(self, sentence: str, values: list[re.Match[str]]) -> bool:
        return len(values) > 1 and self._joins(sentence, values[0], values[1])

    def counted(self, text: str, value: re.Pattern[str]) -> Stated | None:
        """What the last sentence that says how often something is found gives: "18 times"."""
        end = seen(text[-2 * _REST :])
        for sentence in self._asserted(end, value):
            every = list(value.finditer(sentence.text))[:200]
            for found in reversed(list(self.times.finditer(sentence.text))):
                clause = clause_of(sentence.text, *found.span())
                chosen = next((m for m in every if m.end() > found.start()), None)
                if chosen is None or self._not_near.search(clause):
                    continue
                stated = self._part(sentence.text, every, every, chosen)
                at = every.index(chosen)
                gap = sentence.text[every[at - 1].end() : chosen.start()] if at else ""
                hedged = stated.hedged or bool(gap.strip() and _TO.fullmatch(gap))
                return replace(stated, hedged=hedged, behind=end[sentence.end :])
        return None

    def _asserted(self, text: str, value: re.Pattern[str]) -> Iterator[Sentence]:
        """The sentences with a value, the last one first, that neither ask, suppose nor decline."""
        for sentence in reversed(list(sentences(text))[-_SENTENCES:]):
            written = sentence.text
            if sentence.asks or not value.search(written) or self._decline.search(written):
                continue
            about = self._fault.search(written) and not self._admits(written)
            if not about and not (self._if.search(written) and self._would.search(written)):
                yield sentence

    @cached_property
    def _fault(self) -> re.Pattern[str]:
        return self._compiled(self._any("fault"))

    def _admits(self, sentence: str) -> bool:
        """Whether a sentence begins a correction or takes an answer back."""
        return bool(self._opens_correction.match(sentence)) or bool(
            self._admit.search(sentence) or self._withdraw.search(sentence)
        )

    def _stated(self, sentence: str, value: re.Pattern[str], loose: bool) -> Stated | None:
        every = [m for m in value.finditer(sentence) if not self._is_article(sentence, m)][:200]
        left = [m for m in every if not self._denied_at(sentence, *m.span())]
        if not left:
            return None
        for denied in (m for m in every if m not in left):
            start, end = denied.span()
            sentence = sentence[:start] + "□" * (end - start) + sentence[end:]
        chosen = self._labelled(sentence, left)
        if chosen is None and len(left) == 1 < len(every):
            brief = loose or len(sentence) <= _BRIEF or self._but.search(sentence)
            chosen = left[0] if brief else None
        if chosen is None and loose:
            lead = self._opens_correction.match(sentence)
            pointer = self._pointer.match(sentence, lead.end() if lead else 0)
            start = pointer.end() if pointer else lead.end() if lead else -1
            chosen = next((m for m in left if 0 <= m.start() - start <= 20), None)
        return None if chosen is None else self._part(sentence, every, left, chosen)

    def _is_article(self, sentence: str, found: re.Match[str]) -> bool:
        """Whether an ``A`` is no letter of an option but a word before the answer's name."""
        return found[0] == "A" and bool(self._label.match(sentence[found.end() :].lstrip()))

    def _denied_at(self, sentence: str, start: int, end: int) -> bool:
        return self._denied(sentence[max(0, start - 80) : start], sentence[end : end + _BEHIND])

    def _labelled(self, sentence: str, left: list[re.Match[str]]) -> re.Match[str] | None:
        """The value that a label names: right behind it, right before it, or behind a copula."""
        labels = list(self._label.finditer(sentence))
        linked = None
        for label in reversed(labels):
            after = next((m for m in left if m.start() >= label.end()), None)
            before = next((m for m in reversed(left) if m.end() <= label.start()), None)
            if after and self._tight.fullmatch(sentence[label.end() : after.start()]):
                return after
            if before and self._tight.fullmatch(sentence[before.end() : label.start()]):
                return before
            gap = sentence[label.end() : after.start()] if after else ""
            short = len(gap) <= _BRIEF // 2 and self._begins_linked.match(gap)
            if after and (short or self._copula.search(gap[-60:])):
                linked = linked or after
        return linked

    def _part(
        self,
        sentence: str,
        every: list[re.Match[str]],
        left: list[re.Match[str]],
        chosen: re.Match[str],
    ) -> Stated:
        """The words around a value up to its clause, with what a sum or an "or" adds to it."""
        at = last = left.index(chosen)
        hedged = at > 0 and self._joins(sentence, left[at - 1], chosen)
        hedged = hedged or (at + 1 < len(left) and self._joins(sentence, chosen, left[at + 1]))
        start, end = chosen.span()
        while last + 1 < len(left):
            gap = sentence[left[last].end() : left[last + 1].start()]
            if self.joined(gap) or _LIST.fullmatch(gap):
                hedged = True
            elif not (gap.strip() and _OPERATORS.fullmatch(gap)):
                break
            last += 1
            end = left[last].end()
        head = max((m.end() for m in every if m.end() <= start), default=0)
        stop = min((m.start() for m in every if m.start() >= end), default=len(sentence))
        breaks = [m.end() for m in CLAUSE.finditer(sentence, head, start)]
        clause = CLAUSE.search(sentence, end, stop)
        first = max([head, *breaks, start - 60])
        words = sentence[first : min(clause.start() if clause else stop, end + 40)].strip()
        return Stated(words, tuple(m[0] for m in left[at : last + 1]), hedged)

    def _joins(self, sentence: str, first: re.Match[str], second: re.Match[str]) -> bool:
        between, behind = sentence[first.end() : second.start()], sentence[second.end() :]
        return first[0] != second[0] and self.one_of_two(between, behind)

    @cached_property
    def _leads(self) -> re.Pattern[str]:
        link = self._any("copula", "closing")
        return self._compiled(
            rf"{self._any('label')}[*_`\s]{{0,4}}(?:(?:{link}[\s*_`]{{0,4}}){{1,3}}:?|:)[\s*_`]{{0,4}}"
        )

    def after_label(self, text: str) -> str:
        """The rest of the line behind the last label with a copula or a colon, if there is one."""
        end = text[-2 * _REST :]
        found = list(self._leads.finditer(seen(end)))
        return seen(end)[found[-1].end() :].split("\n", 1)[0][:200].strip() if found else ""

    def names(self, text: str, value: re.Pattern[str]) -> bool:
        """Whether a text without an answer in the asked form gives one at its end, or states one.

        A text that says at its end that it has no answer does not.
        """
        text = self.glued.sub(r"\g<0> ", seen(text[-2 * _REST :]))
        if self.stated(text, value) is not None:
            return True
        last = [sentence.text for sentence in sentences(seen(text[-_REST:]))][-2:]
        for sentence in last:
            if self._decline.search(sentence):
                every = list(value.finditer(sentence))[:40]
                return any(self._joins(sentence, *pair) for pair in pairwise(every))
        return any(value.search(sentence) for sentence in last)
