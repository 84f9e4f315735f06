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
        numbers = (
            {name: value for name, value in headline.items() if isinstance(value, int | float)}
            if isinstance(headline, dict)
            else {}
        )
        lines = [f"xlgo score: {', '.join(map(str, self.get('families') or ['no families']))}"]
        lines += [f"  {name}: {value:.4g}" for name, value in list(numbers.items())[:_NUMBERS]]
        if len(numbers) > _NUMBERS:
            lines.append(f"  more numbers: {len(numbers) - _NUMBERS}")
        lines.append(f"  signature: {self.get('signature', '')}")
        lines.append(f"  keys: {', '.join(str(key) for key in self if key not in numbers)}")
        return "\n".join(
            line if len(line) <= _WIDTH else f"{line[: _WIDTH - 1]}…"
            for line in (line if line.isprintable() else ascii(line) for line in lines)
        )
