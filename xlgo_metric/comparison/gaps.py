"""What sections hold of comparisons, as JSON has it: plain dicts, described here by their keys.

``Family.gaps`` returns a ``Gaps``, the part with accuracy by complexity and gaps to a baseline;
docs/statistics.md explains every number. All are fractions unless something else is said, and
``None`` stands where a number cannot be given.
"""

from __future__ import annotations

from collections.abc import Mapping

from xlgo_metric.core import Json

CellJson = Json
"""A cell of ``comparison.compare`` as ``Cell.as_json`` gives it; ``Cell.of_json`` reads it."""

Counted = Json
"""Two languages over some ``levels`` together: correct answers and answers (``k_en``, ``n_en``,
``k_l``, ``n_l``), pairs right in one only (``only_en``, ``only_l``; ``None`` where the questions
are not the same), and the exact limits ``low`` and ``high`` of their difference; ``between`` where
no level is informative, so that those next to the drop stand."""

Paired = Json
"""Whether two languages differ at some complexity, and an interval of the largest gap.

``n`` questions; ``p`` of the exchange test over levels, ``p_holm`` corrected over the section: a
claim of its own, which is not that of the difference over all questions; ``estimate``, ``low`` and
``high``, ``interval`` (what made them), ``free_low`` and ``free_high`` (model-free), each of these
limits with ``_all`` for all cells together; ``misfit_size`` where a curve is rejected."""

Fit = Json
"""A fitted curve: ``q``, ``r`` with ``q_sd``, ``r_sd``; ``r2``, ``deviance``, ``identified``,
``warnings``; ``misfit``, ``misfit_p``, ``misfit_size`` where that was tested."""

_OF_GAPS = (
    "difference", "small", "sides", "published_rule", "identified", "coarse", "extreme",
    "supported", "most", "pooled", "crossing", "paired", "smd", "smd_sd", "c_star",
    "c_star_sd", "f_en", "f_en_sd", "f_l", "f_l_sd", "rd", "rd_sd",
)  # fmt: skip

GapCell = Json
"""A language of a task: counts (``n``, ``correct``, ``accuracy``, ``strict``, ``parsed``,
``statuses``, ``levels``, ``details``, ``solves``), its curve (``fit``, ``avg_acc``, ``avg_acc_sd``,
``band``), and its gap to the baseline, whose every entry is ``None`` where that cannot be done.

``difference`` is the cell of the gap; ``sides`` say where each language is ahead (``p_behind``,
``p_ahead``, ``behind``, ``ahead``); ``pooled`` and ``crossing`` are ``Counted``. What follows from
fitted curves is there only where the answers fix it: both curves are identified, a level allows so
large a gap, and there are questions enough (``small`` says that there are not)."""

NO_GAP: Mapping[str, object] = dict.fromkeys(_OF_GAPS)
"""The gap of a ``GapCell`` where nothing can be done."""

GapTask = Json
"""A task: its range of complexity (``c_min``, ``c_max``), its ``languages`` (a ``GapCell`` each),
and perhaps ``design``, ``wordings``, ``baseline`` and ``floor`` (``complexity``, ``accuracy`` and
``heuristic`` of the best known shortcut)."""

Gaps = Json
"""Tasks whose languages are compared with a ``baseline``: ``tasks`` (a ``GapTask`` each) and
``warnings``."""

OverTasks = Json
"""The gap of each language over the ``tasks`` that count for all of them: ``left_out``, why each
other task does not count; ``languages``, a ``CellJson`` each, tested together; ``last``, the
languages that cannot be ruled out to be the most affected."""

ByLanguage = Json
"""The comparison of a family's languages with the ``baseline``: ``cells``, a ``CellJson`` each."""

ReadingGap = Json
"""A language against the baseline under every reading, on the questions answered in both: ``task``,
``asked_as``, ``language``, ``n``, ``by_reading`` (a ``CellJson`` each) and ``depends``: the sign or
the significance of the gap depends on the reading."""

Readings = Json
"""The readings of a family's answers, and of its gaps to the ``baseline``: ``rates`` (``task``,
``asked_as``, ``language``, ``n`` and the share of correct answers under each) and ``gaps``, a
``ReadingGap`` each."""
