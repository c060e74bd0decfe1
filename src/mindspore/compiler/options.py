"""What a program may say about a compilation: its options, and marks on functions and classes."""
from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from mindspore.core import check, context, log
from mindspore.core.errors import ArgumentError

_CAPTURE = ("ast", "bytecode", "trace")
_BACKENDS = ("", "ms_backend", "GE")
_CONFIG = {
    "jit_level": ("", "O0", "O1", "O2"), "exc_mode": ("auto", "sink", "no_sink"),
    "jit_syntax_level": ("", "STRICT", "COMPATIBLE", "LAX"), "debug_level": ("RELEASE", "DEBUG"),
    "infer_boost": ("on", "off")}
_TUNING = {"exc_mode": "auto", "debug_level": "RELEASE", "infer_boost": "off"}
_NO_EFFECT = "For '%s', the '%s' has no effect here: it tunes a backend that is not used here."
_BACK_END = {"disable_format_transform", "exec_order", "ge_options", "infer_boost"}
_OLDER = {"mode", "hash_args", "jit_config", "compile_once"}


class JitConfig:
    """Options of a compilation; those without a word here tune the original's back ends.

    Args:
        jit_level: "O0" leaves out all passes but those that remove what is not needed; "O1" fuses operators, too,
            and makes one native function of small training steps (on a CPU, with the package llvmlite; results differ
            by rounding); "O2" runs every pass. With "" that of `set_context(jit_config=...)` counts, and without it
            "O1".
        exc_mode: "auto", "sink" or "no_sink".
        jit_syntax_level: "STRICT" if it is an error that a function cannot be compiled, "LAX" or "COMPATIBLE" if it
            then runs in Python; with "" that of the context counts.
        debug_level: "RELEASE" or "DEBUG".
        infer_boost: "on" or "off".

    Raises:
        ValueError: If an option has no such value.
    """

    def __init__(self, jit_level: str = "", exc_mode: str = "auto", jit_syntax_level: str = "",
                 debug_level: str = "RELEASE", infer_boost: str = "off", **kwargs: Any):
        given = {"jit_level": jit_level, "exc_mode": exc_mode, "jit_syntax_level": jit_syntax_level,
                 "debug_level": debug_level, "infer_boost": infer_boost}
        for name, value in given.items():
            check.option("JitConfig", name, value, _CONFIG[name])
            if name in _TUNING and value != _TUNING[name]:
                log.info(_NO_EFFECT, "JitConfig", name)
        self.jit_config_dict: dict[str, Any] = kwargs | given

    def __eq__(self, other: object) -> bool:
        return isinstance(other, JitConfig) and other.jit_config_dict == self.jit_config_dict

    __hash__ = object.__hash__


def config_of(owner: Any, value: Any) -> JitConfig:
    """A JitConfig for one, or for a dictionary of its options.

    Raises:
        TypeError: If it is neither.
        ValueError: If an option has no such value.
    """
    if isinstance(value, JitConfig):
        return value
    if isinstance(value, Mapping) and all(isinstance(k, str) for k in value):
        return JitConfig(**value)
    raise check.fail(TypeError, owner, "jit_config", "a JitConfig or a dict of its options", value)


def levels_of(config: Any) -> tuple[str, str]:
    """The `jit_syntax_level` and the `jit_level` that the options of a compilation ask for."""
    options = JitConfig() if config is None else config_of("jit", config)
    return options.jit_config_dict["jit_syntax_level"], options.jit_config_dict["jit_level"]


def checked(capture_mode: Any, jit_level: Any, dynamic: Any, fullgraph: Any, backend: Any,
            options: dict[str, Any]) -> None:
    """Check the arguments of `jit`; those that only tune another back end are kept to the log.

    Raises:
        TypeError: If an argument has the wrong type, or an option is unknown.
        ValueError: If it has no such value.
    """
    check.option("jit", "capture_mode", capture_mode, _CAPTURE)
    check.option("jit", "jit_level", jit_level, (None, "O0", "O1", "O2"))
    check.integer("jit", "dynamic", dynamic, 0)
    check.option("jit", "dynamic", dynamic, (0, 1))
    check.boolean("jit", "fullgraph", fullgraph)
    if backend not in _BACKENDS:
        raise ArgumentError(f"For 'jit', the 'backend' must be one of {list(_BACKENDS)}, but got "
                            f"{backend!r}: graphs are compiled to calls of torch kernels.")
    unknown = set(options) - _BACK_END - _OLDER - {"input_signature"}
    if unknown:
        raise TypeError(f"For 'jit', the options {sorted(unknown)} are unknown; known are "
                        f"{sorted(_BACK_END | _OLDER | {'input_signature'})}.")
    _check_back_end(options)
    _check_older(options)


