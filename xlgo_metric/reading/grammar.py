"""The grammar of answers: which of those that a response gives stands, in every language alike.

The words come from the tables of languages (`tables`); here are the places in which they mean
something. ``docs/grading.md`` has the grammar on one page. Everything looks at bounded parts of a
text and takes time linear in them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from itertools import chain, islice, pairwise

from xlgo_metric.reading.denials import BEHIND, CLAUSE, REST, Sentence, clause_of, sentences
from xlgo_metric.reading.patterns import rare
from xlgo_metric.reading.retractions import BRIEF, Aftermath, Retractions
from xlgo_metric.reading.spaces import seen
from xlgo_metric.reading.tables import LETTER, codes, script, table

_SENTENCES = 60
_TAIL = 400  # characters at the end, in which a last sentence of denials is looked for
_VALUES = 60  # of a sentence that are looked at; each costs milliseconds
_OPERATORS = re.compile(r"[\s()+\-*/×÷·=$\\]*|(?:[^\w.;,]|\\times|\\cdot|\\div)*")
_TO = re.compile(rf"\s*(?:-|{LETTER}{{1,5}})\s*")
_LED = re.compile(r"\s{0,2}(?:[,،、.:;!-]|\Z|[^\w\s]{0,4}[-\d□A-Z])|(?<=[,،、.:;!-])")
# The heading of a step: "Step 3:", "第3步:"; not "2m : m is odd".
_STEP = re.compile(
    rf"^[^\w\n]{{0,6}}(?:{LETTER}{{1,24}}\s?\d{{1,3}}"
    rf"|{LETTER}{{0,3}}\d{{1,3}}\s?(?![a-z]\b){LETTER}{{1,8}})\s?[:)]",
    re.MULTILINE,
)
_DIGITS = re.compile(r"\d")
_LIST = re.compile(r"[\s,،、;&]+")
_OPENED = re.compile(r"[#{\[<]\s*\Z")  # a form that the text breaks off in


@dataclass(frozen=True)
class Stated:
    """What a sentence gives as the answer.

    Attributes:
        words: the part of the sentence that does, in the form of `seen`.
        values: what stands there of the kind that was looked for.
        hedged: one of several is given: "either 20 or 21".
        behind: the text behind the sentence.
        end: where the value ends in its sentence.
    """

    words: str
    values: tuple[str, ...]
    hedged: bool = False
    behind: str = ""
    end: int = 0


class Words(Retractions):
    """The words of some languages, with the questions that the grammar asks of them."""

    def restated(self, after: Aftermath, value: re.Pattern[str]) -> Stated | None:
        """The answer that the text behind another one gives, if it gives any."""
        for claim in reversed(after.claims):
            stated = self.stated(claim, value, loose=True)
            if stated is not None:
                return stated
        return self.stated(after.last, value, concluded=False) if after.last else None

    def stated(
        self, text: str, value: re.Pattern[str], *, loose: bool = False, concluded: bool = True
    ) -> Stated | None:
        """What the last sentence with a label, or with "not … but", gives as the answer.

        Args:
            text: a response, or a part of one.
            value: what an answer looks like.
            loose: a sentence may give it without a label: "no, it is 21".
            concluded: a word of conclusion in the last sentence is as good as a label.
        """
        end = self._without_steps(seen(text[-2 * REST :]))
        end = self._naming.sub(" ", self._heading.sub(r"\g<1>: ", end))
        end = self._before_denials(end, value)
        later: Sentence | None = None
        said: Stated | None = None
        for sentence in self._asserted(end, value):
            rest = end[sentence.end :]
            opens = bool(self._opens_correction.match(sentence.text))
            stated = self._stated(sentence.text, value, loose or opens, sentence.affirmed)
            if stated is None and later and self._only_denies(sentence.text, value):
                rest = end[later.end :]
                stated = self._alone(later.text, value)
            later = sentence
            if stated is None and not rest.strip() and concluded:
                said = self._said(sentence.text, value)
                alone = said and self._saying.fullmatch(
                    sentence.text, 0, said.end - len(said.values[-1])
                )
                stated = self._concluded(sentence.text, value) or (said if alone else None)
            if stated is not None and not self._retracts(sentence.text[stated.end :]):
                first = next((one.text for one in self._sentences(rest)), "")
                open_ = bool(self._two.search(first)) and self._leaves_open(first)
                return replace(stated, behind=rest, hedged=stated.hedged or open_)
        return said

    def _without_steps(self, text: str) -> str:
        """A text with spaces for the numbers of its steps, which are no values: "Step 3:"."""
        return _STEP.sub(
            lambda m: m[0] if self.names_answer.search(m[0]) else _DIGITS.sub(" ", m[0]), text
        )

    def _before_denials(self, text: str, value: re.Pattern[str]) -> str:
        """A text without a last sentence that says of its values that they are no answers."""
        every = list(self._sentences(text[-_TAIL:]))
        if len(every) < 2 or not value.search(every[-1].text) or every[-1].asks:
            return text
        if not self._only_denies(every[-1].text, value):
            return text
        return text[: len(text) - len(text[-_TAIL:]) + every[-2].end]

    def _only_denies(self, sentence: str, value: re.Pattern[str]) -> bool:
        """Whether a sentence says of every value that it is not the answer."""
        return all(self._denied_at(sentence, *m.span()) for m in value.finditer(sentence))

    def _alone(self, sentence: str, value: re.Pattern[str]) -> Stated | None:
        """What a short sentence with one value gives."""
        every = list(value.finditer(sentence))
        brief = len(every) == 1 and len(sentence) <= BRIEF // 2
        return self._part(sentence, every, every, every[0]) if brief else None

    def _said(self, sentence: str, value: re.Pattern[str]) -> Stated | None:
        """What the last sentence gives, or its part behind "but", that ends with its only value.

        It counts if no earlier sentence gives an answer by its words: "confidence: 95".
        """
        every = list(islice(value.finditer(sentence), _VALUES))
        turns = [m.end() for m in self._but.finditer(sentence)]
        start = turns[-1] if turns and every[-1].start() >= turns[-1] else 0
        left = [m for m in every if not self._denied_at(sentence, *m.span())]
        last = [m for m in left if m.start() >= start]
        if len(last) != 1 or len(sentence) - start > BRIEF:
            return None
        ahead, after = sentence[start : last[0].start()], sentence[last[0].end() :]
        open_ = _OPENED.search(ahead) or self._or_begins.match(ahead)
        said = not open_ and "%" not in after[:3] and self._tight.fullmatch(after)
        # "B: (a ∧ ¬ a)" is an option that is repeated: no word says that it is the answer.
        said = said if ahead.strip() or not after.startswith(":") else None
        return self._part(sentence, every, left, last[0]) if said else None

    @rare("label")
    def _heading(self) -> str:
        """A line that is a label and nothing else, with what parts it from a line of no step."""
        step = rf"\W{{0,4}}(?:{LETTER}{{1,24}}\s?\d{{1,3}}\s?[:.)]|\d{{1,3}}\s?[:)])"
        return (
            rf"(?:(?<=\n)|\A)([#*_>\s]{{0,9}}{self._either('label')})[*_:\s]{{0,5}}"
            rf"\n\s{{0,9}}(?!{step})(?=\S)"
        )

    @rare("label")
    def _naming(self) -> str:
        """The break before a sentence that calls the value before it the answer: "That is it"."""
        link = rf"(?:{self._either('copula', 'noun', 'right', 'so')}\W{{0,3}}){{0,4}}"
        end = (
            rf"(?:\s?{self._either('copula', 'closing')}){{0,2}}(?=[\s*_]{{0,4}}(?:[.!。।॥۔።။]|\Z))"
        )
        named = rf"{link}{self._either('this')}\s?{link}{self._either('label')}{end}"
        return rf"(?<=[\dA-Z*_$)])(?:[.!。।॥۔።။]\s{{0,4}}|\s{{1,4}})(?={named})"

    def _concluded(self, sentence: str, value: re.Pattern[str]) -> Stated | None:
        """What the last sentence gives in which a word of conclusion stands and one value."""
        if not self._so.search(sentence):
            return None
        every = list(value.finditer(sentence))[:200]
        clause = CLAUSE.search(sentence, every[0].end())
        stop = clause.start() if clause else len(sentence)
        first = [m for m in every if m.end() <= stop]
        left = self._left(sentence, first)
        if len({m[0] for m in left}) != 1 and not self._joins_all(sentence, left):
            return None
        behind = [
            m for m in every if m.start() >= stop and not self._example(sentence[: m.start()], "")
        ]
        return self._part(sentence, every, left + behind, left[0])

    def _joins_all(self, sentence: str, values: list[re.Match[str]]) -> bool:
        return len(values) > 1 and self._joins(sentence, values[0], values[1])

    def counted(self, text: str, value: re.Pattern[str]) -> Stated | None:
        """What the last sentence that says how often something is found gives: "18 times"."""
        end = seen(text[-2 * REST :])
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
        for sentence in reversed(list(self._sentences(text))[-_SENTENCES:]):
            written = sentence.text
            if sentence.asks or not value.search(written):
                continue
            if self._condition(written) and self._would.search(written):
                continue
            unsure = bool(self._decline.search(written))
            if unsure or (self._fault.search(written) and not self._admits(written)):
                own = self._own_clause(written, value)
                if value.search(own):
                    yield sentence._replace(text=own)
            else:
                yield sentence

    def _own_clause(self, sentence: str, value: re.Pattern[str]) -> str:
        """What a sentence of doubts or mistakes says of the answer behind "but" or a comma.

        A comma between the entries of a value ends no clause.
        """
        written = [m.span() for m in value.finditer(sentence)]
        ends = [m.end() for m in (*self._but.finditer(sentence), *CLAUSE.finditer(sentence))]
        for end in sorted(ends):
            if any(start < end < stop for start, stop in written):
                continue
            rest = sentence[end:]
            if (
                (self._label.search(rest) or self._but.search(sentence, 0, end))
                and not self._fault.search(rest)
                and not self._decline.search(rest)
            ):
                return rest
        return ""

    def _stated(
        self, sentence: str, value: re.Pattern[str], loose: bool, affirmed: bool = False
    ) -> Stated | None:
        found = (m for m in value.finditer(sentence) if not self._is_article(sentence, m))
        every = list(islice(found, _VALUES))
        left = self._left(sentence, every)
        if not left:
            return None
        for denied in (m for m in every if m not in left):
            start, end = denied.span()
            sentence = sentence[:start] + "□" * (end - start) + sentence[end:]
        chosen = self._labelled(sentence, left)
        if chosen is None and len(left) == 1 < len(every):
            brief = loose or len(sentence) <= BRIEF or self._but.search(sentence)
            chosen = left[0] if brief or self._draft.search(sentence) else None
        if chosen is None and affirmed and len(left) == 1:
            chosen = left[0]
        if chosen is None and loose:
            lead = self._opens_correction.match(sentence)
            pointer = self._pointer.match(sentence, lead.end() if lead else 0)
            start = pointer.end() if pointer else lead.end() if lead else -1
            if lead and not pointer and not _LED.match(sentence, lead.end()):
                start = -1  # "sorry that it took 12 steps"
            chosen = next((m for m in left if 0 <= m.start() - start <= 20), None)
            chosen = chosen or (self._at_end(sentence, left) if start >= 0 else None)
        if chosen is None:
            chosen = next((m for m in left if self._put_right.search(sentence[: m.start()])), None)
        return None if chosen is None else self._part(sentence, every, left, chosen)

    def _at_end(self, sentence: str, left: list[re.Match[str]]) -> re.Match[str] | None:
        """The only value of a correction, if it is the last clause: "wait: it is 20"."""
        start = sentence.rfind(":", 0, left[0].start()) + 1
        says = self._saying.fullmatch(sentence, start, left[0].start())
        ends = self._tight.fullmatch(sentence, left[0].end())
        return left[0] if len(left) == 1 and start and says and ends else None

    def _is_article(self, sentence: str, found: re.Match[str]) -> bool:
        """Whether an ``A`` is no letter of an option but an article before the answer's name."""
        articled = tuple(code for code in self.languages if "a" in table(code).words["noun"])
        return found[0] == "A" and bool(
            _words(articled)._label.match(sentence[found.end() : found.end() + BRIEF].lstrip())
        )

    def _left(self, sentence: str, every: list[re.Match[str]]) -> list[re.Match[str]]:
        """The values that are not denied; "A, C and D are wrong" denies all three."""
        left: list[re.Match[str]] = []
        last: re.Match[str] | None = None  # the value behind, if it is denied
        listed = False  # and joined by "and" to a further one
        for found in reversed(every):
            gap = sentence[found.end() : last.start()] if last else ""
            enumerated = bool(last) and self.both(gap) and (listed or not _LIST.fullmatch(gap))
            if not enumerated and not self._denied_at(sentence, *found.span()):
                last, listed = None, False
            else:
                last, listed = found, enumerated
            if last is None:
                left.insert(0, found)
        return left

    def _denied_at(self, sentence: str, start: int, end: int) -> bool:
        ahead, behind = sentence[max(0, start - BEHIND) : start], sentence[end : end + BEHIND]
        return (
            self._denied(ahead[-80:], behind)
            or self._doubted(ahead, behind)
            or self._supposed(ahead, behind)
            or self._guessed(ahead, behind, "")
            or self._example(ahead, behind)
        )

    def _labelled(self, sentence: str, left: list[re.Match[str]]) -> re.Match[str] | None:
        """The value that a label names: right behind it, right before it, or behind a copula."""
        labels = list(self._label.finditer(sentence))
        linked = None
        # The last label counts. A value right beside any label goes before one behind a copula.
        for label in reversed(labels):
            after = next((m for m in left if m.start() >= label.end()), None)
            before = next((m for m in reversed(left) if m.end() <= label.start()), None)
            if after and self._tight.fullmatch(sentence[label.end() : after.start()]):
                return after
            if before and self._tight.fullmatch(sentence[before.end() : label.start()]):
                return before
            gap = sentence[label.end() : after.start()] if after else ""
            short = len(gap) <= BRIEF // 2 and self._begins_linked.match(gap)
            ends = len(gap) <= BRIEF // 2 and not CLAUSE.search(gap)
            ends = bool(after and ends and self._tight.fullmatch(sentence[after.end() :]))
            if after and (short or ends or self._copula.search(gap[-60:])):
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
        place = every.index(chosen)
        hedged = hedged or (place > 0 and self._undecided_in(sentence, every[place - 1], chosen))
        start, end = chosen.span()
        while last + 1 < len(left):
            gap = sentence[left[last].end() : left[last + 1].start()]
            if self.joined(gap) or _LIST.fullmatch(gap):
                hedged = True
            elif not (gap.strip() and _OPERATORS.fullmatch(gap)):
                break
            last += 1
            end = left[last].end()
        # The words must not reach into those about a neighbouring value, nor over a clause.
        head = max((m.end() for m in every if m.end() <= start), default=0)
        stop = min((m.start() for m in every if m.start() >= end), default=len(sentence))
        breaks = [m.end() for m in CLAUSE.finditer(sentence, head, start)]
        clause = CLAUSE.search(sentence, end, stop)
        first = max([head, *breaks, start - 60])
        words = sentence[first : min(clause.start() if clause else stop, end + 40)].strip()
        return Stated(words, tuple(m[0] for m in left[at : last + 1]), hedged, end=end)

    def _joins(self, sentence: str, first: re.Match[str], second: re.Match[str]) -> bool:
        between, behind = sentence[first.end() : second.start()], sentence[second.end() :]
        before = sentence[: first.start()]
        return first[0] != second[0] and self.one_of_two(between, behind, before)

    def _undecided_in(self, sentence: str, first: re.Match[str], second: re.Match[str]) -> bool:
        """Whether a sentence gives a value only if another is none: "if not 28, then 20"."""
        between = sentence[first.end() : second.start()]
        return self.undecided(sentence[: first.start()], between, sentence[second.end() :])

    @rare("label")
    def _leads(self) -> str:
        link = self._either("copula", "closing")
        link = rf"(?:(?:{link}[\s*_`]{{0,4}}){{1,3}}:?|:)"
        return rf"{self._either('label')}[*_`\s]{{0,4}}{link}[\s*_`]{{0,4}}"

    def after_label(self, text: str) -> str:
        """The rest of the line behind the last label with a copula or a colon, if there is one."""
        end = text[-2 * REST :]
        found = list(self._leads.finditer(seen(end)))
        return seen(end)[found[-1].end() :].split("\n", 1)[0][:200].strip() if found else ""

    def names(self, text: str, value: re.Pattern[str]) -> bool:
        """Whether a text without an answer in the asked form gives one at its end, or states one.

        A text that says at its end that it has no answer does not.
        """
        text = self.glued.sub(r"\g<0> ", self._without_steps(seen(text[-2 * REST :])))
        if self.stated(text, value) is not None:
            return True
        last = [sentence.text for sentence in sentences(seen(text[-REST:]))][-2:]
        for sentence in last:
            if self._decline.search(sentence):
                every = list(value.finditer(sentence))[:40]
                return any(
                    self._joins(sentence, *pair)
                    or self.both(sentence[pair[0].end() : pair[1].start()])
                    for pair in pairwise(every)
                )
        return any(value.search(sentence) for sentence in last)


