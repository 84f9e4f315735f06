"""References and scripts that the grading tests share.

The five references are the instances that the paper prints (appendix C.3); its probabilistic
puzzle has five rooms only, so three more stand in for the rest of the eight.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from xlgo_metric.core import Grade
from xlgo_metric.families.xlgobench.grading import grade

CHAIN = [1, -2, 6, 6, -3, 7, 7, -9]
STATES = ["A5012", "U5506", "D5506", "U5012", "D5012", "A5506", "K5012", "K5506"]
PATH = ["H4657", "U2824", "H9279", "C4582", "W9928", "V9935"]
RANKING = ["V9935", "U2824", "E2679", "A5506", "H4657"]
EDGES = [
    ["W9928", "C4582"],
    ["C7912", "R4257"],
    ["H4657", "C7912"],
    ["H9279", "U2824"],
    ["U2824", "H4657"],
    ["A5506", "B1488"],
    ["W9928", "V9935"],
    ["T1434", "V9935"],
    ["B1488", "R4257"],
    ["E2679", "T1434"],
    ["E2679", "A5506"],
    ["H9279", "C4582"],
]
REFERENCES: dict[str, dict[str, Any]] = {
    "slt": {"task": "slt", "answer": {"chain": CHAIN}, "capital": 7},
    "dsa": {"task": "dsa", "answer": {"state": "V9935"}},
    "prdsa": {"task": "prdsa", "answer": {"states": STATES}},
    "graph_sp": {"task": "graph_sp", "answer": {"path": PATH}, "edges": EDGES},
    "t_rank": {"task": "t_rank", "answer": {"ranking": RANKING}},
}
TASKS = tuple(REFERENCES)
SHORT = {"task": "slt", "answer": {"chain": [1, -2, 6]}}
ROOM = REFERENCES["dsa"]
GOLDEN = json.loads((Path(__file__).parent / "golden.json").read_text("utf-8"))
"""Situations by language."""


def short(text: str | None) -> Grade:
    """The grade of an answer to the short reference."""
    return grade(text, SHORT)


def oracle(task: str) -> str:
    """The right answer exactly as it is asked for."""
    return json.dumps(REFERENCES[task]["answer"])


@dataclass(frozen=True)
class Script:
    """How a language writes: its words for room and player, digit zero, marks and quotes."""

    room: str
    player: str
    zero: str = "0"
    comma: str = ", "
    colon: str = ": "
    quotes: str = "“”"
    suffix: str = ""
    prose: str = ""

    @property
    def glue(self) -> str:
        """What parts a room's word from its identifier at least: no Latin letter may touch it."""
        return " " if "a" <= self.room[-1] <= "z" else ""

    def digits(self, text: str) -> str:
        """The text with the digits of the script."""
        return text.translate({ord("0") + d: chr(ord(self.zero) + d) for d in range(10)})


SCRIPTS: dict[str, Script] = {
    "en": Script("Room", "Player", prose="The final answer is", suffix=","),
    "ar": Script("غرفة", "لاعب", "٠", "، ", suffix="ـه", prose="الإجابة النهائية هي"),
    "hi": Script("कमरा", "खिलाड़ी", "०", suffix="में", prose="अंतिम उत्तर है"),
    "ja": Script("部屋", "プレイヤー", "０", "、", "：", "「」", "です", "最終的な答えは"),
    "ta": Script("அறை", "வீரர்", "௦", suffix="ஐ", prose="இறுதி விடை"),
    "te": Script("గది", "ప్లేయర్", "౦", suffix="లో", prose="తుది సమాధానం"),
    "zh": Script("房间", "选手", "０", "，", "：", suffix="里", prose="最终答案是"),
    "bn": Script("ঘর", "খেলোয়াড়", "০", suffix="এ", prose="চূড়ান্ত উত্তর হল"),
    "th": Script("ห้อง", "ผู้เล่น", "๐", suffix="ครับ", prose="คำตอบสุดท้ายคือ"),
    "ru": Script("Комната", "Игрок", quotes="«»", suffix="-я", prose="Окончательный ответ"),
    "ko": Script("방", "선수", suffix="에", prose="최종 답은"),
    "sw": Script("Chumba", "Mchezaji", suffix="-ni", prose="Jibu la mwisho ni"),
    "es": Script("Habitación", "Jugador", quotes="«»", suffix=".", prose="La respuesta final es"),
    "fa": Script("اتاق", "بازیکن", "۰", "، ", quotes="«»", suffix="‌ها", prose="پاسخ نهایی"),
    "ur": Script("کمرہ", "کھلاڑی", "۰", "، ", suffix="میں", prose="آخری جواب"),
    "mr": Script("खोली", "खेळाडू", "०", suffix="मध्ये", prose="अंतिम उत्तर"),
    "pa": Script("ਕਮਰਾ", "ਖਿਡਾਰੀ", "੦", suffix="ਵਿੱਚ", prose="ਅੰਤਿਮ ਜਵਾਬ"),
    "kn": Script("ಕೋಣೆ", "ಆಟಗಾರ", "೦", suffix="ಗೆ", prose="ಅಂತಿಮ ಉತ್ತರ"),
    "my": Script("အခန်း", "ကစားသမား", "၀", suffix="မှာ", prose="နောက်ဆုံးအဖြေ"),
}
