"""Measure language identification: right verdicts by language, four detectors, speed.

    python benchmarks/bench_language_id.py [--questions FOLDER] [--parallel FOLDER] [--texts FILE]
        [--detectors]

The passages of the tests are always measured. ``--questions`` is a folder
``<language>/<level>.jsonl`` whose lines hold a ``question``, such as PolyMath's; ``--parallel``
holds tab-separated files ``<name>_<language>.tsv`` with the question first, such as MGSM's;
``--texts`` is a JSON Lines file of ``text``, ``lang``, ``expect`` (true or false) and ``kind``.
``--detectors`` compares pycld2 with py3langid, lingua and langdetect, as far as they are installed.
"""

from __future__ import annotations

import argparse
import importlib
import json
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import xlgo_metric as xm

PASSAGES = Path(__file__).parents[1] / "tests" / "metric" / "language" / "passages.json"
CHINESE = "我们再检查一遍计算过程，确认结果没有错误。"
ENGLISH = (
    "Therefore, the final answer is 60.",
    "So the answer is 42.",
    "Let me check this again step by step.",
    "In total she has twelve apples and five oranges left.",
    "because the two angles at the base are always equal",
)
Text = tuple[str, str]  # the text and its language


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--parallel", type=Path)
    parser.add_argument("--texts", type=Path)
    parser.add_argument("--detectors", action="store_true")
    arguments = parser.parse_args()
    passages = _passages()
    _by_language(passages)
    _mixed(passages)
    _speed(passages)
    real: list[Text] = []
    if arguments.questions:
        real += _questions(arguments.questions)
    if arguments.parallel:
        real += _parallel(arguments.parallel)
    if real:
        _real(real)
    if arguments.texts:
        _labelled(arguments.texts)
    if arguments.detectors:
        _detectors(passages, arguments.texts)


def _passages() -> dict[str, list[str]]:
    found: dict[str, list[str]] = json.loads(PASSAGES.read_text("utf-8"))
    return found


def _questions(folder: Path) -> list[Text]:
    return [
        (json.loads(line)["question"], file.parent.name)
        for file in sorted(folder.glob("*/*.jsonl"))
        for line in file.read_text(encoding="utf-8").splitlines()
    ]


def _parallel(folder: Path) -> list[Text]:
    return [
        (line.split("\t")[0], file.stem.rsplit("_", 1)[-1])
        for file in sorted(folder.glob("*.tsv"))
        for line in file.read_text(encoding="utf-8").splitlines()
    ]


def _by_language(passages: dict[str, list[str]]) -> None:
    print("passages at 100 characters: right, of those in the language and of all others")
    print("| language | identified | written in it | others not | consistent | others not |")
    print("|---|---|---|---|---|---|")
    totals = [Counter[str](), Counter[str]()]
    for code, texts in passages.items():
        others = [text[:100] for other in passages if other != code for text in passages[other]]
        own = [text[:100] for text in texts]
        cells = {
            "identified": (sum(xm.identify_language(t).language == code for t in own), len(own)),
            "written": (sum(xm.written_in(t, code) is True for t in own), len(own)),
            "not written": (sum(xm.written_in(t, code) is False for t in others), len(others)),
            "consistent": (sum(xm.language_consistent(t, code) is True for t in own), len(own)),
            "not": (sum(xm.language_consistent(t, code) is False for t in others), len(others)),
        }
        print(f"| {code} | " + " | ".join(f"{k} of {n}" for k, n in cells.values()) + " |")
        for name, (right, count) in cells.items():
            totals[0][name] += right
            totals[1][name] += count
    cells_of_all = (f"{totals[0][name]} of {totals[1][name]}" for name in totals[1])
    print("| all | " + " | ".join(cells_of_all) + " |")
    for length in (40, 60, 80):
        pairs = [(text[:length], code) for code, texts in passages.items() for text in texts]
        verdicts = Counter(xm.written_in(text, code) for text, code in pairs)
        found = sum(xm.identify_language(text).language == code for text, code in pairs)
        print(f"at {length} characters: {found} of {len(pairs)} identified; written_in {verdicts}")


def _mixed(passages: dict[str, list[str]]) -> None:
    """Three passages of a language with something at their end, or in the middle."""
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for code, texts in passages.items():
        for place in range(len(texts)):
            own = " ".join(texts[(place + step) % len(texts)] for step in range(3))
            english = ENGLISH[place % len(ENGLISH)]
            rows = [
                ("English sentence at the end", f"{own} {english}", False),
                ("English in the middle", f"{own}\n{ENGLISH[3]} {ENGLISH[2]}\n{own}", False),
                ("formulas", f"{own} $\\boxed{{42}}$ \\(x^2+y=3\\) {texts[place - 1]}", True),
                ("names", f"{own} Microsoft Windows, John F. Kennedy (New York Times).", True),
                ("JSON", f'{own} {{"state": "E2679", "chain": [3, -5]}}', True),
            ]
            if code != "zh":
                rows.append(("Chinese in the middle", f"{own}\n{CHINESE}\n{own}", False))
            rows += [
                ("a passage of another language", f"{own} {passages[other][place - 5]}", False)
                for other in passages
                if other != code
            ]
            for kind, text, expected in rows:
                total[kind] += 1
                right[kind] += xm.language_consistent(text, code) is expected
    print("three passages and something else: right verdicts of language_consistent")
    for kind, count in total.items():
        print(f"  {kind:32} {right[kind]:6} of {count}")


