"""Sixty shapes of credentials: none is written, whatever its name; a keyed hash is."""

from __future__ import annotations

import base64
import json
import re
import stat
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.looping import looped
from xlgo_lm_eval import arguments, fingerprint, redaction
from xlgo_lm_eval.redaction import note_arguments, redacted, redacted_json

NAMES = (
    "api_key", "apikey", "x_api_key", "auth", "auth_token", "token", "hf_token", "access_token",
    "secret", "client_secret", "password", "passwd", "pwd", "passphrase", "pat", "jwt", "bearer",
    "session", "sid", "signature", "sig", "cookie", "credentials", "private_value", "tenant",
    "subscription", "organization", "account", "license", "extra", "opaque", "value", "x", "k",
)  # fmt: skip
BARE = (
    "sk-abcDEF123456", "hf_AbCdEf0123456789", "ghp_0123456789abcdefABCD", "AKIA0123456789ABCDEF",
    "AIzaSyA0123456789abcdefghijklmnop", "xoxb-1234-abcdefgh", "glpat-abcdefgh12345678",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "gsk_abcdEFGH0123", "r8_abcdEFGH0123",
    "nvapi-abcd-EFGH", "pplx-0123abcd", "co-0123abcd", "fw_0123abcd", "tgp_v1_0123abcd",
    "sess-0123abcd", "dop_v1_0123abcd", "npm_0123abcdEF", "pypi-AgEI0123", "SG.abc.def0123",
    "0123456789abcdef0123456789abcdef", "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0", "hunter2-hunter2",
    "correcthorse", "Zm9vYmFyYmF6cXV4", "deadbeefcafe",
)  # fmt: skip


@pytest.fixture(autouse=True)
def _own_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr(redaction, "_noted", set())
    monkeypatch.setattr(arguments, "OPENED", set())
    fingerprint._key.cache_clear()


def shapes() -> list[tuple[str, str, str]]:
    """Arguments of a command line, the name of the argument, and the credential in it."""
    named = [
        (f"model=m,{name}=Pz7-{n:02}-qWe9", name, f"Pz7-{n:02}-qWe9")
        for n, name in enumerate(NAMES)
    ]
    places = (
        ("header={{'x-opaque': '{}'}}", "header"),
        ("base_url=http://me:{}@h/v1", "base_url"),
        ("base_url=http://h/v1?v={}", "base_url"),
        ("something={}", "something"),
    )
    bare = []
    for n, token in enumerate(BARE):
        text, name = places[n % len(places)]
        bare.append((f"model=m,{text.format(token)}", name, token))
    return named + bare


@looped(("text", "name", "credential"), shapes())
def test_it_is_written_nowhere(text: str, name: str, credential: str) -> None:
    note_arguments(["run", "--model", "local-chat-completions", "--model_args", text])
    value = text.partition(f"{name}=")[2]
    given = {"model": "m", name: value}
    results = redacted_json(
        {
            "config": {"model_args": given},
            "configs": {"t": {"metadata": {"xlgo_options": "levels", "levels": 3, **given}}},
            "error": f"401: {credential} is not allowed",
        }
    )
    encoded = base64.b64encode(credential.encode()).decode()
    for echoed in (credential, quote(credential, safe=""), encoded, json.dumps(credential)):
        for line in (f"error: {echoed}", f"Authorization: Bearer {echoed}", f"<p>{echoed}</p>"):
            assert credential not in redacted(line)
            assert encoded not in redacted(line)
    written = json.dumps([results, arguments.written(given)])
    assert credential not in written
    assert written.count("[hmac:") == 3
    assert results["config"]["model_args"]["model"] == "m"
    assert results["configs"]["t"]["metadata"]["levels"] == 3


def test_there_are_sixty() -> None:
    assert len({credential for _, _, credential in shapes()}) == 60


@pytest.mark.parametrize("name", ["MY_PAT", "DB_PWD", "X_JWT", "AWS_ACCESS_KEY_ID", "APP_AUTH"])
def test_values_of_the_environment(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "Pz7-qWe9-long-enough")
    assert redacted("it said Pz7-qWe9-long-enough") == "it said [removed]"


def test_the_hash_is_that_of_the_key(tmp_path: Path) -> None:
    one = fingerprint.fingerprint("value")
    assert re.fullmatch(r"\[hmac:[0-9a-f]{16}\]", one)
    path = tmp_path / "config" / "xlgo" / "fingerprint.key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [p.name for p in path.parent.iterdir()] == [path.name]
    fingerprint._key.cache_clear()
    assert fingerprint.fingerprint("value") == fingerprint.fingerprint(one) == one
    assert fingerprint.fingerprint("valve") != one
    path.unlink()
    fingerprint._key.cache_clear()
    assert fingerprint.fingerprint("value") != one


def test_where_no_key_can_be_kept(tmp_path: Path) -> None:
    (tmp_path / "config").write_text("a file")
    assert fingerprint.fingerprint("value") == fingerprint.fingerprint("value")


def test_what_is_harmless_stays_and_an_argument_can_be_opened() -> None:
    given = {
        "base_url": "http://127.0.0.1:8000/v1/chat/completions",
        "num_concurrent": 8,
        "tenant": "t-123456",
        "chat_template_args": {"enable_thinking": False, "note": "x-123456"},
    }
    note_arguments(["--show-args", "tenant", "--model_args", "tenant=t-123456"])
    written = arguments.written(given)
    assert written["base_url"] == given["base_url"]
    assert written["tenant"] == "t-123456"
    assert redacted("tenant t-123456") == "tenant t-123456"
    assert written["chat_template_args"]["enable_thinking"] is False
    assert written["chat_template_args"]["note"].startswith("[hmac:")
