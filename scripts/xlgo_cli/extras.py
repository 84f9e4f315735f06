"""The extra of the package that installs a missing module."""

EXTRAS = {
    "lm_eval": "eval", "matplotlib": "eval", "jinja2": "eval", "markupsafe": "eval",
    "rich": "eval",
    "sacrebleu": "eval",
    "tomlkit": "audit",
    "torch": "hf", "transformers": "hf", "inspect_ai": "inspect", "ray": "ray",
    "verifiers": "verifiers",
}  # fmt: skip
"""Package to the extra of ours that installs it."""
