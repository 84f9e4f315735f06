"""No credential is in any file or on any stream, whatever command saw it."""

import base64
import json
import re
import stat
import subprocess
import sys
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.chat_server import ChatServer, message
from tests.looping import looped
from xlgo_cli.cli import main
from xlgo_lm_eval import arguments
from xlgo_lm_eval.arguments import note, note_arguments, redacted, redacted_json

PLANTED = ("sk-ENVSECRET123456", "sk-URLSECRET99", "sk-QUERYSECRET77", "ARGSECRET0123456789",
           "somebody-at-home")  # fmt: skip


@looped(
    ("text", "wanted"),
    [
        ("http://me:pw@h/v1", "http://[removed]@h/v1"),
        ("http://me:p@ss:w@h:80/v1?a=1", "http://[removed]@h:80/v1?a=1"),
        ("ssh://git@example.org/x", "ssh://git@example.org/x"),
        ("https://h/v1?api_key=abc&b=2#x", "https://h/v1?api_key=[removed]&b=2#x"),
        ("https://h/v1?page=2&sig=abc%3D", "https://h/v1?page=2&sig=[removed]"),
        ("Authorization: Bearer abc.def", "Authorization: Bearer [removed]"),
        ("Basic dXNlcjpzZWNyZXQ=", "Basic [removed]"),
        ("key sk-verysecret is wrong", "key [removed] is wrong"),
        ("api_key=0123456789abc,model=m", "api_key=[removed],model=m"),
        ("{'x-api-key': '0123456789abc'}", "{'x-api-key': '[removed]'}"),
        (json.dumps(json.dumps({"token": "0123456789abc"})), r'"{\"token\": \"[removed]\"}"'),
        ("api_key=EMPTY,model=m", "api_key=EMPTY,model=m"),
        ("eos_token=<|end_of_turn|>", "eos_token=<|end_of_turn|>"),
        ("think_end_token=</thinking-of-it>", "think_end_token=</thinking-of-it>"),
        (
            "max_gen_toks=16384 tokenizer=abcdefghijklmnop",
            "max_gen_toks=16384 tokenizer=abcdefghijklmnop",
        ),
        ("a bearer of good news, Basic information", "a bearer of good news, Basic information"),
        ("hf_transfer_enabled", "hf_transfer_enabled"),
        ("Room E2679 with the Gold Key: B1002", "Room E2679 with the Gold Key: B1002"),
    ],
)
def test_forms(text: str, wanted: str) -> None:
    assert redacted(text) == wanted


