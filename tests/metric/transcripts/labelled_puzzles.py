"""Transcripts in the styles of real models, labelled by how they are made."""

import html
import itertools
import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from tests.metric.grading.grading_cases import SCRIPTS, Script

Value = Any  # a string, a list of strings, or a list of integers


@dataclass(frozen=True)
class Setting:
    """What a form may use: the puzzle's key, whether ids carry a room word, and the script."""

    task: str
    key: str
    language: str

    @property
    def script(self) -> Script:
        """How the language writes."""
        return SCRIPTS[self.language]

    @property
    def has_ids(self) -> bool:
        """Whether the entries are identifiers."""
        return self.task != "slt"

    @property
    def is_list(self) -> bool:
        """Whether the value is a list."""
        return self.task != "dsa"

    def named(self, value: Value) -> Value:
        """The value with room words where the prompt shows them."""
        if self.task not in ("dsa", "prdsa"):
            return value
        if isinstance(value, str):
            return f"{self.script.room} {value}"
        return [f"{self.script.room} {entry}" for entry in value]


Form = Callable[[Setting, Value], "str | None"]


def obj(s: Setting, value: Value, **more: Any) -> str:
    """The object as JSON."""
    return json.dumps({s.key: value, **more}, ensure_ascii=False)


def plain(s: Setting, value: Value) -> str:
    """The object with room words as JSON."""
    return obj(s, s.named(value))


def each(s: Setting, value: Value, write: Callable[[str], str]) -> str:
    """The object with every entry written by ``write``."""
    entries = [write(str(entry)) for entry in ([value] if isinstance(value, str) else value)]
    inner = ", ".join(entries)
    return f'{{"{s.key}": [{inner}]}}' if s.is_list else f'{{"{s.key}": {inner}}}'


def ids(write: Callable[[Setting, str], str]) -> Form:
    """A form of identifiers alone, each as a JSON string."""

    def form(s: Setting, value: Value) -> str:
        return each(s, value, lambda e: json.dumps(write(s, e), ensure_ascii=False))

    return lambda s, v: form(s, v) if s.has_ids else None


def numbers(write: Callable[[str], str]) -> Form:
    """A form of numbers alone, as written."""
    return lambda s, v: None if s.has_ids else each(s, v, write)


def lists(write: Form) -> Form:
    """A form of lists alone."""
    return lambda s, v: write(s, v) if s.is_list else None


def around(before: str, after: str = "") -> Form:
    """The plain object between two texts."""
    return lambda s, v: before + plain(s, v) + after


def braced(s: Setting, value: Value) -> str:
    """The object with LaTeX-escaped braces."""
    return plain(s, value).replace("{", "\\{").replace("}", "\\}")


def in_latex(before: str, after: str) -> Form:
    """The object with escaped braces between two texts."""
    return lambda s, v: before + braced(s, v) + after


def latex_words(quote: str, macro: str) -> Form:
    r"""Key and identifiers in a LaTeX macro: ``\{\text{"state"}: \text{"E2679"}\}``."""

    def form(s: Setting, value: Value) -> str:
        def write(entry: str) -> str:
            return f"\\{macro}{{{quote}{entry}{quote}}}" if s.has_ids else entry

        inner = each(s, value, write)[1:-1].replace(
            f'"{s.key}"', f"\\{macro}{{{quote}{s.key}{quote}}}"
        )
        return f"$\\boxed{{\\{{{inner}\\}}}}$"

    return form


def requoted(opening: str, closing: str) -> Form:
    """The object with other quotes."""

    def form(s: Setting, value: Value) -> str:
        marks = itertools.cycle((opening, closing))
        return re.sub('"', lambda _: next(marks), plain(s, value))

    return form


def unquoted(s: Setting, value: Value) -> str:
    """Entries without quotes."""
    return each(s, value, str)


def tool(arguments: Callable[[Setting, Value], Any], name: str) -> Form:
    """A tool call with arguments."""
    return lambda s, v: json.dumps({"name": "submit", name: arguments(s, v)}, ensure_ascii=False)


