"""The families of tasks of this package, a folder each; see ``xlgo_dataset.family``."""

BUILT_IN = {
    "xlgobench": "slt dsa prdsa graph_sp t_rank",
    "polymath": "polymath",
    "simple_reasoning": (
        "word_count char_count logic_eval logic_negation proof_tree irrelevant travel unpuzzles "
        "released"
    ),
    "korbench": (
        "kor_operation kor_logic kor_cipher kor_puzzle kor_counterfactual kor_puzzle_trick "
        "kor_multi_q kor_multi_r kor_multi_rq kor_multi_rq_hard kor_cipher_steps "
        "kor_self_correction kor_cipher_fresh"
    ),
    "lit": (
        "lit_e_asia lit_c_europe lit_n_east lit_n_europe lit_se_asia lit_s_asia lit_africa "
        "lit_s_america lit_pairwise lit_custom lit_robustness"
    ),
}
"""Their folders, in the order of a report, with the tasks by which they are known before they are
imported: who asks for one task imports one family. A task that is missing here is found, too."""
