"""Transcripts in the styles of real models, labelled by how they are made.

`puzzle_transcripts` gives more than 15,000 responses to the five puzzles in 13 languages. What a
fair judge says follows from the construction: a form means its value (`transcript_forms`), the
last object decides, what breaks off is no answer, thinking is no answer.
"""

import json
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from .transcript_forms import FORMS, OFTEN_STRICT, STRICT, Setting, braced, obj, plain

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


def _unreadable(s: Setting, maker: _Maker, right: Any) -> Iterator[tuple[str, str]]:
    """Objects with the key that a judge does not take for the right answer."""
    wrong = maker.slip(right)
    entries = [right] if isinstance(right, str) else [str(entry) for entry in right]
    yield "null", obj(s, None)
    yield "unknown", obj(s, "I could not determine it")
    yield "empty", obj(s, [] if s.is_list else "")
    yield "object", obj(s, {"value": "?"})
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
        for name, near in (
            ("prefix", lambda e: "Q" + e),
            ("suffix", lambda e: e + "B"),
            ("small suffix", lambda e: e + "b"),
            ("digit", lambda e: e + "1"),
            ("native digit", lambda e: e + "१"),
            ("digit before", lambda e: "7" + e),
            ("short", lambda e: e[:-1]),
            ("word", lambda e: f"Zone{e}"),
            ("accent", lambda e: f"É{e}"),
            ("word that ends so", lambda e: f"Roo{e[0].lower()}{e[1:]}"),
            ("decimal", lambda e: e + ".5"),
            ("full-width letter", lambda e: "Ｑ" + e),
            ("other letter", lambda e: ("A" if e[0] != "A" else "B") + e[1:]),
        ):
            text = near(entries[0])
            yield f"near: {name}", obj(s, [text, *entries[1:]] if s.is_list else text)
        for phrase in (*NEGATIONS[s.language], *SIGNS):
            text = phrase.format(entries[0])
            yield f"negated: {phrase}", obj(s, [text, *entries[1:]] if s.is_list else text)
    else:
        for name, text in (("negated", f"not {right[0]}"), ("two", f"{right[0]} or {right[0]}")):
            yield f"number: {name}", obj(s, [text, *right[1:]])
        yield "number: half", obj(s, [right[0] + 0.5, *right[1:]])
        yield "number: thousands", obj(s, [f"{right[0]} thousand", *right[1:]])


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
    yield from _forms()
    yield from _corrections()
    yield from _unreadables()
    yield from _placeholders()
    yield from _cuts()
    yield from _thinking()


def judged(grade: Any, transcript: Transcript) -> str:
    """What is wrong with a grade: empty if it is as a judge would have it."""
    if grade.correct != (transcript.expected == "correct"):
        return "false correct" if grade.correct else f"missed ({grade.status})"
    if transcript.expected == "truncated" and grade.status != "truncated":
        return f"not truncated ({grade.status})"
    if transcript.expected in ("wrong", "no_answer") and grade.status != transcript.expected:
        return f"{grade.status} for {transcript.expected}"
    if transcript.strict is not None and grade.strict and not transcript.strict:
        return "strict"
    if transcript.strict and not grade.strict:
        return "not strict"
    return ""
