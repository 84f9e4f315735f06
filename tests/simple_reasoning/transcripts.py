"""Transcripts of answers to the simple-reasoning tasks, labelled by how they are made."""

from collections.abc import Callable, Iterator
from itertools import chain, product, starmap
from typing import Any, NamedTuple

LANGUAGES = ("en", "ar", "hi", "ja", "ta", "te", "zh")
ZEROS = {"en": "0", "ar": "٠", "hi": "०", "ja": "０", "ta": "௦", "te": "౦", "zh": "０"}
NUMBERS = {7: "seven", 13: "thirteen", 18: "eighteen", 0: "zero", 21: "twenty-one"}
NOT_CORRECT = "not correct"


class Transcript(NamedTuple):
    """A response with the judge's word: ``correct``, a status, or `NOT_CORRECT`."""

    style: str
    text: str
    reference: dict[str, Any]
    expected: str


def reference(task: str, **answer: Any) -> dict[str, Any]:
    """A reference of this family."""
    return {"family": "easy", "task": task, "answer": answer}


# Forms of one number n, each meaning it, as an answer to a counting question.
COUNTS: dict[str, Callable[[Any], str]] = {
    "asked": lambda n: f"The character appears #{n}# times.",
    "bold": lambda n: f"The character appears **{n}** times.",
    "hash in bold": lambda n: f"The character appears **#{n}#** times.",
    "plain": lambda n: f"The character appears {n} times.",
    "in words": lambda n: f"The character appears {NUMBERS[n]} ({n}) times.",
    "words behind": lambda n: f"The character appears {n} ({NUMBERS[n]}) times.",
    "brackets": lambda n: f"The character appears [{n}] times.",
    "html": lambda n: f"The character appears <b>{n}</b> times.",
    "strong": lambda n: f"The character appears <strong>{n}</strong> times.",
    "boxed": lambda n: f"The character appears $\\boxed{{{n}}}$ times.",
    "boxed hash": lambda n: f"\\boxed{{\\#{n}}}",
    "boxed hashes": lambda n: f"$\\boxed{{\\#{n}\\#}}$",
    "boxed sentence": lambda n: (
        f"$\\boxed{{\\text{{The character appears }} \\#{n}\\# \\text{{ times.}}}}$"
    ),
    "only boxed": lambda n: f"\\boxed{{{n}}}",
    "only": lambda n: f"{n}",
    "only bold": lambda n: f"**{n}**",
    "only with a stop": lambda n: f"{n}.",
    "only times": lambda n: f"{n} times",
    "only times.": lambda n: f"{n} times.",
    "the answer is": lambda n: f"The answer is {n}",
    "the answer is.": lambda n: f"The answer is {n}.",
    "the answer is bold": lambda n: f"The answer is **{n}**.",
    "answer:": lambda n: f"Answer: {n}",
    "final answer": lambda n: f"**Final answer:** {n}",
    "the answer is times": lambda n: f"So the answer is {n} times.",
    "quoted": lambda n: f'"The character appears #{n}# times."',
    "block quote": lambda n: f"> The character appears #{n}# times.",
    "fence": lambda n: f"```\nThe character appears #{n}# times.\n```",
    "quad": lambda n: f"The character appears $\\quad {n} \\quad$ times.",
    "full width": lambda n: f"The character appears ＃{n}＃ times.",
    "spaces": lambda n: f"The character appears # {n} # times.",
    "exactly": lambda n: f"The character 'e' appears exactly {n} times in the text.",
    "thinking": lambda n: f"<think>It appears #3# times.</think>The character appears #{n}# times.",
    "correction": lambda n: (
        f"The character appears #3# times. Wait.\nThe character appears #{n}# times."
    ),
    "steps": lambda n: f"Line 1: 3\nLine 2: 2\n\nThe character appears #{n}# times.",
    "echo": lambda n: f"The format is #your answer#.\nThe character appears #{n}# times.",
    "occurs": lambda n: f"Total count: **{n}**\n\nThe character appears #{n}# times",
}
BOXED: dict[str, Callable[[Any], str]] = {
    "asked": lambda n: f"The final answer is $\\boxed{{{n}}}$.",
    "hashes": lambda n: f"The final answer is $\\boxed{{#{n}#}}$.",
    "hash": lambda n: f"The final answer is $\\boxed{{\\#{n}}}$.",
    "hash text": lambda n: f"$\\boxed{{\\text{{\\#}}{n}}}$",
    "bold": lambda n: f"\\boxed{{\\textbf{{{n}}}}}",
    "mathbf": lambda n: f"\\boxed{{\\mathbf{{{n}}}}}",
    "rm": lambda n: f"\\boxed{{\\mathrm{{{n}}}}}",
    "bold around": lambda n: f"**\\boxed{{{n}}}**",
    "equation": lambda n: f"\\boxed{{x = {n}}}",
    "long equation": lambda n: f"\\boxed{{\\text{{apples}} = {n}}}",
    "quad": lambda n: f"\\boxed{{{n} \\quad}}",
    "qquad": lambda n: f"\\boxed{{\\qquad {n}}}",
    "displaystyle": lambda n: f"\\boxed{{\\displaystyle {n}}}",
    "unit": lambda n: f"\\boxed{{{n} \\text{{ apples}}}}",
    "unit behind a tie": lambda n: f"\\boxed{{{n}~\\text{{apples}}}}",
    "plain unit": lambda n: f"\\boxed{{{n}\\ apples}}",
    "stop": lambda n: f"\\boxed{{{n}.}}",
    "dollars inside": lambda n: f"\\boxed{{${n}$}}",
    "left right": lambda n: f"\\boxed{{\\left({n}\\right)}}",
    "double box": lambda n: f"\\boxed{{\\boxed{{{n}}}}}",
    "fbox": lambda n: f"$\\fbox{{{n}}}$",
    "decimals": lambda n: f"\\boxed{{{n}.0}}",
    "fraction": lambda n: f"\\boxed{{\\frac{{{2 * n}}}{{2}}}}",
    "display": lambda n: f"\\[\n\\boxed{{{n}}}\n\\]",
    "final": lambda n: f"The final answer is {n}.",
    "final bold": lambda n: f"The final answer is **{n}**.",
    "final dollars": lambda n: f"The final answer is ${n}$.",
    "final unit": lambda n: f"The final answer is {n} apples.",
    "final hash": lambda n: f"The final answer is #{n}#.",
    "the answer is": lambda n: f"The answer is {n}.",
    "answer:": lambda n: f"**Answer:** {n}",
    "only": lambda n: f"{n}",
    "only bold": lambda n: f"**{n}**",
    "only unit": lambda n: f"{n} apples",
    "correction": lambda n: f"$\\boxed{{3}}$ Wait, no.\nThe final answer is $\\boxed{{{n}}}$.",
    "thinking": lambda n: f"<think>\\boxed{{3}}</think>\\boxed{{{n}}}",
    "html": lambda n: f"The final answer is <b>{n}</b>.",
    "echo": lambda n: f"As $\\boxed{{\\#your answer}}$: $\\boxed{{{n}}}$",
    "words": lambda n: f"\\boxed{{{NUMBERS[n]}\\ ({n})}}" if n in NUMBERS else f"\\boxed{{{n}}}",
}
LISTS: dict[str, Callable[[str], str]] = {
    "asked": lambda t: f"The words appear [ {t.replace(', ', ' , ')} ] times.",
    "close": lambda t: f"The words appear [{t}] times.",
    "bold": lambda t: f"**The words appear [{t}] times.**",
    "left right": lambda t: f"The words appear $\\left[{t}\\right]$ times.",
    "boxed left right": lambda t: f"\\boxed{{\\left[{t}\\right]}}",
    "boxed": lambda t: f"$\\boxed{{[{t}]}}$",
    "trailing comma": lambda t: f"The words appear [{t},] times.",
    "escaped": lambda t: f"The words appear \\[ {t} \\] times",
    "only": lambda t: f"[{t}]",
    "answer": lambda t: f"The answer is [{t}].",
    "bold numbers": lambda t: (
        f"The words appear [{', '.join(f'**{n}**' for n in t.split(', '))}] times."
    ),
    "hashes": lambda t: f"The words appear [{', '.join(f'#{n}#' for n in t.split(', '))}] times.",
    "code": lambda t: f"The words appear `[{t}]` times.",
    "html": lambda t: f"The words appear <b>[{t}]</b> times.",
    "quad": lambda t: "The words appear $[" + t.replace(", ", ",\\quad ") + "]$ times.",
    "thin": lambda t: "The words appear $[" + t.replace(", ", ",\\, ") + "]$ times.",
    "lines": lambda t: "The words appear [\n" + t.replace(", ", ",\n") + "\n] times.",
    "correction": lambda t: f"The words appear [1, 1, 9] times. No.\nThe words appear [{t}] times.",
    "native comma": lambda t: f"The words appear [{t.replace(', ', '，')}] times.",
    "arabic comma": lambda t: f"The words appear [{t.replace(', ', '، ')}] times.",
    "display": lambda t: f"The words appear\n\\[\n[{t}]\n\\]\ntimes.",
}
LETTERS: dict[str, Callable[[str], str]] = {
    "asked": lambda c: f"<answer>{c}</answer>",
    "spaces": lambda c: f"<answer> {c} </answer>",
    "bold": lambda c: f"<answer>**{c}**</answer>",
    "bold tag": lambda c: f"**<answer>{c}</answer>**",
    "bracket": lambda c: f"<answer>({c})</answer>",
    "one bracket": lambda c: f"<answer>{c})</answer>",
    "option": lambda c: f"<answer>Option {c}</answer>",
    "with text": lambda c: f"<answer>{c}: p: True, q: False</answer>",
    "lower tag": lambda c: f"<ANSWER>{c.lower()}</ANSWER>",
    "boxed in tag": lambda c: f"<answer>$\\boxed{{{c}}}$</answer>",
    "text in tag": lambda c: f"<answer>\\text{{{c}}}</answer>",
    "boxed": lambda c: f"$\\boxed{{{c}}}$",
    "boxed text": lambda c: f"$\\boxed{{\\text{{{c}}}}}$",
    "boxed bold": lambda c: f"\\boxed{{\\textbf{{{c}}}}}",
    "only": lambda c: c,
    "only bracket": lambda c: f"({c})",
    "only half bracket": lambda c: f"{c})",
    "only bold": lambda c: f"**{c}**",
    "only bold bracket": lambda c: f"**({c})**",
    "only stop": lambda c: f"{c}.",
    "only code": lambda c: f"`{c}`",
    "the answer is": lambda c: f"The answer is {c}.",
    "the answer is bold": lambda c: f"The answer is **{c}**.",
    "the answer is option": lambda c: f"The correct answer is option {c}.",
    "answer:": lambda c: f"Answer: {c}",
    "bold answer:": lambda c: f"**Answer:** {c}",
    "final answer:": lambda c: f"### Final Answer: **{c}**",
    "line": lambda c: f"Only this one holds.\n\n{c}",
    "bold line": lambda c: f"Only this one holds.\n\n**{c}**",
    "correct option": lambda c: f"So the correct option is {c}.",
    "correction": lambda c: f"<answer>{'D' if c != 'D' else 'A'}</answer> no, <answer>{c}</answer>",
    "thinking": lambda c: (
        f"<think><answer>{'D' if c != 'D' else 'A'}</answer></think><answer>{c}</answer>"
    ),
    "echo": lambda c: f"I answer with <answer>A, B, C, or D</answer>.\n<answer>{c}</answer>",
    "unclosed": lambda c: f"<answer>{c}",
    "escaped": lambda c: f"&lt;answer&gt;{c}&lt;/answer&gt;",
    "fence": lambda c: f"```\n<answer>{c}</answer>\n```",
    "full width": lambda c: f"<answer>{chr(ord(c) + 0xFEE0)}</answer>",
}
BAD_COUNTS = (
    "The character appears #{n}# or #{m}# times.", "between {n} and {m}", "not {n}",
    "The character does not appear {n} times.", "The character appears #{n}", "\\boxed{{{n}",
    "<think>{n}", "The character appears #{n}5# times.", "{n} or {m}", "The answer is not {n}",
    "The character appears #{n}# times. Wait, the character appears #{m}# times.",
    "\\boxed{{{n}}} Wait: \\boxed{{{m}}}", "\\boxed{{{n}, {m}}}", "-{n}1",
)  # fmt: skip
BAD_LETTERS = (
    "<answer>{c} or {d}</answer>", "<answer>not {c}</answer>", "The answer is not {c}.", "{c}{d}",
    "<answer>{c}</answer> No: <answer>{d}</answer>", "<answer>{c}, {d}</answer>", "{c} or {d}",
    "<answer>none</answer>", "<think>{c}", "Neither {c} nor {d}", "I do not know", "{c}, {d}",
    "<answer>A, B, C, or D</answer>", "<answer>Neither {c}</answer>", "\\boxed{{{c},{d}}}",
)  # fmt: skip
NATIVE = ("asked", "bold", "only", "the answer is", "boxed")


