"""How long a text is in tokens: of a tokenizer that a package ships, or of one of transformers."""

import importlib.util
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

Count = Callable[[str], int]

CHARACTERS = "characters"
PACKAGED = {"tekken": "mistral_common", "qwen": "dashscope"}
"""Tokenizers that come with a package (``pip install 'xlgo[tokenizers]'``): no download."""

_MARKS = re.compile(r"[|:\s]+")


def installed() -> str:
    """A tokenizer that needs no download, if there is one, else ``characters``."""
    for name, package in PACKAGED.items():
        if importlib.util.find_spec(package) is not None:
            return name
    return CHARACTERS


def label(name: str) -> str:
    """What references call a tokenizer: its name, of a folder the last part."""
    parts = name.replace("\\", "/").rstrip("/").split("/")
    short = name if len(parts) <= 2 and parts[0] not in ("", ".", "..") else parts[-1]
    return _MARKS.sub("_", short)


@lru_cache(maxsize=8)
def counter(name: str, marks: bool = False) -> Count:
    """What counts the tokens of a text.

    Args:
        name: ``characters``, one of ``PACKAGED``, or a name or folder that transformers knows.
        marks: count the tokens that mark beginning and end too, where transformers adds them.

    Raises:
        ValueError: a package is missing, or the tokenizer cannot be loaded.
    """
    if name == CHARACTERS:
        return len
    if name in PACKAGED:
        if importlib.util.find_spec(PACKAGED[name]) is None:
            raise ValueError(
                f"the tokenizer {name} needs the package {PACKAGED[name]}, which is not "
                "installed: pip install 'xlgo[tokenizers]'"
            )
        return _packaged(name)
    return _of_transformers(name, marks)


def _packaged(name: str) -> Count:
    tokenizer: Any
    if name == "tekken":
        from mistral_common.tokens.tokenizers.mistral import MistralTokenizer

        tokenizer = MistralTokenizer.v3(is_tekken=True).instruct_tokenizer.tokenizer
        return lambda text: len(tokenizer.encode(text, bos=False, eos=False))
    import dashscope

    tokenizer = dashscope.get_tokenizer("qwen-max")
    return lambda text: len(tokenizer.encode(text))


def _of_transformers(name: str, marks: bool) -> Count:
    try:
        from transformers import AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(name)
    except (ImportError, OSError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise ValueError(
            f"tokenizer {name!r} cannot be loaded ({reason}): give {CHARACTERS}, "
            f"{', '.join(PACKAGED)}, or what transformers can load"
        ) from error
    return lambda text: len(tokenizer.encode(text, add_special_tokens=marks))
