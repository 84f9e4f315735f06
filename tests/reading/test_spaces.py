"""Where a space ends a sentence: Thai answers get the verdict of the same answers elsewhere."""

from __future__ import annotations

import pytest

from xlgo_metric import grade
from xlgo_metric.reading.spaces import seen
from xlgo_metric.reading.tables import PLACES, plain, table

FORM, OTHER = "#20#", "#28#"
REFERENCE = {"family": "easy", "task": "char_count", "language": "th", "answer": {"counts": [20]}}


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (f"คำตอบคือ {FORM} ถ้ากฎข้อแรกต่างออกไป เราจะได้ {OTHER}", "correct"),
        (f"คำตอบคือ {FORM} หากไม่มีประโยคสุดท้ายของข้อความ ก็จะได้ {OTHER}", "correct"),
        (f"ถ้ากฎข้อแรกต่างออกไป จะได้ {OTHER} แต่กฎไม่ได้เป็นอย่างนั้น ดังนั้นคำตอบคือ {FORM}", "correct"),
        (f"ถ้ากฎนี้ใช้ได้ คำตอบคือ {FORM} ถ้ากฎนี้ใช้ไม่ได้ คำตอบคือ {OTHER}", "bad_format"),
        (f"คำตอบสุดท้ายคือ {FORM} ส่วนผลลัพธ์ระหว่างทางคือ {OTHER}", "correct"),
        (f"คำตอบของฉันคือ {FORM} ฉันไม่เชื่อว่าจะเป็น {OTHER}", "correct"),
        (f"{FORM} เพื่อนของฉันได้ {OTHER} เขาลืมขั้นตอนสุดท้าย", "correct"),
        (f"คำตอบของฉันคือ {FORM} ฉันไม่เชื่อว่าคำตอบนี้ผิด", "correct"),
        (f"ไม่ใช่ {OTHER} แต่เป็น {FORM} เงื่อนไขสุดท้ายเป็นตัวตัดสิน", "correct"),
        (f"{FORM} เมื่อคิดทบทวนแล้วคำตอบนี้ผิด ขอถอนคำตอบนี้", "bad_format"),
        (f"{FORM} ขอโทษค่ะ ดิฉันอ่านโจทย์ผิด ที่ถูกต้องเป็น 28 ค่ะ", "wrong"),
        (f"อาจเป็น {FORM} หรือ {OTHER} ฉันบอกไม่ได้ว่าข้อไหน", "bad_format"),
        (f"คำตอบคือ {FORM} เพราะถ้าเป็น {OTHER} เงื่อนไขที่สองก็จะไม่เป็นจริง", "correct"),
        (f"หลายคนตอบว่า {OTHER} แต่ถ้าอ่านให้ดีจะได้ {FORM}", "correct"),
        ("คำตอบคือ 20 ถ้าไม่มีกฎข้อสุดท้าย จะกลายเป็น 28", "correct"),
    ],
)
def test_a_space_before_a_new_sentence_ends_the_one_before(text: str, status: str) -> None:
    assert grade(text, REFERENCE).status == status


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("คำตอบคือ 20 ครับ ผมนับแล้ว", ["คำตอบคือ 20 ครับ", "ผมนับแล้ว"]),
        ("ดังนั้น คำตอบคือ 20", ["ดังนั้น คำตอบคือ 20"]),
        ("ฉันนับได้ 20 ครั้ง ในข้อความ", ["ฉันนับได้ 20 ครั้ง ในข้อความ"]),
        ("ถ้านับทั้งหมด เราได้ 28 เขาได้ 20", ["ถ้านับทั้งหมด,เราได้ 28", "เขาได้ 20"]),
        ("นับได้ 20 เพราะมีสองชุด", ["นับได้ 20,เพราะมีสองชุด"]),
        ("the answer is 20 so it is", ["the answer is 20 so it is"]),
    ],
)
def test_what_a_space_parts(text: str, parts: list[str]) -> None:
    assert seen(text) == plain("\n".join(parts))


def test_no_word_of_the_table_is_parted() -> None:
    words = [word for place in PLACES for word in table("th").words[place]]
    assert [word for word in words if seen(word) != word] == []