def _check_back_end(options: dict[str, Any]) -> None:
    """Options of the original's back ends."""
    if "disable_format_transform" in options:
        check.boolean("jit", "disable_format_transform", options["disable_format_transform"])
    if "exec_order" in options:
        check.option("jit", "exec_order", options["exec_order"], ("bfs", "dfs"))
    if "infer_boost" in options:
        check.option("jit", "infer_boost", options["infer_boost"], ("on", "off"))
    if "ge_options" in options:
        check.instance("jit", "ge_options", options["ge_options"], dict)
    for name in sorted(_BACK_END & options.keys()):
        log.info(_NO_EFFECT, "jit", name)


def _check_older(options: dict[str, Any]) -> None:
    """Options of earlier releases.

    `hash_args` and `compile_once` need nothing: a program belongs to the function object that was
    decorated, and what it reads from outside is compared before every run.
    """
    check.option("jit", "mode", options.get("mode", "PSJit"), ("PSJit", "PIJit"))
    check.boolean("jit", "compile_once", options.get("compile_once", False))
    config = options.get("jit_config")
    if config is not None:
        config_of("jit", config)


# ---------------------------------------------------------------------- marks

def jit_class(cls: type) -> type:
    """Mark a class whose objects are used in compiled functions; every class can be used here.

    Raises:
        TypeError: If `cls` is no class, or a Cell, which needs no decorator to be compiled.
    """
    if not isinstance(cls, type):
        raise TypeError(f"Decorator jit_class can only be used for class type, but got {cls}.")
    if hasattr(cls, "construct") and hasattr(cls, "cells_and_names"):
        raise TypeError(f"Decorator jit_class is used for user-defined classes and cannot be used for "
                        f"nn.Cell: {cls}.")
    return cls


def lazy_inline(fn: Callable[..., Any] | None = None, attrs: Any = None, policy: Any = None) -> Any:
    """Mark the `__init__` of a cell whose graph the original shares; compilation is linear here.

    Args:
        fn: The `__init__`; None when used as a decorator with options.
        attrs: Names of attributes that tell instances apart; not needed here.
        policy: None or "front"; without effect here.

    Raises:
        TypeError: If `fn` is no function.
        ValueError: If it is not an `__init__`, or the policy is unknown.
    """
    check.option("lazy_inline", "policy", policy, (None, "front"))

    def mark(init: Callable[..., Any]) -> Callable[..., Any]:
        if not callable(init):
            raise check.fail(TypeError, "lazy_inline", "fn", "a function", init)
        if getattr(init, "__name__", "") != "__init__":
            raise ValueError(f"For 'lazy_inline', the 'fn' must be the __init__ of a cell, but got "
                             f"'{getattr(init, '__name__', init)}'.")
        return init
    return mark if fn is None else mark(fn)


def no_inline(fn: Callable[..., Any] | None = None) -> Any:
    """Mark a function that the original keeps as a graph of its own; without effect on results.

    Raises:
        TypeError: If `fn` is no function.
    """
    def mark(function: Callable[..., Any]) -> Callable[..., Any]:
        if not (inspect.isroutine(function) or hasattr(function, "__jitted__")):
            raise check.fail(TypeError, "no_inline", "fn", "a function", function)
        return function
    return mark if fn is None else mark(fn)


def set_recursion_limit(recursion_limit: int = 1000) -> None:
    """Set how deep calls may nest in a compiled function, as `set_context(max_call_depth=...)`.

    Raises:
        TypeError: If it is no int.
        ValueError: If it is not positive.
    """
    limit = check.positive_int("set_recursion_limit", "recursion_limit", recursion_limit)
    context.set_context(max_call_depth=limit)