def quoted_lines(s: Setting, value: Value) -> str:
    """The object over several lines of a block quote."""
    text = json.dumps({s.key: s.named(value)}, ensure_ascii=False, indent=2)
    return "\n".join(f"> {line}" for line in text.split("\n"))


def entities(s: Setting, value: Value) -> str:
    """The object with HTML entities."""
    return html.escape(plain(s, value))


STRICT: dict[str, Form] = {
    "plain": plain,
    "indented": lambda s, v: json.dumps({s.key: s.named(v)}, ensure_ascii=False, indent=2),
    "escaped unicode": lambda s, v: json.dumps({s.key: s.named(v)}),
    "ids alone": obj,
    "spaces around": around("\n\n  ", "  \n"),
}

LENIENT: dict[str, Form] = {
    "fence": around("```json\n", "\n```"),
    "bare fence": around("```\n", "\n```"),
    "tilde fence": around("~~~json\n", "\n~~~"),
    "lost fence": around("json\n"),
    "prose": lambda s, v: f"{s.script.prose}: {plain(s, v)}",
    "prose after": lambda s, v: f"{plain(s, v)}\n\n{s.script.prose}",
    "full stop": around("", "."),
    "heading": around("### Final Answer\n\n**Answer:** "),
    "bold": around("**", "**"),
    "code": around("`", "`"),
    "quote": around("> "),
    "quoted lines": quoted_lines,
    "answer tag": around("<answer>", "</answer>"),
    "code tag": around("<pre><code>", "</code></pre>"),
    "end token": around("", "<|im_end|>"),
    "end of sentence": around("", "</s>"),
    "carriage returns": lambda s, v: plain(s, v).replace(", ", ",\r\n") + "\r\n.",
    "boxed": around("\\boxed{", "}"),
    "boxed in dollars": around("$\\boxed{", "}$"),
    "boxed inner": lambda s, v: "\\boxed" + plain(s, v),
    "boxed escaped": in_latex("\\boxed{", "}"),
    "boxed escaped dollars": in_latex("The answer is $\\boxed{", "}$."),
    "boxed display": in_latex("\\[\n\\boxed{", "}\n\\]"),
    "boxed text": in_latex("$\\boxed{\\text{", "}}$"),
    "boxed typewriter": in_latex("\\boxed{\\texttt{", "}}"),
    "inline math": in_latex("\\( ", " \\)"),
    "dollars": in_latex("$$", "$$"),
    "left and right": lambda s, v: "$\\left\\{" + plain(s, v)[1:-1] + "\\right\\}$",
    "text with quotes": latex_words('"', "text"),
    "text without quotes": latex_words("", "text"),
    "mathrm": latex_words("", "mathrm"),
    "typewriter": latex_words('"', "texttt"),
    "latex quotes": requoted("``", "''"),
    "thin spaces": lambda s, v: "\\boxed{\\{" + plain(s, v)[1:-1].replace(", ", ",\\ ") + "\\}}",
    "escaped quotes": lambda s, v: plain(s, v).replace('"', '\\"'),
    "stringified": lambda s, v: json.dumps(plain(s, v), ensure_ascii=False),
    "stringified twice": lambda s, v: json.dumps(json.dumps(plain(s, v), ensure_ascii=False)),
    "stringified lines": lambda s, v: json.dumps(STRICT["indented"](s, v), ensure_ascii=False),
    "tool object": tool(lambda s, v: {s.key: s.named(v)}, "arguments"),
    "tool string": tool(plain, "arguments"),
    "tool parameters": tool(lambda s, v: {s.key: s.named(v)}, "parameters"),
    "tool tags": lambda s, v: f"<tool_call>\n{tool(plain, 'arguments')(s, v)}\n</tool_call>",
    "entities": entities,
    "numeric entities": lambda s, v: plain(s, v).replace('"', "&#34;"),
    "hex entities": lambda s, v: plain(s, v).replace('"', "&#x22;"),
    "double entities": lambda s, v: html.escape(entities(s, v)),
    "tuple": lists(lambda s, v: plain(s, v).replace("[", "(").replace("]", ")")),
    "unquoted": unquoted,
    "unquoted all": lambda s, v: unquoted(s, v).replace('"', ""),
    "unquoted with word": lambda s, v: each(s, s.named(v), str) if s.has_ids else None,
    "single quotes": requoted("'", "'"),
    "smart quotes": requoted("“", "”"),
    "low quotes": requoted("„", "“"),
    "guillemets": requoted("«", "»"),
    "corner brackets": requoted("「", "」"),
    "native punctuation": lambda s, v: (
        plain(s, v).replace(", ", s.script.comma).replace(": ", "：") + " "
    ),
    "full-width punctuation": lambda s, v: plain(s, v).translate(
        str.maketrans("{}[]:,", "｛｝［］：，")
    ),
    "brace too many": around("", "}"),
    "bracket too many": lambda s, v: plain(s, v)[:-1] + "]}",
    "braces doubled": around("{", "}"),
    "in a list": around("[", "]"),
    "one-item list": lambda s, v: obj(s, [s.named(v)]),
    "nested": lambda s, v: json.dumps({"answer": {s.key: s.named(v)}}, ensure_ascii=False),
    "more members": lambda s, v: obj(s, s.named(v), steps=5, note="done"),
    "members before": lambda s, v: json.dumps({"steps": ["a", 1], s.key: s.named(v)}),
    "upper case key": lambda s, v: plain(s, v).replace(s.key, s.key.upper(), 1),
    "bare key": lambda s, v: plain(s, v).replace(f'"{s.key}"', s.key),
    "equals sign": lambda s, v: plain(s, v).replace(":", " =", 1),
    "trailing comma": lambda s, v: plain(s, v)[:-1] + ",}",
    "comment": lambda s, v: plain(s, v)[:-1] + " // checked\n}",
    "stringified list": lists(lambda s, v: obj(s, json.dumps(v))),
    "bold value": lambda s, v: plain(s, v).replace(": ", ": **", 1)[:-1] + "**}",
    "code value": lambda s, v: each(s, v, lambda e: f"`{e}`"),
    "bold ids": ids(lambda s, e: f"**{e}**"),
    "code ids": ids(lambda s, e: f"`{e}`"),
    "dollar ids": ids(lambda s, e: f"${e}$"),
    "hash ids": ids(lambda s, e: f"#{e}"),
    "bracketed ids": ids(lambda s, e: f"[{e}]"),
    "ids in words' brackets": ids(lambda s, e: f"{s.script.room} ({e})"),
    "angled ids": ids(lambda s, e: f"<{e}>"),
    "bidi marks": ids(lambda s, e: f"\u2067{s.script.room}\u2069 \u200e{e}\u200f"),
    "zero width": ids(lambda s, e: f"{e[:2]}\u200b{e[2:]}"),
    "sentence": ids(lambda s, e: f"{s.script.prose} {s.script.room} {e}."),
    "lower case": ids(lambda s, e: e.lower()),
    "native digits": ids(lambda s, e: s.script.digits(e) if s.script.zero != "0" else f"`{e}`"),
    "full-width ids": ids(lambda s, e: "".join(chr(ord(c) + 0xFEE0) for c in e)),
    "native numbers": lambda s, v: (
        None if s.has_ids or s.script.zero == "0" else each(s, v, s.script.digits)
    ),
    "full-width numbers": numbers(
        lambda e: "".join(chr(ord(c) + 0xFEE0) if c.isdigit() else c for c in e)
    ),
    "minus signs": numbers(lambda e: e.replace("-", "−") if "-" in e else f"+{e}"),
    "floats": numbers(lambda e: f"{e}.0"),
    "numbers as strings": numbers(lambda e: f'"{e}"'),
    "plus signs": numbers(lambda e: e if "-" in e else f"+{e}"),
    "gold": numbers(lambda e: f"{e} gold"),
    "gold as strings": numbers(lambda e: f'"{e} gold coins"'),
    "dollar numbers": numbers(lambda e: f"${e}$"),
    "arrows": lists(lambda s, v: obj(s, v).replace(", ", " -> ")),
}
FORMS = STRICT | LENIENT
# Forms that leave some answers as the prompt asks for them: nothing is said about their strictness.
OFTEN_STRICT = ("lost fence", "unquoted", "plus signs")


