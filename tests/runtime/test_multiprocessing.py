"""Tensors that processes pass to each other."""
from __future__ import annotations

import numpy as np

import mindspore.multiprocessing as processes
from mindspore import Parameter, Tensor, ops


def _double(inbox, outbox):
    weight, x = inbox.get(timeout=60)
    product = weight * x
    ops.assign(weight, weight + 1)                 # into the memory of both processes
    outbox.put((product, weight.name, weight.requires_grad))
    inbox.get(timeout=60)                          # who sends lives until all is received


def test_a_tensor_is_shared_and_a_parameter_keeps_its_name():
    started = processes.get_context("fork")          # which imports nothing anew
    inbox, outbox = started.Queue(), started.Queue()
    x, weight = Tensor([1.0, 2.0]), Parameter(Tensor([3.0, 4.0]), name="w", requires_grad=False)
    child = started.Process(target=_double, args=(inbox, outbox))
    child.start()
    inbox.put((weight, x))
    product, name, trained = outbox.get(timeout=60)
    np.testing.assert_array_equal(product.asnumpy(), [3, 8])
    assert (name, trained, weight.tolist()) == ("w", False, [4, 5])
    inbox.put("received")
    child.join(60)
    assert child.exitcode == 0


def test_the_names_are_those_of_python():
    import multiprocessing

    assert {*multiprocessing.__all__} - {*processes.__all__} <= {"reducer"}
    assert processes.Process is multiprocessing.Process


def test_a_pool_is_a_class_to_derive_from_and_takes_a_context():
    class Own(processes.Pool):
        pass

    with Own(1, context=processes.get_context("fork")) as pool:
        assert pool.map(abs, [-1, 2]) == [1, 2]
