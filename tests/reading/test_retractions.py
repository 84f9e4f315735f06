"""What takes an answer back behind it, and what does not, in words that no corpus has."""

from __future__ import annotations

import json

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
    "ha": "Na yi kuskure wajen lissafi.",
    "yo": "Mo ti ṣe àṣìṣe nínú ìṣirò náà.",
    "jv": "Ngapunten, aku salah ngetung mau.",
    "am": "በስህተት ቆጠርኩ፤ ይቅርታ።",
    "my": "ကျွန်တော် ရေတွက်မှားသွားပါတယ်။",
    "km": "ខ្ញុំបានធ្វើខុសក្នុងការរាប់។",
    "fil": "Nagkamali ako sa pagbilang.",
    "pa": "ਮੈਥੋਂ ਗਲਤੀ ਹੋ ਗਈ ਹੈ।",
    "gu": "મારાથી ગણતરીમાં ભૂલ થઈ ગઈ.",
    "kn": "ಎಣಿಕೆಯಲ್ಲಿ ನಾನು ತಪ್ಪು ಮಾಡಿದೆ.",
    "ml": "എണ്ണിയപ്പോൾ എനിക്ക് തെറ്റി.",
    "uz": "Men sanashda adashdim.",
    "uk": "Я помилився в підрахунку.",
    "pl": "Pomyliłam się przy liczeniu.",
    "fa": "در شمارش اشتباه کردم.",
    "he": "טעיתי בספירה.",
    "el": "Έκανα λάθος στο μέτρημα.",
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
    "uk": "Дехто помиляється в цьому місці.",
    "pl": "Może padać, a może świecić słońce.",
    "fil": "Hindi totoo na mahirap ang tanong.",
    "am": "ሁሉንም እንደገና አረጋግጫለሁ።",
    "fa": "پس از جمع کردن، حاصل همین است.",
    "jv": "Kabeh wis dakpriksa lan cocog.",
    "km": "ខ្ញុំបានពិនិត្យម្តងទៀត។",
    "gu": "આ પ્રશ્ન બાળકો માટે છે.",
}

# What others may answer, and what would have been: of 31, and of the answer itself.
OTHERS = {
    "en": "A hasty reader might answer {}, which would be wrong.",
    "de": "Manch einer sagt vielleicht {}, aber das stimmt nicht.",
    "es": "Un lector descuidado podría poner {}, lo cual sería incorrecto.",
    "fr": "Quelqu'un pourrait dire {}, ce qui serait faux.",
    "ru": "Кто-то сказал бы {}, но это неверно.",
    "zh": "粗心的读者可能会答{}，那就错了。",
    "ar": "قد يقول البعض {}، وهذا خطأ.",
    "tr": "Dikkatsiz bir okuyucu {} diyebilir, bu da yanlış olur.",
    "pl": "Ktoś mógłby powiedzieć {}, ale to nieprawda.",
}
WOULD = {
    "de": "Wäre ich unaufmerksam gewesen, hätte ich {} bekommen.",
    "fr": "Si j'avais mal compté, j'aurais trouvé {}.",
    "it": "Se avessi contato male, avrei trovato {}.",
    "tr": "Yanlış saysaydım {} bulurdum.",
    "pl": "Gdybym źle policzył, otrzymałbym {}.",
    "uk": "Якби я помилився, отримав би {}.",
    "bn": "ভুল গুনলে আমি {} পেতাম।",
}
ASKED = {
    "en": "Could it be {}? No, that does not fit.",
    "de": "Könnte es {} sein? Nein, das passt nicht.",
    "fr": "Serait-ce {} ? Non, cela ne convient pas.",
}


