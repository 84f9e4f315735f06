"""The simulated model as a model of lm-evaluation-harness: ``--model xlgo-sim``."""

import json
from typing import Any

import lm_eval.models  # noqa: F401  (the harness's own models must be registered first)
from lm_eval.api.model import LM
from tqdm import tqdm

from .simulator import Simulator

NAME = "xlgo-sim"


class SimulatedModel(LM):
    """Answers by ``Simulator``.

    Args:
        profile, seed: see ``Simulator``.
        model: a name for the results; it changes nothing.
        batch_size, max_batch_size, device: what the harness gives every model; without meaning.
    """

    def __init__(
        self,
        profile: str = "demo",
        seed: int = 0,
        model: str | None = None,
        *,
        batch_size: object = None,
        max_batch_size: object = None,
        device: object = None,
    ) -> None:
        super().__init__()
        self._simulator = Simulator(str(profile), seed)
        self._name = model or self._simulator.name

    @property
    def tokenizer_name(self) -> str:
        """The name of the model, for the harness's cache of chats."""
        return self._name

    def generate_until(self, requests: list[Any], disable_tqdm: bool = False) -> list[str]:
        """The responses to the prompts, in their order."""
        responses = []
        for request in tqdm(requests, desc=f"Running {NAME}", disable=disable_tqdm):
            prompt, arguments = request.args
            reference = (request.doc or {}).get("reference")
            response = self._simulator.answer(prompt, reference and json.loads(reference))
            self.cache_hook.add_partial("generate_until", (prompt, arguments), response)
            responses.append(response)
        return responses

    def apply_chat_template(
        self, chat_history: list[dict[str, str]], add_generation_prompt: bool = True
    ) -> str:
        """What the user said last; everything else is ignored."""
        return next(turn["content"] for turn in chat_history[::-1] if turn["role"] == "user")

    def loglikelihood(self, requests: list[Any]) -> list[tuple[float, bool]]:
        """Not available.

        Raises:
            ValueError: always.
        """
        raise ValueError(
            f"{NAME} supports generation only, not log-likelihoods: choose another model"
        )

    loglikelihood_rolling = loglikelihood
