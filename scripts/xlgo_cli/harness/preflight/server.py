"""One small request to a server before a run: is it there, and does it know key and model?"""

from __future__ import annotations

import contextlib
import logging
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from xlgo_lm_eval.redaction import REMOVED, redacted

_LOGGER = logging.getLogger("xlgo")
_HARNESS = logging.getLogger("lm_eval.models.api_models")
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

_NOBODY = ("NewConnectionError", "NameResolutionError", "Connection refused")
"""In errors of a connection that was never made."""


def check(lm: Any, gen_kwargs: Mapping[str, object]) -> None:
    """Ask a model behind an interface for a few tokens; any other model is not asked.

    Args:
        lm: a model of the harness.
        gen_kwargs: how it is to answer. Limits and ends of the answer do not count here.

    Raises:
        ValueError: in a line, why no run can succeed.
    """
    from lm_eval.models.api_models import TemplateAPI

    if not isinstance(lm, TemplateAPI):
        return
    import requests

    from xlgo_lm_eval.asking import context_of
    from xlgo_lm_eval.patches import patched

    address = _address(lm.base_url)
    turns = ({"role": "user", "content": _QUESTION},)
    kept = {name: value for name, value in gen_kwargs.items() if name not in _LIMITS}
    asked: Any = context_of(lm, turns)
    if lm.tokenized_requests:
        asked = lm.tok_encode(asked)
    try:
        with (
            patched(_HARNESS, "disabled", True),  # xlgo prints a message of its own
            patched(lm, "timeout", min(lm.timeout, _PATIENCE)),
        ):
            lm.model_call(
                messages=[asked], generate=True, gen_kwargs={**kept, "max_gen_toks": _TOKENS}
            )
    except requests.HTTPError as error:
        _tell(lm, address, error.response)
    except requests.Timeout:
        raise ValueError(
            f"{address} did not answer a small request within {_PATIENCE} seconds"
        ) from None
    except requests.exceptions.InvalidJSONError:
        raise ValueError(
            f"{address} does not answer with JSON: is it the address of an OpenAI-compatible "
            "interface (--model_args base_url=...)?"
        ) from None
    except requests.ConnectionError as error:
        if any(name in repr(error) for name in _NOBODY):
            problem = f"no server answers at {address}"
        else:
            problem = f"{address} ends the connection without an answer"
        raise ValueError(
            f"{problem}: start it, or give another --model_args base_url=..."
        ) from None
    except requests.RequestException:
        raise ValueError(
            f"--model_args base_url={address}: not the address of a server, such as "
            "http://127.0.0.1:8000/v1/chat/completions"
        ) from None
    except ValueError as error:  # the model finds no key, for example
        raise ValueError(" ".join(str(error).split())) from None


def _tell(lm: Any, address: str, response: Any) -> None:
    """Explain a server's refusal; only note one that may be temporary."""
    code, words = int(response.status_code), _words(response, lm)
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


def _words(response: Any, lm: Any) -> str:
    """What the server said, in one line, without credentials."""
    try:
        found = response.json()
    except ValueError:
        return ""
    error = found.get("error", found) if isinstance(found, dict) else found
    error = error.get("message", error) if isinstance(error, dict) else error
    if not isinstance(error, str):
        return ""
    with contextlib.suppress(ValueError):  # of a model without a key
        if lm.api_key:
            error = error.replace(str(lm.api_key), REMOVED)
    text = redacted(" ".join(error.split()))[:_LONGEST]
    return f": {text}" if text else ""


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
