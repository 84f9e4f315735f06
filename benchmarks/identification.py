"""The studies behind language identification: which identifier, and the limits of the one here.

    pip install pycld2 lingua-language-detector
    python -m benchmarks.identification             # identifiers, over the forty languages
    python -m benchmarks.identification --limits    # how sure py3langid is of pieces of passages
    python -m benchmarks.identification --related   # texts asked of a language related to theirs
    python -m benchmarks.identification --verdicts --questions POLYMATH --parallel MGSM

The last prints what ``language_consistent`` and ``written_in`` say of real questions; it calls
nothing else, so it runs under an older release, too. The folders are as in
``bench_language_id``.

The texts of the first are passages of the prose in the language files (stories, rules and
explanations of the puzzles and of simple reasoning), cut at words. They are machine-written and of
one kind: the figures compare identifiers and say little of other texts. An identifier that can be
told which languages to choose from is told the forty; Indonesian and Malay count as one. A package
that is missing is left out.
"""

from __future__ import annotations

import argparse
import random
import re
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import xlgo_metric as xm
from benchmarks.bench_language_id import ENGLISH, Text, _parallel, _passages, _questions
from xlgo_dataset.families.simple_reasoning import base
from xlgo_dataset.text.document import PLACEHOLDER
from xlgo_dataset.text.languages import available, load_language
from xlgo_metric.language.language_id import identify_language
from xlgo_metric.language.scripts import SCRIPTS, group

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
    own = base.table(base.PARALLEL, code)
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
    }
    try:
        from pycld2 import detect as cld2

        found["pycld2"] = lambda t: str(cld2(t, isPlainText=True)[2][0][1])
    except ImportError:
        pass
    codes = [_name(code) for code in available()]
    try:
        from langdetect import DetectorFactory, detect as older

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


def limits() -> None:
    """How likely the own language and others of its script are, of pieces of the passages.

    A piece begins at each word, and ends with the word that has the last of so many letters.

    A line for each length: pieces, the furthest that one is from its own language (nats, in Latin
    and in other scripts), how many are further than ``SURE``; pairs of a piece and another language
    of its script, and the share called foreign.
    """
    from xlgo_metric.language.language_id import SURE, detect

    texts = _passages()
    print("| letters | own | furthest: Latin, others | above | foreign | called foreign |")
    print("|---|---|---|---|---|---|")
    for letters in (15, 20, 30, 50, 80):
        own: dict[bool, list[float]] = {True: [], False: []}
        foreign = refused = 0
        for code, text in texts.items():
            others = [
                other
                for other in texts
                if SCRIPTS[other] == SCRIPTS[code] and group(other) != group(code)
            ]
            words = [line.split() for line in text]
            starts = (" ".join(line[n:]) for line in words for n in range(len(line)))
            for piece in (one for text in starts for one in passages(text, letters, 1)):
                found = detect(piece)
                own[SCRIPTS[code] == ("latin",)].append(found.margin(code))
                foreign += len(others)
                refused += sum(found.foreign_to(other, letters) for other in others)
        both = own[True] + own[False]
        furthest = ", ".join(f"{max(values):.1f}" for values in own.values())
        above = sum(value >= SURE for value in both)
        share = f"{refused / foreign:.1%}"
        print(f"| {letters} | {len(both):,} | {furthest} | {above} | {foreign:,} | {share} |")


RELATED = (
    ("id", "ms"), ("id", "jv"), ("hi", "mr"), ("ru", "uk"), ("tr", "uz"), ("es", "pt"),
    ("es", "it"), ("ar", "fa"), ("fa", "ur"),
)  # fmt: skip


def related(most: int) -> None:
    """``language_consistent`` of passages: consistent, no verdict and inconsistent, by length."""
    for pair in RELATED:
        for own, asked in (pair, pair[::-1], (pair[0], pair[0]), (pair[1], pair[1])):
            cells = []
            for letters in LENGTHS:
                said = Counter(
                    xm.language_consistent(text, asked)
                    for text in passages(prose(own), letters, most)
                )
                cells.append(f"{said[True]} / {said[None]} / {said[False]}")
            print(f"| {own} | {asked} | {' | '.join(cells)} |", flush=True)


def verdicts(texts: list[Text]) -> None:
    """What the two functions say of questions, of questions in a wrong language, and of parts."""
    draw = random.Random(1)
    codes = sorted({code for _, code in texts})
    wrong = [
        (text, draw.choice([other for other in codes if group(other) != group(code)]))
        for text, code in draw.sample(texts, 4_000)
    ]
    others = draw.sample([one for one in texts if one[1] != "en"], 3_000)
    ends = [(f"{text} {ENGLISH[n % len(ENGLISH)]}", code) for n, (text, code) in enumerate(others)]
    own = [(text[:size], code) for text, code in draw.sample(texts, 3_000) for size in (20, 30, 40)]
    foreign = [(text[:size], code) for text, code in wrong[:2_000] for size in (20, 30, 40)]
    print("| | yes | cannot tell | no |\n|---|---|---|---|")
    began = time.perf_counter()
    _line("own: consistent", (xm.language_consistent(*one) for one in texts))
    _line("own: written in", (xm.written_in(*one) for one in texts))
    seconds = time.perf_counter() - began
    _line("wrong language: consistent", (xm.language_consistent(*one) for one in wrong))
    _line("wrong language: written in", (xm.written_in(*one) for one in wrong))
    _line("English sentence at the end: consistent", (xm.language_consistent(*o) for o in ends))
    _line("own beginnings: written in", (xm.written_in(*one) for one in own))
    _line("foreign beginnings: written in", (xm.written_in(*one) for one in foreign))
    print(f"\nThe first two lines took {seconds:.0f} s.")


def _line(name: str, said: Iterable[bool | None]) -> None:
    counts = Counter(said)
    print(f"| {name} | {counts[True]:,} | {counts[None]:,} | {counts[False]:,} |", flush=True)


def main() -> None:
    """Print a study; without options names: right, wrong and none, and languages never named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=20, help="passages of a language and length")
    parser.add_argument(
        "--folder",
        type=Path,
        help="other texts: <code>.txt",
    )
    parser.add_argument("--limits", action="store_true", help="the limits, over the passages")
    parser.add_argument("--related", action="store_true", help="texts asked of a related language")
    parser.add_argument("--verdicts", action="store_true", help="verdicts, over real questions")
    parser.add_argument("--questions", type=Path, help="with --verdicts: PolyMath's")
    parser.add_argument("--parallel", type=Path, help="with --verdicts: MGSM's")
    args = parser.parse_args()
    if args.limits:
        limits()
        return
    if args.related:
        related(args.most)
        return
    if args.verdicts:
        verdicts([*_questions(args.questions), *_parallel(args.parallel)])
        return
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
