"""Questions made again from the options of a run, to be compared with those in its results."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from xlgo_dataset.family import known_texts
from xlgo_lm_eval.replies import digest, text_sha
from xlgo_lm_eval.tasks.utils import doc_to_text, docs

AHEAD = 20_000
"""Questions made again in the search for one that may not exist: options of others may ask for
more than anyone can make."""

Doc = dict[str, Any]


class UnprovedError(Exception):
    """The question cannot be made here; the message says why."""


class Remade:
    """Questions by what they depend on; each is made once, however many models answered it.

    Questions are made in the order of the harness, and no further than needed.
    """

    def __init__(self) -> None:
        self._designs: dict[str, _Design] = {}
        self._prompts: dict[tuple[str, str], str] = {}

    def find(self, options: Mapping[str, Any], sha: str) -> Doc | None:
        """The question with this reference, or ``None`` if the design has none.

        Args:
            options: of the data, as ``xlgo_lm_eval.tasks.utils.options_of`` keeps them.
            sha: SHA-256 of its reference.

        Raises:
            UnprovedError: the questions cannot be made here.
        """
        return self._design(options).find(sha)

    def named(self, options: Mapping[str, Any], identity: str) -> Doc | None:
        """The question with this ``id``, among those that are made already."""
        return self._design(options).names.get(identity)

    def prompt_sha(self, options: Mapping[str, Any], sha: str, doc: Doc) -> str:
        """SHA-256 of the prompt of a question."""
        key = _key(options), sha
        if key not in self._prompts:
            self._prompts[key] = text_sha(doc_to_text(doc))
        return self._prompts[key]

    def _design(self, options: Mapping[str, Any]) -> _Design:
        key = _key(options)
        if key not in self._designs:
            self._designs[key] = _Design(dict(options))
        return self._designs[key]


class _Design:
    """The questions of one task under one set of options."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.names: dict[str, Doc] = {}
        self._found: dict[str, Doc] = {}
        self._why = ""
        text = options.get("text", "paper")
        if not isinstance(text, str) or (text not in known_texts() and not Path(text).is_file()):
            self._why = f"the wording {text!r:.100} is not here"
        self._left = _guarded(lambda: docs(**options))

    def find(self, sha: str) -> Doc | None:
        if sha in self._found:
            return self._found[sha]
        if self._why:
            raise UnprovedError(self._why)
        for _ in range(AHEAD):
            doc = next(self._left, None)
            if doc is None:
                return None
            if isinstance(doc, str):
                self._why = doc
                raise UnprovedError(doc)
            name = digest(json.loads(doc["reference"]))
            self._found[name] = doc
            self.names[doc["id"]] = doc
            if name == sha:
                return doc
        raise UnprovedError(f"not found among {AHEAD:,} more questions of the design")


def _guarded(make: Callable[[], Iterator[Doc]]) -> Iterator[Doc | str]:
    """The questions; at the end, why they cannot be made, if so.

    Options come from the results, and data that is not generated from the Hub or a folder: what
    goes wrong there proves nothing against the results.
    """
    try:
        yield from make()
    except Exception as error:  # whatever a loader raises
        yield f"the questions cannot be made here ({type(error).__name__}: {error!s:.200})"


def _key(options: Mapping[str, Any]) -> str:
    return json.dumps(options, sort_keys=True, default=str)
