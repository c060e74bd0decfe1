"""Functions in C++ for `ops.Custom`: found in a library, which is compiled first if a source is named.

    extern "C" int name(int nparam, void **params, int *ndims, int64_t **shapes, const char **dtypes,
                        void *stream, void *extra);

The parameters are the inputs and then the outputs; 0 is success.  `stream` and `extra` are null on a CPU.
"""
from __future__ import annotations

import ctypes
import functools
import hashlib
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from mindspore.core import caching
from mindspore.core.dtype import from_torch
from mindspore.formats.files import atomic, scratch

FLAGS = ("-std=c++17", "-O2", "-shared", "-fPIC")
_SOURCES = (".cc", ".cpp", ".cxx", ".c++", ".C")


class NativeFunction:
    """A function of a library, with its results after its inputs."""

    of_tensors = True

    def __init__(self, library: Path, name: str):
        self.library, self.__name__ = library, name
        loaded = _loaded(str(library))
        try:
            self.function = loaded[name]
        except AttributeError as error:
            raise RuntimeError(f"For 'Custom' on CPU, error occurs when fetching function '{name}'. Error info: "
                               f"{error}") from None
        if hasattr(loaded, f"{name}Init"):
            raise NotImplementedError(f"For 'Custom', the function '{name}' comes with '{name}Init', which sets up the "
                                      f"original's 'AotExtra'. Allocate what it needs in '{name}' itself.")
        self.function.restype = ctypes.c_int

    def __call__(self, *inputs: torch.Tensor, outs: Sequence[Any]) -> list[torch.Tensor]:
        """The results, of the shapes and types of `outs`."""
        made = [torch.zeros(out[0], dtype=out[1].torch) for out in outs]
        tensors = [*[x.detach().cpu().contiguous() for x in inputs], *made]
        count = len(tensors)
        shapes = [(ctypes.c_int64 * max(x.dim(), 1))(*x.shape) for x in tensors]
        types = [from_torch(x.dtype).name.encode() for x in tensors]
        code = self.function(
            count, (ctypes.c_void_p * count)(*[x.data_ptr() for x in tensors]),
            (ctypes.c_int * count)(*[x.dim() for x in tensors]),
            (ctypes.c_void_p * count)(*[ctypes.addressof(s) for s in shapes]),
            (ctypes.c_char_p * count)(*types), None, None)
        if code:
            raise RuntimeError(f"Return value from CPU AOT kernel({self.library})'s function({self.__name__}) is "
                               f"{code}. Any return value not equal to 0 is an error code of the function's.")
        return made


def native_function(what: str) -> NativeFunction:
    """The function that "file:name" names."""
    file, _, name = what.rpartition(":")
    path = Path(file)
    if path.suffix == ".cu":
        raise RuntimeError(f"For 'Custom', '{file}' is a source for GPUs; compile it to a library and name that.")
    if path.suffix in _SOURCES:
        path = compiled((path,))
    elif not path.is_file():
        raise RuntimeError(f"For 'Custom' on CPU, couldn't find the AOT binary file: {file}")
    return _function(path.resolve(), path.stat().st_mtime_ns, name)


@functools.cache
def _function(path: Path, changed: int, name: str) -> NativeFunction:
    return NativeFunction(path, name)


@functools.cache
def _loaded(path: str) -> ctypes.CDLL:
    try:
        return ctypes.CDLL(path)
    except OSError as error:
        raise RuntimeError(f"For 'Custom' on CPU, the library cannot be loaded: {error}") from None


def compiler() -> str:
    """The C++ compiler of this machine: the variable CXX, or what is found by its usual names."""
    named = os.environ.get("CXX")
    found = next((c for c in ([named] if named else ["g++", "c++", "clang++"]) if shutil.which(c)), None)
    if found is None:
        raise RuntimeError("For 'Custom', there is no C++ compiler on this machine (g++, c++, clang++, or the variable "
                           "CXX). Install one, compile the source to a library elsewhere and name that, or write the "
                           "function as loops with 'ops.kernel', which needs none.")
    return found


def compiled(sources: Sequence[Path], flags: Sequence[str] = FLAGS, last: Sequence[str] = (),
             folder: Path | None = None) -> Path:
    """The library of some sources; the same sources and flags are compiled once.

    Args:
        sources: Files in C++. What they include is not looked at: change a source, too, when a header changes.
        flags: For the compiler.
        last: What stands after the sources, such as libraries.
        folder: Where the library is kept. Default: `custom_kernel_meta`, beside the compile cache or here.
    """
    digest = hashlib.blake2b(digest_size=10)
    tool = compiler()
    for source in sources:
        if not source.is_file():
            raise RuntimeError(f"Compilation error in compiling {source}: there is no such file.")
        digest.update(source.read_bytes())
    digest.update(repr((tool, [s.name for s in sources], tuple(flags), tuple(last))).encode())
    folder = folder or (caching.place() or Path(os.environ.get("MS_COMPILER_CACHE_PATH", "."))) / "custom_kernel_meta"
    library = folder / f"{sources[0].stem}.{digest.hexdigest()}.so"
    if library.is_file():
        return library
    folder.mkdir(parents=True, exist_ok=True)
    with atomic(library, 0o755) as file:
        made = _Made()
        out = Path(scratch(made)) / library.name
        run = subprocess.run([tool, *flags, "-o", str(out), *map(str, sources), *last], capture_output=True, text=True,
                             check=False)
        if run.returncode:
            raise RuntimeError(f"Compilation error in compiling {', '.join(map(str, sources))}:\n{run.stderr}")
        file.write(out.read_bytes())
    return library


class _Made:
    """A run of the compiler, whose folder goes with it."""
