"""``kor_cipher_fresh``: new texts for the 25 cipher rules, drawn by seed.

The released questions may be known to a model by heart; the same rule with a text that nobody has
seen tells memory from reasoning. Lengths and directions follow the released questions: ten a rule,
encryption and decryption in turn.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from xlgo_metric.core import allowed_name
from xlgo_metric.option import Option

from ...core import Instance, Json, Origin
from ...core.rng import Stream
from . import prompts
from .ciphers import ALPHABET, CIPHERS, DECRYPTION, DIRECTIONS, ENCRYPTION, Cipher

TASK = "kor_cipher_fresh"
DRAW_VERSION = 1
"""Raised whenever another text is drawn for the same seed."""

PER_RULE = 10
SHOTS = (0, 3)
MAX_LENGTH = 1000
SEED = Option("seed", "integer", "seed of the questions", 0, least=0)
LENGTH = Option(
    "complexity", "integer", "letters of the plaintext", allowed=range(1, MAX_LENGTH + 1)
)
EXAMPLES = Option("shots", "choice", "solved examples before the question", 0, SHOTS)
_INDEX = Option("index", "integer", "which question of a rule", 0, least=0)
KEY_LENGTHS, PERIODS, INCREMENTS = range(5, 11), range(1, 13), range(1, 6)
"""The ranges of the parameters in the released questions of rules 8 and 9."""

_EXAMPLES = "examples"  # a stream of its own: no split has these questions
_MAX_ATTEMPTS = 10_000
_ASK = {ENCRYPTION: "Encrypt this plaintext", DECRYPTION: "Decrypt this ciphertext"}
_FORM = "Write the result in double square brackets, like this: [[your answer]]."
_NAMES = {"key": "Key", "period": "Period", "increment": "Increment"}


@dataclass(frozen=True, eq=False)
class FreshInstance(Instance):
    """One question.

    Attributes:
        rule_id: "1" to "25".
        category: Encryption or Decryption.
        plaintext: what is encrypted; the ciphertext follows from it, and nothing is ever decrypted.
        parameters: ``key``, or ``period`` and ``increment``, or nothing.
        examples: solved questions of the rule that the prompt shows: none or three.
    """

    rule_id: str
    category: str
    plaintext: str
    parameters: Mapping[str, object]
    examples: tuple[prompts.Example, ...] = ()

    task = TASK

    @cached_property
    def ciphertext(self) -> str:
        """The plaintext encrypted."""
        return CIPHERS[self.rule_id].encode(self.plaintext, **self.parameters)

    @property
    def filled(self) -> str:
        """The plaintext with the letter that rule 11 adds before encryption."""
        return CIPHERS[self.rule_id].filled(self.plaintext)

    @property
    def text(self) -> str:
        """What the question shows."""
        return self.plaintext if self.category == ENCRYPTION else self.ciphertext

    @property
    def result(self) -> str:
        """What the question asks for."""
        return self.ciphertext if self.category == ENCRYPTION else self.filled

    @property
    def answer(self) -> Json:
        """The text encrypted or decrypted."""
        return {"text": self.result}

    @property
    def complexity(self) -> int:
        """The length of the plaintext, filled."""
        return len(self.filled)

    @property
    def variant(self) -> str:  # type: ignore[override]
        """The rule, as a part of the id."""
        return f"-r{self.rule_id}"

    def content(self) -> dict[str, object]:
        """What the question says, in plain JSON types."""
        return {
            "rule_id": self.rule_id,
            "category": self.category,
            "text": self.text,
            "parameters": dict(self.parameters),
        }

    def to_json(self) -> dict[str, object]:
        """Everything in plain JSON types; ``instance_from_json`` reads it back."""
        return {
            **super().to_json(),
            "plaintext": self.plaintext,
            "examples": [list(example) for example in self.examples],
            "origin": self.origin and dict(vars(self.origin)),
            "instance_id": self.instance_id,
        }


def generate(
    task: str,
    *,
    seed: int = 0,
    index: int = 0,
    split: str = "test",
    rule_id: str = "1",
    complexity: int | None = None,
    shots: int = 0,
    **unknown: object,
) -> FreshInstance:
    """Question number ``index`` of one rule; the same arguments always give the same question.

    Args:
        task: ``kor_cipher_fresh``.
        seed, split: with rule and index they name the stream of random words.
        index: from 0; even ones encrypt, odd ones decrypt. The ten questions of a cycle
            (0 to 9, 10 to 19, ...) differ from one another; a question belongs to its seed,
            split, rule, index and length, and to nothing else.
        rule_id: "1" to "25".
        complexity: letters of the plaintext; ``None`` for the schedule of the rule.
        shots: 0, or 3 solved examples of the rule in the prompt.

    Raises:
        ValueError: an unknown parameter, or a value that is not allowed.
    """
    for name in unknown:
        allowed_name(name, "parameter", ("rule_id", "complexity", "shots"), f"{TASK}: ")
    origin = Origin(split, SEED.checked(seed, TASK), _INDEX.checked(index, TASK))
    shots, cipher = EXAMPLES.checked(shots, TASK), rule(rule_id)
    usual = cipher.lengths[origin.index // 2 % len(cipher.lengths)]
    size = usual if complexity is None else LENGTH.checked(complexity, TASK)
    drawn = _draw(cipher, origin.seed, split, origin.index, size)
    # Solved questions of the same rule, none of which gives the answer away. They are drawn from
    # the seed alone: but for that, all questions of a rule have the same ones.
    pool = _pool(cipher.rule_id, origin.seed) if shots else ()
    examples = [(question(x), answer(x)) for x in pool if drawn.text not in (x.text, x.result)]
    return replace(drawn, examples=tuple(examples[:shots]), origin=origin)


@lru_cache(maxsize=2 * len(CIPHERS))
def _pool(rule_id: str, seed: int) -> tuple[FreshInstance, ...]:
    """Questions of a rule that serve as examples."""
    cipher = CIPHERS[rule_id]
    return tuple(
        _draw(cipher, seed, _EXAMPLES, row, cipher.lengths[row // 2]) for row in range(PER_RULE)
    )


def rule(rule_id: object) -> Cipher:
    """The cipher of a rule; ``ValueError`` if there is none."""
    return CIPHERS[allowed_name(str(rule_id), "rule_id", CIPHERS, f"{TASK}: ")]


def _draw(cipher: Cipher, seed: int, split: str, row: int, size: int) -> FreshInstance:
    """One row whose plaintext has ``size`` letters.

    Earlier rows of the cycle and direction would have other texts if they were of this size too.
    """
    first = row - row % PER_RULE + row % 2
    earlier = {_draw(cipher, seed, split, number, size).text for number in range(first, row, 2)}
    for attempt in range(_MAX_ATTEMPTS):
        key = ("korbench", DRAW_VERSION, TASK, seed, split, cipher.rule_id, row, size, attempt)
        stream = Stream(*key)
        parameters = _parameters(cipher, stream)
        text = _text(cipher, stream, size, parameters)
        drawn = FreshInstance(cipher.rule_id, DIRECTIONS[row % 2], text, parameters)
        if drawn.text not in earlier:
            return drawn
    raise ValueError(
        f"{TASK}: no text of {size} letters was found for rule {cipher.rule_id}; "
        "choose another length"
    )


def _text(cipher: Cipher, stream: Stream, size: int, parameters: Mapping[str, object]) -> str:
    letters = [cipher.letters[stream.integer(len(cipher.letters))] for _ in range(size)]
    # Letters whose code has two readings are drawn again one by one: a long text without any would
    # hardly ever be found by drawing whole texts. Such ciphers replace letter by letter.
    while cipher.ambiguous:
        code = cipher.encode("".join(letters), **parameters)
        unclear = [position for position, sign in enumerate(code) if sign in cipher.ambiguous]
        if not unclear:
            break
        for position in unclear:
            letters[position] = cipher.letters[stream.integer(len(cipher.letters))]
    return "".join(letters)


def _parameters(cipher: Cipher, stream: Stream) -> dict[str, object]:
    if cipher.parameters == ("key",):
        size = KEY_LENGTHS[stream.integer(len(KEY_LENGTHS))]
        return {"key": "".join(ALPHABET[stream.integer(26)] for _ in range(size))}
    ranges = {"period": PERIODS, "increment": INCREMENTS}
    return {name: ranges[name][stream.integer(len(ranges[name]))] for name in cipher.parameters}


def answer(instance: FreshInstance) -> str:
    """The answer as the question asks for it."""
    return f"[[{instance.result}]]"


def question(instance: FreshInstance) -> str:
    """The question without the rule."""
    lines = [f'{_ASK[instance.category]}: "{instance.text}"']
    lines += [f"{_NAMES[name]}: {value}" for name, value in instance.parameters.items()]
    return "\n".join((*lines, _FORM))


def render(instance: FreshInstance, rule_text: str | None = None) -> str:
    """The prompt: the rule, examples if any, and the question.

    Args:
        instance: the question.
        rule_text: the rule in other words than this project's own.
    """
    text = CIPHERS[instance.rule_id].text() if rule_text is None else rule_text
    return prompts.question_prompt("cipher", text, question(instance), examples=instance.examples)


def instance_from_json(data: Json) -> FreshInstance:
    """The instance of a JSON form; entries that are not known are ignored.

    Raises:
        ValueError: an entry is missing or wrong.
    """
    for name in ("rule_id", "category", "plaintext", "parameters"):
        if name not in data:
            raise ValueError(f"{TASK}: the JSON form has no {name!r}")
    cipher, category, text = rule(data["rule_id"]), data["category"], data["plaintext"]
    if category not in DIRECTIONS or not isinstance(text, str):
        raise ValueError(f"{TASK}: category must be {' or '.join(DIRECTIONS)} and plaintext a text")
    origin = data.get("origin")
    instance = FreshInstance(
        cipher.rule_id,
        category,
        text,
        dict(data["parameters"]),
        tuple((asked, answer) for asked, answer in data.get("examples", ())),
        origin=Origin(**origin) if origin else None,
    )
    _ = instance.ciphertext  # refuses a text or parameters that the rule cannot have
    return instance