def _digits(text: str, zero: str) -> str:
    return text.translate({48 + d: chr(ord(zero) + d) for d in range(10)})


Golds = list[tuple[dict[str, Any], str]]
"""Reference answers, each with what a judge says of a response against it."""


def _counts(n: int) -> Iterator[tuple[str, str, str, Golds]]:
    """Style, task, response and reference answers of a number, and of texts that give none."""
    other = n + 1 if n + 1 not in NUMBERS else n + 2
    for task, forms in (("char_count", COUNTS), ("proof_tree", BOXED), ("irrelevant", BOXED)):
        golds: Golds = [
            ({"counts": [gold]} if task == "char_count" else {"number": gold}, expected)
            for gold, expected in ((n, "correct"), (other, "wrong"))
        ]
        for style, form in forms.items():
            if n not in NUMBERS and "words" in style:
                continue
            yield f"{task}: {style}", task, form(n), golds
            for zero in sorted({*ZEROS.values()} - {"0"}) if style in NATIVE else ():
                yield f"{task}: {style}, native", task, _digits(form(n), zero), golds
    for pattern in BAD_COUNTS:
        text = pattern.format(n=n, m=other)
        yield f"count: {pattern}", "char_count", text, [({"counts": [n]}, NOT_CORRECT)]
        yield f"number: {pattern}", "proof_tree", text, [({"number": n}, NOT_CORRECT)]