@lru_cache(maxsize=512)
def _words(languages: tuple[str, ...]) -> Words:
    return Words(languages)


def words_for(language: str | None, text: str) -> Words:
    """The words to read a text by, which answers a prompt in a language.

    These are the tables of the prompt's language, of English, and of the language whose words the
    text holds most of, if it holds more of them than of those two. Without a prompt's language all
    that share the first place count.

    Args:
        language: of the prompt; ``None`` if it is not known.
        text: of the answer, or the part of it around what is read.
    """
    known = [code for code in dict.fromkeys(("en", language)) if code in codes()]
    scores = _scores(seen(text[-1_500:]))
    least = max((scores.get(code, 0) for code in known), default=0)
    if language is None:
        least = max(1, scores.get("en", 0)) - 1
    best = max(scores.values(), default=0)
    told = [code for code in scores if scores[code] == best > least and code not in known]
    return _words(tuple(known + sorted(told)))


@dataclass
class Context:
    """A text that answers a prompt, with the words to read it by, made when they are asked for.

    Attributes:
        language: of the prompt; ``None`` if it is not known.
        text: the answer, or what stands around the part that is read.
    """

    language: str | None = None
    text: str = ""

    @cached_property
    def words(self) -> Words:
        """See `words_for`."""
        return words_for(self.language, self.text)


