"""Optimizers whose parameters are with parameter servers: what workers ask for, and what a server does instead."""
from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from mindspore.core import context
from mindspore.distributed import clients, get_group_size, meeting
from mindspore.distributed.service import Service
from mindspore.eager.parameter import Parameter, assign
from mindspore.eager.tensor import wrap
from mindspore.operators.served import serve_step

from .states import read, written

_attending: list[Any] = []             # the one optimizer of a worker whose parameters servers keep


class Served:
    """The part of an optimizer that works with parameter servers."""

    parameters: Any
    served: tuple[int, ...] = ()              # parameters that servers update, by number
    served_names: tuple[str, ...] = ()
    served_tables: tuple[int, ...] = ()       # those that stand for tables
    is_served = False

    def attend(self, late: bool = False) -> None:
        """Take the part of this process where servers keep parameters: a worker gets them, a server stays here.

        Args:
            late: Whether a network may have been computed already with the values of this process.
        """
        role = meeting.role()
        if not role or self.is_served or not any([p.is_param_ps for p in self.parameters]):
            return
        if role == "scheduler":
            meeting.schedule()
        if role == "server":
            serve(self)
        self._connect(late)

    def _connect(self, late: bool) -> None:
        if _attending:
            raise RuntimeError("Parameter servers work for one optimizer, but a second one has parameters with "
                               "'set_param_ps': give all of them to one optimizer, in groups if need be.")
        construct: Any = getattr(type(self), "construct", None)
        if construct.__module__ != "mindspore.nn.optimizers.optimizer":
            raise RuntimeError(f"For '{type(self).__name__}', parameters cannot be with a parameter server, since its "
                               "step is not one formula for each parameter.")
        own = clients.client()
        values = own.values()
        dense = [k for k, p in enumerate(self.parameters) if p.is_param_ps and p.table is None]
        own.place = places(self.parameters)
        apart = context.parallel.parallel_mode in ("data_parallel", "hybrid_parallel")
        own.mean = context.parallel.gradients_mean or not apart
        if not apart and get_group_size() > 1 and not all([p.is_param_ps for p in self.parameters]):
            raise RuntimeError("Some parameters are not with the servers, and nothing sums their gradients over the "
                               "workers: call set_auto_parallel_context(parallel_mode='data_parallel').")
        for k in dense:
            p = self.parameters[k]
            if p.name not in values or tuple(values[p.name].shape) != tuple(p.shape):
                raise RuntimeError(f"The parameter servers have no parameter '{p.name}' of the shape {tuple(p.shape)}: "
                                   "do all processes run the same program?")
            if late and not torch.equal(values[p.name], p._data.cpu()):
                raise RuntimeError(f"The parameter '{p.name}' was used before the server's first values came. Call "
                                   "mindspore.set_seed at the beginning, or train by Model or TrainOneStepCell.")
            p.set_data(wrap(values[p.name]))
        self.served, self.served_names = tuple(dense), tuple([self.parameters[k].name for k in dense])
        self.served_tables = tuple([k for k, p in enumerate(self.parameters) if p.table is not None])
        self.is_served = True
        _attending.append(self)

    def served_step(self, gradients: Sequence[Any]) -> tuple[int, ...]:
        """Let servers update what they keep; the numbers of these parameters."""
        if not self.is_served:
            if any([p.is_param_ps for p in self.parameters]):
                raise RuntimeError("Parameters with 'set_param_ps' are trained by Model or TrainOneStepCell, or by an "
                                   "optimizer that is called outside of compiled functions.")
            return ()
        new = serve_step(*[gradients[k] for k in self.served], names=self.served_names)
        for i, k in enumerate(self.served):
            assign(self.parameters[k], new[i])
        return self.served + self.served_tables


def places(parameters: Any) -> dict[str, int]:
    """The server of each parameter that is on one server as a whole."""
    return clients.owners({p.name: p.nbytes for p in parameters if p.is_param_ps and p.table is None},
                          meeting.servers())


class Kept:
    """What a server keeps: its parameters, its rows of tables, and an optimizer for them.

    Args:
        optimizer: That of the program.
        number: The number of the server.
        folder: Where the state is written after each step; None for nowhere.
    """

    def __init__(self, optimizer: Any, number: int, folder: Path | None):
        self.done, self.starts = 0, dict[str, int]()
        new: dict[int, Parameter] = {}
        place = places(optimizer.parameters)
        for p in optimizer.parameters:
            if p.table is not None:
                first, last = clients.span(p.table[0], number, meeting.servers())
                self.starts[p.name] = first
                new[id(p)] = Parameter(wrap(p._data[first:last].clone()), name=p.name)
            elif p.is_param_ps and place[p.name] == number:
                new[id(p)] = Parameter(wrap(p._data.clone()), name=p.name)
        self.here = {p.name: p for p in new.values()}
        self.optimizer = optimizer.remade_with(new) if new else None
        self.path = folder / f"server_{number}_of_{meeting.servers()}.npz" if folder else None
        if self.path is not None and self.path.exists():
            self.done = read(self.path, self._all())

    def _all(self) -> dict[str, Any]:
        """The parameters and the state of the optimizer, by name."""
        return {p.name: p for p in [*self.here.values(), *(self.optimizer.get_parameters() if self.optimizer else ())]}

    def dense(self) -> dict[str, torch.Tensor]:
        """The parameters that are here as a whole, by name."""
        return {name: p._data for name, p in self.here.items() if name not in self.starts}

    def rows(self, table: str, ids: torch.Tensor) -> torch.Tensor:
        """Rows of a table of which some are here."""
        return self.here[table]._data[ids - self.starts[table]]

    def zeros(self, table: str) -> torch.Tensor:
        """As the part of a table that is here."""
        return torch.zeros_like(self.here[table]._data)

    def first(self, table: str) -> int:
        """The number of the first row that is here."""
        return self.starts[table]

    def step(self, dense: dict[str, torch.Tensor], tables: dict[str, torch.Tensor]) -> None:
        """Make a step, and write the state before anyone hears of it."""
        grads = {**dense, **tables}
        if self.optimizer is not None:
            self.optimizer(tuple([wrap(grads[p.name] if p.name in grads else torch.zeros_like(p._data))
                                  for p in self.optimizer.parameters]))
        self.done += 1
        if self.path is not None:
            written(self.path, self._all(), self.done)


def serve(optimizer: Any) -> None:
    """Be a parameter server until all workers have left; the process ends with it."""
    here = meeting.store()
    number, own = meeting.listen(here)
    try:
        Service(Kept(optimizer, number, meeting.folder()), number, here).run(own)
    except Exception as error:      # whatever it is, the others must not wait for this server
        meeting.failed(here, f"The parameter server {number} has failed: {error}")
        raise
    raise SystemExit(0)
