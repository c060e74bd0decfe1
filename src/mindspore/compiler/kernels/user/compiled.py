"""Kernels of users for torch tensors: one program per types of arguments, whatever their sizes."""
from __future__ import annotations

import ctypes
import ctypes.util
import functools
from collections.abc import Callable, Sequence
from typing import Any

import torch

from mindspore.core import log
from mindspore.core.dtype import DType, from_torch
from mindspore.operators.choices import choices

from ..native import Code, available, machine
from . import interpret, tree
from .assembly import emitted, parts_of, work
from .bounds import Checks, evaluated, holds
from .errors import KernelCallError
from .loops import _LINE
from .reverse import reversed_program
from .scalar import LIBRARY
from .simplify import simplified
from .sources import Source
from .syntax import read

# no `new_gvn`, which ends the process over some loops in memory; values are computed once by how a tree is written
_PASSES = ("sroa", "simplify_cfg", "loop_simplify", "loop_rotate", "instruction_combine", "aggressive_dce")
_TYPES = {d: getattr(torch, d) for d in tree.DTYPES}


@functools.cache
def native() -> bool:
    """Whether there is native code; says so once if not."""
    if not available():
        log.warning("Kernels written in Python run in Python, because the package 'llvmlite' is not installed "
                    "(pip install 'llvmlite>=0.48').")
        return False
    return True


