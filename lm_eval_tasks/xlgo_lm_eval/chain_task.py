"""Chains as tasks of lm-evaluation-harness: a request type of our own, ``generate_chain``.

The harness calls the method of a model that is named like the request type. Importing this module
gives every model that method; nothing that was there is changed. So a plain ``lm-eval run
--include_path`` runs chains with any type of model, and resumes them from their file of answers.
"""

from __future__ import annotations

import importlib
import importlib.util
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

from .answers import Answers, files_in, own_file
from .arguments import TABLE, answer_arguments, model_name
from .asking import is_api
from .chains import Item, Step
from .recorded import Recorded
from .repeat_task import settings
from .replies import Answer, digest
from .stop_task import with_stops

REQUEST_TYPE = "generate_chain"
ANSWERS = "xlgo_answers"
"""In ``--metadata`` of a plain ``lm-eval run``: the folder with the files of answers."""
STEP = "chain_step"
"""In the metadata of a task file: the name of its kind of chain."""
FAMILY = "xlgo_family"
"""In the metadata of a task file: the family whose module ``chains`` knows that kind of chain."""
FOLDER = Path("xlgo_answers")
"""Where these are if no folder is given, by model, below the working directory."""

logger = logging.getLogger("xlgo")


@dataclass(frozen=True)
class Start:
    """What a kind of chain makes of a question.

    Attributes:
        chain: name of the chain, the same in every run.
        step: what it does next.
    """

    chain: str
    step: Step


StepMaker = Callable[[Mapping[str, object], Mapping[str, object]], Start]
"""Makes a chain out of a question and the metadata of its task."""

_MAKERS: dict[str, StepMaker] = {}


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
        given: the arguments of the model, among the metadata of the task.
    """

    item: Item | None = None
    given: Mapping[str, object] | None = None


class ChainTask(ConfigurableTask):
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
        """As in the harness, but never out of its cache, where chains would keep the model of
        another run."""
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
            start.chain, start.step, gen_kwargs,
            system=self._system, chat=self._chat, doc=doc,
        )  # fmt: skip
        return ChainInstance(
            REQUEST_TYPE, doc, (ctx, gen_kwargs), 0, metadata=given["metadata"],
            item=item, given=metadata,
        )  # fmt: skip

    def _metadata(self) -> dict[str, object]:
        found = self.config.metadata
        return dict(found) if isinstance(found, dict) else {}


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
    given = requests[0].given or {}
    arguments = answer_arguments({name: given[name] for name in TABLE if name in given})
    name = model_name(given) or str(lm.model if is_api(lm) else type(lm).__name__)
    run = {"type": type(lm).__name__, "name": name, "arguments": arguments}
    slug = re.sub(r"[^\w.-]+", "_", name)[-60:]
    folder = Path(str(given.get(ANSWERS) or FOLDER / f"{slug}-{digest(run)[:12]}"))
    path = own_file(folder, lm.rank, lm.world_size)
    with Answers(path, run, beside=files_in(folder)) as answers:
        logger.info("answers: %s (%d kept)", path, len(answers))
        return Recorded(lm, answers).generate_chain(requests)


LM.generate_chain = generate_chain  # type: ignore[attr-defined]