LANGUAGES = ("en", "ar", "hi", "ja", "ta", "te", "zh", "bn", "th", "ru", "ko", "sw", "es")
KEYS = {"slt": "chain", "dsa": "state", "prdsa": "states", "graph_sp": "path", "t_rank": "ranking"}
NOT_CORRECT = "not correct"

# How each language says that it is not this one; {} is the identifier.
NEGATIONS: dict[str, tuple[str, ...]] = {
    "en": ("not {}", "Not Room {}", "anything but {}", "{} is wrong", "never {}", "it isn't {}"),
    "ar": ("ليس {}", "ليست {}", "غير {}", "لا {}"),
    "hi": ("{} नहीं", "{} नहीं है", "न {}"),
    "ja": ("{}ではない", "{}ではありません", "{}じゃない", "{}以外"),
    "ta": ("{} அல்ல", "{} இல்லை"),
    "te": ("{} కాదు", "{} లేదు"),
    "zh": ("不是{}", "并非{}", "非{}"),
    "bn": ("{} নয়", "{} না", "{} নেই"),
    "th": ("ไม่ใช่ {}", "มิใช่ {}"),
    "ru": ("не {}", "не является {}", "нет {}"),
    "ko": ("{}이 아니다", "{} 아님", "{}가 아닙니다"),
    "sw": ("si {}", "sio {}", "siyo {}", "hapana {}"),
    "es": ("no {}", "no es {}", "nunca {}", "tampoco {}"),
}
SIGNS = ("≠ {}", "!= {}", "¬{}", "~~{}~~", "❌ {}", "\\neq {}", "\\cancel{{{}}}")
WAIT = ("\n\nWait, I made a mistake. Let me redo this.\n\n", "\n\nCorrection: ", "\n")

