"""The patterns of the grammar: where the words of some languages stand beside each other."""

from __future__ import annotations

import re
from functools import cached_property

from xlgo_metric.reading.tables import LETTER, table

MARKS = r"[\s`*_\"'«»「」『』()\[\]【】$\\<>{#]{0,12}"
CLOSING_MARKS = r"[ \t`*_\"'»」』)\]】$\\}>/]{0,12}"
_VALUE = r"(?:[□{$\\<\[(\d#\"'*`-]|[A-Z]\d|[A-D](?![^\W\d_]))"


class Patterns:
    """The words of some languages as patterns, compiled when they are first asked for."""

    def __init__(self, languages: tuple[str, ...]) -> None:
        self.languages = languages

    def _any(self, *places: str) -> str:
        """A pattern for a word of any of the places; one that never matches without words."""
        others = [code for code in self.languages if code != "en"]
        shadows = frozenset().union(*(table(code).shadows for code in others))
        patterns = [
            table(code).pattern(place, shadows if code == "en" else frozenset())
            for code in self.languages
            for place in places
        ]
        return f"(?:{'|'.join(p for p in patterns if p) or '(?!)'})"

    @cached_property
    def _long_or(self) -> str:
        """The other words that do."""
        patterns = [
            found.matching([word for word in found.words["or"] if found.spaced or len(word) > 1])
            for found in map(table, self.languages)
        ]
        return f"(?:{'|'.join(p for p in patterns if p) or '(?!)'})"

    @cached_property
    def _short_or(self) -> str:
        """Words of one letter that join two answers, where words are not parted by spaces."""
        words = [
            re.escape(word)
            for code in self.languages
            if not table(code).spaced
            for word in table(code).words["or"]
            if len(word) == 1
        ]
        return f"(?:{'|'.join(words) or '(?!)'})"

    def _compiled(self, pattern: str) -> re.Pattern[str]:
        return re.compile(pattern, re.IGNORECASE)

    @cached_property
    def _denied_before(self) -> re.Pattern[str]:
        between = self._any("noun", "copula", "right", "this")
        return self._compiled(
            rf"{self._any('not_before')}(?:{MARKS}{between}){{0,3}}{MARKS}\Z"
            rf"|{self._any('label')}[^.。।!?\n:{{}}\d]{{0,40}}"
            rf"{self._any('not_before', 'not_behind')}\s?:{MARKS}\Z"
        )

    @cached_property
    def _denied_behind(self) -> re.Pattern[str]:
        link = self._any("closing", "copula", "noun", "label", "this")
        negated = rf"(?![^.。।!?\n]{{0,8}}{self._any('not_behind', 'none')})"
        both = "|".join(filter(None, map(_either_side, self.languages)))
        onward = rf"(?:{both})\s{{0,3}}(?:{self._any('noun')}\s{{0,3}})?{_VALUE}"
        onward = rf"(?!{onward})" if both else ""
        return self._compiled(
            rf"{CLOSING_MARKS}(?:{link}\s{{0,3}}){{0,3}}{onward}"
            rf"(?!{self._any('or')})(?:{self._any('not_behind')}|{self._any('wrong')}{negated})"
        )

    @cached_property
    def _or_before(self) -> re.Pattern[str]:
        return self._compiled(rf"{self._any('or')}{MARKS}\Z")

    @cached_property
    def _not(self) -> re.Pattern[str]:
        return self._compiled(self._any("not_before", "not_behind", "wrong", "no"))

    @cached_property
    def _if(self) -> re.Pattern[str]:
        return self._compiled(self._any("if"))

    @cached_property
    def _would(self) -> re.Pattern[str]:
        return self._compiled(self._any("would"))

    @cached_property
    def _joint(self) -> re.Pattern[str]:
        link = self._any("closing", "copula", "noun", "label", "this", "would")
        noun = self._any("noun")
        return self._compiled(
            rf"{CLOSING_MARKS}[,.،、;]?\s{{0,3}}(?:{link}[\s,،、]{{0,3}}){{0,3}}{MARKS}"
            rf"(?:{self._long_or}[^.!?。।\d{{}}<\n]{{0,25}}|{self._short_or}(?:{noun})?){MARKS}"
        )

    @cached_property
    def _wrong(self) -> re.Pattern[str]:
        """That an answer is wrong: what points to it, and the word for wrong right behind."""
        pointing, noun = self._any("this", "label"), self._any("noun")
        link = self._any("copula", "closing", "would")
        word = rf"(?:{LETTER}{{1,12}}\s)?"
        negated = rf"(?![^.。।!?\n,،、]{{0,8}}{self._any('not_behind', 'none')})"
        return self._compiled(
            rf"(?:{noun}\W{{0,3}})?{pointing}\W{{0,3}}(?:(?:{pointing}|{noun})\W{{0,3}}){{0,3}}"
            rf"(?P<middle>(?:{link}\s{{0,3}}){{0,3}}{word}(?:{link}\s{{0,3}}){{0,2}})"
            rf"{self._any('wrong')}{negated}"
        )

    @cached_property
    def _only_wrong(self) -> re.Pattern[str]:
        """A sentence that says no more than that."""
        more = self._any("wait", "no", "but", "closing", "copula", "this")
        return self._compiled(
            rf"\W*(?:{more}\W{{0,3}}){{0,3}}{self._any('wrong')}(?:\W{{0,3}}{more}){{0,2}}\W*"
        )

    @cached_property
    def _withdraw(self) -> re.Pattern[str]:
        return self._compiled(self._any("withdraw"))

    @cached_property
    def _admit(self) -> re.Pattern[str]:
        return self._compiled(self._any("admit"))

    @cached_property
    def _points(self) -> re.Pattern[str]:
        return self._compiled(self._any("this", "label"))

    @cached_property
    def _not_near(self) -> re.Pattern[str]:
        return self._compiled(self._any("not_before", "not_behind", "none"))

    @cached_property
    def _opens_correction(self) -> re.Pattern[str]:
        lead = rf"\W{{0,6}}(?:{self._any('but', 'wait')}\W{{0,3}}){{0,2}}"
        return self._compiled(
            rf"{lead}(?:{self._any('wait')}|{self._any('no')}\s{{0,2}}(?:[,،.!:;؛-]|\Z))"
        )

    @cached_property
    def _should(self) -> re.Pattern[str]:
        right = self._any("right")
        label = self._any("label", "noun")
        return self._compiled(
            rf"{self._any('should')}|{right}\s{{0,2}}{label}|{label}\s{{0,2}}{right}"
        )

    @cached_property
    def _label(self) -> re.Pattern[str]:
        right, noun = self._any("right"), self._any("noun")
        return self._compiled(
            rf"{self._any('label')}|{right}\s{{0,2}}{noun}|{noun}\s{{0,2}}{right}"
        )

    @cached_property
    def _decline(self) -> re.Pattern[str]:
        return self._compiled(self._any("decline"))

    @cached_property
    def _wait(self) -> re.Pattern[str]:
        return self._compiled(self._any("wait"))

    @cached_property
    def _pointer(self) -> re.Pattern[str]:
        return self._compiled(rf"\W*(?:{self._any('this', 'should', 'copula')}\W{{0,3}}){{1,4}}")

    @cached_property
    def _but(self) -> re.Pattern[str]:
        return self._compiled(self._any("but"))

    @cached_property
    def _tight(self) -> re.Pattern[str]:
        """What may stand between a label and its answer."""
        link = self._any(
            "copula", "closing", "noun", "right", "should", "but", "this", "wait", "or"
        )
        return self._compiled(rf"(?:[\W_]{{0,6}}{link}){{0,5}}[\W_]{{0,9}}")

    @cached_property
    def _begins_linked(self) -> re.Pattern[str]:
        return self._compiled(rf"[\W_]{{0,6}}(?:{self._any('copula', 'should')})")

    @cached_property
    def _copula(self) -> re.Pattern[str]:
        link = self._any("copula", "should")
        noun = self._any("noun")
        return self._compiled(rf"(?:{link}|[:=])[\W_]{{0,6}}(?:{noun}[\W_]{{0,3}}){{0,2}}\Z")

    @cached_property
    def _bound(self) -> re.Pattern[str]:
        before, behind = self._any("bound_before"), self._any("bound_behind")
        return self._compiled(
            rf"[≤≥≦≧⩽⩾±]|(?<![-=])>|<(?![-=])|{before}[\s#$*:({{\\]{{0,6}}[-+]?\d"
            rf"|\d[\d,.]{{0,30}}[\s#$*)}}]{{0,4}}{behind}|\d\s?%|\d\s?\\%"
        )

    @cached_property
    def _scale(self) -> re.Pattern[str]:
        behind = self._any("bound_behind")
        return self._compiled(rf"(?<=\d)[\s#*)}}]{{0,4}}(?:{behind}|%)\W*\Z")

    @cached_property
    def times(self) -> re.Pattern[str]:
        """A number of times."""
        return self._compiled(
            rf"\d[\d,.]{{0,20}}(?:\s?\([^()\d]{{1,30}}\))?[\s#*)\]}}$\"']{{0,8}}{self._any('times')}"
        )

    @cached_property
    def glued(self) -> re.Pattern[str]:
        """A word for what an answer is, written together with an identifier."""
        nouns = {
            re.escape(word)
            for code in self.languages
            for word in table(code).words["noun"]
            if len(word) > 2 and " " not in word
        }
        words = "|".join(sorted(nouns, key=len, reverse=True))
        return self._compiled(rf"(?<!{LETTER})(?:No|{words})(?=[A-Z]\d{{4}}(?!\d))")

    @cached_property
    def names_answer(self) -> re.Pattern[str]:
        """A label or a noun."""
        return self._compiled(self._any("label", "noun"))


def _either_side(code: str) -> str:
    """A pattern for the words that deny what stands on either side of them."""
    found = table(code)
    before = found.words["not_before"]
    return found.matching([word for word in found.words["not_behind"] if word in before])
