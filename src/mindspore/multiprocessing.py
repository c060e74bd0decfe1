"""Python's `multiprocessing`, whose queues and pipes pass tensors by shared memory.

What is sent is moved to shared memory: both processes see what is assigned to a parameter from then on.
A process that sends must live until the other one has received.
"""
from __future__ import annotations

import multiprocessing as _python
from multiprocessing.pool import Pool as _Pool
from multiprocessing.reduction import ForkingPickler as _ForkingPickler
from typing import Any

from torch.multiprocessing.reductions import init_reductions as _init_reductions

from mindspore.eager.parameter import Parameter as _Parameter
from mindspore.eager.tensor import Tensor as _Tensor
from mindspore.eager.tensor import wrap as _wrap

__all__ = [name for name in _python.__all__ if name != "reducer"]
globals().update({name: getattr(_python, name) for name in __all__})
Pool = _Pool                            # a class, to derive from; Python has a function here


def _received_parameter(data: Any, name: str, requires_grad: bool) -> _Parameter:
    found = _Parameter(_wrap(data), name=name, requires_grad=requires_grad)
    found._data = data                  # the shared memory, of which the constructor made a copy
    return found


_init_reductions()                      # how torch shares the memory of its tensors
_ForkingPickler.register(_Tensor, lambda t: (_wrap, (t._data,)))
_ForkingPickler.register(_Parameter, lambda p: (_received_parameter, (p._data, p.name, p.requires_grad)))
