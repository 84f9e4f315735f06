"""The tasks of this package in lm-evaluation-harness: repeats, stops, and chains of requests.

Chains are a request type of our own, ``generate_chain``. The harness calls the method of a model
that is named like the request type. Importing this module gives every model that method; nothing
that was there is changed. So a plain ``lm-eval run --include_path`` runs chains with any type of
model, and resumes them from their file of answers.
"""

import importlib
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import lm_eval.models  # noqa: F401  (the harness's own models must be registered first)
from lm_eval.api.instance import Instance
from lm_eval.api.model import LM
from lm_eval.api.task import ConfigurableTask
from lm_eval.filters import build_filter_ensemble

from .answers import Answers, files_in, own_file
from .arguments import TABLE, Settings, answer_arguments, model_name, repeats_of
from .asking import is_api
from .chains import Item, Recorded, Step
from .replies import ASKED, Answer, digest

REQUEST_TYPE = "generate_chain"
ANSWERS = "xlgo_answers"
"""In ``--metadata`` of a plain ``lm-eval run``: the folder with the files of answers."""
STEP = "chain_step"
"""In the metadata of a task file: the name of its kind of chain."""
STOP = "stop_without_chat"
"""In the metadata of a task file: texts at which an answer ends where no chat template tells the
model to stop."""
FAMILY = "xlgo_family"
"""In the metadata of a task file: the family whose module ``chains`` knows that kind of chain."""
FOLDER = Path("xlgo_answers")
"""Where these are if no folder is given, by model, below the working directory."""

logger = logging.getLogger("xlgo")


Start = tuple[str, Step]
"""What a kind of chain makes of a question: a name, the same in every run, and what it does."""

StepMaker = Callable[[Mapping[str, object], Mapping[str, object]], Start]
"""Makes a chain out of a question and the metadata of its task."""

_MAKERS: dict[str, StepMaker] = {}


def register_step(name: str, maker: StepMaker) -> None:
    """Make a kind of chain known, for ``chain_step`` in task files."""
    _MAKERS[name] = maker


def find_step(name: Any, family: Any) -> StepMaker:
    """The maker of a kind of chain.

    Args:
        name: of the kind.
        family: of the task; the kinds of a family are registered by the module ``chains`` in its
            folder beside this file, which is imported when it is first needed.

    Raises:
        ValueError: there is no such kind.
    """
    has_steps = (Path(__file__).parent / str(family) / "chains.py").is_file()
    if name not in _MAKERS and has_steps and str(family).isidentifier():
        importlib.import_module(f"{__package__}.{family}.chains")
    if name not in _MAKERS:
        raise ValueError(
            f"family {family!r}: metadata needs {STEP}, one of {', '.join(sorted(_MAKERS))}, got "
            f"{name!r}"
        )
    return _MAKERS[name]


@dataclass
class ChainInstance(Instance):
    """A request of the harness that stands for a chain.

    Attributes:
        item: the chain; always there.
        metadata_of_task: the arguments of the model, among the metadata of the task.
    """

    item: Item | None = None
    metadata_of_task: Mapping[str, object] | None = None