# A further try: it is dropped, and what stands before it stays if it is another.
TRIED = {
    "en": "Suppose the answer were {}. But that contradicts the third clue, so I discard it.",
    "de": "Angenommen, die Antwort wäre {}. Das widerspricht der dritten Regel, ich verwerfe es.",
    "es": "Supongamos que la respuesta fuera {}. Eso contradice la tercera regla y lo descarto.",
    "ru": "Допустим, ответ {}. Но это противоречит третьему правилу, поэтому отбрасываю.",
}
UNDECIDED = {
    "en": "I cannot say which of the two is right.",
    "de": "Welche der beiden stimmt, kann ich nicht sagen.",
    "ko": "어느 쪽이 맞는지 말할 수 없습니다.",
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


@pytest.mark.parametrize(("language", "words"), [*OTHERS.items(), *ASKED.items()])
def test_what_is_called_wrong_is_the_value_of_its_sentence(language: str, words: str) -> None:
    assert status(language, words.format("31")) == "correct"


@pytest.mark.parametrize(("language", "words"), OTHERS.items())
def test_what_others_answer_is_no_answer(language: str, words: str) -> None:
    assert status(language, words.format("20")) == "bad_format"
    assert status(language, words.format("$\\boxed{31}$")) == "correct"
    assert alone(language, words) != "correct"


@pytest.mark.parametrize(("language", "words"), WOULD.items())
def test_what_would_have_been_is_no_answer(language: str, words: str) -> None:
    assert status(language, words.format("$\\boxed{31}$")) == "correct"
    assert alone(language, words) != "correct"


def alone(language: str, words: str) -> str:
    reference = {"family": "easy", "task": "proof_tree", "answer": {"number": 20}}
    text = words.format("$\\boxed{20}$")
    return grade(text, reference | {"language": language}).status


# In seven languages: what a sentence of doubt or an earlier try leaves as it is, and what not.
MADE_UP = {
    "en": "I may have made a mistake, but this is my best answer.",
    "de": "Ignoriere meinen ersten Versuch; das hier ist die endgültige Antwort.",
    "fr": "Je ne changerai pas ma réponse.",
    "tr": "Başta 3. adımda bir hata yaptım ama düzelttim.",
    "te": "నేను తప్పు చేసి ఉండవచ్చు, కానీ ఇది నా ఉత్తమ సమాధానం.",
    "zh": "我可能算错了，但这是我最好的答案。",
    "ko": "첫 번째 시도는 무시하세요. 이것이 최종 답입니다.",
}
REFUSED = {
    "en": "But this contradicts the second clue, so it can't be the answer.",
    "de": "Nein.",
    "es": "Eso contradice la segunda regla, así que no puede ser la respuesta.",
    "ru": "Нет.",
    "ja": "これは二番目の規則に反するので、答えではありえません。",
}
AGREED = {
    "en": "Some would say {}, and they are right.",
    "de": "Manche würden {} sagen, und sie haben recht.",
    "ru": "Кто-то сказал бы {}, и был бы прав.",
    "ja": "{}と言う人もいるでしょうが、その通りです。",
}
NO_ANSWER = {
    "en": "{} is what you get if you forget the last step.",
    "fr": "{} est ce qu'on obtient si on oublie la dernière étape.",
    "de": "Ohne die letzte Regel wäre die Antwort {}.",
    "tr": "{} cevabının doğru olduğunu düşünmüyorum.",
    "es": "¿{} o $\\boxed{{31}}$? No puedo decidir.",
}
LAST = {
    "en": "I think it's 20.",
    "de": "Es sieht nach 28 aus, aber tatsächlich ist es 20.",
    "hi": "मुझे लगता है कि यह 20 है।",
    "zh": "我的猜测：20",
    "vi": "Có lẽ là 20.",
    "it": "All'inizio pensavo 28, ma ricontrollando è 20.",
}
NOT_LAST = {
    "en": "It could be 28, but it could just as well be 20.",
    "id": "Kalau bukan 28, berarti 20.",
    "ko": "20라고 생각하지 않습니다.",
    "pt": "Pode ser 28, mas também pode muito bem ser 20.",
}


def test_what_makes_up_for_a_doubt_leaves_the_answer() -> None:
    assert {code: status(code, text) for code, text in MADE_UP.items()} == dict.fromkeys(
        MADE_UP, "correct"
    )
    assert {alone(code, text) for code, text in AGREED.items()} == {"correct"}


def test_a_refusal_or_a_condition_takes_it_back() -> None:
    assert {status(code, text) for code, text in REFUSED.items()} == {"bad_format"}
    assert "correct" not in {alone(code, text) for code, text in NO_ANSWER.items()}
    assert status("en", "Any mistakes? No.") == "correct"


def test_the_only_value_of_the_last_sentence_is_the_answer() -> None:
    reference = {"family": "easy", "task": "proof_tree", "answer": {"number": 20}}
    for code, text in LAST.items():
        assert grade(text, reference | {"language": code}).correct, text
    for code, text in NOT_LAST.items():
        assert not grade(text, reference | {"language": code}).correct, text
    assert grade("The answer is 20.\nConfidence: 95", reference | {"language": "en"}).correct


def test_a_further_try_that_is_dropped_leaves_another_answer() -> None:
    for code, text in TRIED.items():
        assert status(code, text.format("31")) == "correct", text
        assert status(code, text.format("20")) != "correct", text
    reference = {
        "family": "easy",
        "task": "logic_eval",
        "language": "en",
        "answer": {"choice": "C"},
    }
    text = "<answer>C</answer>\n\n- A) ✗ discarded\n- B) ✗ discarded\n- D) ✗ discarded"
    assert grade(text, reference).correct


def test_two_forms_of_which_none_is_chosen_are_no_answer() -> None:
    for code, text in UNDECIDED.items():
        for between in ("\n\n", "\n```\n```text\n"):
            both = f"$\\boxed{{31}}${between}$\\boxed{{20}}$\n\n"
            assert alone(code, f"{both.replace('{', '{{').replace('}', '}}')}{text}") != "correct"
            assert alone(code, both.replace("{", "{{").replace("}", "}}")) == "correct"


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("id", "Maaf, saya salah. Jawaban yang benar adalah U2824, H4657, V9935."),
        ("ms", "Maaf, saya silap. Jawapan yang betul ialah U2824, H4657, V9935."),
    ],
)
def test_the_same_names_in_another_order_are_another_answer(language: str, words: str) -> None:
    players = ["H4657", "U2824", "V9935"]
    reference = {"task": "t_rank", "answer": {"ranking": players}, "language": language}
    text = f'{{"ranking": {json.dumps(players)}}}\n'
    assert grade(text + words, reference).status == "bad_format"
    assert grade(text + words.replace("U2824, H4657", "H4657, U2824"), reference).correct


