"""The forms in which models write an answer to a puzzle, for labelled transcripts.

A form turns a key and a value into text. Every form means its value, so its transcript is right
exactly if the value is; only `STRICT` ones are what the prompt asks for.
"""

import html
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

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

    def form(s: Setting, value: Value) -> str | None:
        if not s.has_ids:
            return None
        return each(s, value, lambda e: json.dumps(write(s, e), ensure_ascii=False))

    return form


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
        parts = plain(s, value).split('"')
        marks = [opening if i % 2 == 0 else closing for i in range(len(parts) - 1)]
        return "".join(p + m for p, m in zip(parts, [*marks, ""]))

    return form


def unquoted(s: Setting, value: Value) -> str:
    """Entries without quotes."""
    return each(s, value, str)


def escaped(s: Setting, value: Value) -> str:
    """The object as it stands in a JSON string."""
    return json.dumps(plain(s, value), ensure_ascii=False)[1:-1]


def tool(arguments: Callable[[Setting, Value], Any], name: str) -> Form:
    """A tool call with arguments."""
    return lambda s, v: json.dumps({"name": "submit", name: arguments(s, v)}, ensure_ascii=False)


def as_tuple(s: Setting, value: Value) -> str:
    """The list in round brackets."""
    return plain(s, value).replace("[", "(").replace("]", ")")


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
    "tuple": lists(as_tuple),
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
