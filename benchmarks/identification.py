"""Which identifier names the language of a short text: the forty languages at 30, 60, 120 letters.

    pip install py3langid lingua-language-detector
    python benchmarks/identification.py

The texts are passages of the prose in the language files (stories, rules and explanations of the
puzzles and of simple reasoning), cut at words. They are machine-written and of one kind: the
figures compare identifiers and say little of other texts. An identifier that can be told which
languages to choose from is told the forty; Indonesian and Malay count as one. A package that is
missing is left out.
"""

from __future__ import annotations

import argparse
import re
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

from xlgo_dataset.families.simple_reasoning import prompts
from xlgo_dataset.text.document import PLACEHOLDER
from xlgo_dataset.text.languages import available, load_language
from xlgo_metric.language.detector import detect
from xlgo_metric.language.identify import identify_language
from xlgo_metric.language.scripts import group

Identify = Callable[[str], str]
LENGTHS = (30, 60, 120)
_OTHER = {"tl": "fil", "zh-cn": "zh", "zh-tw": "zh", "iw": "he", "jw": "jv", "zh-Hant": "zh"}


def prose(code: str) -> str:
    """The prose of a language, without placeholders, JSON and identifiers."""
    language = load_language(code)
    found = [language.tasks["slt"]["intro"], language.tasks["slt"]["fee"]]
    found += [language.tasks["dsa"]["intro"], language.tasks["prdsa"]["intro"]]
    found += [language.tasks["prdsa"]["question"], language.tasks["t_rank"]["question"]]
    found += [s for t, k in language.conditions.items() if t in language.tasks for s in k.values()]
    texts = [string.wording("revised") for string in found]
    own = prompts.table(prompts.PARALLEL, code)
    texts += [text for text in own.values() if isinstance(text, str) and len(text) > 20]
    whole = " ".join(texts)
    whole = re.sub(r"\{\"[^{}]*\}|\"[^\"]*\"|[A-Z]\d{4}|JSON|BFS|\d+", " ", whole)
    return " ".join(PLACEHOLDER.sub(" ", whole).split())


def passages(text: str, letters: int, most: int) -> Iterator[str]:
    """Up to ``most`` passages of about ``letters`` letters, marks counted with them."""
    taken: list[str] = []
    count = given = 0
    for word in text.split(" "):
        taken.append(word)
        count += sum(unicodedata.category(c)[0] in "LM" for c in word)
        while count >= letters and given < most:
            yield " ".join(taken)
            given += 1
            taken, count = [], 0


def identifiers() -> dict[str, Identify]:
    """The identifiers that are installed."""
    found: dict[str, Identify] = {
        "own, sure": _if_sure,
        "own, guess": lambda t: identify_language(t).language,
        "pycld2": lambda t: detect(t).language,
    }
    codes = [_name(code) for code in available()]
    try:
        from langdetect import DetectorFactory
        from langdetect import detect as older

        DetectorFactory.seed = 0
        found["langdetect"] = older
    except ImportError:
        pass
    try:
        from py3langid.langid import MODEL_FILE, LanguageIdentifier

        model = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
        known = {str(label) for label in model.nb_classes}
        model.set_languages([code for code in codes if code in known])
        found["py3langid"] = lambda t: str(model.classify(t)[0])
    except ImportError:
        pass
    try:
        from lingua import IsoCode639_1, Language, LanguageDetectorBuilder

        wanted = [
            Language.from_iso_code_639_1(getattr(IsoCode639_1, code.upper()))
            for code in codes
            if hasattr(IsoCode639_1, code.upper())
        ]
        lingua = LanguageDetectorBuilder.from_languages(*wanted).build()

        def named(text: str) -> str:
            seen = lingua.detect_language_of(text)
            return seen.iso_code_639_1.name.lower() if seen else ""

        found["lingua"] = named
    except ImportError:
        pass
    return found


def _if_sure(text: str) -> str:
    found = identify_language(text)
    return found.language if found.sure else ""


def _name(code: str) -> str:
    return {"fil": "tl"}.get(code, code)


def main() -> None:
    """Print the shares of right, wrong and no names, and the languages each never names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=20, help="passages of a language and length")
    parser.add_argument(
        "--folder",
        type=Path,
        help="other texts: <code>.txt, such as tests/metric/language/passages",
    )
    args = parser.parse_args()
    texts = {code: prose(code) for code in available()}
    if args.folder:
        files = {path.stem: path for path in sorted(args.folder.glob("*.txt"))}
        files["fil"] = files.pop("tl", files.get("fil", Path()))
        read = {code: path.read_text("utf-8").split() for code, path in files.items() if path.name}
        texts = {code: " ".join(words) for code, words in read.items() if code in texts}
    for name, identify in identifiers().items():
        never = set(texts)
        shares = []
        for letters in LENGTHS:
            right = wrong = none = 0
            for code, text in texts.items():
                for passage in passages(text, letters, args.most):
                    try:
                        seen = identify(passage)
                    except Exception as error:  # langdetect raises its own for a text of signs
                        if type(error).__name__ != "LangDetectException":
                            raise
                        seen = ""
                    seen = _OTHER.get(seen, seen)
                    same = group(seen) == group(code)
                    right, wrong, none = (
                        right + same,
                        wrong + (not same and bool(seen)),
                        none + (not seen),
                    )
                    if same:
                        never.discard(code)
            whole = right + wrong + none
            shares.append(f"{right / whole:.1%} / {wrong / whole:.1%} / {none / whole:.1%}")
        missing = " ".join(sorted(never)) or "-"
        print(f"| {name} | {' | '.join(shares)} | {missing} |", flush=True)


if __name__ == "__main__":
    main()
