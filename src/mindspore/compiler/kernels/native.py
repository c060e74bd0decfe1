"""Machine code of LLVM's text, made and loaded in this process by llvmlite.

Needs the package llvmlite; `available()` says whether it is there.
"""
from __future__ import annotations

import ctypes
import functools
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mindspore.core import log

from . import objects, openmp

# LLVM takes the name of a processor from its family and model, and an older one where it does not know them.  The
# features are read from the processor itself, so what to schedule for follows from them.
_SCHEDULES = (("amx-tile", "sapphirerapids"), ("avx512f", "icelake-server"), ("avx2", "haswell"))
_LANES = (("avx512f", 16), ("avx2", 8))
# what code with explicit vectors needs: variables to values, clean up, loops
_PASSES = ("always_inliner", "sroa", "instruction_combine", "simplify_cfg", "new_gvn", "loop_simplify", "loop_rotate",
           "instruction_combine", "loop_strength_reduce", "aggressive_dce", "dead_store_elimination")
# the same for large modules in which each value is computed once as they are written: as fast, in half the time
WRITTEN_OUT = ("always_inliner", "sroa", "simplify_cfg", "instruction_combine", "loop_simplify", "loop_rotate",
               "aggressive_dce")
LLVM = 22              # from this version on memory behind a mask has its alignment with the pointer
_lock = threading.Lock()


@functools.cache
def available() -> bool:
    """Whether kernels can be generated here; says so once if not."""
    try:
        import llvmlite.binding
    except ImportError:
        log.info("Kernels are not generated, because the package 'llvmlite' is not installed "
                 "(pip install 'llvmlite>=0.48'); torch's are used.")
        return False
    if llvmlite.binding.llvm_version_info[0] < LLVM:
        log.info("Kernels are not generated, because the package 'llvmlite' holds LLVM %s, and %d is needed "
                 "(pip install 'llvmlite>=0.48'); torch's are used.",
                 ".".join(map(str, llvmlite.binding.llvm_version_info)), LLVM)
        return False
    return bool(llvmlite.binding.get_host_cpu_features())


class Machine:
    """The processor of this process, and the code that was loaded."""

    def __init__(self) -> None:
        import llvmlite
        import llvmlite.binding as llvm

        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        self.llvm: Any = llvm
        features = llvm.get_host_cpu_features()
        self.width = next((n for f, n in _LANES if features.get(f)), 4)
        self.processor = next((p for f, p in _SCHEDULES if features.get(f)), llvm.get_host_cpu_name())
        self.features = features.flatten()
        self.triple = llvm.get_process_triple()
        self.machine: Any = self._machine()
        self.linker: Any = llvm.create_lljit_compiler(self._machine())
        self.symbols = openmp.symbols()
        self.count = 0
        self.describes = (self.triple, self.processor, self.features, repr(llvm.llvm_version_info),
                          llvmlite.__version__)      # what object code follows from, beside the text

    def _machine(self) -> Any:
        return self.llvm.Target.from_triple(self.triple).create_target_machine(
            cpu=self.processor, features=self.features, opt=3, codemodel="jitdefault", jit=True)

    def optimise(self, module: Any, passes: Sequence[str] = _PASSES) -> None:
        """Let LLVM's passes change a module."""
        llvm = self.llvm
        manager = llvm.create_new_module_pass_manager()
        for add in passes:
            getattr(manager, f"add_{add}_pass")()
        manager.run(module, llvm.create_pass_builder(self.machine, llvm.create_pipeline_tuning_options(speed_level=1)))

    def load(self, text: str, symbols: Mapping[str, int] | None = None, passes: Sequence[str] = _PASSES) -> Code:
        """Compile and load a module with the functions `run` and `run_parallel`, which may call those of `symbols`."""
        with _lock:
            library = self.llvm.JITLibraryBuilder().add_object_img(self.compiled(text, passes)).add_current_process()
            for name, address in {**(self.symbols or _alone()), **(symbols or {})}.items():
                library.import_symbol(name, address)
            for name in ("run", "run_parallel"):
                library.export_symbol(name)
            self.count += 1
            return Code(library.link(self.linker, f"kernel{self.count}"), bool(self.symbols))

    def compiled(self, text: str, passes: Sequence[str] = _PASSES) -> bytes:
        """The object file of a module, which the disk may have."""
        name = objects.key(text, repr(passes), *self.describes) if objects.folder() else ""
        found = objects.find(name) if name else None
        if found is not None:
            return found
        module = self.llvm.parse_assembly(text)
        module.verify()                     # LLVM ends the process over some faults that this finds
        module.triple, module.data_layout = self.triple, str(self.machine.target_data)
        self.optimise(module, passes)
        code = bytes(self.machine.emit_object(module))
        if name:
            objects.keep(name, code)
        return code


class Code:
    """The loaded code of a kernel.

    Attributes:
        run: Takes the address table.
        run_parallel: Takes the address table and the number of threads.
        parallel: Whether there are threads to share with.
    """

    def __init__(self, loaded: Any, parallel: bool):
        self.loaded, self.parallel = loaded, parallel          # the code lives as long as `loaded`
        self.run = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(loaded["run"])
        self.run_parallel = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int)(loaded["run_parallel"])


@functools.cache
def _alone() -> dict[str, int]:
    """What stands in for OpenMP: one thread."""
    body = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
    stand_ins: list[Callable[..., Any]] = [
        ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint, ctypes.c_uint)(
            lambda share, table, threads, flags: body(share)(table)),
        ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 0), ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 1)]
    _kept.extend(stand_ins)
    return {name: ctypes.cast(f, ctypes.c_void_p).value or 0  # pyright: ignore[reportArgumentType]  # a function pointer
            for name, f in zip(openmp.NAMES, stand_ins, strict=True)}


_kept: list[Any] = []          # functions that native code calls


@functools.cache
def machine() -> Machine:
    """The machine of this process."""
    return Machine()
