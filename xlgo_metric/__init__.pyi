from .comparison.compare import Cell as Cell, Comparison as Comparison, compare as compare
from .comparison.frames import gaps as gaps
from .comparison.table import AnswerTable as AnswerTable
from .core import STATUSES as STATUSES, Grade as Grade, Measure as Measure, Record as Record
from .family import (
    FAMILIES as FAMILIES,
    CheckQuestion as CheckQuestion,
    Family as Family,
    Judge as Judge,
    JudgeCheck as JudgeCheck,
    Question as Question,
    register as register,
)
from .hook import path as path
from .language.language_id import (
    identify_language as identify_language,
    language_consistent as language_consistent,
    written_in as written_in,
)
from .mathematics.grading import grade_math as grade_math
from .option import Option as Option
from .reading.answers import Answer as Answer, extract_answer as extract_answer
from .reading.thinking import split_thinking as split_thinking
from .rewards import (
    format_reward as format_reward,
    partial_reward as partial_reward,
    reward as reward,
)
from .scoring import (
    Score as Score,
    grade as grade,
    grade_all as grade_all,
    score as score,
    summarize as summarize,
    tables as tables,
)
from .statistics.differences import holm as holm
from .statistics.gamma import fit_curves as fit_curves, gamma_accuracy as gamma_accuracy
from .statistics.gaps import (
    GammaFit as GammaFit,
    average_accuracy as average_accuracy,
    curve_draws as curve_draws,
    divergence as divergence,
    fit_gamma as fit_gamma,
    gap as gap,
    smd as smd,
)
from .statistics.measures import (
    average_at_k as average_at_k,
    back_translation_delta as back_translation_delta,
    dw_acc as dw_acc,
    pearson as pearson,
    spearman as spearman,
)
from .statistics.paired import paired_test as paired_test
from .table import Column as Column, Table as Table
from .version import __version__ as __version__