class Task(ConfigurableTask):
    """A task of this package; in a task file ``class: !function utils.Task``.

    The harness reads ``repeats`` from task files only, and keeps the first answer unless a filter
    says otherwise. Here the task's metadata may say it, and all answers are kept.

    A base model goes on with the text, often with a question of its own: the stops of the metadata
    end its answer. A chat ends by itself and may use the same words within its answer.

    Where the metadata name a kind of chain as ``chain_step``, the questions are chains, and the
    response to one is what became of its chain, as JSON: see ``outcome`` of the steps.

    Raises:
        ValueError: ``repeats`` is not an integer from 1, or an unknown kind of chain.
    """

    def __init__(self, config: Mapping[str, object] | None = None) -> None:
        super().__init__(config={k: v for k, v in (config or {}).items() if k != "class"})
        self._own: dict[str, Any] = dict(self.config.metadata or {})
        if (repeats := repeats_of(self._own)) > 1:
            self.config.repeats = repeats
            keep_all = ["take_first_k", {"k": repeats}]
            self._filters = [build_filter_ensemble("none", [keep_all])]
        name = self._own.get(STEP)
        self._maker = None if name is None else find_step(name, self._own.get(FAMILY))
        self._system: str | None = None

    def build_all_requests(self, **options: Any) -> None:
        """As in the harness, but never out of its cache, where chains would keep the model of
        another run."""
        options |= {"cache_requests": False, "rewrite_requests_cache": False}
        super().build_all_requests(**options)

    def fewshot_context(
        self,
        doc: Any,
        num_fewshot: int = 0,
        system_instruction: str | None = None,
        *arguments: Any,
        **more: Any,
    ) -> Any:
        """As in the harness; of a chain the first prompt, for the logs.

        Raises:
            ValueError: examples are asked for, which a chain has not.
        """
        if self._maker is None:
            return super().fewshot_context(doc, num_fewshot, system_instruction, *arguments, **more)
        if num_fewshot:
            raise ValueError(
                f"{self.config.task} has no examples: leave out --num_fewshot, or give 0"
            )
        self._system = system_instruction  # which holds for all prompts
        return str(self.doc_to_text(doc))

    def construct_requests(self, doc: Any, ctx: Any, **options: Any) -> Any:
        """As in the harness, with the stops, or one chain for each question."""
        is_chat = bool(options.get("apply_chat_template"))
        if self._maker is not None:
            settings = with_stops(self.config.generation_kwargs or {}, self._own, chat=is_chat)
            chain = self._maker(doc, self._own)
            item = Item(*chain, settings, 0, self._system, is_chat, doc)
            return ChainInstance(
                REQUEST_TYPE, doc, (ctx, settings), 0, metadata=options["metadata"], item=item,
                metadata_of_task=self._own,
            )  # fmt: skip
        request = super().construct_requests(doc, ctx, **options)
        context, settings, *more = request.arguments
        request.arguments = (context, with_stops(settings, self._own, chat=is_chat), *more)
        if self._own.get(STOP) and not is_chat:
            doc[ASKED] = "completion"
        return request


def with_stops(gen_kwargs: Settings, metadata: Settings, *, chat: bool) -> dict[str, Any]:
    """Settings of generation with the stops of a task, unless the model is asked in a chat."""
    stops = [] if chat else list(metadata.get(STOP) or [])
    until = gen_kwargs.get("until") or []
    before = [until] if isinstance(until, str) else list(until)
    more = {"until": [*dict.fromkeys([*before, *stops])]} if stops else {}
    return {**gen_kwargs, **more}


def generate_chain(lm: Any, requests: Sequence[ChainInstance]) -> list[Answer]:
    """Run chains to their ends; the method of models that the harness calls.

    ``xlgo run`` gives the harness a ``Recorded`` model, whose own method runs chains; here any
    other model is made one.

    Args:
        lm: the model.
        requests: the chains. One that is there several times is repeated.

    Returns:
        For each what became of it, as JSON.

    Raises:
        ValueError: the file of answers is in use or damaged.
        ConnectionError: no answer comes any more.
    """
    metadata = requests[0].metadata_of_task or {}
    arguments = answer_arguments({name: metadata[name] for name in TABLE if name in metadata})
    name = model_name(metadata) or str(lm.model if is_api(lm) else type(lm).__name__)
    run = {"type": type(lm).__name__, "name": name, "arguments": arguments}
    slug = re.sub(r"[^\w.-]+", "_", name)[-60:]
    folder = Path(str(metadata.get(ANSWERS) or FOLDER / f"{slug}-{digest(run)[:12]}"))
    path = own_file(folder, lm.rank, lm.world_size)
    with Answers(path, run, siblings=files_in(folder)) as answers:
        logger.info("answers: %s (%d kept)", path, len(answers))
        return Recorded(lm, answers).generate_chain(requests)


LM.generate_chain = generate_chain  # type: ignore[attr-defined]
