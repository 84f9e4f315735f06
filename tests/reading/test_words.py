"""Every phrase of every table does what its meaning says, and its harmless neighbor does not."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import islice

import pytest

import xlgo_metric as xm
from tests.looping import looped
from xlgo_metric.reading import answers, values

from ..clock import processor_seconds
from .corpora import ALIKE, KINDS, PHRASES, phrase_cases

MOST_PHRASES = 60
BOX, OTHER = "$\\boxed{20}$", "$\\boxed{28}$"


def read(text: str, language: str, kind: str = "number") -> tuple[str | None, str]:
    found = xm.extract_answer(text, kind, language)
    return found.answer, found.status


def phrases(place: str) -> Iterator[tuple[str, str]]:
    return ((code, text) for code, _, text in numbered(place))


def numbered(place: str) -> Iterator[tuple[str, int, str]]:
    """Every spelling of every phrase of a place, with its number in the place."""
    for code in values.codes():
        for number, phrase in enumerate(values.table(code)[place]):
            yield from ((code, number, text) for text in values.spellings(phrase))


def test_tables_are_of_equal_depth() -> None:
    tables = {
        code: json.loads((values.FOLDER / f"{code}.json").read_text("utf-8"))
        for code in values.codes()
    }
    for code, loaded in tables.items():
        assert (loaded.pop("code"), bool(loaded.pop("name"))) == (code, True)
        assert list(loaded) == list(values.PLACES)
        marks = [
            [phrase[-1] == ":" for phrase in of]
            for of in (loaded["retractions"], values.RETRACTIONS)
        ]
        assert marks[0] == marks[1]
        assert all(len({*words}) == len(words) for words in loaded.values()), code
    sizes = [sum(map(len, loaded.values())) for loaded in tables.values()]
    assert (len(sizes), len(values.RETRACTIONS)) == (40, 12)
    assert len(values.PLACES) <= 14
    assert max(sizes) <= min(MOST_PHRASES, 2 * min(sizes))


@looped(("language", "number", "phrase"), numbered("retractions"))
def test_a_retraction_takes_back_what_stands_before_it(
    language: str, number: int, phrase: str
) -> None:
    said = phrase.removesuffix("*")
    whole = f"{said} x 9" if said.endswith(":") else said  # a correction says something
    for text in (f"{BOX}\n{whole}.", f"{BOX}. {whole.capitalize()}!", f"Answer: 20.\n\n{whole}"):
        assert read(text, language) == (None, "bad_format"), text
    assert read(f"{BOX}\n{whole}. {OTHER}", language) == ("28", "answered")
    # Its neighbors: the beginning of a longer sentence, its end, before the answer, far behind it,
    # in thinking.
    far = "The steps are repeated once more, one after the other. " * 5
    gap = "" if language in ("th", "km") else " "
    for text in (
        *([f"{BOX}\n{said}{gap}xyzxyzxyzx xyz."] if number in (1, *values.CLAUSES) else []),
        f"{BOX} xyz{gap}{whole}",
        f"{whole}. {BOX}",
        f"{BOX}. {far}{whole}",
        f"<think>{OTHER} {whole}.</think>{BOX}",
    ):
        assert read(text, language) == ("20", "answered"), text


@looped(
    ("language", "sentence"),
    [
        ("en", "Wait, no need to say more."), ("en", "Correction: none needed."),
        ("ar", "هذا خطأ شائع."), ("es", "Espera, no hace falta más."),
        ("de", "Das ist falsch nur bei längeren Wegen."), ("fr", "Correction: aucune."),
        ("ru", "Это не так сложно."), ("tr", "Bu yanlış yolu seçmedim."),
        ("zh", "更正：无。"), ("hi", "सुधार: कोई नहीं।"),
        ("id", "Itu salah satu cara."), ("vi", "Khoan, không phải nói thêm."),
        ("en", "I made a mistake in step 2 and fixed it."), ("es", "Cometí un error en el paso 2."),
        ("de", "Ich habe einen Fehler gemacht und ihn in Schritt 3 behoben."),
        ("en", "I was wrong about step 2."),
    ],
)  # fmt: skip
def test_a_longer_sentence_that_begins_so_takes_nothing_back(language: str, sentence: str) -> None:
    assert read(f"{BOX}\n{sentence}", language) == ("20", "answered")


# "That is not wrong", "I made no mistake": in many languages a retraction and a negation beside it.
NOT_TAKEN_BACK = {
    "en": "That is not wrong.", "bn": "এটা ভুল নয়।", "es": "No cometí un error.",
    "he": "לא טעיתי.", "ja": "この答えは間違っていません。", "kn": "ಇದು ತಪ್ಪು ಅಲ್ಲ.",
    "pl": "Nie popełniłem błędu.", "pt": "Não cometi um erro.", "ta": "இது தவறு அல்ல.",
    "te": "ఇది తప్పు కాదు.", "tr": "Bu yanlış değil.", "uz": "Bu xato emas.",
}  # fmt: skip


@looped("language", NOT_TAKEN_BACK)
def test_a_retraction_that_a_negation_touches_takes_nothing_back(language: str) -> None:
    sentence = NOT_TAKEN_BACK[language]
    assert read(f"{BOX}\n\n{sentence}", language) == ("20", "answered")
    assert read(f"Answer: 20\n\n{sentence}", language) == ("20", "answered")


RULES = [
    ("not_before", "x {} {box}", None), ("not_before", "{box}, {} {other}", "20"),
    ("not_before", "{other} {}: x {box}", "20"),
    ("not_behind", "x {box} {}.", None), ("not_behind", "{box}. x {other} {}.", "20"),
    ("answer", "x 7 y.\n{}: 20", "20"), ("answer", "x 7 y.\n**{}:** 20.", "20"),
    ("answer", "x 7\n### {}\n\n20", "20"),
    ("answer", "x 7 y {}.", None),  # never a value before it
    ("so", "Albert 12, {} Cedric 20.", "20"), ("so", "Albert 12. Cedric 20 {}", None),
    ("join", "{box} {} {other}", None), ("join", "{box} {} {box}", "20"),
    ("join", "{other} {} x. {box}", "20"),
    ("placeholder", "{box}\n\\boxed{{{}}}", "20"),
    ("question", "{box}\n\n{}: x\n{other}", "20"), ("question", "{}: x\n{box}", "20"),
    ("question", "{other}\nx {}: y\n{box}", "20"),
    ("bound_before", "Answer: {} 20", None), ("bound_before", "Answer: 20\n\n{} 28", "20"),
    ("bound_behind", "Answer: 20 {}", None), ("bound_behind", "Answer: 20\n\n28 {}", "20"),
]  # fmt: skip
"""Of each place of the tables what a text with a phrase of it answers."""


@looped(("place", "text", "answer"), RULES)
def test_every_phrase_does_what_its_place_says(place: str, text: str, answer: str | None) -> None:
    for language, phrase in phrases(place):
        written = text.format(phrase.removesuffix("*"), box=BOX, other=OTHER)
        expected = answer, "answered" if answer else "bad_format"
        assert read(written, language) == expected, (language, written)


@looped("language", values.codes())
def test_the_letters_of_a_language_name_options(language: str) -> None:
    for mark, letter in zip(values.table(language)["letters"], "ABCD"):
        options = "".join(f"{each}. x\n" for each in values.table(language)["letters"])
        found = xm.extract_answer(f"{options}\nAnswer: {mark}.", "choice", language)
        assert found.answer == letter, mark
    assert xm.extract_answer("Answer: B.", "choice", language).answer == "B"


@looped("language", values.codes())
def test_phrases_stand_as_people_write_them(language: str) -> None:
    for place, words in values.table(language).items():
        for phrase in words:
            assert phrase == phrase.strip()
            assert not re.search(r"[()\[\]{}|\\?+]|\s\s|\.\.\.", phrase), (place, phrase)


FORM = {
    "slt": {"chain": [3, -2, 7]},
    "dsa": {"state": "V9935"},
    "prdsa": {"states": [f"{letter}1234" for letter in "ABCDEFGH"]},
    "graph_sp": {"path": ["H4657", "U2824", "V9935"]},
    "t_rank": {"ranking": ["H4657", "U2824", "V9935"]},
}
# Ordinary sentences beside an answer, none of which is about whether it is right.
ORDINARY = (
    "Here is the JSON object in the requested output format:",
    "Following the template in the prompt:",
    "This path avoids all wrong turns.",
    "Note that I discard longer paths.",
    "I double-checked this for mistakes and could not find any.",
    "The other routes do not reach the goal.",
    "There is no shorter way.",
    "I have rejected every transition that is not allowed.",
    "A first draft of the table is above.",
    "If a step were left out, the result would differ.",
    "Initially the merchant has 3 coins.",
    "Many people forget the last step.",
    "It should be noted that order matters.",
    "No further output follows.",
    "Thanks for the interesting question!",
    "Each step is listed in the table above.",
    "The answer follows from the rules in the prompt.",
    "I solved the puzzle step by step.",
    "Please let me know if you need the steps.",
    "As requested, only the JSON object is given.",
    "This is the shortest of all the routes I tried.",
    "The wrong turns were left out.",
    "No rule was broken on the way.",
    "At no point does the path cross itself.",
    "A mistake in an early step would change everything.",
    "I made no assumptions beyond the prompt.",
    "It is not necessary to visit every room.",
    "Wait times between steps play no role.",
    "Correct me if I misread the rules.",
    "One could also start from the end.",
    "The example in the prompt has a different answer.",
    "You can check this by hand.",
    "Every transition is used at most once.",
    "There were at least two candidates in the first step.",
    "The first candidate failed, so it was dropped.",
    "Ignoring the colors makes the task easier.",
    "I took back each move that led nowhere.",
    "Sorry for the long explanation.",
    "Actually, the order of the rules is irrelevant.",
    "But the order of the players matters.",
    "I was wrong about one edge while exploring and fixed it.",
    "That is not an obvious result.",
    "This is incorrect reasoning in many textbooks.",
    "If anything is unclear, ask again.",
    "The final state is reached after all moves.",
    "Unlike the sample, this instance has a unique solution.",
    "It would be a mistake to stop earlier.",
    "Let me restate the question in my own words.",
    "Therefore the search can stop here.",
    "All other options were ruled out.",
    "Nothing else is needed.",
    "I made a mistake in the first draft of the table and corrected it.",
    "Here is my answer in the required format.",
    "Hopefully this helps!",
)
LEAD_INS = {
    "en": "Here is the JSON object in the requested output format:",
    "de": "Hier ist das JSON-Objekt im gewünschten Ausgabeformat:",
    "fr": "Voici l'objet JSON au format de sortie demandé :",
    "es": "Aquí está el objeto JSON en el formato de salida solicitado:",
    "pt": "Aqui está o objeto JSON no formato de saída solicitado:",
    "it": "Ecco l'oggetto JSON nel formato di output richiesto:",
    "ru": "Вот объект JSON в требуемом формате вывода:",
    "uk": "Ось об'єкт JSON у потрібному форматі виводу:",
    "pl": "Oto obiekt JSON w wymaganym formacie wyjściowym:",
    "tr": "İstenen çıktı biçiminde JSON nesnesi şöyle:",
    "id": "Berikut objek JSON dalam format keluaran yang diminta:",
    "vi": "Đây là đối tượng JSON theo định dạng đầu ra được yêu cầu:",
    "sw": "Hiki hapa kitu cha JSON katika muundo wa matokeo ulioombwa:",
    "zh": "以下是符合要求输出格式的JSON对象：",
    "ja": "以下は指定された出力形式のJSONオブジェクトです：",
    "ko": "다음은 요청된 출력 형식의 JSON 객체입니다:",
    "hi": "यहाँ अनुरोधित आउटपुट प्रारूप में JSON ऑब्जेक्ट है:",
    "bn": "এখানে অনুরোধ করা আউটপুট ফরম্যাটে JSON অবজেক্ট রয়েছে:",
    "ar": "إليك كائن JSON بتنسيق الإخراج المطلوب:",
    "th": "นี่คือออบเจกต์ JSON ในรูปแบบผลลัพธ์ที่ต้องการ:",
}


@looped("sentence", ORDINARY)
@looped("task", FORM)
def test_an_ordinary_sentence_changes_no_answer(task: str, sentence: str) -> None:
    assert len(ORDINARY) == 54
    form, reference = json.dumps(FORM[task]), {"task": task, "answer": FORM[task]}
    for text in (f"{sentence}\n{form}", f"{form}\n\n{sentence}", f"{sentence} {form}\n{sentence}"):
        for language in ("en", *values.codes()[ORDINARY.index(sentence) % 8 :: 8]):
            assert xm.grade(text, reference | {"language": language}).correct, (text, language)


@looped("language", LEAD_INS)
def test_a_lead_in_changes_no_answer(language: str) -> None:
    for task, answer in FORM.items():
        reference = {"task": task, "answer": answer, "language": language}
        assert xm.grade(f"{LEAD_INS[language]}\n\n{json.dumps(answer)}", reference).correct


NUMBERS = [
    ("\\boxed{18}", "18", "answered"),
    ("\\boxed{18} or \\boxed{20}", None, "bad_format"),
    ("\\boxed{18}, \\boxed{18}", "18", "answered"),
    ("\\boxed{18}. Wait, no. \\boxed{20}", "20", "answered"),
    ("\\boxed{18}. Wait, no.", None, "bad_format"),
    ("not \\boxed{18} but \\boxed{20}", "20", "answered"),
    ("\\boxed{20}, not \\boxed{18}", "20", "answered"),
    ("\\boxed{20} not \\boxed{18}", "20", "answered"),
    ("~~\\boxed{18}~~", None, "bad_format"),
    ("~~\\boxed{18}~~ \\boxed{20}", "20", "answered"),
    ("\\boxed{your answer}", None, "no_answer"),
    ("\\boxed{Yes}", None, "bad_format"),
    ("Answer: 20. \\boxed{Yes}", None, "bad_format"),
    ("\\boxed{18", None, "truncated"),
    ("\\boxed{60\\%}", "60", "answered"),
    ("\\boxed{\\$1{,}234.50}", "1234.5", "answered"),
    ("\\boxed{x = \\frac{3}{4}}", "0.75", "answered"),
    ("\\boxed{3 \\times 6 = 18}", "18", "answered"),
    ("\\boxed{5\\text{ per 2 days}}", "5", "answered"),
    ("\\boxed{5!}", None, "bad_format"),
    ("\\boxed{> 18}", None, "bad_format"),
    ("\\boxed{not 18}", None, "bad_format"),
    ("\\boxed{at least 18}", None, "bad_format"),
    ("\\boxed{20} <s>\\boxed{18}</s>", "20", "answered"),
    ("```diff\n+ \\boxed{20}\n- \\boxed{18}\n```", "20", "answered"),
    ("\\boxed{١٫٢٣٤}", "1.234", "answered"),
    ("18<|im_end|>", "18", "answered"),
    ("\\boxed{১৮ টাকা}", "18", "answered"),
    ("<think>\\boxed{18}</think>\\boxed{20}", "20", "answered"),
    ("<think>\\boxed{18}</think>It has 5 steps.", None, "bad_format"),
    ("<think>so \\boxed{18}</think>", "18", "answered"),
    ("<think>Final Answer: \\boxed{18}", "18", "answered"),
    ("<think>\\boxed{18} " + "and so on " * 60, None, "truncated"),
    ("<think>It is 18", None, "truncated"),
    ("<think>Long.\nFinal Answer: 18", "18", "answered"),
    ("<|im_start|>think\n\\boxed{18}\n<|im_start|>answer\n\\boxed{20}", "20", "answered"),
    ("The answer is 18.", "18", "answered"),
    ("The final answer for 3 people is 18.", None, "bad_format"),
    ("The answer is 18, because 5 + 13 = 18.", "18", "answered"),
    ("The answer is 18 or 20.", None, "bad_format"),
    ("Answer: 18 or 20", None, "bad_format"),
    ("The answer is at least 18.", None, "bad_format"),
    ("The answer is not 18, but 20.", "20", "answered"),
    ("### Answer\n\n18 eggs", "18", "answered"),
    ("First 3 eggs, then **18**.", "18", "answered"),
    ("There are 3 of 5.\n18", "18", "answered"),
    ("Albert has 12, so Cedric has 22.", "22", "answered"),
    ("Albert has 22, so Cedric has 30.", "30", "answered"),
    ("Cedric has 22 carrots.", None, "bad_format"),
    ("22 is the answer.", None, "bad_format"),
    ("The final answer is 22. Wait, no.", None, "bad_format"),
    (r"\boxed{5千克}", "5", "answered"),
    (r"\boxed{5千}", "5000", "answered"),
    ("I do not know.", None, "no_answer"),
    ("", None, "no_answer"),
    ("18\n\nQuestion: What is 4 + 5?\nAnswer: 9", "18", "answered"),
    ("Answer: 1/2", "0.5", "answered"),
    ("The answer is 1 1/2 cups.", "1.5", "answered"),
    ("The answer is $-\\frac{3}{4}$.", "-0.75", "answered"),
    ("\\boxed{- \\frac{1}{2}}", "-0.5", "answered"),
    ("16 - \\frac{1}{2}", None, "bad_format"),
    ("Answer: -3/4", "-0.75", "answered"),
    ("Answer: -1 1/2", "-1.5", "answered"),
    ("\\boxed{\u22122468/2}", "-1234", "answered"),
    ("The answer is 1/2 or 3/4.", None, "bad_format"),
    ("3/4", "0.75", "answered"),
    ("The answer is 5/6/2020.", None, "bad_format"),
    ("Answer: 18.\n" + "and so on " * 2_100, None, "bad_format"),
    ("and so on " * 2_100 + "\nAnswer: 18.", "18", "answered"),
]
CHOICES = [
    ("B", "B", "answered"),
    ("(B) its text", "B", "answered"),
    ("The correct answer is **B. its text**.", "B", "answered"),
    ("\\boxed{\\text{B}}", "B", "answered"),
    ("<answer>B</answer>", "B", "answered"),
    ("\\boxed{b}", "B", "answered"),
    ("\\boxed{not B}", None, "bad_format"),
    ("\\boxed{B or C}", None, "bad_format"),
    ("The answer is \uff22.", "B", "answered"),  # full width
    ("正解はCです。", "C", "answered"),
    ("The answer is A and D.", None, "bad_format"),
    ("None of the options A through D.", None, "bad_format"),
    ("A good question. The answer is a U.S.C. rule: D.", "D", "answered"),
    ("A. x\nB. y\nTherefore the right one is B.", "B", "answered"),
    ("I cannot say.", None, "no_answer"),
    ("A. x\nB. y\nC. z\n\nIt is:\n\nB. y\n\nThis fits.", "B", "answered"),
    ("The answers:\n\nB. y\n\nC. z\n", None, "bad_format"),
    ("The answer is B. Although answer D is common, it is wrong.", "B", "answered"),
    ("The answer is B. It is no single answer (option D).", "B", "answered"),
    ("So none of the answers A. 1, B. 2 or C. 3 is right.", None, "bad_format"),
    ("I choose Option A because it fits.", "A", "answered"),
    ("A good question.", None, "bad_format"),
]
# A point groups digits where a comma is the decimal mark: in English, and in German.
POINTS = [("1.234", "1.234", "1234"), ("1,234", "1234", "1234"), ("1.234,5", "1234.5", "1234.5"),
     ("1,5", "1.5", "1.5"), ("0,375", "0.375", "0.375"), ("1234,567", "1234.567", "1234.567"),
     ("12.345.678", "12345678", "12345678")]  # fmt: skip
SAYS_22 = {
    "en": "Cedric has 22 carrots.", "de": "Cedric hat 22 Karotten.", "sw": "Cedric ana karoti 22.",
    "yo": "Cedric ní kárọ́ọ̀tì 22.", "ha": "Cedric yana da karas 22.", "hi": "सेड्रिक के पास 22 गाजर हैं।",
    "ja": "セドリックはニンジンを22本持っています。", "zh": "塞德里克有22根胡萝卜。",
    "ar": "لدى سيدريك 22 جزرة.", "tr": "Cedric'in 22 havucu var.", "he": "לסדריק יש 22 גזרים.",
    "th": "เซดริกมีแครอท 22 หัว", "ta": "செட்ரிக்கிடம் 22 கேரட்டுகள் உள்ளன.", "ru": "У Седрика 22 моркови.",
}  # fmt: skip
"""Sentences that say nothing of an answer."""


@looped(
    ("text", "language", "kind", "answer", "status"),
    [
        *((text, "en", "number", answer, status) for text, answer, status in NUMBERS),
        *((text, "en", "choice", answer, status) for text, answer, status in CHOICES),
        *((f"\\boxed{{{text}}}", "en", "number", answer, "answered") for text, answer, _ in POINTS),
        *((f"\\boxed{{{text}}}", "de", "number", answer, "answered") for text, _, answer in POINTS),
        *((text, language, "number", None, "bad_format") for language, text in SAYS_22.items()),
        # A hyphen behind a prefix is no sign.
        ("התשובה שווה ל-26", "he", "number", "26", "answered"),
        ("The answer is -26.", "en", "number", "-26", "answered"),
        ("Cevap B'dir.", "tr", "choice", "B", "answered"),
    ],
)
def test_numbers_and_choices(
    text: str, language: str, kind: str, answer: str | None, status: str
) -> None:
    assert read(text, language, kind) == (answer, status)


@pytest.mark.parametrize(
    ("kind", "text", "answer"),
    [
        ("box", "\\boxed{a} \n\n so \\boxed{b c}", "b c"),
        ("bracket", "[[A]] no: [[[1, 2], [3]]]", "[1, 2], [3]"),
        ("tag", "<answer> B </answer>", "B"),
        ("hash", "It is #20#.", "20"),
        ("list", "[x] [3, 4]", "3, 4"),
    ],
)
def test_forms(kind: str, text: str, answer: str) -> None:
    assert xm.extract_answer(text, kind).answer == answer
    assert kind in answers.FORMS


HOSTILE = (
    "{", '{"state": ', '{"a":[', "[[", "[[1]] ", "\\boxed{", "\\boxed{5} ", "not \\boxed{5} ",
    "<answer>",
    "<think>", "~~a", "<del>", "not {",
    " or {", "<s>", "\\cancel{", "answer is ", "answer: 5\n", "so 5 ", "**B** ", "B\n",
    "Question: 5\n", "#1", "1,", "9", " ", "\n", "\\", "উত্তর ", "wait, no ", "𝟗", "İ",
)  # fmt: skip


@looped("piece", HOSTILE)
def test_a_quarter_of_a_million_characters_takes_a_second(piece: str) -> None:
    text = piece * (250_000 // len(piece))
    kind = ("number", "choice", "bracket")[HOSTILE.index(piece) % 3]
    with processor_seconds(1):
        xm.extract_answer(text, kind, "bn")
    with processor_seconds(1):
        xm.grade(text, {"task": "dsa", "answer": {"state": "E2679"}})


@pytest.mark.parametrize(
    ("response", "language", "answer"),
    [
        ("The correct answers are **A. red** and **D. blue**.", "en", None),
        ("最も適切な答えは「A. 赤」と「D. 青」です。", "ja", None),
        ("La bonne réponse est C. à la fois A et B.", "fr", "C"),
        ("The answer is B. red\n\nA. is a color of the sky.", "en", "B"),
        ("The correct answer is A. red and blue.", "en", "A"),
        ("তাই এটি সবচেয়ে ভালো তর্ক।", "bn", None),  # the letter ক ends a word
    ],
)
def test_an_option_with_its_text_beside_another(response, language, answer):
    assert xm.extract_answer(response, "choice", language).answer == answer


# One style of answer gets one status in every language, for every task whose answers are read.
#
# Styles that do not get one status stand in ``KNOWN``, with the languages and the reason.


@looped("task", KINDS)
def test_of_invented_wordings_few_are_read_otherwise(task: str) -> None:
    """They are no evidence of how models answer, and no rule is there for them alone."""
    kind = KINDS[task]
    expected = {style["id"]: style["expected"] for style in PHRASES["styles"]}
    alike = ALIKE.get(kind.phrases, kind.phrases)
    statuses: Counter[bool] = Counter()
    false = 0
    for style, _, code, text in islice(phrase_cases(task, whole=False), 0, None, 3):
        wanted = expected[style][alike]
        grade = xm.grade(text, kind.reference | {"language": code})
        statuses[grade.status == wanted] += 1
        false += grade.correct and wanted != "correct"
    assert statuses.total() > 20
    assert statuses[True] / statuses.total() > 0.85
    assert false / statuses.total() < 0.06


# The styles that do not get one status in every language, the languages that differ, and why.
KNOWN: dict[str, dict[str, set[str]]] = {
    "dsa": {},
    "proof_tree": {
        "could_prose": {"ko"},  # no comma parts the two values
        "nodoubt_prose": {"yo"},  # the value stands before its label
        # The word for answer is a verb that names the value, too: "the mistake is to answer 28".
        "prose_then_common": {"en", "ar", "zh", "vi", "ha", "pl"},
    },
}


@looped("task", KNOWN)
def test_a_style_gets_one_status_in_every_language(task: str) -> None:
    kind = KINDS[task]
    statuses: dict[str, dict[str, str]] = defaultdict(dict)
    for style, number, code, text in phrase_cases(task, whole=True):
        if number == 0:
            statuses[style][code] = xm.grade(text, kind.reference | {"language": code}).status
    differ: dict[str, set[str]] = {}
    for style, of_language in statuses.items():
        common = Counter(of_language.values()).most_common(1)[0][0]
        if others := {code for code, status in of_language.items() if status != common}:
            differ[re.sub("_(to_right|to_wrong|wrong|mirror)$", "", style)] = others
    assert len(statuses) > 120
    assert differ == KNOWN[task]
