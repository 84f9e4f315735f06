"""Which optional part of the package installs what is missing."""

from __future__ import annotations

EXTRAS = {
    "lm_eval": "eval", "matplotlib": "eval", "jinja2": "eval", "markupsafe": "eval", "rich": "eval",
    "math_verify": "math", "sacrebleu": "eval", "openpyxl": "audit", "tomlkit": "audit",
    "torch": "hf", "transformers": "hf", "inspect_ai": "inspect", "ray": "ray",
}  # fmt: skip
"""Package to the extra of ours that installs it."""
