"""A small server on 127.0.0.1 that speaks the Hub's upload protocol and can be told to fail.

What it stores is checked as the Hub checks it: sizes and SHA-256 of large files, the YAML of the
card, the token, and a commit is applied as a whole or not at all.
"""

from __future__ import annotations

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
from urllib.parse import unquote, urlsplit

import pytest
import yaml
from huggingface_hub import constants

TOKEN = "hf_right"


@dataclass
class Repo:
    private: bool
    sdk: str | None
    branches: dict[str, dict[str, bytes]] = field(default_factory=dict)
    commits: list[str] = field(default_factory=list)


@dataclass
class Failure:
    """Fail the next ``times`` requests whose "METHOD path" matches ``pattern``."""

    pattern: str
    status: int | None
    """The status to answer with; ``None`` drops the connection in the middle of the answer."""
    times: int = 1
    after: bool = False
    """Do the work first: the client cannot know that it was done."""


class Hub:
    def __init__(self) -> None:
        self.repos: dict[tuple[str, str], Repo] = {}
        self.large: dict[str, bytes] = {}
        self.failures: list[Failure] = []
        self.requests: list[str] = []
        self.lock = threading.Lock()
        self.address = ""

    def fail(self, line: str) -> Failure | None:
        for failure in self.failures:
            if failure.times > 0 and re.search(failure.pattern, line):
                failure.times -= 1
                return failure
        return None


