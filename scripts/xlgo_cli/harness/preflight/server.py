"""One small request to a server before a run: is it there, and does it know key and model?"""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from xlgo_lm_eval.redaction import redacted

_LOGGER = logging.getLogger("xlgo")
_QUESTION = "Say OK."
_TOKENS = 64
"""Enough for models that refuse fewer; an answer that is cut off is as good."""
_LIMITS = ("max_gen_toks", "max_new_tokens", "max_tokens", "max_completion_tokens", "until")
_LONGEST = 300
_PATIENCE = 120
"""Seconds: a run may wait long for an answer, a small request need not."""
_LISTED = 8
_UNFINISHED = re.compile("output limit|max_tokens|max_completion_tokens|length limit")
_KEY = "set the environment variable that the model reads its key from, such as OPENAI_API_KEY"
_REMEDIES = {
    401: f"the key is refused: {_KEY}",
    403: f"the key is refused: {_KEY}",
    404: "there is no such model, or it is the wrong address",
}
"""By the code of a refusal."""


def check(lm: Any, gen_kwargs: Mapping[str, object]) -> None:
    """Ask a model behind an interface for a few tokens; any other model is not asked.

    Args:
        lm: a model of the harness.
        gen_kwargs: how it is to answer. Limits and ends of the answer do not count here.

    Raises:
        ValueError: in a line, why no run can succeed.
    """
    from xlgo_lm_eval.asking import ServerError, context_of, in_words, is_api, trial
    from xlgo_lm_eval.patches import patched

    if not is_api(lm):
        return
    import aiohttp

    parts = urlsplit(str(lm.base_url))
    bare = parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="")
    address = bare.geturl()
    prompt = context_of(lm, ({"role": "user", "content": _QUESTION},))
    settings = {name: value for name, value in gen_kwargs.items() if name not in _LIMITS}
    try:
        with patched(lm, "timeout", min(lm.timeout, _PATIENCE)):
            trial(lm, prompt, {**settings, "max_gen_toks": _TOKENS})
    except ServerError as error:
        words = redacted(in_words(error))[:_LONGEST]
        if error.code == 429:
            _LOGGER.warning("%s answers that it is asked too often (HTTP 429): going on", address)
        elif error.code == 404 or not _UNFINISHED.search(words):
            remedy = _REMEDIES.get(error.code, "it refuses a small request")
            raise ValueError(f"{address}: {remedy} ({words}){_models(lm)}") from None
    except (aiohttp.ClientError, asyncio.TimeoutError, json.JSONDecodeError) as error:
        raise ValueError(
            f"{address} does not answer a small request within {_PATIENCE} seconds and in JSON "
            f"({in_words(error)}): start the server, or give the address of its interface, such as "
            "--model_args base_url=http://127.0.0.1:8000/v1/chat/completions"
        ) from None
    except ValueError as error:  # the model finds no key, for example
        raise ValueError(" ".join(str(error).split())) from None


def _models(lm: Any) -> str:
    """The models that the server lists, if it does and the model is none of them."""
    import requests

    url = re.sub(r"/(?:chat/)?completions/?$", "/models", str(lm.base_url))
    try:
        reply = requests.get(url, headers=lm.header, verify=lm.verify_certificate, timeout=10)
        names = [str(entry["id"])[:80] for entry in reply.json()["data"]]
    except (requests.RequestException, ValueError, KeyError, TypeError):
        return ""
    more = ", ..." if len(names) > _LISTED else ""
    return "" if not names or lm.model in names else f"; it has {', '.join(names[:_LISTED])}{more}"
