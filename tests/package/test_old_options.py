"""Options that were renamed work by their old names, with a notice, and stand nowhere in --help."""

from __future__ import annotations

import argparse

import pytest

from xlgo_cli.cli import build_parser

OLD = [
    ("plan", "--alike", "--correlation", "0.3", "correlation"),
    ("plan", "--output", "--out", "p.json", "out"),
    ("serve", "--coupling", "--correlation", "0.3", "correlation"),
    ("export", "--seed", "--xlgo-seed", "3", "seed"),
]


@pytest.mark.parametrize("case", OLD)
def test_an_old_name_works_with_a_notice(case: tuple[str, ...], capsys) -> None:
    command, old, new, text, name = case
    needed = {"export": ["--out", "data"], "plan": ["--from", "run"]}.get(command, [])
    parser = build_parser(command)
    args = parser.parse_args([command, *needed, old, text])
    assert str(getattr(args, name)) == text
    assert capsys.readouterr().err == f"note: {old} is now {new}\n"
    assert vars(parser.parse_args([command, *needed, new, text])) == vars(args)
    assert capsys.readouterr().err == ""
    (commands,) = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
    words = commands.choices[command].format_help().replace("--xlgo-seed", "").split()
    assert old not in words