# Opening, closing and what may stand before the answer, as models and templates write them.
THINKING: tuple[tuple[str, str], ...] = (
    ("<think>\n", "\n</think>\n\n"),
    ("", "\n</think>\n\n"),
    ("<think >\n", "\n</think >\n\n"),
    ('<think type="x">', "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<thoughts>", "</thoughts>"),
    ("<reasoning>", "</reasoning>"),
    ("<reflection>", "</reflection>"),
    ("<think>", "</think>\n<answer>\n"),
    ("<think>", "</think><response>"),
    ("<Thought>", "</Thought>\n<Output>\n"),
    ("<seed:think>", "</seed:think>"),
    ("<mm:think>", "</mm:think>"),
    ("<think:opensource>", "</think:opensource>"),
    ("<ifm|think>", "</ifm|think>"),
    ("<ifm|think_fast>", "</ifm|think_fast>"),
    ("<longcat_think>", "</longcat_think>"),
    ("◁think▷", "◁/think▷"),
    ("[THINK]", "[/THINK]"),
    ("[unused16]", "[unused17]"),
    ("<unused94>thought\n", "<unused95>"),
    ("<|START_THINKING|>", "<|END_THINKING|><|START_RESPONSE|>"),
    ("<|START_THINKING|>", "<|END_THINKING|><|START_TEXT|>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>\n<|begin_of_solution|>\n"),
    ("<|inner_prefix|>", "<|inner_suffix|>"),
    ("<|channel>thought\n", "<channel|>"),
    ("<|im_start|>think\n", "<|im_start|>answer\n"),
    ("<|think|>", "<|end|><|begin|>assistant<|content|>"),
    ("<|begin|>assistant<|think|>", "<|end|><|content|>"),
    ("<|think:start|>", "<|think:end|>"),
    ("<|plamo:begin_think:plamo|>", "<|plamo:end_think:plamo|>"),
    ("<|open|>think<|sep|>", "<|close|>think<|sep|><|open|>response<|sep|>"),
    ("<|content_thinking|>", "<|end_message|><|message_model|><|content_text|>"),
    (" to=self<|message|>", "<|eom|><|start|>assistant to=user<|message|>"),
    ("/think\n", "<|im_end|>\n<|im_start|>assistant\n"),
    ("Here is my thought process: ", "Here is my response: "),
    ("Here are my reasoning steps:\n", "\n[BEGIN FINAL RESPONSE]\n"),
    ("<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"),
    (
        "<|channel|>analysis<|constrain|>json<|message|>",
        "<|end|><|start|>assistant<|channel|>final <|constrain|>json<|message|>",
    ),
    (
        "<|start|>assistant<|channel|>analysis to=functions.f <|constrain|>json<|message|>",
        "<|call|><|start|>assistant<|channel|>final<|constrain|>json<|message|>",
    ),
    ("analysisWe go on. ", "assistantfinal"),
    ("analysis{", "assistantfinal"),
    ("analysis我们看看。", "assistantfinal"),
    ("analysis\nthe rooms: ", "assistantfinal "),
    ("analysis1. ", "assistantcommentarySo.assistantfinal"),
    ('<details type="reasoning" done="true">\n', "\n</details>\n"),
    ("Thinking...\n", "\n...done thinking.\n\n"),
)
OPENED = tuple((a, b) for a, b in THINKING if a)


