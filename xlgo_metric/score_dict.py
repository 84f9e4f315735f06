"""The dict that a score is, with a short ``repr``."""

from typing import Any

_NUMBERS = 6
_WIDTH = 88


class Score(dict[str, Any]):
    """A score as a plain dict (JSON, pickle and ``==`` work as ever) that prints in a few lines.

    The numbers are at the top level, as ``evaluate`` returns them, or under ``headline``, as
    ``xlgo_metric.score`` returns them.
    """

    def __repr__(self) -> str:
        """Return at most ten lines: the first numbers, the signature and the keys."""
        headline = self.get("headline", self)
        numbers = [name for name, value in headline.items() if isinstance(value, int | float)]
        more = len(numbers) - _NUMBERS
        lines = [
            f"xlgo score: {', '.join(map(str, self.get('families') or ['no families']))}",
            *(f"  {name}: {headline[name]:.4g}" for name in numbers[:_NUMBERS]),
            *([f"  more numbers: {more}"] if more > 0 else []),
            f"  signature: {self.get('signature', '')}",
            f"  keys: {', '.join(str(key) for key in self if key not in numbers)}",
        ]
        texts = (line if line.isprintable() else ascii(line) for line in lines)
        return "\n".join(
            line if len(line) <= _WIDTH else f"{line[: _WIDTH - 1]}…" for line in texts
        )