class HubError(Exception):
    def __init__(self, status: int, message: str, **more: object) -> None:
        super().__init__(message)
        self.status = status
        self.body = {"error": message, **more}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hub: Hub

    def log_message(self, *_: object) -> None:
        """Say nothing on the terminal."""

    def handle_any(self) -> None:
        path = unquote(urlsplit(self.path).path)
        line = f"{self.command} {path}"
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.headers.get("Transfer-Encoding") == "chunked":
            body = self._chunks()
        hub = self.hub
        with hub.lock:
            hub.requests.append(line)
            failure = hub.fail(line)
            status, answer = 200, b"{}"
            if failure is None or failure.after:
                try:
                    answer = json.dumps(self.route(self.command, path, body)).encode()
                except HubError as error:
                    status, answer = error.status, json.dumps(error.body).encode()
        if failure is not None:
            if failure.status is None:
                self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{")
                self.wfile.flush()
                self.connection.shutdown(socket.SHUT_RDWR)
                self.close_connection = True
                return
            status, answer = failure.status, b"<html>what a proxy says when all is down</html>"
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_GET = do_POST = do_PUT = handle_any

    def _chunks(self) -> bytes:
        found = b""
        while size := int(self.rfile.readline(), 16):
            found += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return found

    def route(self, method: str, path: str, body: bytes) -> object:
        if method == "PUT" and (match := re.fullmatch(r"/large/([0-9a-f]{64})", path)):
            return self.put_large(match[1], body)
        if self.headers.get("Authorization") != f"Bearer {TOKEN}":
            raise HubError(401, "Invalid username or password.")
        for pattern, action in (
            (r"/api/repos/create", self.create),
            (r"/api/validate-yaml", self.validate),
            (r"/(?:datasets|spaces)/.+\.git/info/lfs/objects/batch", self.batch),
        ):
            if method == "POST" and re.fullmatch(pattern, path):
                return action(json.loads(body))
        match = re.fullmatch(
            r"/api/(datasets|spaces)/([^/]+/[^/]+)(?:/(branch|revision|tree|preupload|commit)/(.+))?",
            path,
        )
        if match is None:
            raise HubError(404, f"no such address: {method} {path}")
        repo = self.hub.repos.get((match[1], match[2]))
        if repo is None:
            raise HubError(404, "Repository not found")
        what, branch = match[3] or "revision", match[4] or "main"
        if what == "branch":
            return self.branch(repo, branch)
        if branch not in repo.branches:
            raise HubError(404, "Invalid rev id")
        actions = {
            "revision": lambda: self.info(match[2], repo, branch),
            "tree": lambda: self.tree(repo, branch),
            "preupload": lambda: self.preupload(repo, branch, json.loads(body)),
            "commit": lambda: self.commit(f"{match[1]}/{match[2]}", repo, branch, body),
        }
        return actions[what]()

    def branch(self, repo: Repo, name: str) -> object:
        if name in repo.branches:
            raise HubError(409, "Reference already exists")
        repo.branches[name] = dict(repo.branches["main"])
        return {}

    def tree(self, repo: Repo, branch: str) -> object:
        return [
            {"type": "file", "path": name, "size": len(data), "oid": git_oid(data)}
            for name, data in repo.branches[branch].items()
        ]

    def create(self, asked: dict) -> object:
        organisation = asked.get("organization") or "me"
        key = (f"{asked['type']}s", f"{organisation}/{asked['name']}")
        if organisation == "others":
            raise HubError(403, "You don't have the rights to create a repo there")
        url = f"{self.hub.address}/{key[0]}/{key[1]}"
        if key in self.hub.repos:
            raise HubError(409, "You already created this repo", url=url)
        private = asked.get("private") is True or asked.get("visibility") == "private"
        start = {".gitattributes": b"*.parquet filter=lfs\n"}
        self.hub.repos[key] = Repo(private, asked.get("sdk"), {"main": start})
        return {"url": url, "name": key[1]}

    def validate(self, asked: dict) -> object:
        head = asked["content"].split("---")[1]
        try:
            problem = None if isinstance(yaml.safe_load(head), dict) else "no metadata"
        except yaml.YAMLError as error:
            problem = str(error)
        if problem:
            raise HubError(400, "Bad request", errors=[{"message": problem}])
        return {"errors": [], "warnings": []}

    def info(self, name: str, repo: Repo, revision: str) -> object:
        files = repo.branches[revision]
        return {
            "id": name, "private": repo.private, "sha": f"{len(repo.commits):040x}",
            "siblings": [{"rfilename": path} for path in files], "tags": [], "likes": 0,
            "downloads": 0, "disabled": False, "gated": False,
        }  # fmt: skip

    def preupload(self, repo: Repo, branch: str, asked: dict) -> object:
        files = repo.branches[branch]
        found = []
        for file in asked["files"]:
            large = file["path"].endswith(".parquet") or file["size"] > 10_000_000
            entry = {
                "path": file["path"],
                "uploadMode": "lfs" if large else "regular",
                "shouldIgnore": False,
            }
            if (data := files.get(file["path"])) is not None:
                entry["oid"] = hashlib.sha256(data).hexdigest() if large else git_oid(data)
            found.append(entry)
        return {"files": found}

    def batch(self, asked: dict) -> object:
        found = []
        for item in asked["objects"]:
            entry = {"oid": item["oid"], "size": item["size"]}
            if item["oid"] not in self.hub.large:
                entry["actions"] = {"upload": {"href": f"{self.hub.address}/large/{item['oid']}"}}
            found.append(entry)
        return {"transfer": "basic", "objects": found}

    def put_large(self, oid: str, body: bytes) -> object:
        if hashlib.sha256(body).hexdigest() != oid:
            raise HubError(400, "SHA-256 differs")
        self.hub.large[oid] = body
        return {}

    def commit(self, name: str, repo: Repo, branch: str, body: bytes) -> object:
        files = dict(repo.branches[branch])
        summary = ""
        for line in body.splitlines():
            entry = json.loads(line)
            key, value = entry["key"], entry["value"]
            if key == "header":
                summary = value["summary"]
            elif key == "file":
                files[value["path"]] = base64.b64decode(value["content"], validate=True)
            elif key == "lfsFile":
                if value["oid"] not in self.hub.large:
                    raise HubError(400, f"{value['path']} was not uploaded")
                files[value["path"]] = self.hub.large[value["oid"]]
            elif key == "deletedFile":
                del files[value["path"]]
            else:
                raise HubError(400, f"unknown key {key}")
        repo.branches[branch] = files
        repo.commits.append(summary)
        oid = f"{len(repo.commits):040x}"
        url = f"{self.hub.address}/{name}/commit/{oid}"
        return {"success": True, "commitOid": oid, "commitUrl": url}


def git_oid(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


@contextmanager
def running(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A Hub that the client finds, with the right token and without waiting between attempts."""
    hub = Hub()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("H", (Handler,), {"hub": hub}))
    hub.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True, raising=False)
    monkeypatch.setattr(constants, "ENDPOINT", hub.address)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr("time.sleep", lambda _: None)
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
