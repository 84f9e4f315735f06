"""The names that grading, statistics and result files share."""

MODES: tuple[str, ...] = ("default", "paper", "stored")
CATEGORIES: tuple[str, ...] = ("operation", "logic", "cipher", "puzzle", "counterfactual")
COMPLETION = "completion"
ASKED: tuple[str, ...] = ("chat", COMPLETION)
"""How a model is prompted: a completion may continue after its answer, a chat ends with it."""

MIXED_TASKS = ("kor_multi_q", "kor_multi_r", "kor_multi_rq")
STEPS, CORRECTION, FRESH = "kor_cipher_steps", "kor_self_correction", "kor_cipher_fresh"
TRICK, HARD = "kor_puzzle_trick", "kor_multi_rq_hard"
