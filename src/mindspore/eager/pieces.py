"""Parameters of which each process has a piece."""
# pyright: reportPrivateUsage=false
from __future__ import annotations

import itertools
import math
from typing import Any

from mindspore.core import check
from mindspore.core.dtype import from_torch
from mindspore.distributed import get_rank, meeting
from mindspore.ir import Aval
from mindspore.ir.runtime import runtime
from mindspore.parallel.storing import Stored

from .tensor import Tensor, wrap


class Version:
    """Counts changes that a compiled graph may depend on; graphs look closer only when it moves."""

    value = 0
    _values = itertools.count(1)         # no number twice, whichever threads ask

    @classmethod
    def moves(cls) -> None:
        """Something changed."""
        cls.value = next(cls._values)


class InPieces:
    """What a parameter is that may lie over processes: whole in compiled functions, the piece outside of them."""

    stored: Stored | None = None   # how it lies, if each process has a piece
    is_param_ps = False            # whether a parameter server keeps it
    init_in_server = False         # servers always have the first values, which workers get
    table: tuple[int, int] | None = None     # rows of a table of the servers, and how many a worker keeps
    _data: Any
    _var: Any

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents of the dimensions; of what lies in pieces those of the piece, outside of compiled functions."""
        return self.stored.shape if self.stored is not None and runtime.building else tuple(self._data.shape)

    @property
    def size(self) -> int:
        """The number of elements, as `shape` says."""
        return math.prod(self.shape)

    @property
    def aval(self) -> Aval:
        """Shape and dtype of the whole, as the compiler sees them."""
        return Aval(tuple(self._data.shape) if self.stored is None else self.stored.shape,
                    from_torch(self._data.dtype))

    def set_param_ps(self, init_in_server: bool = False) -> None:
        """Let a parameter server keep the parameter, and update it by the gradients of all workers.

        Args:
            init_in_server: Whether the first values are the server's, as they always are. Default: False.

        Raises:
            RuntimeError: `set_ps_context(enable_ps=True)` was not called before.

        Examples:
            >>> net = nn.Dense(3, 2)
            >>> net.weight.is_param_ps
            False
        """
        if not meeting.role():
            raise RuntimeError("For 'set_param_ps', call set_ps_context(enable_ps=True) before: without it no "
                               "parameter server keeps parameters.")
        self.is_param_ps, self.init_in_server = True, check.boolean(self, "init_in_server", init_in_server)

    def own_piece(self, data: Tensor) -> Tensor:
        """The piece of this process of a tensor that has the shape of the whole; other tensors as they are."""
        stored = self.stored
        whole = stored is not None and tuple(data._data.shape) == stored.shape
        return wrap(stored.piece(data._data, get_rank() % stored.mesh.size)) if stored is not None and whole else data

    def lay(self, stored: Stored, device: int) -> None:
        """Keep only the piece of this process, which has the whole so far."""
        self._data, self._var, self.stored = stored.piece(self._data, device), None, stored
        Version.moves()
