"""Make a transformers model that writes nonsense: a few random weights, a tokenizer of bytes.

python tests/harness/models/make_tiny_model.py FOLDER
"""

import sys
from pathlib import Path

_CONTEXT = 8192
_END = "<end>"


def make_tiny_model(folder: Path) -> Path:
    """Write model and tokenizer to ``folder``; nothing is downloaded."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {letter: number for number, letter in enumerate([*letters, _END])}
    tokenizer = Tokenizer(models.BPE(vocabulary, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token=_END, pad_token=_END, model_max_length=_CONTEXT
    ).save_pretrained(folder)
    torch.manual_seed(0)
    end = vocabulary[_END]
    config = GPT2Config(
        vocab_size=len(vocabulary), n_positions=_CONTEXT, n_embd=8, n_layer=1, n_head=1,
        bos_token_id=end, eos_token_id=end, pad_token_id=end,
    )  # fmt: skip
    GPT2LMHeadModel(config).save_pretrained(folder)
    return folder


if __name__ == "__main__":
    print(make_tiny_model(Path(sys.argv[1])))