class Compiled:
    """A program that runs on torch tensors.

    Args:
        program: The tree, which is simplified.

    Attributes:
        outputs: The types of the results.
    """

    def __init__(self, program: tree.Program):
        self.program = simplified(program)
        self.outputs = [_TYPES[t.dtype] for t in self.program.outputs]
        self.codes: dict[bool, tuple[Code, Checks]] = {}
        self.shared = any(p.shared for p in parts_of(self.program))
        made = (*self.program.outputs, *self.program.temporaries)
        count = len(self.program.tensors) + sum(len(t.shape) for t in self.program.inputs) + 1
        self.table = ctypes.c_void_p * count
        self.made, self.work = made, work(self.program)

    def shapes(self, shapes: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
        """The shapes of the results."""
        known = interpret.sizes_of(self.program, shapes)
        return [_shape(t, known) for t in self.program.outputs]

    def __call__(self, *inputs: torch.Tensor) -> list[torch.Tensor]:
        """The results."""
        given = [x.detach() if x.requires_grad else x for x in inputs]
        if not native() or any(x.device.type != "cpu" for x in given):
            return self.interpreted(given)
        given = [x.contiguous() for x in given]
        known = interpret.sizes_of(self.program, [x.shape for x in given])
        made = [(torch.empty if t.filled else torch.zeros)(_shape(t, known), dtype=_TYPES[t.dtype]) for t in self.made]
        everything = [*given, *made]
        error = ctypes.c_int64(0)
        table = self.table(*[x.data_ptr() or _SPARE for x in everything], *known.values(), ctypes.addressof(error))
        code, _ = self.code(known)
        threads = torch.get_num_threads() if self.shared and self.busy(everything) else 1
        if threads > 1:
            code.run_parallel(table, threads)
        else:
            code.run(table)
        if error.value:
            line, tensor = divmod(error.value, _LINE)
            raise interpret.outside(self.program, self.program.tensors[tensor - 1], line)
        return made[:len(self.outputs)]

    def busy(self, everything: Sequence[torch.Tensor]) -> bool:
        """Whether a call is worth threads."""
        return self.work * max([x.numel() for x in everything]) > choices().kernel_alone

    def code(self, known: dict[Any, int]) -> tuple[Code, Checks]:
        """The code for some sizes: checked where these do not show that indices are inside."""
        if True not in self.codes:
            self.codes[True] = self.loaded(True)
        if holds(self.codes[True][1].needs, known):
            return self.codes[True]
        if False not in self.codes:
            self.codes[False] = self.loaded(False)
        return self.codes[False]

    def loaded(self, trusting: bool) -> tuple[Code, Checks]:
        """Native code, checked or trusting the sizes."""
        checks, found = Checks(self.program, trusting), machine()
        text = emitted(self.program, found.width, checks)
        used = {k: v for k, v in _library().items() if f"@{k}(" in text}
        return found.load(text, used, _PASSES), checks

    def interpreted(self, inputs: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        """The same without native code."""
        arrays = [(x.float() if x.dtype is torch.bfloat16 else x).cpu().numpy() for x in inputs]
        found = interpret.Interpreter(self.program, arrays).run()
        device = inputs[0].device if inputs else torch.device("cpu")
        return [torch.as_tensor(a).to(device, d) for a, d in zip(found, self.outputs, strict=True)]


_kept = torch.zeros(16)
_SPARE = _kept.data_ptr()          # what stands in for the memory of empty tensors


def _shape(t: tree.Tensor, known: dict[Any, int]) -> tuple[int, ...]:
    extents = [evaluated(e, known) for e in t.shape]
    return tuple([max(n, 0) if isinstance(n, int) else n for n in extents])


@functools.cache
def _library() -> dict[str, int]:
    """The addresses of functions of the C library."""
    library = ctypes.CDLL(ctypes.util.find_library("m"))
    return {name + end: ctypes.cast(getattr(library, name + end), ctypes.c_void_p).value or 0
            for name in (*LIBRARY.values(), "fmod") for end in ("", "f")}


class Kernel:
    """A program as an operator: results, their shapes, and the kernel of its derivative.

    Attributes:
        name: In messages.
        like: Gives the kernel for other types of its inputs.
        places: The inputs that have cotangents.
        floats: The results that have cotangents.
    """

    def __init__(self, program: tree.Program, like: Callable[[list[torch.dtype]], Kernel]):
        self.forward, self.like = Compiled(program), like
        self.types = [_TYPES[t.dtype] for t in program.inputs]
        self.name = self.__name__ = program.name
        self.places = [k for k, t in enumerate(program.inputs) if t.floating]
        self.floats = [k for k, t in enumerate(program.outputs) if t.floating]

    @functools.cached_property
    def backward(self) -> Kernel:
        """The cotangents of the inputs, from the inputs, the results and the cotangents of these."""
        count = len(self.types)
        return Kernel(reversed_program(self.forward.program), lambda dtypes: self.fit(dtypes[:count]).backward)

    def fit(self, dtypes: list[torch.dtype]) -> Kernel:
        """The kernel for inputs of some types: another one where a cell computes in a float type of its own."""
        if dtypes == self.types:
            return self
        found = self.like(dtypes)
        if dtypes != found.types:
            raise KernelCallError(f"For 'kernel', the inputs of the derivative of '{self.name}' must be of the types "
                                  f"{found.types}, but got {dtypes}.")
        return found

    of_tensors = True          # as a function of `python_call`

    def __call__(self, *inputs: torch.Tensor, outs: Any = None) -> list[torch.Tensor]:
        """The results; their shapes and types need not be told."""
        return self.fit([x.dtype for x in inputs]).forward(*inputs)

    def outs(self, shapes: Sequence[Sequence[int]]) -> list[tuple[tuple[int, ...], DType]]:
        """Shapes and types of the results, for inputs of its types."""
        types = [from_torch(d) for d in self.forward.outputs]
        return list(zip(self.forward.shapes(shapes), types, strict=True))


class Kernels:
    """The kernels of a function, made when arguments of new types come.

    Args:
        function: The user's function.
    """

    def __init__(self, function: Callable[..., Any]):
        self.source = Source(function)
        self.made: dict[Any, Kernel] = {}

    def of(self, types: Sequence[Any]) -> Kernel:
        """The kernel for arguments of some types: (type, rank) of tensors, and numbers."""
        name, count = self.source.name, len(self.source.parameters)
        if len(types) != count:
            raise KernelCallError(f"For 'kernel', '{name}' takes {count} arguments "
                                  f"({', '.join(self.source.parameters)}), but got {len(types)}.")
        key = repr((*types, *self.source.numbers()))
        if key not in self.made:
            for parameter, t in zip(self.source.parameters, types, strict=True):
                if isinstance(t, tuple) and t[0] not in tree.DTYPES:
                    raise KernelCallError(f"For 'kernel', the '{parameter}' of '{name}' must be a tensor of one of the "
                                          f"types {', '.join(tree.DTYPES)}, but got {t[0]}.")
            self.made[key] = Kernel(read(self.source, types), functools.partial(self.like, types))
        return self.made[key]

    def like(self, types: Sequence[Any], dtypes: list[torch.dtype]) -> Kernel:
        """The kernel for the same ranks and numbers and other types of the tensors."""
        other = iter([str(d).removeprefix("torch.") for d in dtypes])
        return self.of([(next(other), t[1]) if isinstance(t, tuple) else t for t in types])
