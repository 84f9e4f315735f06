"""``xlgo run`` with ``hf`` in several processes of this machine's CPU, for the tests.

    ACCELERATE_USE_CPU=true python -m torch.distributed.run --nproc_per_node 2 ranks.py OPTION ...

The harness gives processes ranks only where there are GPUs; ``hf-ranks`` takes those of gloo.
"""

import sys
from typing import Any

import lm_eval.models  # noqa: F401  (the harness's own models must be registered first)
from lm_eval.api.registry import register_model
from lm_eval.models.huggingface import HFLM

from xlgo_cli.cli import main


@register_model("hf-ranks")
class Ranks(HFLM):  # type: ignore[misc]
    """A transformers model that answers its share of the questions."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        if (accelerator := getattr(self, "accelerator", None)) is not None:  # several processes
            self._rank, self._world_size = accelerator.process_index, accelerator.num_processes


if __name__ == "__main__":
    sys.exit(main(["run", *sys.argv[1:]]))
