"""The wording of the prompts and its version."""

import hashlib
from pathlib import Path

from xlgo_dataset.families.korbench import prompts
from xlgo_dataset.families.korbench import questions as korbench


def test_the_layout_of_a_question():
    text = prompts.WORDING
    for category in korbench.CATEGORIES:
        points = "\n".join(f"{n}. {x}" for n, x in enumerate(text["instructions"][category], 1))
        assert len(text["instructions"][category]) == 3
        assert prompts.question_prompt(
            category, " The rule.\n", "What?\n", examples=[("Which?", "[[1]]")], trick="Look. "
        ) == (
            f"{text['role'][category]}\n\n### Instructions:\n{points}\n\n"
            f"### {text['heading'][category]}:\nThe rule.\n\n"
            "### Question:\nWhich?\n\n### Answer:\n[[1]]\n\n"
            "### Question:\nWhat?\n\nHint: Look.\n\n### Answer:\n"
        )


def test_braces_in_rules_and_questions_stay():
    prompt = prompts.mixed_prompt(["{template} {0}"], ["{x|x<1}", "\\frac{a}{b}"])
    assert "\n{template} {0}\n" in prompt
    assert '{"question1": "[[your answer]]", "question2": "[[your answer]]"}' in prompt
    assert "1. {x|x<1}\n\n2. \\frac{a}{b}\n\n### Answer:\n" in prompt


def test_a_retry_says_that_the_answer_is_wrong_and_may_show_sentences_of_the_rule():
    plain = prompts.retry_message()
    assert "not correct" in plain
    assert prompts.retry_message(["One.", " Two. "]).split("\n")[1:] == [
        "- One.",
        "- Two.",
        "",
        plain,
    ]


def test_a_changed_wording_must_raise_the_version():
    file = Path(prompts.__file__).with_name("prompts.json")
    digest = hashlib.sha256(file.read_bytes()).hexdigest()[:12]
    assert prompts.VERSION == f"1-{digest}" == "1-96ea8222aac4"
    assert prompts.STOP in prompts.question_prompt("logic", "r", "q")
