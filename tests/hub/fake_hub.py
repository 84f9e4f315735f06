"""A small server on 127.0.0.1 that speaks the Hub's upload protocol and can be told to fail.

What it stores is checked as the Hub checks it: SHA-256 of large files, the YAML of the card, the
token, and a commit is applied as a whole or not at all.
"""

import base64
import hashlib
import json
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
import yaml
from huggingface_hub import constants

TOKEN = "hf_right"
Files = dict[str, bytes]
Answer = tuple[int, Any]
"""Status and what is said: as JSON, if it is no text."""


@dataclass
class Repo:
    private: bool
    sdk: str | None
    branches: dict[str, Files]
    commits: list[str] = field(default_factory=list)


@dataclass
class Failure:
    """Fail every request whose "METHOD path" matches ``pattern``."""

    pattern: str
    status: int | None
    """The status to answer with; ``None`` drops the connection in the middle of the answer."""
    after: bool = False
    """Do the work first: the client cannot know that it was done."""


@dataclass
class Hub:
    address: str = ""
    repos: dict[tuple[str, str], Repo] = field(default_factory=dict)
    large: Files = field(default_factory=dict)
    failure: Failure | None = None
    requests: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hub: Hub

    def log_message(self, *_: object) -> None:
        """Say nothing on the terminal."""

    def handle_any(self) -> None:
        path = unquote(urlsplit(self.path).path)
        line = f"{self.command} {path}"
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        with self.hub.lock:
            self.hub.requests.append(line)
            failure = self.hub.failure
            if failure is not None and not re.search(failure.pattern, line):
                failure = None
            if failure is None or failure.after:
                status, said = self.route(path, body)
        if failure is not None and failure.status is None:
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{")
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True
            return
        if failure is not None and failure.status is not None:
            status, said = failure.status, "<html>what a proxy says when all is down</html>"
        answer = (said if isinstance(said, str) else json.dumps(said)).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_GET = do_POST = do_PUT = handle_any

    def route(self, path: str, body: bytes) -> Answer:
        if path.startswith("/large/"):
            oid = hashlib.sha256(body).hexdigest()
            self.hub.large[oid] = body
            return (200, {}) if path == f"/large/{oid}" else (400, {"error": "SHA-256 differs"})
        if self.headers.get("Authorization") != f"Bearer {TOKEN}":
            return 401, {"error": "Invalid username or password."}
        for end, action in (
            ("repos/create", self.create),
            ("validate-yaml", self.validate),
            (".git/info/lfs/objects/batch", self.batch),
        ):
            if path.endswith(end):
                return action(json.loads(body))
        return self.of_repo(path, body)

    def of_repo(self, path: str, body: bytes) -> Answer:
        _, _, kind, owner, name, *rest = path.split("/", 6)
        what, branch = rest if len(rest) == 2 else ("revision", "main")
        repo = self.hub.repos[kind, f"{owner}/{name}"]
        if what == "branch":
            is_new = branch not in repo.branches
            repo.branches.setdefault(branch, dict(repo.branches["main"]))
            return (200, {}) if is_new else (409, {"error": "Reference already exists"})
        if what == "preupload":
            return self.preupload(repo.branches[branch], json.loads(body)["files"])
        if what == "commit":
            return self.commit(f"{kind}/{owner}/{name}", repo, branch, body)
        if what == "tree":
            files = [{"type": "file", "path": name} for name in repo.branches[branch]]
            return 200, [file | {"size": 0, "oid": ""} for file in files]
        sha = f"{len(repo.commits):040x}"
        return 200, {"id": name, "private": repo.private, "sha": sha, "siblings": [], "tags": []}

    def validate(self, asked: dict[str, Any]) -> Answer:
        head = yaml.safe_load(asked["content"].split("---")[1])
        return 200 if isinstance(head, dict) else 400, {"errors": [], "warnings": []}

    def create(self, asked: dict[str, Any]) -> Answer:
        key = f"{asked['type']}s", f"{asked['organization']}/{asked['name']}"
        url = f"{self.hub.address}/{key[0]}/{key[1]}"
        if key in self.hub.repos:
            return 409, {"error": "You already created this repo", "url": url}
        private = asked.get("private") is True or asked.get("visibility") == "private"
        start = {".gitattributes": b"*.parquet filter=lfs\n"}
        self.hub.repos[key] = Repo(private, asked.get("sdk"), {"main": start})
        return 200, {"url": url, "name": key[1]}

    def preupload(self, files: Files, asked: list[dict[str, Any]]) -> Answer:
        for file in asked:
            is_large = file["path"].endswith(".parquet")
            file |= {"uploadMode": "lfs" if is_large else "regular", "shouldIgnore": False}
            if (data := files.get(file["path"])) is not None:
                git = hashlib.sha1(b"blob %d\0" % len(data) + data)
                file["oid"] = (hashlib.sha256(data) if is_large else git).hexdigest()
        return 200, {"files": asked}

    def batch(self, asked: dict[str, Any]) -> Answer:
        for item in asked["objects"]:
            if item["oid"] not in self.hub.large:
                item["actions"] = {"upload": {"href": f"{self.hub.address}/large/{item['oid']}"}}
        return 200, {"transfer": "basic", "objects": asked["objects"]}

    def commit(self, name: str, repo: Repo, branch: str, body: bytes) -> Answer:
        files = dict(repo.branches[branch])
        for key, value in (json.loads(line).values() for line in body.splitlines()):
            if key == "header":
                summary = value["summary"]
            elif key == "file":
                files[value["path"]] = base64.b64decode(value["content"], validate=True)
            elif key == "lfsFile":
                files[value["path"]] = self.hub.large[value["oid"]]
            else:
                assert key == "deletedFile"
                del files[value["path"]]
        repo.branches[branch] = files
        repo.commits.append(summary)
        oid = f"{len(repo.commits):040x}"
        url = f"{self.hub.address}/{name}/commit/{oid}"
        return 200, {"success": True, "commitOid": oid, "commitUrl": url}


@contextmanager
def running(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A Hub that the client finds, with the right token and without waiting between attempts."""
    hub = Hub()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("H", (Handler,), {"hub": hub}))
    hub.address = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, args=[0.05], daemon=True).start()
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True, raising=False)
    monkeypatch.setattr(constants, "ENDPOINT", hub.address)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr("time.sleep", lambda _: None)
    with server:
        yield hub
        server.shutdown()
