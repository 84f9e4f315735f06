"""Judging beside a run: each chain is judged when it ends, while others go on."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from xlgo_metric.family import family

from ..models import is_api
from .asking import (
    Done,
    JudgeModel,
    UnreadableError,
    answers_of,
    item_of,
    loaded,
    needing_judge,
    questions_of,
    short,
)  # fmt: skip

if TYPE_CHECKING:
    from xlgo_lm_eval.asking import Asker
    from xlgo_lm_eval.chains import Chain

logger = logging.getLogger("xlgo")


class JudgeBeside:
    """Judges each chain at its end, while others go on.

    Its replies are kept, so that judging after the run finds them.

    Args:
        asker: asks the judge.
        judge: how it answers.
    """

    def __init__(self, asker: Asker, judge: JudgeModel) -> None:
        self.asker = asker
        self._judge = judge
        self._done = Done()
        self._has_ended = False

    @property
    def stopped(self) -> str | None:
        """The last reply, where judging stopped since nothing could be read."""
        return self._done.stopped

    async def judge(self, chain: Chain) -> None:
        """Ask the questions about a chain; a failure ends judging here, and no chain."""
        from xlgo_lm_eval.chains import follow

        response = json.dumps(chain.outcome(), ensure_ascii=False)
        record = needing_judge(chain.item.doc.get("reference"), response)
        if record is None or self._has_ended:
            return
        items = [item_of(question, self._judge) for question in questions_of(record, response)]
        try:
            await asyncio.gather(*(follow(self.asker, item, 0, self._done.add) for item in items))
        except (Exception, asyncio.CancelledError) as error:
            self._end(error)

    def _end(self, error: BaseException) -> None:
        """Stop judging here; what is not answered is asked after the run."""
        if self._has_ended:  # by the failure of another chain's judging
            return
        if isinstance(error, asyncio.CancelledError):
            raise error
        self._has_ended = True
        self.asker.stop()
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
        ValueError: the judge cannot be made, or its answers are in use or damaged.
    """
    judged = any(family(name).judge for name in families)
    if judge is None or not judged or not is_api(judge.model):
        yield None
        return
    from xlgo_lm_eval.asking import asker

    lm = loaded(judge)
    with answers_of(folder, judge, lm) as answers:
        yield JudgeBeside(asker(lm, answers), judge)


def try_judge(families: Iterable[str], judge: JudgeModel) -> None:
    """Ask a judge behind an interface one small question, before a run that it is to judge.

    Args:
        families: of the tasks of the run; the first with a judge has the question.
        judge: a model of this machine is not tried, since it would have to be loaded twice.

    Raises:
        ValueError: why it cannot judge: no reply, or none that can be read.
    """
    from xlgo_lm_eval.answers import Answers
    from xlgo_lm_eval.chains import run_chains

    judges = [own for name in families if (own := family(name).judge)]
    question = next((own.trial for own in judges), None)
    if question is None or not is_api(judge.model):
        return
    with (
        tempfile.TemporaryDirectory() as folder,
        Answers(Path(folder) / "trial.ndjson", {}) as answers,
    ):
        (chain,) = run_chains(loaded(judge), [item_of(question, judge)], answers)
    last = chain.history[-1]
    if last.error:
        raise ValueError(f"--judge {judge.model}: the judge does not answer ({last.error})")
    if chain.outcome()["status"] != "ok":
        raise ValueError(
            f"--judge {judge.model}: the judge's reply to a trial question cannot be read: "
            f"{short(last.text)!r}. Choose a judge that replies in JSON as it is asked to, or "
            "--judge none"
        )