_WORD = re.compile(f"{LETTER}+(?![0-9]|{LETTER})")  # no letter of an identifier
_LETTERS = re.compile(f"{LETTER}+")


def _scores(text: str) -> dict[str, int]:
    """How many different words of each table a text holds."""
    whole, begun = _telling()
    found: Counter[str] = Counter()
    for token in set(_WORD.findall(text.lower())):
        beginnings = (token[:length] for length in range(2, 8))
        found.update({*whole.get(token, ()), *chain(*(begun.get(one, ()) for one in beginnings))})
    for code in () if text.isascii() else codes():
        if not table(code).spaced and re.search(f"[{script(code)}]", text):
            found[code] = len(set(_unspaced(code).findall(text)))
    return found


@cache
def _telling() -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """The parts of all words, and the beginnings of those that go on, with their languages."""
    whole: dict[str, list[str]] = {}
    begun: dict[str, list[str]] = {}
    for found in filter(lambda one: one.spaced, map(table, codes())):
        for part in set(" ".join(chain(*found.words.values())).lower().split()):
            places = begun if part.endswith("*") and 3 <= len(part) <= 8 else whole
            places.setdefault(part.strip("*"), []).append(found.code)
    return whole, begun


@cache
def _unspaced(code: str) -> re.Pattern[str]:
    words = {word for word in chain(*table(code).words.values()) if _LETTERS.fullmatch(word)}
    return re.compile("|".join(map(re.escape, sorted(words, key=len, reverse=True))))