def test_katakan_supposes_in_both_languages_that_have_it() -> None:
    reference = {"family": "easy", "task": "proof_tree", "answer": {"number": 20}}
    for language, answer in (("id", "jawabannya"), ("ms", "jawapannya")):
        text = f"Katakan {answer} $\\boxed{{20}}$. Maka baris kedua salah."
        assert not grade(text, reference | {"language": language}).correct


def test_a_list_that_is_called_a_mistake_replaces_nothing() -> None:
    reference = {"task": "graph_sp", "answer": {"path": ["H4657", "U2824", "V9935"]}}
    text = '{"path": ["H4657", "U2824", "V9935"]}\n\n'
    for language, words in (
        ("ja", "ここでよくある間違いはH4657, K1111, V9935と答えることです。"),
        ("bn", "এখানে একটি সাধারণ ভুল হলো H4657, K1111, V9935 উত্তর দেওয়া।"),
        ("fa", "یک اشتباه رایج در اینجا این است که H4657, K1111, V9935 پاسخ داده شود."),
    ):
        assert grade(text + words, reference | {"language": language}).correct, language


def test_a_short_word_for_or_joins_answers_behind_a_comma() -> None:
    reference = {"family": "easy", "task": "proof_tree", "answer": {"number": 20}}
    text = "$\\boxed{20}$, ឬ $\\boxed{28}$? មិនអាចកំណត់."
    assert not grade(text, reference | {"language": "km"}).correct
