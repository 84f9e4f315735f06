"""A keyed hash in the place of a value that may be a credential.

Two runs of one person with the same value have the same hash, so that they can be compared; nobody
without the key can try out guesses.
"""

import contextlib
import hashlib
import hmac
import json
import os
import re
import secrets
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

_WRITTEN = re.compile(r"\[hmac:[0-9a-f]{16}\]")
_KEY_BYTES = 32
_LONGEST_SEGMENT = 20
"""Characters of a part of a URL's path from which it may be a credential."""


def key_file() -> Path:
    """The file of the key, in the user's configuration folder."""
    top = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(top) / "xlgo" / "fingerprint.key"


def fingerprint(value: Any) -> str:
    """The hash of a value, such as ``[hmac:0123456789abcdef]``; a hash stays as it is."""
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)
    if _WRITTEN.fullmatch(text):
        return text
    digest = hmac.new(_key(key_file()), text.encode("utf-8", "replace"), hashlib.sha256)
    return f"[hmac:{digest.hexdigest()[:16]}]"


def url_shown(url: str) -> str:
    """A URL with hashes of what may be a credential in it: user, query, fragment, long segments."""
    try:
        parts = urlsplit(url)
    except ValueError:  # such as a broken address of IPv6
        return fingerprint(url)
    login, _, host = parts.netloc.rpartition("@")
    segments = [s if len(s) <= _LONGEST_SEGMENT else fingerprint(s) for s in parts.path.split("/")]
    return parts._replace(
        netloc=f"{fingerprint(login)}@{host}" if login else host,
        path="/".join(segments),
        query=parts.query and fingerprint(parts.query),
        fragment=parts.fragment and fingerprint(parts.fragment),
    ).geturl()


@lru_cache(maxsize=1)
def _key(path: Path) -> bytes:
    """The key, made on first use with mode 600; for this process alone where none can be kept."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with contextlib.suppress(FileExistsError):
            new = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
            with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(secrets.token_bytes(_KEY_BYTES))
            try:
                os.link(new, path)  # unlike a renaming it replaces no key of another process
            finally:
                new.unlink()
        key = path.read_bytes()
        if len(key) == _KEY_BYTES:
            return key
    return secrets.token_bytes(_KEY_BYTES)
