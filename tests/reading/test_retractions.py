"""What takes an answer back behind it, and what does not, in words that no corpus has."""

from __future__ import annotations

import pytest

from xlgo_metric import grade

BACK = {
    "en": "Never mind, I got that wrong.",
    "de": "Ich muss meine Antwort korrigieren.",
    "es": "Me he confundido al contar.",
    "fr": "Je dois rectifier ma réponse.",
    "it": "Mi sono confuso con i numeri.",
    "pt": "Preciso corrigir a minha resposta.",
    "ru": "Я всё перепутал.",
    "tr": "Bir şeyi yanlış hesapladım.",
    "ar": "لقد خلطت بين الأرقام.",
    "hi": "मुझसे चूक हो गई।",
    "ur": "مجھ سے بھول ہو گئی۔",
    "bn": "আমি গুলিয়ে ফেলেছি।",
    "mr": "माझी गल्लत झाली.",
    "te": "నేను తప్పుగా లెక్కించాను.",
    "ta": "நான் குழப்பிவிட்டேன்.",
    "ja": "数え間違えました。",
    "zh": "我刚才数错了。",
    "ko": "제가 착각했습니다.",
    "id": "Saya perlu mengoreksi jawaban ini.",
    "ms": "Saya terkeliru tadi; saya perlu membetulkan jawapan ini.",
    "sw": "Nimechanganya mambo.",
    "th": "ฉันนับผิดไป",
    "vi": "Tôi đếm nhầm rồi.",
}
STANDS = {
    "en": "Many people got confused here and said 15, but I did not overlook anything.",
    "de": "Ich habe alles geprüft und nichts übersehen.",
    "es": "Las demás opciones no valen.",
    "fr": "Les rayons des deux cercles sont égaux.",
    "ko": "실수가 있는지 살펴보았지만 없었습니다.",
    "zh": "我又计算了一遍，结果一样。",
    "vi": "Sau khi bỏ đi 3 quả thì còn 20 quả.",
    "ru": "Число 20 действительное.",
    "tr": "Şimdi grafiği çizelim.",
    "th": "หลายคนอ่านผิด",
    "ja": "見落としはありません。",
}


def status(language: str, behind: str) -> str:
    reference = {"family": "easy", "task": "proof_tree", "answer": {"number": 20}}
    return grade(f"$\\boxed{{20}}$\n\n{behind}", reference | {"language": language}).status


@pytest.mark.parametrize("language", BACK)
def test_a_retraction_takes_the_answer_back(language: str) -> None:
    assert status(language, BACK[language]) == "bad_format"


@pytest.mark.parametrize("language", STANDS)
def test_an_innocent_sentence_takes_nothing_back(language: str) -> None:
    assert status(language, STANDS[language]) == "correct"
