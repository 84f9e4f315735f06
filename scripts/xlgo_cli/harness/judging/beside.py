"""Judging beside a run: each chain is judged when it ends, while others go on."""

from __future__ import annotations

import contextlib
import json
import logging
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xlgo_metric.family import family

from ..lm_eval_call import is_api
from .asking import (
    Done,
    JudgeModel,
    UnreadableError,
    item_of,
    ledger_of,
    loaded,
    needing_judge,
    questions_of,
    short,
)  # fmt: skip

if TYPE_CHECKING:
    from xlgo_lm_eval.chains import Chain, Item
    from xlgo_lm_eval.ledger import Ledger

logger = logging.getLogger("xlgo")


class JudgeBeside:
    """Judges each chain at its end; see ``xlgo_lm_eval.chains.Beside``.

    It fills the judge's ledger, so that judging after the run finds its replies there.

    Args:
        lm: the judge itself.
        judge: how it answers.
        ledger: of its replies.
    """

    def __init__(self, lm: Any, judge: JudgeModel, ledger: Ledger) -> None:
        self.lm = lm
        self.ledger = ledger
        self._judge = judge
        self._done = Done()
        self._has_ended = False

    @property
    def stopped(self) -> str | None:
        """The last reply, where judging stopped since nothing could be read."""
        return self._done.stopped

    def items(self, chain: Chain) -> Sequence[Item]:
        """The questions about a chain."""
        if self._has_ended:
            return []
        response = json.dumps(chain.outcome(), ensure_ascii=False)
        record = needing_judge(chain.item.doc.get("reference"), response)
        if record is None:
            return []
        return [item_of(question, self._judge) for question in questions_of(record, response)]

    def finished(self, chain: Chain) -> None:
        """Take in a question at its end.

        Raises:
            UnreadableError: too many in a row could not be read.
        """
        self._done.add(chain)

    def ended(self, error: Exception) -> None:
        """The judge gave up; what it did not answer is asked after the run."""
        self._has_ended = True
        if not isinstance(error, UnreadableError):
            logger.warning("judging beside the run ended: %s", error)


@contextlib.contextmanager
def judging(
    families: Iterable[str], judge: JudgeModel | None, folder: Path
) -> Iterator[JudgeBeside | None]:
    """Have a judge behind an interface judge chains as they end.

    Args:
        families: of the tasks of the run.
        judge: whom to ask, if anybody; a model of this machine judges after the run. ``None`` is
            yielded where nobody judges beside the run.
        folder: of the results.

    Raises:
        ValueError: the judge cannot be made, or its ledger is in use or damaged.
    """
    judged = any(family(name).judge for name in families)
    if judge is None or not judged or not is_api(judge.model):
        yield None
        return
    from xlgo_lm_eval.chain_task import asked_beside

    lm = loaded(judge)
    with ledger_of(folder, judge, lm) as ledger:
        beside = JudgeBeside(lm, judge, ledger)
        with asked_beside(beside):
            yield beside


def try_judge(families: Iterable[str], judge: JudgeModel) -> None:
    """Ask a judge behind an interface one small question, before a run that it is to judge.

    Args:
        families: of the tasks of the run; the first with a judge has the question.
        judge: a model of this machine is not tried, since it would have to be loaded twice.

    Raises:
        ValueError: why it cannot judge: no reply, or none that can be read.
    """
    from xlgo_lm_eval.engine import run_chains
    from xlgo_lm_eval.ledger import Ledger

    judges = [own for name in families if (own := family(name).judge)]
    question = next((own.trial for own in judges), None)
    if question is None or not is_api(judge.model):
        return
    with (
        tempfile.TemporaryDirectory() as folder,
        Ledger(Path(folder) / "trial.jsonl", {}) as ledger,
    ):
        (chain,) = run_chains(loaded(judge), [item_of(question, judge)], ledger)
    last = chain.history[-1]
    if last.error:
        raise ValueError(f"--judge {judge.model}: the judge does not answer ({last.error})")
    if chain.outcome()["status"] != "ok":
        raise ValueError(
            f"--judge {judge.model}: the judge's reply to a trial question cannot be read: "
            f"{short(last.text)!r}. Choose a judge that replies in JSON as it is asked to, or "
            "--judge none"
        )
