"""Tokenizer, model, rows and training of ``benchmarks/small_model.py``.

What makes a step cheap: every run of words between identifiers and numbers is one token, so that a
prompt has 30 to 75 tokens; a batch holds prompts of one number of transactions, so that they have
nearly one length; only tokens of the answer get logits; rows are turned into tokens once and kept.

What makes the model compute: identifiers are drawn anew in each batch, so that no row can be known
again by its names; and most rows have two transactions or more, so that there are too many puzzles
to remember, and each step of them is an exercise that a puzzle of one transaction may ask.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import torch
from small_figures import SKEWED
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

import xlgo_dataset as xd

BALANCED = dict.fromkeys(SKEWED, 1)
SIZES = (1, 2, 3)
SPECIAL = ("<pad>", "<end>", "<unknown>")
PAD, END, UNKNOWN = 0, 1, 2
# A letter with its digit, the three digits after it, and a number are tokens; so are the ends of
# lines (then a prompt of mixed languages has the same tokens) and every run of other signs. The
# digits of v0, v1, … in the instructions are no numbers.
PIECES = (
    r"\n+(?:- )?|(?:[^A-Z0-9\-\n]|-(?![0-9])|[A-Z](?![0-9])|(?<=v)[0-9])+"
    r"|[A-Z][0-9]|(?<=[A-Z][0-9])[0-9]{3}|-?[0-9]|-"
)
LONGEST = 256
# About 1/sqrt(width). A run with the usual 0.02 still guessed after 1,400 steps.
START = 0.1
# Two transactions take four steps inside: whose line it is, which is first, what it says, the sum.
LAYERS = 4

Row = tuple[list[int], int]
"""Token ids of question, answer and end, and the place where the answer starts."""


@dataclass(frozen=True)
class Recipe:
    """How one stage trains; phases name the share of the steps and the weights of the sizes."""

    steps: int
    rate: float
    warm_up: int
    batch: int
    phases: Sequence[tuple[float, tuple[float, ...]]]

    def weights(self, step: int) -> tuple[float, ...]:
        for until, weights in self.phases:
            if step < until * self.steps:
                return weights
        return self.phases[-1][1]

    def scale(self, step: int) -> float:
        return min((step + 1) / self.warm_up, 0.5 * (1 + math.cos(math.pi * step / self.steps)))


def conversations(
    weights: Mapping[str, int], count: int, seed: int, held: frozenset[str]
) -> Iterator[tuple[int, str, str]]:
    """``count`` rows (transactions, question, answer), sizes in turn, none like one of the test."""
    rows = xd.training_rows("slt", weights, order="mixed", exclude=held, seed=seed,
                            complexities=list(SIZES), per_level=2 * count)  # fmt: skip
    for row in islice(rows, count):
        yield row["complexity"], row["prompt"][0]["content"], row["completion"][0]["content"]


def phrase_tokenizer() -> PreTrainedTokenizerFast:
    """All that prompts and answers are made of; decoding joins the pieces without spaces."""
    splitter = pre_tokenizers.Split(Regex(PIECES), "isolated")
    found = {
        piece
        for _, *texts in conversations(BALANCED, 1400, 1, frozenset())
        for text in texts
        for piece, _ in splitter.pre_tokenize_str(text)
    }
    found |= {f"{chr(65 + letter)}{digit}" for letter in range(26) for digit in range(1, 10)}
    found |= {str(number) for number in range(-9, 10)} | {f"{n:03}" for n in range(1000)}
    vocabulary = {piece: i for i, piece in enumerate([*SPECIAL, *sorted(found)])}
    core = Tokenizer(models.WordLevel(vocabulary, unk_token=SPECIAL[UNKNOWN]))
    core.pre_tokenizer = splitter
    core.decoder = decoders.Fuse()
    return PreTrainedTokenizerFast(
        tokenizer_object=core,
        pad_token=SPECIAL[PAD],
        eos_token=SPECIAL[END],
        unk_token=SPECIAL[UNKNOWN],
        model_max_length=LONGEST,
    )


def new_model(words: int, seed: int) -> LlamaForCausalLM:
    torch.manual_seed(seed)
    return LlamaForCausalLM(
        LlamaConfig(vocab_size=words, hidden_size=96, intermediate_size=256,
                    num_hidden_layers=LAYERS, num_attention_heads=4, num_key_value_heads=4,
                    max_position_embeddings=LONGEST, tie_word_embeddings=True, pad_token_id=PAD,
                    eos_token_id=END, bos_token_id=END, initializer_range=START)
    )  # fmt: skip


def rows_of(
    path: Path, tokenizer: PreTrainedTokenizerFast, weights: Mapping[str, int], *, count: int,
    seed: int, held: frozenset[str],
) -> dict[int, list[Row]]:  # fmt: skip
    """Rows by the number of transactions, made once and then read from ``path``."""
    if path.exists():
        kept: dict[int, list[Row]] = torch.load(path, weights_only=True)
        return kept
    sizes, questions, answers = zip(*conversations(weights, count, seed, held))
    core = tokenizer.backend_tokenizer
    rows: dict[int, list[Row]] = {size: [] for size in SIZES}
    for size, question, answer in zip(
        sizes, core.encode_batch(list(questions)), core.encode_batch(list(answers))
    ):
        if UNKNOWN in question.ids + answer.ids:
            raise ValueError(f"the tokenizer lacks a piece of {question.tokens}")
        rows[size].append((question.ids + answer.ids + [END], len(question.ids)))
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.save(rows, path)
    return rows


def batches(rows: Sequence[Row], size: int, chance: torch.Generator) -> Iterator[list[Row]]:
    """Endless batches, every row once in each pass but for those that fill no batch."""
    while True:
        order = torch.randperm(len(rows), generator=chance).tolist()
        for start in range(0, len(order) - size + 1, size):
            yield [rows[i] for i in order[start : start + size]]


def tensors(batch: Sequence[Row]) -> tuple[torch.Tensor, torch.Tensor]:
    """Token ids padded on the right, and which of them, but for the first, belong to an answer."""
    longest = max(len(tokens) for tokens, _ in batch)
    ids = torch.tensor([tokens + [PAD] * (longest - len(tokens)) for tokens, _ in batch])
    place = torch.arange(1, longest)
    starts = torch.tensor([start for _, start in batch])[:, None]
    ends = torch.tensor([len(tokens) for tokens, _ in batch])[:, None]
    return ids, (place >= starts) & (place < ends)


def halves(tokenizer: PreTrainedTokenizerFast) -> list[torch.Tensor]:
    """Token ids of the first halves of identifiers, and of the second ones."""
    return [
        torch.tensor([i for piece, i in tokenizer.get_vocab().items() if re.fullmatch(form, piece)])
        for form in ("[A-Z][1-9]", "[0-9]{3}")
    ]


def renamed(
    ids: torch.Tensor, pools: Sequence[torch.Tensor], words: int, chance: torch.Generator
) -> torch.Tensor:
    """The same puzzles with other identifiers: the halves change places among themselves."""
    new = torch.arange(words)
    for pool in pools:
        new[pool] = pool[torch.randperm(len(pool), generator=chance)]
    return new[ids]


def optimiser_of(model: LlamaForCausalLM) -> torch.optim.AdamW:
    """AdamW; what a rare token means does not decay between the rows that have it."""
    inner = [p for name, p in model.named_parameters() if p.ndim > 1 and "embed" not in name]
    known = {id(p) for p in inner}
    rest = [p for p in model.parameters() if id(p) not in known]
    groups = [{"params": inner, "weight_decay": 0.1}, {"params": rest, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, betas=(0.9, 0.98))


def train(
    model: LlamaForCausalLM, rows: Mapping[int, Sequence[Row]], recipe: Recipe, *, seed: int,
    name: str, pools: Sequence[torch.Tensor],
) -> list[dict[int, float]]:  # fmt: skip
    """AdamW, a warm-up, a cosine to zero; returns the mean loss by size in each twentieth."""
    chance = torch.Generator().manual_seed(seed)
    streams = {size: batches(rows[size], recipe.batch, chance) for size in SIZES}
    optimiser = optimiser_of(model)
    words = model.config.vocab_size
    model.train()
    part = max(recipe.steps // 20, 1)
    began = time.process_time()
    losses: dict[int, list[float]] = {size: [] for size in SIZES}
    means: list[dict[int, float]] = []
    for step in range(recipe.steps):
        weights = torch.tensor(recipe.weights(step), dtype=torch.float64)
        size = SIZES[int(torch.multinomial(weights, 1, generator=chance))]
        ids, asked = tensors(next(streams[size]))
        ids = renamed(ids, pools, words, chance)
        # Rows are padded on the right and attention looks back only, so no mask is needed.
        hidden = model.model(input_ids=ids).last_hidden_state[:, :-1]
        loss = torch.nn.functional.cross_entropy(model.lm_head(hidden[asked]), ids[:, 1:][asked])
        for group in optimiser.param_groups:
            group["lr"] = recipe.rate * recipe.scale(step)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        losses[size].append(loss.item())
        if (step + 1) % part == 0:
            means.append({size: sum(found) / len(found) for size, found in losses.items() if found})
            losses = {size: [] for size in SIZES}
            told = ", ".join(f"{size}: {mean:.4f}" for size, mean in means[-1].items())
            print(
                f"{name}: step {step + 1} of {recipe.steps}, loss by transactions {told}, "
                f"{time.process_time() - began:.0f} s of a processor",
                flush=True,
            )
    return means


def examples(weights: Mapping[str, int], steps: int, batch: int) -> dict[str, float]:
    """How many examples of each language a stage sees, repeated ones counted each time."""
    total = sum(weights.values())
    return {code: steps * batch * weight / total for code, weight in weights.items()}