class Transcript(NamedTuple):
    """A response with the judge's word.

    ``expected`` is ``correct``, a status, or `NOT_CORRECT` where the status does not matter;
    ``strict`` is ``None`` where nothing is said about it.
    """

    style: str
    task: str
    language: str
    text: str
    reference: dict[str, Any]
    expected: str
    strict: bool | None = None


class _Maker:
    """Makes the values of one puzzle, the right one and others like it."""

    def __init__(self, task: str, seed: int) -> None:
        self.rng = random.Random(f"{task} {seed}")
        self.task = task
        self.taken: set[str] = set()

    def identifier(self) -> str:
        while True:
            made = f"{self.rng.choice('BCFGHKLMNPSTVWXYZ')}{self.rng.randint(1000, 9999)}"
            if made not in self.taken:
                self.taken.add(made)
                return made

    def value(self) -> Any:
        """A new value."""
        if self.task == "slt":
            return [self.rng.randint(1, 9) * self.rng.choice((1, -1)) for _ in range(4)]
        if self.task == "dsa":
            return self.identifier()
        return [self.identifier() for _ in range(8 if self.task == "prdsa" else 4)]

    def slip(self, right: Any) -> Any:
        """A value that differs in one place."""
        if isinstance(right, str):
            return self.identifier()
        wrong = list(right)
        at = self.rng.randrange(len(wrong))
        wrong[at] = -wrong[at] if isinstance(wrong[at], int) else self.identifier()
        return wrong


def _cases(seed: int) -> Iterator[tuple[_Maker, Setting, Any, dict[str, Any]]]:
    for task, key in KEYS.items():
        for number, language in enumerate(LANGUAGES):
            maker = _Maker(task, 100 * seed + number)
            right = maker.value()
            yield maker, Setting(task, key, language), right, {"task": task, "answer": {key: right}}


def _forms() -> Iterator[Transcript]:
    for maker, s, right, reference in _cases(1):
        for name, form in FORMS.items():
            for value, expected in ((right, "correct"), (maker.slip(right), "wrong")):
                text = form(s, value)
                if text is not None:
                    style = f"form: {name}"
                    strict = name in STRICT or (None if name in OFTEN_STRICT else False)
                    yield Transcript(style, s.task, s.language, text, reference, expected, strict)


