"""Scores of round-trip translation chains (LiT): MQM errors, statistics over texts, tables.

A record of a chain goes in (:class:`ChainRecord`), a section of a score comes out
(:func:`summarize`), tables from that (:func:`tables`). Source: "Round-Trip Translation Reveals What
Frontier Multilingual Benchmarks Miss", arXiv 2604.12911.
"""

from __future__ import annotations

from .agreement import agreement, correlate, read_ratings
from .checks import CheckItem, CheckResult, check_items, summarize_checks
from .compare import drawn_scores, metric_agreement, paired, split_agreement, thinking_pairs
from .mqm import MqmError, clipped, mqm80, raw_mqm, scheme
from .prompts import Messages, judge_messages, repair_messages
from .records import ChainRecord, Direct, Hop, HopScore, Judgement
from .replies import Reply, Step, next_step, read_direct, read_mqm
from .rule_judge import rule_errors, rule_reply
from .summary import harness_results, summarize
from .tables import check_tables, correlation_table, pair_tables, tables
from .traces import language_shares, trace_languages
from .values import Options, chain_values

NAME = "lit"

__all__ = [
    "NAME",
    "ChainRecord",
    "CheckItem",
    "CheckResult",
    "Direct",
    "Hop",
    "HopScore",
    "Judgement",
    "Messages",
    "MqmError",
    "Options",
    "Reply",
    "Step",
    "agreement",
    "chain_values",
    "check_items",
    "check_tables",
    "clipped",
    "correlate",
    "correlation_table",
    "drawn_scores",
    "harness_results",
    "judge_messages",
    "language_shares",
    "metric_agreement",
    "mqm80",
    "next_step",
    "pair_tables",
    "paired",
    "raw_mqm",
    "read_direct",
    "read_mqm",
    "read_ratings",
    "repair_messages",
    "rule_errors",
    "rule_reply",
    "scheme",
    "split_agreement",
    "summarize",
    "summarize_checks",
    "tables",
    "thinking_pairs",
    "trace_languages",
]  # fmt: skip
