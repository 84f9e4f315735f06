from .compare import (
    Cell as Cell,
    Comparison as Comparison,
    Draft as Draft,
    Rank as Rank,
    common_tasks as common_tasks,
    compare as compare,
    draft as draft,
    drafts as drafts,
    settle as settle,
)
from .contrasts import gap_drafts as gap_drafts
from .table import Answer as Answer, AnswerTable as AnswerTable, answer_of as answer_of