def _corrections() -> Iterator[Transcript]:
    for maker, s, right, reference in _cases(2):
        names = list(FORMS)
        for number, name in enumerate(names):
            if (number + LANGUAGES.index(s.language)) % 3:
                continue
            wrong = maker.slip(right)
            for first, second, expected in ((right, wrong, "wrong"), (wrong, right, "correct")):
                later = FORMS[name](s, second)
                earlier = FORMS[names[(number * 7) % len(names)]](s, first) or plain(s, first)
                if later is None:
                    continue
                wait = WAIT[number % len(WAIT)]
                yield Transcript(
                    f"later: {name}", s.task, s.language, plain(s, first) + wait + later,
                    reference, expected, False,
                )  # fmt: skip
                yield Transcript(
                    f"earlier in any form, later: {name}",
                    s.task,
                    s.language,
                    earlier + wait + later,
                    reference,
                    expected,
                )


NEAR: dict[str, Callable[[str], str]] = {
    "prefix": lambda e: "Q" + e,
    "suffix": lambda e: e + "B",
    "small suffix": lambda e: e + "b",
    "digit": lambda e: e + "1",
    "native digit": lambda e: e + "१",
    "digit before": lambda e: "7" + e,
    "short": lambda e: e[:-1],
    "word": lambda e: f"Zone{e}",
    "accent": lambda e: f"É{e}",
    "word that ends so": lambda e: f"Roo{e[0].lower()}{e[1:]}",
    "decimal": lambda e: e + ".5",
    "full-width letter": lambda e: "Ｑ" + e,
    "other letter": lambda e: ("A" if e[0] != "A" else "B") + e[1:],
}
"""Texts that are nearly an identifier."""


def _unreadable(s: Setting, maker: _Maker, right: Any) -> Iterator[tuple[str, str]]:
    """Objects with the key that a judge does not take for the right answer."""
    wrong = maker.slip(right)
    entries = [right] if isinstance(right, str) else [str(entry) for entry in right]
    values: dict[str, Any] = {
        "null": None, "unknown": "I could not determine it", "empty": [] if s.is_list else "",
        "object": {"value": "?"},
    }  # fmt: skip
    yield from ((name, obj(s, value)) for name, value in values.items())
    yield "too much", f'{{"{s.key}": {json.dumps(right)} or {json.dumps(wrong)}}}'
    if s.is_list:
        yield "abbreviated", obj(s, [*right[:1], "...", right[-1]])
        yield "abbreviated bare", f'{{"{s.key}": [{entries[0]}, ..., {entries[-1]}]}}'
        yield "shorter", obj(s, right[:-1])
        yield "longer", obj(s, [*right, right[0]])
        yield "in words", f'{{"{s.key}": {entries[0]} and then the others}}'
    else:
        yield "two", obj(s, f"{right} or {wrong}")
        yield "two in a list", obj(s, [right, wrong])
        yield "two bare", f'{{"{s.key}": {right}, {wrong}}}'
        yield "arrow", obj(s, f"{right} -> {wrong}")
    if s.has_ids:
        first = {f"near: {name}": near(entries[0]) for name, near in NEAR.items()}
        for phrase in (*NEGATIONS[s.language], *SIGNS):
            first[f"negated: {phrase}"] = phrase.format(entries[0])
    else:
        first = {
            "number: negated": f"not {right[0]}",
            "number: two": f"{right[0]} or {right[0]}",
            "number: half": right[0] + 0.5,
            "number: thousands": f"{right[0]} thousand",
        }
    for name, entry in first.items():
        yield name, obj(s, [entry, *right[1:]] if s.is_list else entry)


def _unreadables() -> Iterator[Transcript]:
    for maker, s, right, reference in _cases(3):
        for number, (name, text) in enumerate(_unreadable(s, maker, right)):
            style = f"unreadable: {name}"
            yield Transcript(style, s.task, s.language, text, reference, NOT_CORRECT)
            both = plain(s, right) + WAIT[number % 3] + text
            yield Transcript(style + ", later", s.task, s.language, both, reference, NOT_CORRECT)
            both = text + WAIT[number % 3] + plain(s, right)
            yield Transcript(style + ", earlier", s.task, s.language, both, reference, "correct")