def test_known_values_are_removed_without_their_context(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_SERVICE_TOKEN", "correct horse+battery")
    monkeypatch.setenv("MY_SLASHED_KEY", "Zk9/qwe+rty1234abcd==")
    monkeypatch.setenv("SHORT_KEY", "word")
    monkeypatch.setenv("OF_A_FILE_KEY", sys.executable)
    note(
        ["model=m,base_url=http://u:longpassword@h/?key=querypassword", "header_token=headervalue1"]
    )
    for value in ("correct horse+battery", "correct%20horse%2Bbattery", "longpassword",
                  "querypassword", "headervalue1", "dTpsb25ncGFzc3dvcmQ=",
                  "Zk9%2Fqwe%2Brty1234abcd%3D%3D"):  # fmt: skip
        assert redacted(f"it said {value}, twice") == "it said [removed], twice"
    assert redacted(f"word {sys.executable}") == f"word {sys.executable}"


def test_time_is_linear() -> None:
    for unit in ("a-", "key", "?a=", "a://", "Bearer ", "sk-", "token", "'"):
        redacted(unit * (100_000 // len(unit)))  # quadratic work would take a minute


@pytest.fixture
def server() -> Iterator[str]:
    """Every fifth time it repeats the credentials that it was sent in an error."""

    def respond(prompt: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        if len(serving.sent) % 5 != 4:
            return 200, message('{"state": "A1111"}')
        path, authorization = serving.sent[-1]
        return 500, {"error": f"no: {authorization} {path} {PLANTED[3]}"}

    with ChatServer(respond) as serving:
        yield f"{serving.url.replace('//', f'//user:{PLANTED[1]}@')}?api_key={PLANTED[2]}"


def leaks(folder: Path, said: Any) -> list[tuple[str, str]]:
    """The planted keys in the files of a folder and on the two streams."""
    texts = {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    texts |= {"stdout": said.out.encode(), "stderr": said.err.encode()}
    return [(name, key) for name, text in texts.items() for key in PLANTED if key.encode() in text]


def test_planted_keys_over_every_command(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", PLANTED[0])
    given = f"model=m,base_url={server},max_retries=3,auth_token={PLANTED[3]}"
    asked = ["--tasks", "xlgo_dsa", "--languages", "en,te", "--levels", "2", "--per-level", "3"]
    model = ["--model", "local-chat-completions", "--apply_chat_template", "--gen_kwargs",
             f"user={PLANTED[4]}"]  # fmt: skip
    code = {"run": main(["run", *asked, *model, "--model_args", given, "--output_path", "a"])}
    (tmp_path / "models.toml").write_text("[[models]]\nname = 'sim'\ntype = 'xlgo-sim'\n")
    code["queue"] = main(["run", *asked, "--models", "models.toml", "--output_path", "b"])
    # A folder of another team, whose results hold a key.
    results = next((tmp_path / "a").rglob("results_*.json"))
    held = json.loads(results.read_text())
    assert held["config"]["model_args"]["auth_token"].startswith("[hmac:")
    held["config"]["model_args"] |= {"base_url": server, "header": {"x-api-key": PLANTED[3]}}
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / results.name).write_text(json.dumps(held))
    for samples in results.parent.glob("samples_*"):
        (tmp_path / "foreign" / samples.name).write_text(samples.read_text())
    monkeypatch.delenv("OPENAI_API_KEY")
    arguments._noted.clear()
    code["report"] = main(["report", "foreign", "--out", "r"])
    code["score"] = main(["score", "foreign", "--json"])
    code["compare"] = main(["compare", "foreign", "b/sim", "--out", "c", "--allow-differences"])
    code["leaderboard"] = main(["leaderboard", "foreign", "b/sim", "--out", "l"])
    code["mistake"] = main(["score", f"http://u:{PLANTED[1]}@nowhere/"])
    assert code == dict.fromkeys(code, 0) | {"mistake": 2}
    for path in results, *(tmp_path / "foreign").glob("results*"):
        path.unlink()
    said = capfd.readouterr()
    assert leaks(tmp_path, said) == []
    assert "[removed]" in said.err


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("plan --profile demo --tasks slt --languages en te", 0),
        ("export --tasks slt --languages en --preset smoke --levels 2 --per-level 1 --out data", 0),
        ("verify data", 0),
        ("publish dataset --folder data --repo-id me/data --dry-run", 0),
        ("audit export de --out de.csv", 0),
        ("language check de", 0),
        ("tasks", 0),
        (
            f"judge data --model m --model_args base_url=http://u:{PLANTED[1]}@h/?key={PLANTED[2]}",
            2,
        ),
        (f"correlate ratings.csv http://u:{PLANTED[1]}@h", 2),
        (f"export --out x --tasks {PLANTED[0]} --text api_key={PLANTED[3]}", 2),
        (f"serve --profile https://u:{PLANTED[1]}@h", 2),
    ],
)
def test_planted_keys_over_the_other_commands(
    words: str,
    code: int,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    folder = tmp_path_factory.getbasetemp() / "others"  # each command finds what the last one made
    folder.mkdir(exist_ok=True)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HF_TOKEN", PLANTED[3])
    monkeypatch.setenv("OPENAI_API_KEY", PLANTED[0])
    if words.startswith(("verify", "publish")) and not (folder / "data").exists():
        pytest.skip("the export before it was not run")
    assert main(words.split()) == code
    assert leaks(folder, capfd.readouterr()) == []


def test_an_exception_that_nobody_caught(tmp_path: Path) -> None:
    program = (
        "import sys\nfrom xlgo_lm_eval.arguments import redacted_output\n"
        "with redacted_output(sys.argv): raise RuntimeError('no: ' + sys.argv[1])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, f"api_key={PLANTED[0]}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "RuntimeError: no: api_key=[removed]" in done.stderr
    assert PLANTED[0] not in done.stderr


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
    monkeypatch.setattr(arguments, "_noted", set())
    monkeypatch.setattr(arguments, "OPENED", set())
    arguments._key.cache_clear()


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
    return named + [
        (f"model=m,{text.format(token)}", name, token)
        for token, (text, name) in zip(BARE, cycle(places))
    ]


@looped(("text", "name", "credential"), shapes())
def test_it_is_written_nowhere(text: str, name: str, credential: str) -> None:
    note_arguments(["run", "--model", "local-chat-completions", "--model_args", text])
    given = {"model": "m", name: text.partition(f"{name}=")[2]}
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


def test_the_hash_is_that_of_the_key(tmp_path: Path) -> None:
    one = arguments.fingerprint("value")
    assert re.fullmatch(r"\[hmac:[0-9a-f]{16}\]", one)
    path = tmp_path / "config" / "xlgo" / "fingerprint.key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [p.name for p in path.parent.iterdir()] == [path.name]
    arguments._key.cache_clear()
    assert arguments.fingerprint("value") == arguments.fingerprint(one) == one
    assert arguments.fingerprint("valve") != one
    path.unlink()
    arguments._key.cache_clear()
    assert arguments.fingerprint("value") != one


def test_where_no_key_can_be_kept(tmp_path: Path) -> None:
    (tmp_path / "config").write_text("a file")
    assert arguments.fingerprint("value") == arguments.fingerprint("value")


def test_what_is_harmless_stays_and_an_argument_can_be_opened() -> None:
    given = {
        "base_url": "http://127.0.0.1:8000/v1/chat/completions",
        "num_concurrent": 8,
        "tenant": "t-123456",
        "chat_template_args": {"enable_thinking": False, "note": "x-123456"},
    }
    note_arguments(["--show-args", "tenant", "--model_args", "tenant=t-123456"])
    written = arguments.written(given)
    assert (written["base_url"], written["tenant"]) == (given["base_url"], "t-123456")
    assert redacted("tenant t-123456") == "tenant t-123456"
    assert written["chat_template_args"]["enable_thinking"] is False
    assert written["chat_template_args"]["note"].startswith("[hmac:")
