"""Tasks of lm-evaluation-harness; installed as the package ``xlgo_lm_eval``."""
