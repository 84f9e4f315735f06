"""Coverage-guided fuzzing of the grading (needs the package atheris).

Run: python benchmarks/fuzz_grading.py -max_total_time=600 -timeout=10 CORPUS_FOLDER

The corpus folder is filled from the golden transcripts if it is empty. Options are those of
libFuzzer. Checked on every input:

- grading never raises, its status is a known one, and it can be written as JSON in UTF-8;
- an answer is correct only if what was understood equals the reference, and the text holds the key
  and every identifier or number of the reference under an independent folding;
- a strict answer is exactly one JSON object for the standard library;
- the right object at the end of any text without thinking markers is found and is correct.
"""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from pathlib import Path
from typing import Any

import atheris

with atheris.instrument_imports(include=["xlgo_metric"]):
    from xlgo_metric.core import STATUSES, Grade
    from xlgo_metric.families.xlgobench.grading import grade
    from xlgo_metric.reading.forms import LENIENT_RULES

GOLDEN = Path(__file__).parents[1] / "tests" / "metric" / "grading" / "golden"
REFERENCES: list[dict[str, Any]] = [
    {"task": "slt", "answer": {"chain": [1, -2, 6]}, "capital": 7},
    {"task": "dsa", "answer": {"state": "V9935"}},
    {"task": "prdsa", "answer": {"states": [f"A{n}" for n in range(5012, 5020)]}},
    {
        "task": "graph_sp",
        "answer": {"path": ["H4657", "U2824", "V9935"]},
        "edges": [["H4657", "U2824"], ["U2824", "V9935"]],
    },
    {"task": "t_rank", "answer": {"ranking": ["V9935", "U2824", "H4657"]}},
]
PIECES = (
    *"{}[]\"'“”«」:,，、：｛］\\/#*-−.+eE0159१\n ",
    *("//", "/*", "*/", "\\u0022", '\\"', "\u200b", "\u200e", "```json\n", "```", "true", "NaN"),
    *("<think>", "</think>", "◁/think▷", "<|channel|>final<|message|>", "analysisA"),
    *("chain", "state", "states", "path", "ranking", "note", "V9935", "v9935", "U2824", "H4657"),
    *('{"chain":', '{"state":', '{"states":[', '{"path":[', '{"ranking":[', '{"answer":', '{"a":"'),
    *(
        "\\{",
        "\\}",
        "\\text{",
        "\\boxed{",
        "&quot;",
        "&amp;",
        "\\u0022",
        "(",
        ")",
        "->",
        "...",
        "not ",
    ),
    *("[1,-2,6]", '"V9935"', '"H4657","U2824"', "6.0", '"6"', "1e0", "గది ", "లో"),
)
MARKER = re.compile(
    r"[<◁]|\[/?think|\[unused|\[begin|analysis|assistantfinal|my thought process|reasoning steps"
    r"|thinking\.\.\.|/think",
    re.IGNORECASE,
)


def folded(text: str) -> str:
    """NFKC, ASCII digits, ASCII minus, upper case, without format characters."""
    text = unicodedata.normalize("NFKC", text)
    text = "".join(c for c in text if unicodedata.category(c) not in ("Cf", "Mn"))
    text = "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text)
    return re.sub(r"[\u2010-\u2015\u2212\u02d7]", "-", text).upper()


def check(text: str, reference: dict[str, Any]) -> Grade:
    """Grade a text and check what must hold of every grade."""
    graded = grade(text, reference)
    ((key, right),) = reference["answer"].items()
    assert graded.status in STATUSES
    assert graded.correct == (graded.status == "correct")
    assert set(graded.details["lenient"]) <= set(LENIENT_RULES)
    json.dumps(graded.to_json(), ensure_ascii=False).encode()
    if graded.correct:
        same = sorted if key == "states" else list
        assert same(graded.answer) == same(right)
        assert type(graded.answer) is type(right)
        if "\\" not in text:
            seen = folded(text)
            assert key.upper() in seen
            for entry in [right] if isinstance(right, str) else right:
                assert str(entry) in seen or str(abs(entry)) in seen
    if graded.strict:
        assert graded.status in ("correct", "wrong")
        assert graded.details["lenient"] == []
        if not MARKER.search(text):
            start = text.rfind("\n{") + 1 if key in ("path", "ranking") else 0
            assert list(json.loads(text[start:].strip())) == [key]
    return graded


def test_one_input(data: bytes) -> None:
    provider = atheris.FuzzedDataProvider(data)
    pieced, number = divmod(provider.ConsumeIntInRange(0, 2 * len(REFERENCES) - 1), len(REFERENCES))
    reference = REFERENCES[number]
    if not pieced:
        text = provider.ConsumeUnicodeNoSurrogates(sys.maxsize)
    else:
        parts = []
        while provider.remaining_bytes():
            number = provider.ConsumeIntInRange(0, len(PIECES))
            if number == len(PIECES):
                parts.append(provider.ConsumeUnicode(4))
            else:
                parts.append(PIECES[number])
        text = "".join(parts)
    try:
        check_all(text, reference)
    except Exception as error:
        raise AssertionError(f"{reference['task']}: {text!r}") from error


def check_all(text: str, reference: dict[str, Any]) -> None:
    """Check a text alone and with the right object behind it."""
    check(text, reference)
    if not MARKER.search(text):
        ended = text + "\n" + json.dumps(reference["answer"])
        assert check(ended, reference).correct, ended


def write_corpus(folder: Path) -> None:
    """One file for each golden transcript, in the form that `test_one_input` reads."""
    tasks = [reference["task"] for reference in REFERENCES]
    for path in sorted(GOLDEN.glob("*.json")):
        for number, case in enumerate(json.loads(path.read_text("utf-8"))):
            text = "\n".join(case["response"])
            # The provider takes integers from the end, text from the beginning of the data; the
            # first byte of a text tells its width (0: four bytes a character).
            body = b"\x00" + text.encode("utf-32-le")
            tail = bytes([tasks.index(case["task"])])
            (folder / f"{path.stem}-{number}").write_bytes(body + tail)


def main() -> None:
    if {"-h", "--help"} & {*sys.argv[1:]}:
        print(__doc__)
        return
    folders = [Path(argument) for argument in sys.argv[1:] if not argument.startswith("-")]
    for folder in folders:
        if folder.is_file():  # one input, to be run again
            continue
        folder.mkdir(parents=True, exist_ok=True)
        if not any(folder.iterdir()):
            write_corpus(folder)
    atheris.Setup(sys.argv, test_one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