def _lists(values: list[int]) -> Iterator[tuple[str, str, str, Golds]]:
    shown, wrong = ", ".join(map(str, values)), [*values[:-1], values[-1] + 1]
    for style, write in LISTS.items():
        for text, more in ((write(shown), ""), (_digits(write(shown), "०"), ", native")):
            golds = [({"counts": values}, "correct"), ({"counts": wrong}, "wrong")]
            yield f"word_count: {style}{more}", "word_count", text, golds
    for text in (
        f"The words appear [{shown}, 9] times.",
        f"The words appear [{shown[:-1]}",
        f"The words appear [{shown.replace(', ', ' or ', 1)}] times.",
        f"The words appear [{shown}] times. Wait: the words appear [{shown}, 1] times.",
        f"<think>[{shown}]",
        f"The words appear {{{shown} and 7}} times.",
        f"[{shown}] is wrong; the words appear [9, {shown}] times.",
    ):
        yield "word_count: bad", "word_count", text, [({"counts": values}, NOT_CORRECT)]


def _letters(task: str, letter: str) -> Iterator[tuple[str, str, str, Golds]]:
    golds: Golds = [({"choice": gold}, "correct" if gold == letter else "wrong") for gold in "ABCD"]
    for style, write in LETTERS.items():
        yield f"{task}: {style}", task, write(letter), golds
    for pattern in BAD_LETTERS:
        text = pattern.format(c=letter, d="ABCD"["ABCD".index(letter) - 1])
        yield f"{task}: {pattern}", task, text, [({"choice": letter}, NOT_CORRECT)]


def simple_transcripts() -> Iterator[Transcript]:
    """All transcripts, in a fixed order."""
    for style, task, text, golds in chain(
        *map(_counts, (*NUMBERS, 123)),
        *map(_lists, ([3, 4, 1], [18, 0, 2], [5, 12], [2, 2, 2, 11])),
        *starmap(_letters, product(("logic_eval", "logic_negation"), "ABCD")),
    ):
        for answer, expected in golds:
            yield Transcript(style, text, reference(task, **answer), expected)


def judged(grade: Any, transcript: Transcript) -> str:
    """What is wrong with a grade: empty if it is as a judge would have it."""
    if grade.correct != (transcript.expected == "correct"):
        return "false correct" if grade.correct else f"missed ({grade.status})"
    if transcript.expected == "wrong" and grade.status != "wrong":
        return f"{grade.status} for wrong"
    return ""
