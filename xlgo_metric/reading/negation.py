"""Whether a short text denies what it names: ``not E2679``, ``E2679ではない``, ``~~E2679~~``.

The words are those of the languages that puzzles are asked in and of their neighbours. A text with
such a word is no answer in any language, so the lists need no knowledge of the language of a text;
words that mean something harmless in another listed language are left out (``ni`` is "nor" in
Spanish and "is" in Swahili).
"""

from __future__ import annotations

import re

_WORDS = frozenset(
    """
    not never neither nor cannot except excluding wrong incorrect false unlike
    nunca jamás tampoco excepto salvo menos incorrecto falso
    si sio siyo sivyo hapana hakuna wala isipokuwa
    nicht kein keine keinen keinem keiner nie niemals weder außer falsch
    pas non jamais sauf aucun faux
    não nao nem exceto tranne mai
    bukan bukannya tidak tak jangan kecuali
    değil degil asla hariç yok
    không khong chẳng chưa trừ
    не нет ни никогда кроме неверно нельзя
    ليس ليست وليس وليست لا ولا لم لن غير سوى إلا خطأ مش مو
    نیست نه نمی بجز نہیں نہ مت سوائے
    नहीं नही न ना मत सिवाय गलत नाही नव्हे नको नसून
    না নয় নয় নেই ছাড়া ছাড়া ভুল
    ਨਹੀਂ ਨਾ
    안 못
    cancel xcancel bcancel sout strike neq ne neg lnot
    """.split()  # noqa: SIM905
)
# Where words are not parted by spaces, or where negation is part of the word before it.
_PARTS = re.compile(
    "n't|n’t|instead of|rather than|other than|(?:anything|everything|all|any) but"
    "|ない|なし|なく|ではな|じゃな|ません|以外|之外|違|否|不|非|没|沒|無|无|勿|莫|除|别|別の|错|錯|誤"
    "|아니|아닌|아님|아닙|아녜|않|없|제외|말고"
    "|ไม่|มิใช่|มิได้|ยกเว้น|นอกจาก|ผิด"
    "|அல்ல|இல்ல|கிடையாது|தவிர|தவறு"
    "|కాదు|లేదు|కాకుండా|తప్ప|ಅಲ್ಲ|ಇಲ್ಲ|မဟုတ်|မရှိ"
    r"|[≠≢≉¬⊘❌✗✘✖🚫⛔]|~~|!=|<>|=/=|=\\=|/=|\\not|<(?:s|del|strike)>|\n(?:eq?|ot|eg)\b|!\s?[\"']?(?=[A-Z]\d{4})"
    r"|\bneighbou?r(?:s|ing)?\b|\badjacent\b|\bnext to\b|\b(?:left|right) of\b|-(?:left|right)\b"
)
_NUMBER_MARK = re.compile(
    r"\bn[oº°]\s?[.:]|\b(?:room|node|player|person|id|number)\s+no\b|\bnº", re.IGNORECASE
)
_BREAKS = re.compile(r"[\s\d!-/:-@\[-`{-~।॥،؛؟、。，：（）「」『』“”‘’«»\u2010-\u2027…]+")
_IDENTIFIER = re.compile(r"[A-Z]\d{4}")


def denies(text: str) -> bool:
    """Whether a text, folded, holds a word or sign of negation.

    ``No.`` is read as "number". Takes time linear in the text.

    >>> denies("not E2679"), denies("Room No. E2679"), denies("E2679は答えではない")
    (True, False, True)
    """
    if _PARTS.search(text) or "\\ne" in text:
        return True
    words = _BREAKS.split(_IDENTIFIER.sub(" ", _NUMBER_MARK.sub(" ", text)).casefold())
    return "no" in words or not _WORDS.isdisjoint(words)
