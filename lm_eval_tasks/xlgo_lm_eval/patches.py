"""What of the harness is replaced while it runs, and why: the whole list.

- ``LM.generate_chain`` (``chains``): the harness calls the method of a model that is named like
  the type of a request; so a plain ``lm_eval run`` runs chains with any model.
- ``cache_hook`` of one model object (``asking``): what tells of each answer when it is there.
- ``parse_generations`` of one model object (``asking``): the harness keeps only the text of a
  server's reply, which also says whether it is an answer at all. Its ``base_url`` and ``header``,
  where the address holds a login.
- ``tok_encode`` of one object of the harness's vLLM, and ``generate`` and ``step`` of vLLM's own
  (``asking``): the harness has answers when a whole batch has ended, and a kill would lose it.
- ``tqdm.__init__`` and ``evaluator.get_git_commit_hash`` (``xlgo_cli.harness.progress``): the
  harness shows its bars whatever it is told, and lets git print "fatal" outside a repository.
"""

import contextlib
import logging
from collections.abc import Iterator, Sequence
from typing import Any


@contextlib.contextmanager
def patched(owner: Any, name: str, value: Any) -> Iterator[None]:
    """Replace an attribute until the end of the block.

    Args:
        owner: a module, a class or an object. One that it only inherits is deleted at the end.
        name: of the attribute.
        value: what stands there meanwhile.
    """
    is_own = name in vars(owner)
    before = vars(owner).get(name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        if is_own:
            setattr(owner, name, before)
        else:
            delattr(owner, name)


@contextlib.contextmanager
def without_messages(parts: Sequence[str], *loggers: str) -> Iterator[list[str]]:
    """Hide messages of loggers that have one of some parts; yields the list of those hidden."""
    hidden: list[str] = []

    def is_shown(record: logging.LogRecord) -> bool:
        if any(part in str(record.msg) for part in parts):
            hidden.append(str(record.msg))
            return False
        return True

    for name in loggers:
        logging.getLogger(name).addFilter(is_shown)
    try:
        yield hidden
    finally:
        for name in loggers:
            logging.getLogger(name).removeFilter(is_shown)
