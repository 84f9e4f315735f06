"""Labels of reports: tasks, languages, statuses, and the meaning of numbers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import xlgo_dataset as xd
from xlgo_dataset import TaskLabels

ENGLISH = "en"

STATUSES: dict[str, tuple[str, str]] = {
    "correct": ("correct", "the correct answer"),
    "wrong": ("wrong", "a well-formed answer that is incorrect"),
    "no_answer": ("no answer", "no answer was found"),
    "bad_format": ("bad format", "an answer is there but unparsable"),
    "truncated": ("truncated", "the output stopped before its end"),
    "needs_judge": ("to be judged", "a judge must decide; not counted until then"),
}
"""Each status: its name in a report, and what it means."""

WORDINGS: dict[str, str] = {
    "native-written": "native-written",
    "audited": "audited",
    "edited": "edited",
    "machine-written": "machine-written, not audited",
}
"""Who wrote and read a wording (docs/languages.md), as a report says it."""

GLOSSARY: tuple[tuple[str, str], ...] = (
    (
        "Difference",
        "Accuracy in English minus accuracy in the language on the same questions, in percentage "
        "points: the mean over sizes, each alike. +18 means that of 100 puzzles the model solves "
        "18 more when they are asked in English. Negative: it solves more in the language.",
    ),
    (
        "Marks",
        "● significant at 5%: 0 lies outside the 95% interval. One paired procedure makes both, "
        "for all gaps of the table together. † the wording of the language may cause the gap. "
        "○ beside an SMD: above 1.96 standard deviations, the published rule, which tests each gap "
        "by itself; of many gaps it flags a few by chance.",
    ),
    (
        "SMD (signed max divergence)",
        "Accuracy falls as puzzles grow, in every language. SMD is the difference between the "
        "fitted curves of English and the language at the size where it is largest, in percentage "
        "points. It is the largest gap, not the average one. As the largest of many differences it "
        "is never 0, so a number without a mark is no evidence of a gap.",
    ),
    (
        "c*",
        "The puzzle size (complexity) with the largest gap between the two curves, and the "
        "accuracy of both languages there.",
    ),
    (
        "± (standard deviation)",
        "How far a number would vary with other questions: the standard deviation over 300 refits "
        "of the curve to accuracies drawn from their Beta posterior.",
    ),
    (
        "AvgAcc",
        "The mean of the fitted curve over the range of sizes.",
    ),
    (
        "No number (–)",
        "There is no SMD if the answers do not identify a curve, if almost all or almost none are "
        "correct in both languages, if there are fewer than about 30 questions a size, or if the "
        "exact limits of no size allow so large a gap.",
    ),
    (
        "Informative levels",
        "Sizes at which both languages together are 10% to 90% correct; if there are none, the "
        "sizes next to the drop. They are chosen without regard to which language is ahead. "
        "Sentences that quote sizes count answers at these levels.",
    ),
    (
        "RD (reciprocal divergence)",
        "The largest lead, at any other size, of the language that is behind at c*. Near 0, one "
        "language leads throughout. Well below 0, the curves cross. A reversal is stated only if "
        "each language is significantly ahead over some levels.",
    ),
    (
        "Accuracy, parsed, exact form",
        "Accuracy is the share of correct answers. Parsed is the share of responses in which an "
        "answer was found. Exact form is the share that is exactly what was asked for, right or "
        "wrong. Strict is another share: correct and in exact form.",
    ),
    (
        "What a gap does not show",
        "These are puzzles. A model without a gap here may have one in conversation, knowledge or "
        "style.",
    ),
)


def glossary(baseline: str = "") -> tuple[tuple[str, str], ...]:
    """The terms of a report with another baseline than English; English where none is named."""
    return tuple((name, text.replace("English", baseline or "English")) for name, text in GLOSSARY)


"""Terms of the report and what they mean."""

_NAMES: dict[str, tuple[str, str]] = {
    "de": ("German", "Deutsch"),
    "fr": ("French", "français"),
    "id": ("Indonesian", "Bahasa Indonesia"),
    "it": ("Italian", "italiano"),
    "ms": ("Malay", "Bahasa Melayu"),
    "pt": ("Portuguese", "português"),
    "vi": ("Vietnamese", "Tiếng Việt"),
    "fa": ("Persian", "فارسی"),
    "he": ("Hebrew", "עברית"),
    "ur": ("Urdu", "اردو"),
}
_ENGLISH_NAMES = {
    "af": "Afrikaans", "az": "Azerbaijani", "be": "Belarusian", "ca": "Catalan", "cs": "Czech",
    "cy": "Welsh", "da": "Danish", "et": "Estonian", "eu": "Basque", "ga": "Irish",
    "gl": "Galician", "hr": "Croatian", "ht": "Haitian Creole", "hy": "Armenian",
    "ig": "Igbo", "is": "Icelandic", "ka": "Georgian", "kk": "Kazakh", "ky": "Kyrgyz",
    "lo": "Lao", "lv": "Latvian", "mk": "Macedonian", "mn": "Mongolian", "mt": "Maltese",
    "nb": "Norwegian Bokmål", "ne": "Nepali", "nl": "Dutch", "no": "Norwegian", "om": "Oromo",
    "ps": "Pashto", "rw": "Kinyarwanda", "si": "Sinhala", "sk": "Slovak", "sl": "Slovenian",
    "sn": "Shona", "so": "Somali", "sq": "Albanian", "sr": "Serbian", "tg": "Tajik",
    "xh": "Xhosa", "zu": "Zulu",
}  # fmt: skip
"""Languages of parallel benchmarks whose own name is not known here."""

_RIGHT_TO_LEFT = frozenset({"ar", "fa", "he", "ur", "ps", "sd", "ug", "yi", "dv", "ckb"})
_RIGHT_TO_LEFT_SCRIPTS = ("arab", "hebr", "thaa", "nkoo", "syrc")


@dataclass(frozen=True)
class LanguageLabels:
    """A language as a report shows it; ``direction`` is ``ltr`` or ``rtl``, and ``note`` says who
    wrote and read its wordings."""

    code: str
    name: str
    native_name: str
    direction: str
    note: str = ""

    @property
    def named(self) -> str:
        """Its name with the note."""
        return f"{self.name} ({self.note})" if self.note else self.name


@lru_cache(maxsize=512)
def language(code: str) -> LanguageLabels:
    """The names and the direction of a language; the code itself where it is not known.

    A script or region stays visible: ``zh_Hant`` is another row than ``zh``.
    """
    from xlgo_dataset.text.languages import available, load_language

    if code in available():
        loaded = load_language(code)
        return LanguageLabels(code, loaded.name, loaded.native_name, loaded.direction)
    head, _, tail = code.replace("-", "_").partition("_")
    if head.lower() != code:
        alone = language(head.lower())
        name = f"{alone.name} ({tail})" if tail else alone.name
        is_rtl = tail.lower() in _RIGHT_TO_LEFT_SCRIPTS or alone.direction == "rtl"
        name = code if alone.name == alone.code else name
        return LanguageLabels(code, name, "", "rtl" if is_rtl else "ltr")
    name, native = _NAMES.get(code, (_ENGLISH_NAMES.get(code, code), ""))
    return LanguageLabels(code, name, native, "rtl" if code in _RIGHT_TO_LEFT else "ltr")


def task(name: str) -> TaskLabels:
    """The labels of a task; its name itself where it is not known."""
    found = xd.FAMILIES.of_task(name)
    unknown = TaskLabels(name, name, "", "units of complexity")
    return unknown if found is None else found.labels[name]


def task_order(name: str, family: str | None = None) -> tuple[int, int]:
    """Where a task stands among others: in the order of the families and of their tasks.

    Args:
        name: of the task.
        family: its family, if known. No other family is then imported.
    """
    names = list(xd.FAMILIES)
    owner = xd.FAMILIES[family] if family in names else xd.FAMILIES.of_task(name)
    if owner is None or name not in owner.TASKS:
        return len(names), 0
    return names.index(owner.name), owner.TASKS.index(name)


def family(name: str) -> str:
    """The title of a family of tasks; its name where it is not known."""
    return xd.family(name).title if name in xd.FAMILIES else name
