"""What a response takes back: struck out, denied, given as one of two, or given up at the end.

The words are those of the languages that puzzles are asked in. They count only where they stand
right at an answer, so that prose which happens to hold one changes nothing. Everything here takes
time linear in the text.
"""

from __future__ import annotations

import re

_STRUCK_LENGTH = 4_000
_TAGS = ("del", "s", "strike")
_STRIKES = re.compile(r"(?<!~)~~(?!~)")
_OPEN_TAG = re.compile(r"<(del|s|strike)>", re.IGNORECASE)
_BRACES = re.compile(r"\\(?:[bx]?cancel|sout|st)\s?\{|[{}]")
_CANCEL_LENGTH = 300
_DIFF = re.compile(r"```diff\n(.{0,20000}?)(?:```|\Z)", re.DOTALL)
_REMOVED = re.compile(r"^-(?!\d).*$", re.MULTILINE)

_MARKS = r"[\s`*_\"'“”„‘’«»(\[（【$\\]{0,12}"
_NOT = (
    r"(?:\bnot(?:\ be)?|n't(?:\ be)?|\bcannot\ be|\brul(?:es|ed|ing)\ out|\bauf\ keinen\ fall"
    r"|\bnever|\binstead\ of|\brather\ than|\bexcept(?:\ for)?"
    r"|\bnicht|\bstatt|\bno\ (?:es|son|era|sería)|\ben\ (?:vez|lugar)\ de|n'est\ pas|au\ lieu\ de"
    r"|\bnon\ è|invece\ di|não\ (?:é|são)|em\ vez\ de|\bbukan(?:lah)?|\bbukannya"
    r"|không\ phải(?:\ là)?"
    r"|\bне|\bвместо|\bليست?|\bوليست?|بدلا?ً?\ من|\bنہیں|不是|并非|並非|而非|而不是|ไม่ใช่|มิใช่)"
)
_ANSWER = (
    r"(?:\banswer|\bresponse|\bresult|\bsolution|antwort|lösung|ergebnis|respuesta|solución"
    r"|réponse"
    r"|risposta|resposta|jawapan|jawaban|câu\ trả\ lời|đáp\ án|cevap|yanıt|\bjibu|ответ|решение"
    r"|الإجابة|الجواب|جواب|उत्तर|जवाब|సమాధానం|జవాబు|விடை|பதில்|คำตอบ|উত্তর|答案|答え|回答|정답"
    r"|답[은이])"
)
_LAST_NOT = (
    r"(?:\bnot|n't|\bnicht|\bno\ es|n'est\ pas|\bnon\ è|não\ é|\bbukan(?:lah)?"
    r"|không\ phải(?:\ là)?"
    r"|değil(?:dir)?|\bsi(?:yo|o)?|\bне|\bليست?|\bنہیں(?:\ ہے)?|नहीं(?:\ है|\ हैं)?|नाही|కాదు"
    r"|அல்ல|இல்லை"
    r"|ไม่ใช่|নয়|নয়|不是|并非|ではありません|ではない|じゃない|아닙니다|아니다|아님)"
)
_BEFORE = re.compile(
    rf"(?:{_NOT}|{_ANSWER}[^.。।!?\n:：{{}}\d]{{0,40}}{_LAST_NOT}\s?[:：]?){_MARKS}\Z".replace(
        "\\ ", " "
    ),
    re.IGNORECASE,
)
_BEHIND = re.compile(
    rf"{_MARKS}[)\]}}]?{_MARKS}(?:\s|\b)?(?:(?:is|are|was)\s(?:not\b|wrong\b|incorrect\b|false\b)"
    r"|(?:ist|sind)\s(?:nicht|falsch)\b|no\ es\b|es\ incorrect|n'est\ pas\b|não\ é\b|bukan\b"
    r"|değil|"
    r"ではない|ではありません|じゃない|は(?:間違い|誤り)|[은는이가]\ ?(?:아니|틀)|नहीं|गलत"
    r"|కాదు|తప్పు|அல்ல|தவறு"
    r"|নয়|নয়|ভুল|不是|是错|是錯|ไม่ใช่|ผิด|неверно|неправильно|ليست?\b"
    r"|خطأ)".replace("\\ ", " "),
    re.IGNORECASE,
)
_OR = (
    r"(?:or|alternatively|/|oder|o|u|ou|oppure|или|либо|أو|او|या|अथवा|किंवा|లేదా|அல்லது|หรือ|หรือว่า|অথবা|বা"
    r"|কিংবা"
    r"|或|或者|或是|还是|還是|または|あるいは|もしくは|또는|혹은|아니면|veya|ya da|hoặc"
    r"|hoặc là|atau|ataupun|au|یا)"
)
_ALTERNATIVE = re.compile(
    rf"(?<!\w){_OR}(?!\w)(?:\s(?:perhaps|maybe|possibly|else"
    rf"|even))?[`*_\"'“‘$\\(\[{{<#:：\s]{{0,12}}\Z",
    re.IGNORECASE,
)
_BETWEEN = " \t\n`*_\"'”’$\\.,،、;；)#~"

