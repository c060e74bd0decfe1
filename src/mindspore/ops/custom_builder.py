"""`ops.CustomOpBuilder`: C++ sources as a Python module."""
from __future__ import annotations

import importlib.machinery
import importlib.util
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from mindspore.core import check

from .custom_native import FLAGS, compiled

_KNOWN = ("build_dir", "enable_atb", "enable_asdsip", "op_def", "op_doc", "debug_mode")


class CustomOpBuilder:
    """Compiles C++ sources, and loads what they make as a Python module.

    Args:
        name: Name of the module; the sources define `PyInit_<name>`, and find it as the macro MS_EXTENSION_NAME.
        sources: A file, or a list of files.
        backend: "CPU" or None; "Ascend" needs an NPU.
        include_paths: A folder with headers, or a list of them.
        cflags: Further flags of the compiler.
        ldflags: Further flags of the linker.
        kwargs: `build_dir`, the folder of the library (default: `kernel_meta/<name>`); `enable_atb`, `enable_asdsip`,
            `op_def`, `op_doc`, which belong to NPUs, must be unset; `debug_mode` adds what debuggers need.

    Raises:
        TypeError: If an argument is of another type.
        ValueError: If `backend` is none of those.
        RuntimeError: In `load`: if the sources do not compile. The original's C++ interface (`ms_extension`) is not
            here: sources that include it belong into `ops.Custom` ("aot"), which has C's interface.
    """

    def __init__(self, name: str, sources: str | Sequence[str], backend: str | None = None,
                 include_paths: str | Sequence[str] | None = None, cflags: str | None = None,
                 ldflags: str | None = None, **kwargs: Any):
        if not isinstance(name, str):
            raise check.fail(TypeError, "CustomOpBuilder", "name", "a str", name)
        if backend not in (None, "CPU", "Ascend"):
            raise check.fail(ValueError, "CustomOpBuilder", "backend", "'CPU', 'Ascend' or None", backend)
        for key, value in kwargs.items():
            if key not in _KNOWN:
                raise TypeError(f"CustomOpBuilder() got an unexpected keyword argument '{key}'.")
            if key not in ("build_dir", "debug_mode") and value:
                raise NotImplementedError(f"For 'CustomOpBuilder', the '{key}' belongs to NPUs; leave it out.")
        self.name, self.backend, self.options = name, backend, kwargs
        self.sources, self.include_paths = _texts("sources", sources), _texts("include_paths", include_paths)
        self.cflags, self.ldflags = _text("cflags", cflags), _text("ldflags", ldflags)

    def get_sources(self) -> list[str]:
        """The sources."""
        return self.sources

    def get_include_paths(self) -> list[str]:
        """The folders with headers: those that were given, and Python's."""
        return [*self.include_paths, sysconfig.get_path("include")]

    def get_cflags(self) -> list[str]:
        """The flags of the compiler."""
        return [*FLAGS, f"-DMS_EXTENSION_NAME={self.name}", *(["-g"] if self.options.get("debug_mode") else []),
                *self.cflags.split()]

    def get_ldflags(self) -> list[str]:
        """The flags of the linker."""
        return self.ldflags.split()

    def build(self) -> str:
        """Compile; the library's file. The same sources and flags are compiled once."""
        if self.backend == "Ascend":
            raise RuntimeError("For 'CustomOpBuilder', the 'backend' must be 'CPU' here, but got 'Ascend'.")
        paths = [Path(s) for s in self.sources]
        for path in paths:
            if path.is_file() and "ms_extension" in path.read_text(errors="replace"):
                raise RuntimeError(f"For 'CustomOpBuilder', '{path}' includes 'ms_extension', the original's interface "
                                   f"for C++, which is not here. Write the function with C's interface for "
                                   f"'ops.Custom' ('aot'), or as loops with 'ops.kernel'.")
        folder = Path(self.options.get("build_dir") or Path("kernel_meta") / self.name)
        includes = [f"-I{path}" for path in self.get_include_paths()]
        return str(compiled(paths, [*self.get_cflags(), *includes], self.get_ldflags(), folder))

    def load(self) -> ModuleType:
        """Compile and load; the module."""
        file = self.build()
        loader = importlib.machinery.ExtensionFileLoader(self.name, file)
        spec = importlib.util.spec_from_file_location(self.name, file, loader=loader)
        assert spec
        try:
            module = importlib.util.module_from_spec(spec)
            loader.exec_module(module)
        except ImportError as error:
            raise RuntimeError(f"For 'CustomOpBuilder', '{self.name}' cannot be loaded: {error}. Its sources must "
                               f"define 'PyInit_{self.name}'; functions with C's interface belong into 'ops.Custom' "
                               f"('aot').") from None
        sys.modules[self.name] = module
        return module


def _texts(name: str, value: str | Sequence[str] | None) -> list[str]:
    found = [] if value is None else [value] if isinstance(value, str) else list(value)
    if not all(isinstance(v, str) for v in found):
        raise check.fail(TypeError, "CustomOpBuilder", name, "a str or a list of str", value)
    return found


def _text(name: str, value: str | None) -> str:
    if value is not None and not isinstance(value, str):
        raise check.fail(TypeError, "CustomOpBuilder", name, "a str", value)
    return value or ""


__all__ = ["CustomOpBuilder"]
