"""Seeds that cannot be known in advance: derived from a text named after submissions close."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from xlgo_dataset.family import generated_family_of

OPTION = "xlgo_challenge"
"""In the metadata of a run: the text."""


def seed_of(nonce: str) -> int:
    """Derive the seed of the puzzles from a text: an integer from 0 to 2^49 - 1.

    The project's own key derivation makes it: SHA-256 of a named key (see ``core.rng.Stream``).

    Raises:
        ValueError: the text is empty.
    """
    if not nonce.strip():
        raise ValueError("--challenge: give the text that the host has named")
    from xlgo_dataset.core.rng import Stream  # imports NumPy

    return int(Stream("challenge", nonce).words(1)[0]) >> 15


def check_challenged(metadata: Mapping[str, object], tasks: Iterable[str]) -> None:
    """Refuse a challenge for tasks of the dataset whose questions no seed changes.

    Raises:
        ValueError: naming the first.
    """
    for task in tasks if OPTION in metadata else ():
        try:
            generated_family_of(task)
        except ValueError as error:
            raise ValueError(f"--challenge: {error}: leave it out") from None


def challenge_problem(options: Mapping[str, object]) -> str | None:
    """What is wrong with the seed of a run that says it follows from a challenge."""
    nonce, seed = options.get(OPTION), options.get("xlgo_seed")
    if nonce is None:
        return None
    if not isinstance(nonce, str) or not nonce.strip():
        return f"the challenge is {nonce!r:.80}"
    is_right = seed == (expected := seed_of(nonce))
    return None if is_right else f"the seed is {seed!r:.40}; the challenge gives {expected}"
