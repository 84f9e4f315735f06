"""What stands between two answers, and what the text behind one says: taken back or replaced."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from xlgo_metric.reading.denials import (
    BEFORE,
    BEHIND,
    BREAK,
    CLAUSE,
    REST,
    VALUED,
    WORD,
    Denials,
    Sentence,
    clause_of,
    first_end,
    sentences,
)
from xlgo_metric.reading.spaces import seen

_BETWEEN = 160  # characters between two answers of which neither is the only one
_SAID = re.compile(r"\b(?!(?:json|text|latex)\b)\w")  # a word that is no language of a code block
_COUNTED = re.compile(r"\d{1,2}(?=[\s.:)])")  # "answer 2:"
BRIEF = 60  # a sentence of no more says nothing but "not this, that"
_NEAR = 40  # characters behind a retraction in which "perhaps" speaks of it
_NUMBER = re.compile(  # or an identifier, whole: the U of "H4657, U2824" is no Spanish "or"
    r"(?:(?<![\w)\]}-])-|(?<![^\W_])[A-Za-z](?=\d{4}))?(?:\d[\d.]*(?:,\d{3})*[\d.]*\d|\d)"
)
_LATIN = r"0-9A-Za-z_\u00c0-\u024f"  # letters of other scripts may touch an option
_LETTER = re.compile(rf"(?<![{_LATIN}])(?-i:[B-D]|A(?! [a-z\u00e0-\u024f]))(?![{_LATIN}'])")
_QUOTED = re.compile(r"['\"]([^'\"]{1,60})['\"]")


def _kind(answer: str) -> re.Pattern[str]:
    """What stands for an answer in a sentence: an option, numbers, or the words of a list."""
    if _LETTER.fullmatch(answer.strip()):
        return _LETTER
    words = [] if _NUMBER.search(seen(answer)) else _QUOTED.findall(seen(answer))
    listed = sorted({*map(re.escape, words)}, key=len, reverse=True)
    return re.compile("|".join(listed[:200])) if listed else _NUMBER


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
        if between.strip(" $*_`\n") == "/":
            return True
        return len(between) <= 100 and bool(self._joint.fullmatch(seen(between)))

    def both_denied(self, before: str, between: str) -> bool:
        """Whether words before two answers deny them both: "not 28 or 24"."""
        ahead = BREAK.split(seen(before[-BEFORE:]))[-1][-120:]
        return self.joined(between) and self._denied_ahead(ahead) and not self._if.search(ahead)

    def undecided(self, before: str, between: str, behind: str) -> bool:
        """Whether the sentence of two answers, or the next, says that none of them is chosen."""
        gap, ahead, after = seen(between), seen(before[-BEFORE:]), seen(behind[:BEHIND])
        if BREAK.search(gap):
            if self._if.search(BREAK.split(ahead)[-1]) and self._if.search(gap):
                return True  # "if you mean the first, it is this. Otherwise, it is that"
            return self._left_open(between, behind, own=False)
        together = self.joined(between) or self._or.search(gap) or self._maybe.search(gap)
        asked = None if CLAUSE.search(gap) and not together else self._question.match(after)
        if asked and not self._yes.match(after, asked.end()):
            return True  # "is it this or that?"
        start = max((m.end() for m in BREAK.finditer(ahead)), default=0)
        stop = BREAK.search(after)
        ahead, after = ahead[start:], after[: stop.start() if stop else len(after)]
        if self._if.search(ahead) and (self._if.search(gap) or self._denied(ahead, gap)):
            return True  # "if not this, then that"
        open_ = self._maybe.search(f"{gap} {after}") or not self._turn.search(gap)
        if open_ and self._unsure(ahead, after, several=True):
            return True
        return self._left_open(between, behind, own=True)

    def _left_open(self, between: str, behind: str, own: bool) -> bool:
        """Whether the sentence behind two answers says that neither of them is chosen.

        Where more stands between the two than numbers, it must speak of both.

        Args:
            between: the text between the two.
            behind: the text behind them.
            own: the text behind begins with the rest of their own sentence.
        """
        if len(between) > _BETWEEN:
            return False
        following = seen(behind[: 2 * BEHIND])
        if own:
            following = following[first_end(following) :]
        rest = next((one.text for one in self._sentences(following) if WORD.search(one.text)), "")
        return (self.bare(between) or bool(self._two.search(rest))) and self._leaves_open(rest)

    def bare(self, between: str) -> bool:
        """Whether nothing is said between two answers: they are numbered at most."""
        gap = _COUNTED.sub(" ", seen(between))
        return len(between) <= _BETWEEN and not _SAID.search(self.names_answer.sub(" ", gap))

    def offers(self, before: str) -> bool:
        """Whether the last sentence of a text says that what follows are possible answers."""
        every = [one for one in sentences(seen(before[-BEFORE:])) if WORD.search(one.text)]
        last = every[-1].text if every else ""
        return self._either_value(last) or bool(self._maybe.search(last)) or self._declined(last)

    def _either_value(self, sentence: str, own: set[str] | None = None) -> bool:
        """Whether "or" joins two values of a sentence, of which one is among ``own`` if given."""
        values = list((_NUMBER if _NUMBER.search(sentence) else _LETTER).finditer(sentence))[:60]
        return any(
            self.joined(sentence[a.end() : b.start()])
            for a, b in pairwise(values)
            if own is None or own & {a[0], b[0]}
        )

    def _leaves_open(self, sentence: str) -> bool:
        """Whether a sentence behind two answers says that neither of them is chosen."""
        if VALUED.search(sentence):
            return self._either_value(sentence)
        rest = self._two.sub(" ", sentence)  # "both" is no other answer
        maybe = None if rest == sentence or self._other.search(rest) else self._maybe.search(rest)
        if maybe and not self._but.search(rest, maybe.end()):
            return True
        return self._declined(rest)

    def explains(self, between: str) -> bool:
        """Whether a text between two equal answers goes on to speak of the first: no correction."""
        parts = [part for part in BREAK.split(seen(between)) if WORD.search(part)]
        spoken = " ".join(parts)
        return len(between) <= _BETWEEN and not (
            self._label.search(spoken) or self._right_word.search(spoken) or self._turned_at(parts)
        )

    def _turned_at(self, parts: list[str]) -> bool:
        return any(map(self._opens_correction.match, parts))

    def _neither(self, sentence: str) -> bool:
        """Whether a sentence cannot tell which of two answers is right."""
        rest = self._two.sub(" ", sentence)
        return rest != sentence and self._declined(rest)

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
        if self._maybe_behind.match(seen(behind[:BEHIND])):
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
        return len(between) <= BEHIND and bool(self._both.fullmatch(seen(between)))

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
        behind = seen(behind if len(behind) <= 2 * REST else f"{behind[:REST]}\n{behind[-REST:]}")
        corrected = withdrawn = faulty = False
        claims: list[str] = []
        last = ""
        # Another value, directly before: a draft or supposition, these or a question, a question.
        drafted = asked = questioned = False
        named: set[str] = set()  # by that sentence
        for sentence, asks, end, _ in self._sentences(behind):
            own_sentence = end == first_end(behind)  # the rest of the answer's own sentence
            last = ""
            earlier, named = named, {*_kind(answer).findall(sentence)}
            if asks:
                apart = not own_sentence or bool(self._why.search(sentence))
                other = "□□" in sentence or self._names_another(sentence, answer)
                asked, drafted = apart and other, False
                questioned = other or not self._right_word.search(sentence)  # "is that right? no"
                continue
            if (withdrawn or corrected) and self._reinstates(sentence, answer):
                withdrawn, corrected, faulty, claims = False, False, False, []
                continue
            alone = not (own_sentence or questioned) and self._only_no.fullmatch(sentence)
            withdrawn, questioned = withdrawn or bool(alone), False
            asked = asked and (self._refuses(sentence, drafted) or bool(named and named <= earlier))
            offered = not asked and self._offers_with(sentence, answer)
            withdrawn = withdrawn or offered
            if asked or offered or (not own_sentence and self._claimed(sentence, answer)):
                continue
            tried = self._tries(sentence)
            if "□□" in sentence and not self._takes_up(sentence):
                asked = tried
                continue  # it speaks of an answer that is passed over
            asked = drafted = tried and self._names_another(sentence, answer)
            if condition := self._condition(sentence):
                withdrawn = withdrawn or self._beside_condition(sentence, *condition.span())
                continue
            corrected = corrected or bool(self._opens_correction.match(sentence))
            faulty = faulty or self._affirms(self._wrong_word, sentence)
            withdrawn = (
                withdrawn
                or (self._retracts(sentence) and not self._of_another(sentence, answer))
                or (not own_sentence and self._rejected(sentence, answer))
                or self._neither(sentence)
            )
            if self._gives_up(sentence):
                unsure = corrected or (len(sentence) <= BRIEF and not self._other.search(sentence))
                withdrawn = withdrawn or faulty or (unsure and bool(self._label.search(sentence)))
            elif corrected or withdrawn or (not own_sentence and self._should.search(sentence)):
                claims.append(sentence)
            elif not own_sentence and faulty:
                last = sentence
            elif turned := self._turned(sentence):
                claims.append(turned)
        cut = corrected and bool(self._open_end.search(behind))  # "No, it should be:"
        return Aftermath(withdrawn or cut, tuple(claims), last)

    def _takes_up(self, sentence: str) -> bool:
        """Whether a sentence of an answer that is passed over corrects or withdraws another."""
        head = sentence[: sentence.index("□□")]
        heading = head.rstrip(" *_`$").endswith(":") and self._withdraw.search(head)
        if heading or self._draft.search(head) or self._suppose.search(sentence):
            return bool(self._opens_correction.match(sentence))
        return self._admits(sentence) and not self._wrong_label.search(head)

    def _offers_with(self, sentence: str, answer: str) -> bool:
        """Whether a sentence gives another value beside an answer: "whether it is 20 or 28".

        So does one that names it only as possible: "the answer might just as well be 28".
        """
        if not (self._maybe.search(sentence) or self._gives_up(sentence)):
            return False
        kind = _kind(answer)
        own = {*kind.findall(seen(answer))[:200]}
        if own <= {*kind.findall(sentence)} and self._either_value(sentence, own):
            return True
        named = kind.search(sentence) if self._names_another(sentence, answer) else None
        clause = clause_of(sentence, *named.span()) if named else ""
        told = self._maybe.search(clause) and self._label.search(clause)
        places = (self._fault, self._other, self._not_near, self._draft)
        apart = self._condition(sentence) or any(place.search(clause) for place in places)
        return bool(told and not apart)

    def _tries(self, sentence: str) -> bool:
        """Whether a sentence names its answer as one that is tried, not given."""
        tried = self._draft.search(sentence) or self._suppose.search(sentence)
        condition = self._if.search(sentence) and self._label.search(sentence)
        return bool(tried or condition or self._maybe.search(sentence))

    def _beside_condition(self, sentence: str, start: int, end: int) -> bool:
        """Whether a part of a sentence before or behind a condition takes an answer back."""
        clause = CLAUSE.search(sentence, end)
        then_clause = sentence[clause.end() :] if clause else ""
        if self._calls_wrong(then_clause) and not self._would.search(then_clause):
            return True
        begins = [m.start() for m in CLAUSE.finditer(sentence, 0, start)]
        before = sentence[: max(begins, default=0)]
        return bool(before.strip()) and self._retracts(before)

    def _reinstates(self, sentence: str, answer: str) -> bool:
        """Whether a sentence says that an answer that was taken back is right after all."""
        named = _kind(answer)
        if not {*named.findall(sentence)[:200]} <= {*named.findall(seen(answer))[:200]}:
            return False
        if self._names_another(sentence, answer) or self._gives_up(sentence):
            return False
        for found in self._confirmed.finditer(sentence):
            clause = clause_of(sentence, *found.span()).rpartition(":")[2]
            if not (
                self._not_near.search(clause)
                or self._affirms(self._wrong_word, sentence[found.start() :])
            ):
                return True
        return False

    def _names_another(self, sentence: str, answer: str) -> bool:
        """Whether a sentence holds a value of the kind of an answer, and not the answer."""
        named = _kind(answer)
        every, own = named.findall(sentence)[:200], named.findall(seen(answer))[:200]
        if not (every and own):
            return False
        if 1 < len(own) <= len(every):  # a list, most of whose entries both may have
            return all(every[i : i + len(own)] != own for i in range(len(every)))
        if 1 < len(every) < len(own):
            return all(own[i : i + len(every)] != every for i in range(len(own)))
        return not {*every} & {*own}

    def _claimed(self, sentence: str, answer: str) -> bool:
        """Whether a sentence is one about another answer that others give: "some would say 26"."""
        others = self._others.search(sentence)
        struck = "□□" in sentence  # an object that is passed over
        if not (others and (struck or self._names_another(sentence, answer))):
            return False
        named = _kind(answer)
        should = self._should.search(sentence)
        replaced = should and named.search(sentence, should.end())
        if replaced or self._opens_correction.match(sentence):
            return False
        right = self._affirms(self._right_word, sentence, others.end())
        if right and not self._affirms(self._wrong_word, sentence):
            return False
        own = self._admit.search(sentence) or self._so.search(sentence, others.end())
        return not (own and self._label.search(sentence, own.end()))

    def _rejected(self, sentence: str, answer: str) -> bool:
        """Whether a sentence says that others give the answer itself, and that it is wrong."""
        wrong = self._others.search(sentence) and self._affirms(self._wrong_word, sentence)
        if not (wrong or self._affirms(self._interim, sentence)):
            return False
        named = _kind(answer)
        every = named.findall(sentence)[:200]
        return bool(every) and every == named.findall(seen(answer))[:200]

    def _refuses(self, sentence: str, tried: bool) -> bool:
        """Whether a sentence does no more than to answer a question with no, or to drop a try."""
        if _NUMBER.search(sentence) or self._label.search(sentence) or self._neither(sentence):
            return False
        if self._admit.search(sentence):
            return tried
        refused = self._opens_correction.match(sentence) or self._affirms(
            self._wrong_word, sentence
        )
        dropped = self._not_near.search(sentence) or self._withdraw.search(sentence)
        return bool(refused or dropped)

    def _of_another(self, sentence: str, answer: str) -> bool:
        """Whether a sentence calls another answer wrong: an earlier try, or its first value."""
        if not self._names_another(sentence, answer):
            return False
        named = _kind(answer)
        every = list(named.finditer(sentence))
        if self._draft.search(sentence):
            return True
        start, rest = every[0].start(), sentence[every[0].end() :]
        labels = list(self._label.finditer(sentence))  # "my earlier answer 24 was wrong"
        dropped = not labels and self._withdraw.search(rest)
        begins = start <= BRIEF // 4 and (dropped or self._affirms(self._wrong_word, rest))
        wrong = begins or self._denied_behind.match(rest)
        if not wrong or self._admit.search(sentence):
            return False
        return all(self._tight.fullmatch(sentence[label.end() : start]) for label in labels)

    def _turned(self, sentence: str) -> str:
        """The end of a sentence from "but", if it says that something else is right."""
        turns = list(self._but.finditer(sentence))
        rest = sentence[turns[-1].end() :] if turns else ""
        return rest if self._affirms(self._right_word, rest) else ""

    def _sentences(self, text: str) -> Iterator[Sentence]:
        """The sentences of a text; a question that is answered with "yes" asks nothing."""
        for sentence in sentences(text):
            ending = self._question_end.search(sentence.text[-20:])
            if not (sentence.asks or ending):
                yield sentence
            elif not self._yes.match(text, sentence.end):
                yield sentence._replace(asks=True)
            else:
                length = len(sentence.text) - (len(ending[0]) if ending else 0)
                asked = sentence.text[:length]
                yield sentence._replace(text=asked, asks=False, affirmed=True)

    def _retracts(self, sentence: str) -> bool:
        valued = _NUMBER.search(sentence) or _LETTER.search(sentence)
        clauses = CLAUSE.split(sentence) if not valued else [sentence]
        only_wrong = (
            self._wrong_word.search(clause) and self._only_wrong.fullmatch(clause)
            for clause in clauses
        )
        if any(only_wrong) and not self._turned(sentence):
            return True
        points = len(sentence) <= BRIEF or bool(self._points.search(sentence))
        patterns = [self._admit, self._withdraw] if points else [self._admit]
        spans = [m.span() for pattern in patterns for m in pattern.finditer(sentence)]
        spans = [
            (start, end)
            for start, end in spans
            if self._affirmed(sentence, start, end) and not self._none.search(sentence, start, end)
        ]
        return any(self._is_own(sentence, *span) for span in (*spans, *self._wrong_at(sentence)))

    def _gives_up(self, sentence: str) -> bool:
        """Whether a sentence says that there is no answer, and does not go on to give it."""
        return any(
            self._declines(sentence, *m.span()) and not self._made_up(sentence, m.end())
            for m in self._decline.finditer(sentence)
        )

    def _made_up(self, sentence: str, at: int) -> bool:
        """Whether a sentence goes on with "but" and the answer: "but this is my answer"."""
        turn = self._but.search(sentence, at)
        rest = sentence[turn.end() :] if turn else ""
        return bool(
            self._label.search(rest)
            and self._points.search(rest)
            and not self._not_near.search(rest)
            and not self._affirms(self._wrong_word, rest)
            and not self._should.search(rest)
            and not _NUMBER.search(rest)
            and not _LETTER.search(rest)
        )

    def _wrong_at(self, sentence: str) -> list[tuple[int, int]]:
        """Where a sentence says that what it points to is wrong."""
        return [
            found.span("wrong")
            for found in self._wrong.finditer(sentence)
            if not self._not_near.search(found["middle"])
            and not self._covers(sentence, found)
            and not self._disbelieved(sentence, *found.span("wrong"))
        ]

    def _disbelieved(self, sentence: str, start: int, end: int) -> bool:
        """Whether a doubt speaks of a part of a sentence: "I do not think that this is wrong"."""
        for doubt in self._doubt.finditer(sentence):
            begin, stop = doubt.span()
            between = sentence[stop:start] if stop <= start else sentence[end:begin]
            apart = len(between) > _NEAR or ":" in between or ";" in between
            if not apart and (stop <= start or begin >= end):
                return True
        return False

    def _calls_wrong(self, sentence: str) -> bool:
        return any(self._is_own(sentence, *span) for span in self._wrong_at(sentence))

    def _covers(self, sentence: str, found: re.Match[str]) -> bool:
        """Whether a word for wrong is a part of a longer one about mistakes: "a common mistake"."""
        start = found.start("wrong")
        return any(m.start() < start < m.end() for m in self._fault.finditer(sentence))

    def _is_own(self, sentence: str, start: int, end: int) -> bool:
        """Whether a part of a sentence speaks of the answer, and nothing behind makes up for it."""
        begins = [m.end() for m in CLAUSE.finditer(sentence, 0, start)]
        if self._other.search(sentence, max(begins, default=0), start + 1):
            return False
        stop = CLAUSE.search(sentence, end)
        claims = self._others.finditer(sentence[: stop.start() if stop else len(sentence)])
        if any(m.end() <= start or m.start() >= end for m in claims):
            return False  # "one might object that this is wrong"
        ahead = CLAUSE.split(self._but.split(sentence[:start])[-1])[-1]
        after = CLAUSE.split(self._but.split(sentence[end:])[0])[0]
        if self._draft.search(ahead) or self._draft.search(after):
            return False
        if any(self._affirms(self._maybe, part) for part in (ahead, after[:_NEAR])):
            return False
        if self._made_up(sentence, end):
            return False
        return not any(
            self._affirmed(sentence, *m.span())
            for m in self._right_word.finditer(sentence, end)
            if CLAUSE.search(sentence, end, m.start()) or self._but.search(sentence, end, m.start())
        )