def _placeholders() -> Iterator[Transcript]:
    for maker, s, right, reference in _cases(4):
        shown = {
            "slt": ['{"chain": [v0, v1, v2, ...]}', '{"chain": [...]}', '{"chain": ["..."]}'],
            "dsa": ['{"state": "..."}', '{"state": "<room>"}', '{"state": "Room XXXX"}'],
            "prdsa": ['{"states": [...]}', '{"states": ["<room1>", "<room2>", ...]}'],
            "graph_sp": ['{"path": [...]}', '{"path": ["<id1>", "<id2>", ...]}'],
            "t_rank": ['{"ranking": ["<best_id>", "<2nd_id>", ..., "<worst_id>"]}'],
        }[s.task]
        for echo in shown:
            for text, expected in (
                (f"The format is {echo}.\n\n{plain(s, right)}", "correct"),
                (f"{plain(s, right)}\n\nThis follows the format {echo}", "correct"),
                (f"{plain(s, maker.slip(right))}\n\nThis follows {echo}", "wrong"),
                (f"I should answer as {echo}", NOT_CORRECT),
            ):
                yield Transcript("placeholder", s.task, s.language, text, reference, expected)


def _cuts() -> Iterator[Transcript]:
    for _, s, right, reference in _cases(5):
        written = {
            "plain": plain(s, right),
            "latex": "\\boxed{" + braced(s, right) + "}",
            "escaped": plain(s, right).replace('"', '\\"'),
            "unquoted": obj(s, right).replace('"', ""),
            "entities": obj(s, right).replace('"', "&quot;"),
        }
        for form, text in written.items():
            brace = text.index("{", text.index("{") + 1 if form == "latex" else 0)
            last = text.rindex("}") - (2 if form == "latex" else 0)
            for end in range(
                brace + 3 + LANGUAGES.index(s.language) % 3, last + 1, len(text) // 20 + 2
            ):
                for before in ("", plain(s, right) + "\n\nWait. "):
                    status = "truncated" if end > brace + 5 else NOT_CORRECT
                    yield Transcript(
                        f"cut: {form}" + (", after another" if before else ""),
                        s.task, s.language, before + text[:end], reference, status, False,
                    )  # fmt: skip


def _thinking() -> Iterator[Transcript]:
    for maker, s, right, reference in _cases(6):
        wrong = maker.slip(right)
        prose = s.script.prose
        for opening, closing in THINKING:
            style = f"thinking: {opening.strip()[:30]}"
            for text, expected in (
                (f"{prose} {plain(s, wrong)}{closing}{plain(s, right)}", "correct"),
                (f"{prose} {plain(s, right)}{closing}{plain(s, wrong)}", "wrong"),
                (f"{prose} {plain(s, right)}{closing}{prose}.", "no_answer"),
            ):
                yield Transcript(style, s.task, s.language, opening + text, reference, expected)
        for opening, _ in OPENED:
            text = f"{opening}{prose} {plain(s, right)}"
            style = f"unclosed: {opening.strip()[:30]}"
            yield Transcript(style, s.task, s.language, text, reference, "truncated", False)


def puzzle_transcripts() -> Iterator[Transcript]:
    """All transcripts of the five puzzles, in a fixed order."""
    for made in (_forms, _corrections, _unreadables, _placeholders, _cuts, _thinking):
        yield from made()


def judged(grade: Any, transcript: Transcript) -> str:
    """What is wrong with a grade: empty if it is as a judge would have it."""
    expected = transcript.expected
    if grade.correct != (expected == "correct"):
        return "false correct" if grade.correct else f"missed ({grade.status})"
    if expected not in ("correct", NOT_CORRECT) and grade.status != expected:
        return f"{grade.status} for {expected}"
    if transcript.strict is not None and grade.strict != transcript.strict:
        return "strict" if grade.strict else "not strict"
    return ""
