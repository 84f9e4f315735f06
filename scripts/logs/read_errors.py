"""What could not be read of a results folder, told in sentences that name the file and the line."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

_SHOWN = 3


def printable(text: str) -> str:
    """The same text in one line, without what would steer a terminal or change its direction."""
    return "".join(c if c.isprintable() else " " if c.isspace() else "\ufffd" for c in text)


@dataclass(frozen=True)
class Problem:
    """Something that could not be used.

    Attributes:
        where: the file, and where there is one the line.
        message: what is wrong with it and what became of it.
        lost: something that should have counted could not be read.
    """

    where: str
    message: str
    lost: bool = True

    def __str__(self) -> str:
        return printable(f"{self.where}: {self.message}")


@dataclass
class Problems:
    """Collects problems; of many alike in one file, the first few are told one by one.

    Attributes:
        items: the problems, in the order in which they were found.
        foreign: samples of tasks that are not of this package.
    """

    items: list[Problem] = field(default_factory=list)
    foreign: int = 0
    _counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, where: str, message: str, lost: bool = True) -> None:
        """Record one problem."""
        self.items.append(Problem(where, message, lost))

    def add_line(self, file: Path, line: int, kind: str, message: str, lost: bool = True) -> None:
        """Record a problem of one line; ``kind`` says which of them are alike."""
        self._counts[str(file), kind] += 1
        if self._counts[str(file), kind] <= _SHOWN:
            self.add(f"{file}:{line}", message, lost)

    def close(self, file: Path) -> None:
        """Say how many problems of ``file`` were not told one by one."""
        for (name, kind), count in self._counts.items():
            if name == str(file) and count > _SHOWN:
                self.add(name, f"{count - _SHOWN} more lines like it ({kind})", lost=False)

    @property
    def lost(self) -> bool:
        """Whether something that should have counted could not be read."""
        return any(problem.lost for problem in self.items)