def _speed(passages: dict[str, list[str]]) -> None:
    texts = [
        (f"{text} {mine[place - 1]} {mine[place - 2]}"[:200], code)
        for code, mine in passages.items()
        for place, text in enumerate(mine)
    ] * 10
    for function in (xm.language_consistent, xm.written_in):
        start = time.process_time()
        for text, code in texts:
            function(text, code)
        rate = len(texts) / (time.process_time() - start)
        print(f"{function.__name__}: {rate:,.0f} texts of 200 characters a second of one core")


def _real(texts: list[Text]) -> None:
    start = time.process_time()
    verdicts = [(code, text, xm.language_consistent(text, code)) for text, code in texts]
    rate = len(texts) / (time.process_time() - start)
    bad = [(code, text, verdict) for code, text, verdict in verdicts if not verdict]
    print(f"real questions: {len(bad)} of {len(texts)} called inconsistent; {rate:,.0f} a second")
    print("  by language:", dict(Counter(code for code, *_ in bad)))
    for code, text, verdict in bad:
        print(f"  {code} {verdict}: {text[:90]!r}")


def _labelled(file: Path) -> None:
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    wrong: Counter[str] = Counter()
    for row in rows:
        verdict = xm.language_consistent(row["text"], row["lang"])
        wrong[row["kind"]] += verdict is not row["expect"]
    right = len(rows) - sum(wrong.values())
    print(f"labelled texts: {right} of {len(rows)} right ({right / len(rows):.1%})")
    for kind, count in Counter(row["kind"] for row in rows).items():
        print(f"  {kind:28} {count - wrong[kind]:3} of {count}")


def _detectors(passages: dict[str, list[str]], labelled: Path | None) -> None:
    """Each detector by itself, over all languages that it knows."""
    print("detectors: the language of a passage named, of 660; alone on labelled texts; speed")
    for name, build in _BUILDERS.items():
        try:
            name_of = build()
        except ImportError:
            print(f"  {name}: not installed")
            continue
        cells = []
        for length in (40, 60, 100):
            pairs = [(text[:length], code) for code, texts in passages.items() for text in texts]
            cells.append(f"{sum(name_of(text) == code for text, code in pairs)} at {length}")
        pairs = [(" ".join(texts[:2])[:200], code) for code, texts in passages.items()]
        name_of(pairs[0][0])
        start = time.process_time()
        for text, _ in pairs * 5:
            name_of(text)
        rate = 5 * len(pairs) / (time.process_time() - start)
        alone = _alone(name_of, labelled) if labelled else ""
        print(f"  {name}: {', '.join(cells)}; {alone}{rate:,.0f} texts of 200 characters a second")


def _alone(name_of: Callable[[str], str], file: Path) -> str:
    """Right verdicts of one detector over each whole text, with no rules of ours."""
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    right = sum((name_of(row["text"]) == row["lang"]) is row["expect"] for row in rows)
    return f"{right} of {len(rows)} labelled; "


def _pycld2() -> Callable[[str], str]:
    module = importlib.import_module("pycld2")
    return lambda text: str(module.detect(text, isPlainText=True, bestEffort=True)[2][0][1])


def _py3langid() -> Callable[[str], str]:
    module = importlib.import_module("py3langid.langid")
    identifier = module.LanguageIdentifier.from_model_file(module.MODEL_FILE, norm_probs=True)
    return lambda text: _code(identifier.classify(text)[0])


def _lingua() -> Callable[[str], str]:
    module = importlib.import_module("lingua")
    detector = module.LanguageDetectorBuilder.from_all_languages().build()

    def name_of(text: str) -> str:
        found = detector.detect_language_of(text)
        return "" if found is None else _code(found.iso_code_639_1.name.lower())

    return name_of


def _langdetect() -> Callable[[str], str]:
    module = importlib.import_module("langdetect")
    exception = importlib.import_module("langdetect.lang_detect_exception").LangDetectException
    module.DetectorFactory.seed = 0

    def name_of(text: str) -> str:
        try:
            return _code(module.detect(text))
        except exception:
            return ""

    return name_of


def _code(code: str) -> str:
    return {"gug": "gn", "zh-cn": "zh", "zh-tw": "zh"}.get(code, code)


_BUILDERS: dict[str, Callable[[], Callable[[str], str]]] = {
    "pycld2": _pycld2,
    "py3langid": _py3langid,
    "lingua": _lingua,
    "langdetect": _langdetect,
}

if __name__ == "__main__":
    main()
