"""The OpenMP runtime that torch itself uses, found among the libraries of this process.

libgomp exports what is needed; LLVM's and Intel's runtimes have the same names.  A second runtime would have threads
of its own beside torch's.  Without any, kernels run on the calling thread.
"""
from __future__ import annotations

import ctypes
import os
from typing import Any

NAMES = ("GOMP_parallel", "omp_get_thread_num", "omp_get_num_threads")
_RUNTIMES = ("libgomp", "libiomp5", "libomp")


class _Library(ctypes.Structure):
    _fields_ = [("address", ctypes.c_void_p), ("name", ctypes.c_char_p)]


def loaded_libraries() -> list[str]:
    """The files of the shared libraries of this process; [] where the system does not tell."""
    found: list[str] = []

    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Library), ctypes.c_size_t, ctypes.c_void_p)
    def note(library: Any, size: int, data: Any) -> int:
        if library.contents.name:
            found.append(os.fsdecode(library.contents.name))
        return 0
    iterate = getattr(ctypes.CDLL(None), "dl_iterate_phdr", None)
    if iterate is not None:
        iterate(note, None)
    return found


def symbols() -> dict[str, int]:
    """The addresses of `NAMES` in torch's OpenMP runtime; {} without one."""
    files = [f for f in loaded_libraries() if os.path.basename(f).startswith(_RUNTIMES)]
    for file in sorted(files, key=lambda f: "torch" not in f):
        library = ctypes.CDLL(file)
        if all(hasattr(library, name) for name in NAMES):
            return {name: ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0 for name in NAMES}
    return {}