_WRONG = (
    r"(?:\bwait\b|\bwrong\b|\bincorrect\b|\bmistake|falsch|irrt|\bmal\b|incorrect[oa]|\berror"
    r"|\bfaux|\bfauss|erreur"
    r"|sbaglia|errad|salah|\bsai\b|yanlış|\bkosa\b|невер|неправ|ошиб|خطأ|غلط|गलत|తప్పు|தவறு"
    r"|ผิด|ভুল|错|錯|間違|誤"
    r"|틀렸|틀린|잘못)"
)
_HELPLESS = (
    r"(?:(?:can(?:no|')t|could\ ?n[o']t|unable\ to|not\ able\ to)\ (?:be\ )?(?:determine|solve"
    r"|find|answer|give|figure)"
    r"|do\ not\ know|don't\ know|nicht\ (?:bestimmen|lösen|finden|beantworten)"
    r"|weiß\ (?:es\ )?nicht"
    r"|no\ (?:puedo|logro)\ (?:determinar|resolver|encontrar|responder|dar)|no\ lo\ sé"
    r"|ne\ (?:peux|parviens)\ pas|non\ (?:posso|riesco)|não\ (?:posso|consigo)|tidak\ (?:dapat"
    r"|bisa|boleh)"
    r"|không\ thể|siwezi|(?:bulamıyorum|belirleyemiyorum|çözemiyorum)"
    r"|не\ (?:могу|удаётся|удается|знаю)|لا\ (?:أستطيع|يمكنني|أعرف)"
    r"|नहीं\ (?:कर\ सकता|कर\ सकती|दे\ सकता|दे\ सकती|जानता|जानती)|(?:లేను|తెలియదు)"
    r"|(?:முடியவில்லை|தெரியவில்லை)"
    r"|ไม่สามารถ|ไม่ทราบ|(?:পারছি\ না|পারি\ না|জানি\ না)|无法|無法|不知道|でき(?:ません|ない)"
    r"|わかりません|分かりません"
    r"|알\ 수\ 없|모르겠|할\ 수\ 없)"
)
_GIVEN_UP = re.compile(
    rf"{_WRONG}[^{{}}<>#\[\]\d]{{0,200}}?{_HELPLESS}[^{{}}<>#\[\]\d]{{0,150}}\Z".replace(
        "\\ ", " "
    ),
    re.IGNORECASE,
)
_TAIL = 500


def standing(text: str) -> str:
    r"""The text with spaces for what is struck out: ``~~…~~``, ``<del>``, ``\cancel{}``, a diff.

    Positions stay. A mark without its partner strikes nothing.

    >>> standing("~~A~~ B")
    '      B'
    """
    if "~~" in text:
        text = _blanked(text, _pairs(text))
    if "<" in text and _OPEN_TAG.search(text):
        lower = text.lower() if len(text.lower()) == len(text) else text
        spans = []
        at = 0
        while opened := _OPEN_TAG.search(text, at):
            end = lower.find(f"</{opened[1].lower()}>", opened.end(), opened.end() + _STRUCK_LENGTH)
            at = opened.end()
            if end >= 0:
                at = end + len(opened[1]) + 3
                spans.append((opened.start(), at))
        text = _blanked(text, spans)
    if "\\" in text:
        text = _blanked(text, _cancelled(text))
    if "```diff" in text:
        for block in list(_DIFF.finditer(text)):
            removed = [m.span() for m in _REMOVED.finditer(text, *block.span(1))]
            text = _blanked(text, removed)
    return text


def _pairs(text: str) -> list[tuple[int, int]]:
    """Spans between two tildes and the next two, where nothing but an edge of a word touches."""
    spans: list[tuple[int, int]] = []
    opened = -1
    for mark in _STRIKES.finditer(text):
        if opened >= 0 and mark.start() - opened <= _STRUCK_LENGTH and not _blank(text, mark, -1):
            spans.append((opened, mark.end()))
            opened = -1
        elif not _blank(text, mark, 1):
            opened = mark.start()
    return spans


def _blank(text: str, mark: re.Match[str], side: int) -> bool:
    """Whether white space or nothing stands on a side of a mark."""
    near = text[mark.end() : mark.end() + 1] if side > 0 else text[mark.start() - 1 : mark.start()]
    return not near.strip()


def _cancelled(text: str) -> list[tuple[int, int]]:
    """Spans from a command that strikes out to the brace that closes its group, in order."""
    spans: list[tuple[int, int]] = []
    opened: list[re.Match[str]] = []
    for brace in _BRACES.finditer(text):
        if brace[0] != "}":
            opened.append(brace)
        elif opened:
            start = opened.pop()
            if len(start[0]) > 1 and brace.end() - start.end() <= _CANCEL_LENGTH:
                spans.append((start.start(), brace.end()))
    return sorted(spans)


def _blanked(text: str, spans: list[tuple[int, int]]) -> str:
    parts, at = [], 0
    for start, end in spans:
        if start >= at:
            parts += [text[at:start], " " * (end - start)]
            at = end
    return "".join([*parts, text[at:]])


def denied(text: str, start: int, end: int) -> bool:
    """Whether words right before or right behind ``text[start:end]`` deny it.

    >>> text = "The answer is not {1} but {2}"
    >>> denied(text, 18, 21), denied(text, 26, 29)
    (True, False)
    """
    return bool(_BEFORE.search(text[max(0, start - 90) : start]) or _BEHIND.match(text, end))


def alternative(text: str, start: int) -> str | None:
    """The text up to the answer to which the one that begins at ``start`` is joined by "or".

    >>> alternative("{1} or {2}", 7)
    '{1}'
    """
    match = _ALTERNATIVE.search(text[max(0, start - 40) : start])
    if match is None:
        return None
    return text[: max(0, start - 40) + match.start()].rstrip(_BETWEEN)


def given_up(text: str) -> bool:
    """Whether a response ends with words that its answer is wrong and that it has no other.

    >>> given_up("13. Wait, that is wrong. I cannot determine it.")
    True
    """
    return bool(_GIVEN_UP.search(text[-_TAIL:]))
