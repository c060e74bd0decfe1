"""What runs in a thread: the interpreters of operators, and the state of execution.

An operator that is called asks one place, `runtime.top`, what happens.  At the bottom stands the interpreter that
computes (`base`, PyNative mode); others stand above it as long as they are wanted: one that builds a graph, one that
casts for mixed precision, and any other that is to see, count or change what is applied (see `pushed`).

Threads share nothing of this: each has a stack and a state of its own.
"""
from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar

from .origin import NOWHERE

if TYPE_CHECKING:
    from .build import Building
    from .graph import Loc, Node
    from .sizes import Sizes


class Interpreter:
    """Decides what an applied operator means.

    Attributes:
        rank: Where it stands: above those of the same and of lower rank, whenever these come.
        below: The one that it stands on, for what it leaves to others.
        refusing: Whether no derivative may be asked for while it takes part.
        measuring: Whether it only measures what is computed, and compiled programs as well.
    """

    rank: float = 9
    below: Interpreter
    refusing = measuring = False

    def apply(self, op: Any, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        """The result of an operator.

        Args:
            op: The operator.
            inputs: Tensors, nodes, constants.
            attrs: Its attributes, by name.

        Returns:
            What the operator computes, or what represents it.
        """
        raise NotImplementedError


class Base(Interpreter):
    """Computes: plain torch tensors until `eager.execution` teaches it tensors, for all threads."""

    rank = 0

    def tensor(self, value: Any, dtype: Any = None) -> Any:
        """An array, or a list of numbers, as a tensor that a program holds."""
        raise NotImplementedError

    def apply(self, op: Any, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        """Run the kernel."""
        return op.kernel(*inputs, **attrs)


base = Base()


class Runtime(threading.local):
    """The state of execution of the thread that asks.

    Attributes:
        began: What is to be done in every thread when it first asks, of the class.
        top: The interpreter that the operators of this thread meet first; `stack` holds all, `base` first.
        building: The interpreter that builds a graph; None if operators compute.
        blocks: The node lists under construction, innermost last.
        loc: The user's line that new nodes belong to.
        origin: The cells and functions, the phase and the notes that new nodes belong to.
        changing: Whether the program that is walked has changed a tensor in place.
        sizes: The unknown sizes of the program under construction, or None.
        level: Passes of higher levels are left out of the program that is made; None for what the context says.
        loops_kept: How many loops over sizes stayed loops, in all compilations of this thread.
        trace: The state of the front end while it walks a function, or None.
        failed: What is known of the error in which the last compilation ended, until it is taken.
        swept: The record of the tape whose derivative is being computed, or None; the list of all records of a sweep
            that a program does.
        nested: How many graphs of control flow, one in another, are being reversed.
        depth: How many gradients are being taken: 0 records nothing.
        steady: Whether a training step runs whose sweep a compiled program does.
        variables: The places of parameters on the tape.
        watched: The variables of the tensors that gradients are being taken of, the innermost last.
        changed: The roots of memory that was changed in place since the outermost gradient began, weakly.
        saved: The values that records of the tape hold of the memory of a root, by its id, weakly.
        slicing: How many functions run over slices at once: tensors may hold all of them.
        before: What tensors held before functions over slices changed them: tensor, memory, elements.
        journal: The effects of a run that may begin again, or None.
        arguments: What the running programs that change containers among their arguments were called with.
        casting: What casts for the innermost cell that has a float type; None for full precision.
        together: Whether all processes bring the same tensors, because a program that they compute together runs.
        summaries: The values that summary operators were given, in order, until they are written; None if nobody
            wants them.
    """

    began: ClassVar[list[Callable[[], None]]] = []

    def __init__(self) -> None:
        for act in self.began:
            act()
        self.top: Interpreter = base
        self.stack: list[Interpreter] = [base]
        self.building: Building | None = None
        self.blocks: list[list[Node]] = []
        self.loc: Loc | None = None
        self.origin = NOWHERE
        self.changing = False
        self.sizes: Sizes | None = None
        self.level: int | None = None
        self.loops_kept = 0
        self.trace: Any = None
        self.failed: Any = None
        self.watched: list[Any] = []
        self.changed: list[Any] = []
        self.saved: dict[int, list[Any]] = {}
        self.nested = self.depth = self.slicing = 0
        self.variables: dict[Any, Any] = {}
        self.before: list[tuple[Any, Any, Any]] = []
        self.journal: Any = None
        self.arguments: dict[Any, Any] = {}
        self.casting: Any = None
        self.swept: Any = None
        self.together = self.steady = False
        self.summaries: list[Any] | None = None

    @property
    def builder(self) -> Building:
        """What builds the graph, for those who only act while one is built."""
        assert self.building is not None, "no graph is under construction"
        return self.building

    def push(self, one: Interpreter) -> None:
        """Let an interpreter take part from now on."""
        stack = self.stack
        place = len(stack)
        while stack[place - 1].rank > one.rank:
            place -= 1
        stack.insert(place, one)
        self._link()

    def drop(self, one: Interpreter) -> None:
        """Let an interpreter that was pushed no longer take part."""
        self.stack.remove(one)
        self._link()

    def _link(self) -> None:
        stack = self.stack
        for lower, upper in itertools.pairwise(stack):
            upper.below = lower
        self.top = stack[-1]


runtime = Runtime()


@contextmanager
def pushed(one: Interpreter) -> Generator[Any]:
    """Let an interpreter take part as long as the block runs, in this thread.

    Args:
        one: The interpreter.

    Returns:
        A context manager that gives the interpreter.

    Examples:
        >>> from mindspore.ir.runtime import Interpreter, pushed
        >>> class Counting(Interpreter):
        ...     count = 0
        ...     def apply(self, op, inputs, attrs):
        ...         self.count += 1
        ...         return self.below.apply(op, inputs, attrs)
        >>> with pushed(Counting()) as found:
        ...     _ = Tensor([1.0]) * 2 + 1
        >>> found.count
        2
    """
    runtime.push(one)
    try:
        yield one
    finally:
        runtime.drop(one)


__all__ = ["Base", "Interpreter", "base", "pushed", "runtime"]
