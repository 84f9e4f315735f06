"""One small request to a server before a run: is it there, and does it know key and model?"""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from xlgo_lm_eval.redaction import redacted

if TYPE_CHECKING:
    from xlgo_lm_eval.asking import ServerError

_LOGGER = logging.getLogger("xlgo")
_QUESTION = "Say OK."
_TOKENS = 64
"""Enough for models that refuse fewer; an answer that is cut off is as good."""
_LIMITS = ("max_gen_toks", "max_new_tokens", "max_tokens", "max_completion_tokens", "until")
_LONGEST = 300
_PATIENCE = 120
"""Seconds: a run may wait long for an answer, a small request need not."""
_LISTED = 8
_PATH = re.compile(r"/(?:chat/)?completions/?$")
_UNFINISHED = re.compile("output limit|max_tokens|max_completion_tokens|length limit")


def check(lm: Any, gen_kwargs: Mapping[str, object]) -> None:
    """Ask a model behind an interface for a few tokens; any other model is not asked.

    Args:
        lm: a model of the harness.
        gen_kwargs: how it is to answer. Limits and ends of the answer do not count here.

    Raises:
        ValueError: in a line, why no run can succeed.
    """
    from xlgo_lm_eval.asking import ServerError, context_of, is_api, trial
    from xlgo_lm_eval.patches import patched

    if not is_api(lm):
        return
    import aiohttp

    address = _address(lm.base_url)
    asked = context_of(lm, ({"role": "user", "content": _QUESTION},))
    settings = {name: value for name, value in gen_kwargs.items() if name not in _LIMITS}
    try:
        with patched(lm, "timeout", min(lm.timeout, _PATIENCE)):
            trial(lm, asked, {**settings, "max_gen_toks": _TOKENS})
    except ServerError as error:
        _tell(lm, address, error)
    except asyncio.TimeoutError:
        raise ValueError(
            f"{address} did not answer a small request within {_PATIENCE} seconds"
        ) from None
    except (aiohttp.ContentTypeError, json.JSONDecodeError):
        raise ValueError(
            f"{address} does not answer with JSON: is it the address of an OpenAI-compatible "
            "interface (--model_args base_url=...)?"
        ) from None
    except aiohttp.InvalidURL:
        raise ValueError(
            f"--model_args base_url={address}: not the address of a server, such as "
            "http://127.0.0.1:8000/v1/chat/completions"
        ) from None
    except aiohttp.ClientError as error:
        is_there = not isinstance(error, aiohttp.ClientConnectorError)
        problem = f"{address} ends the connection without an answer"
        raise ValueError(
            f"{problem if is_there else f'no server answers at {address}'}: start it, or give "
            "another --model_args base_url=..."
        ) from None
    except ValueError as error:  # the model finds no key, for example
        raise ValueError(" ".join(str(error).split())) from None


def _tell(lm: Any, address: str, error: ServerError) -> None:
    """Explain a server's refusal; only note one that may be temporary."""
    code, words = error.code, redacted(" ".join(error.words.split()))[:_LONGEST]
    words = f": {words}" if words else ""
    if code == 429:
        _LOGGER.warning("%s answers that it is asked too often (HTTP 429): going on", address)
    elif code in (401, 403):
        raise ValueError(
            f"{address} refuses the key (HTTP {code}){words}: set the environment variable that "
            "the model reads its key from, such as OPENAI_API_KEY"
        )
    elif code == 404:
        raise ValueError(
            f"{address} has no model {lm.model!r}, or is the wrong address (HTTP 404){words}"
            f"{_models(lm)}"
        )
    elif code >= 500:
        raise ValueError(f"{address} returned a server error (HTTP {code}){words}: retry later")
    elif not _UNFINISHED.search(words):
        raise ValueError(f"{address} refuses a small request (HTTP {code}){words}{_models(lm)}")


def _models(lm: Any) -> str:
    """The models that the server lists, if it does."""
    import requests

    url = _PATH.sub("/models", str(lm.base_url))
    if url == lm.base_url:
        return ""
    try:
        reply = requests.get(url, headers=lm.header, verify=lm.verify_certificate, timeout=10)
        names = [str(entry["id"])[:80] for entry in reply.json()["data"]]
    except (requests.RequestException, ValueError, KeyError, TypeError):
        return ""
    if not names or lm.model in names:
        return ""
    more = ", ..." if len(names) > _LISTED else ""
    return f"; it has {', '.join(names[:_LISTED])}{more}"


def _address(url: Any) -> str:
    """An address without user and key."""
    parts = urlsplit(str(url))
    bare = parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="")
    return bare.geturl()
