"""The error of a pipeline that runs."""

from __future__ import annotations


class PipelineError(RuntimeError, ValueError):
    """Data that does not fit what a pipeline says about it: wrong columns, shapes that differ, a file that is broken.

    It is raised while rows are read or transformed. Programs catch it as RuntimeError, which the public interface
    documents for all that happens while rows flow, or as the ValueError that it is.
    """
