"""Loss scaling by the overflow flags of an NPU, as programs for one write it, where there are no such flags."""
from __future__ import annotations

import threading

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn
from mindspore.ops import composite as C
from mindspore.ops import functional as F
from mindspore.ops import operations as P


class Loss(nn.Cell):
    """The mean of products in float16: its gradients overflow from a scale of 65536 on."""

    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(np.ones((3, 1), np.float32)), name="w")

    def construct(self, x):
        return P.ReduceMean()(P.MatMul()(P.Cast()(x, ms.float16), P.Cast()(self.w, ms.float16)))


class Step(nn.Cell):
    def __init__(self, network):
        super().__init__(auto_prefix=False)
        self.network, self.weights = network, ms.ParameterTuple(network.trainable_params())
        self.grad = C.GradOperation(get_by_list=True, sens_param=True)
        self.alloc, self.get, self.clear = P.NPUAllocFloatStatus(), P.NPUGetFloatStatus(), P.NPUClearFloatStatus()
        self.total = P.ReduceSum(keep_dims=False)


class Depending(Step):
    """As programs of 1.3 say what comes first."""

    def construct(self, x, sens):
        status = F.depend(self.alloc(), self.network(x))
        sens = F.depend(sens, self.clear(status))
        grads = self.grad(self.network, self.weights)(x, P.Cast()(sens, ms.float16))
        status = F.depend(status, grads)
        status = F.depend(status, self.get(status))
        return self.total(status, (0,)) >= 1


class Controlling(Step):
    """As programs of 1.0 do."""

    def construct(self, x, sens):
        loss = self.network(x)
        status = self.alloc()
        cleared = self.clear(status)
        F.control_depend(loss, status)
        F.control_depend(cleared, sens)
        grads = self.grad(self.network, self.weights)(x, P.Cast()(sens, ms.float16))
        flags = self.get(status)
        found = self.total(status, (0,))
        F.control_depend(grads, flags)
        F.control_depend(flags, found)
        return found >= 1


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("kind", [Depending, Controlling])
def test_an_overflow_sets_the_flags_until_they_are_cleared(kind):
    step, x = kind(Loss()), Tensor(np.ones((2, 3), np.float32))
    assert [bool(step(x, Tensor(scale, ms.float32))) for scale in (1024.0, 2.0**20, 4.0, 2.0**30, 8.0)] == [
        False, True, False, True, False]


def test_values_that_the_flags_wait_for_are_looked_at():
    status = P.NPUAllocFloatStatus()()
    P.NPUClearFloatStatus()(status)
    F.depend(status, (Tensor([1.0]), [Tensor([3]), Tensor([np.inf])]))
    assert P.NPUGetFloatStatus()(status).tolist() == status.tolist() == [1.0] * 8
    assert P.NPUGetFloatStatus()(status).tolist() == [0.0] * 8                  # asked again: nothing was computed
    F.depend(status, Tensor([np.nan]))                                          # nobody watches
    assert P.NPUClearFloatStatus()(status).tolist() == status.tolist() == [0.0] * 8
    assert P.NPUGetFloatStatus()(status).tolist() == [0.0] * 8


def test_a_thread_does_not_look_at_what_another_one_computes():
    def beside():
        other = P.NPUAllocFloatStatus()()
        F.depend(other, Tensor([np.inf]))                    # this thread has cleared nothing
        found.append(P.NPUGetFloatStatus()(other).tolist())

    found, status = [], P.NPUAllocFloatStatus()()
    P.NPUClearFloatStatus()(status)
    thread = threading.Thread(target=beside)
    thread.start()
    thread.join()
    assert found == [[0.0] * 8]
    assert P.NPUGetFloatStatus()(status).tolist() == [0.0] * 8
