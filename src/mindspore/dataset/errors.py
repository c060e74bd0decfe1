"""Errors of a pipeline that runs."""

from __future__ import annotations


class PipelineError(RuntimeError, ValueError):
    """Data that does not fit what a pipeline says about it: wrong columns, shapes that differ, a file that is broken.

    It is raised while rows are read or transformed. Programs catch it as RuntimeError, which the public interface
    documents for all that happens while rows flow, or as the ValueError that it is.
    """


class InputError(TypeError, PipelineError):
    """An input that a transform cannot take for what it is: no image, text for numbers, too many of them.

    It is caught as TypeError, for that is what is wrong, and as RuntimeError like all that happens while rows flow.
    """
