"""Rows and rewards in a step of TRL's trainer."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import xlgo_dataset as xd
import xlgo_metric as xm

pytestmark = pytest.mark.slow

_CHAT = (
    "{% for m in messages %}<{{ m['role'] }}> {{ m['content'] }} {% endfor %}"
    "{% if add_generation_prompt %}<assistant> {% endif %}"
)


def watched(function: Callable[..., list[float]], calls: list[Any]) -> Callable[..., list[float]]:
    def call(completions: Any, reference: Any, **columns: Any) -> list[float]:
        found = function(completions, reference, **columns)
        calls.append((completions, reference, found, set(columns)))
        return found

    call.__name__ = function.__name__
    return call


def tiny(texts: list[str]) -> tuple[Any, Any]:
    """A model of a few thousand weights and a tokenizer of whole words."""
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    words = sorted({word for text in texts for word in re.findall(r"\w+|[^\w\s]", text)})
    special = ["<pad>", "<eos>", "<unk>", "<user>", "<assistant>"]
    vocabulary = {word: i for i, word in enumerate([*special, *words])}
    core = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    core.pre_tokenizer = pre_tokenizers.Split(Regex(r"\w+|[^\w\s]"), "removed", invert=True)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=core, pad_token="<pad>", eos_token="<eos>", unk_token="<unk>"
    )
    tokenizer.add_special_tokens({"additional_special_tokens": ["<user>", "<assistant>"]})
    tokenizer.chat_template = _CHAT
    config = LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=16, intermediate_size=32, num_hidden_layers=1,
        num_attention_heads=2, num_key_value_heads=2, max_position_embeddings=1024,
        pad_token_id=0, eos_token_id=1, bos_token_id=1,
    )  # fmt: skip
    return LlamaForCausalLM(config), tokenizer


def test_a_step_of_grpo(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    trl = pytest.importorskip("trl")
    from datasets import Dataset

    options: dict[str, Any] = {"complexities": [1, 2], "per_level": 2}
    held = xd.isomorphism_hashes("slt", complexities=[1, 2], per_level=50)
    rows = list(xd.training_rows("slt", ["en", "te"], exclude=held, **options))
    model, tokenizer = tiny([row["prompt"][0]["content"] for row in rows])
    calls: list[Any] = []
    functions = [xm.reward, xm.partial_reward, xm.format_reward]
    settings = trl.GRPOConfig(
        output_dir=str(tmp_path), per_device_train_batch_size=4, num_generations=2, max_steps=2,
        max_completion_length=8, use_cpu=True, report_to=[], save_strategy="no",
        shuffle_dataset=False, reward_weights=[1.0, 0.5, 0.1], logging_steps=1, bf16=False,
    )  # fmt: skip
    trainer = trl.GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        reward_funcs=[watched(function, calls) for function in functions],
        train_dataset=Dataset.from_list(rows),
        args=settings,
    )
    trainer.train()
    assert trainer.state.global_step == 2
    assert len(calls) >= len(functions)
    for completions, reference, found, columns in calls:
        assert len(completions) == len(reference) == len(found) == 4
        assert all(turn["role"] == "assistant" for told in completions for turn in told)
        assert {"language", "complexity", "instance_id"} <= columns
        assert all(0.0 <= value <= 1.0 for value in found)
    logged = {name for entry in trainer.state.log_history for name in entry}
    assert {f"rewards/{function.__name__}/mean" for function in functions} <= logged
    # Rows come in the order of the curriculum, each as often as there are generations.
    asked = calls[0][1]
    assert asked == [rows[0]["reference"]] * 2 + [rows[1]["reference"]] * 2
