"""Summaries: what a training leaves in event files for those who look at it later."""
from .summary_record import SummaryRecord

__all__ = ["SummaryRecord"]
