"""Chains as tasks of lm-evaluation-harness: a request type of our own, ``generate_chain``.

The harness calls the method of a model that is named like the request type. Importing this module
gives every model that method; nothing that was there is changed. So a plain ``lm-eval run
--include_path`` runs chains with any type of model, and resumes them from their ledger.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import logging
import os
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import lm_eval.models  # noqa: F401  (the harness's own models must be registered first)
from lm_eval.api.instance import Instance
from lm_eval.api.model import LM
from lm_eval.api.task import ConfigurableTask
from lm_eval.models.api_models import TemplateAPI

from .chains import Beside, Item, Step
from .engine import run_chains
from .ledger import Ledger
from .manifest import Recorded
from .repeat_task import settings
from .replies import digest
from .stop_task import with_stops

REQUEST_TYPE = "generate_chain"
LEDGER = "xlgo_ledger"
"""In ``--metadata``: the path of the ledger, or a folder with one for each model."""
STEP = "chain_step"
"""In the metadata of a task file: the name of its kind of chain."""
FAMILY = "xlgo_family"
"""In the metadata of a task file: the family whose module ``chains`` knows that kind of chain."""
FOLDER = Path("xlgo_ledgers")
"""Where ledgers are whose path is not given, by model, below the working directory."""

_NAMES = ("model", "pretrained", "profile")
_IDENTITY = (
    *_NAMES, "revision", "subfolder", "peft", "delta", "dtype", "quantization", "load_in_4bit",
    "load_in_8bit", "autogptq", "gptqmodel", "gguf_file", "tokenizer", "chat_template_args",
    "enable_thinking", "think_end_token", "add_bos_token", "max_length", "truncate", "wording",
    "coupling", "seed",
)  # fmt: skip
"""Arguments of models that change answers. Only these are written down, so no credential is."""

logger = logging.getLogger("xlgo")


@dataclass(frozen=True)
class Start:
    """What a kind of chain makes of a question.

    Attributes:
        chain: name of the chain, the same in every run.
        prompt_id: version of the wording.
        step: what it does next.
    """

    chain: str
    prompt_id: str
    step: Step


StepMaker = Callable[[Mapping[str, object], Mapping[str, object]], Start]
"""Makes a chain out of a question and the metadata of its task."""

_MAKERS: dict[str, StepMaker] = {}
_beside: list[Beside] = []


@contextlib.contextmanager
def asked_beside(beside: Beside) -> Iterator[None]:
    """Have another model asked about each chain of the harness that ends meanwhile."""
    _beside.append(beside)
    try:
        yield
    finally:
        _beside.remove(beside)


def register_step(name: str, maker: StepMaker) -> None:
    """Make a kind of chain known, for ``chain_step`` in task files."""
    _MAKERS[name] = maker


def find_step(name: Any, family: Any) -> StepMaker | None:
    """The maker of a kind of chain, if it is known.

    Args:
        name: of the kind.
        family: of the task; the kinds of a family are registered by the module ``chains`` in its
            folder beside this file, which is imported when it is first needed.
    """
    if name not in _MAKERS and isinstance(family, str) and family.isidentifier():
        module = f"{__package__}.{family}.chains"
        if _exists(module):
            importlib.import_module(module)
    return _MAKERS.get(name)


def _exists(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # not even its folder
        return False


@dataclass
class ChainInstance(Instance):
    """A request of the harness that stands for a chain.

    Attributes:
        item: the chain; always there.
        run: what identifies the model, for the ledger.
        ledger: path of the ledger, or a folder with one by model; empty for the usual folder.
    """

    item: Item | None = None
    run: Mapping[str, object] | None = None
    ledger: str = ""


class ChainTask(Recorded, ConfigurableTask):
    """A task whose questions are chains; in a task file ``class: !function utils.ChainTask``.

    Its metadata names the kind of chain as ``chain_step``. The response to a question is what
    became of its chain, as JSON: see ``outcome`` of the steps.
    """

    def __init__(self, config: Mapping[str, object] | None = None) -> None:
        super().__init__(config=settings(config))
        name = self._metadata().get(STEP)
        maker = find_step(name, self._metadata().get(FAMILY))
        if maker is None:
            raise ValueError(
                f"{self.config.task}: metadata needs {STEP}, one of {', '.join(sorted(_MAKERS))}, "
                f"got {name!r}"
            )
        self._maker = maker
        self._system: str | None = None
        self._chat = False

    def build_all_requests(self, **given: Any) -> None:
        """As in the harness, but never out of its cache, where chains would keep the model and
        the ledger of another run."""
        fresh = {"cache_requests": False, "rewrite_requests_cache": False}
        super().build_all_requests(**{**given, **fresh})

    def fewshot_context(
        self,
        doc: Any,
        num_fewshot: int = 0,
        system_instruction: str | None = None,
        apply_chat_template: bool = False,
        *_: Any,
        **__: Any,
    ) -> str:
        """The first prompt, for the logs; what else is set here holds for all prompts.

        Raises:
            ValueError: examples are asked for.
        """
        if num_fewshot:
            raise ValueError(
                f"{self.config.task} has no examples: leave out --num_fewshot, or give 0"
            )
        self._system = system_instruction
        self._chat = bool(apply_chat_template)
        return str(self.doc_to_text(doc))

    def construct_requests(self, doc: Any, ctx: Any, **given: Any) -> ChainInstance:
        """One chain for each question."""
        metadata = self._metadata()
        start = self._maker(doc, metadata)
        gen_kwargs = with_stops(
            dict(self.config.generation_kwargs or {}), metadata, chat=self._chat
        )
        item = Item(
            start.chain, start.prompt_id, start.step, gen_kwargs,
            system=self._system, chat=self._chat, doc=doc,
        )  # fmt: skip
        return ChainInstance(
            REQUEST_TYPE, doc, (ctx, gen_kwargs), 0, metadata=given["metadata"],
            item=item, run=_identity(metadata), ledger=str(metadata.get(LEDGER) or ""),
        )  # fmt: skip

    def _metadata(self) -> dict[str, object]:
        found = self.config.metadata
        return dict(found) if isinstance(found, dict) else {}


def _identity(metadata: Mapping[str, object]) -> dict[str, str]:
    """Of the metadata, which hold the arguments of the model, those that say which model it is."""
    return {k: str(metadata[k]) for k in _IDENTITY if metadata.get(k) is not None}


def model_identity(lm: Any, model_args: Mapping[str, object]) -> dict[str, str]:
    """What identifies a model in a ledger: its type and those arguments that change answers.

    Addresses do not belong to it, so that a server may move between two parts of a run.
    """
    found = {"type": type(lm).__name__, **_identity(model_args)}
    if isinstance(lm, TemplateAPI) and not any(name in found for name in _NAMES):
        found["model"] = str(lm.model)
    return found


def ledger_path(identity: Mapping[str, str], folder: Path = FOLDER) -> Path:
    """Where the ledger of a model is if only its folder is known.

    A model without a name gets a new ledger every time: it could be any model of its type.
    """
    name = next((identity[key] for key in _NAMES if key in identity), None)
    if name is None:
        return folder / f"{identity['type']}-{time.time_ns()}-{os.getpid()}.jsonl"
    slug = re.sub(r"[^\w.-]+", "_", name)[-60:]
    return folder / f"{slug}-{digest(dict(identity))[:12]}.jsonl"


def generate_chain(lm: Any, requests: Sequence[ChainInstance]) -> list[str]:
    """Run chains to their ends; the method of models that the harness calls.

    Args:
        lm: the model.
        requests: the chains. One that is there several times is repeated.

    Returns:
        For each what became of it, as JSON.

    Raises:
        ValueError: the ledger is of another run, in use or damaged.
        ConnectionError: no answer comes any more.
    """
    groups: dict[Path, list[int]] = defaultdict(list)
    identities: dict[Path, dict[str, str]] = {}
    own: dict[str, Path] = {}
    items: list[Item] = []
    seen: dict[int, int] = defaultdict(int)
    for number, request in enumerate(requests):
        if request.item is None:
            raise ValueError("a request without a chain: chains come from tasks of ChainTask")
        items.append(replace(request.item, repeat=seen[id(request)]))
        seen[id(request)] += 1
        identity = model_identity(lm, request.run or {})
        name = f"{request.ledger} {digest(identity)}"
        if name not in own:
            given = Path(request.ledger) if request.ledger else FOLDER
            in_folder = not request.ledger or given.is_dir()
            own[name] = ledger_path(identity, given) if in_folder else given
        path = own[name]
        if lm.world_size > 1:
            # Processes of one run must not write to one file: each has a part of the chains.
            path = path.with_name(f"{path.stem}.rank{lm.rank}{path.suffix}")
        groups[path].append(number)
        identities[path] = identity
    outcomes = [""] * len(requests)
    for path, numbers in groups.items():
        with Ledger(path, identities[path]) as ledger:
            logger.info("ledger: %s (%d answers recorded)", path, len(ledger))
            beside = _beside[-1] if _beside else None
            chains = run_chains(lm, [items[number] for number in numbers], ledger, beside=beside)
        for number, chain in zip(numbers, chains):
            outcomes[number] = json.dumps(chain.outcome(), ensure_ascii=False)
    return outcomes


LM.generate_chain = generate_chain  # type: ignore[attr-defined]
