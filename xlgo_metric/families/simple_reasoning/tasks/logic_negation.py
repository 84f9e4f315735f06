"""The negation of a first-order formula, among four."""

from __future__ import annotations

from dataclasses import replace

from . import logic_eval

TASK = replace(logic_eval.TASK, name="logic_negation", title="Logic negation", averaged=("size",))
