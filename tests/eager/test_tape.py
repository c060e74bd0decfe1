"""PyNative gradients: what is recorded, what is kept, what flows back."""
from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Parameter, Tensor, ops
from mindspore.ir.runtime import runtime


def values(t):
    return [round(v, 4) for v in t.asnumpy().reshape(-1).tolist()]


def test_nothing_is_recorded_outside_of_a_gradient():
    assert (Tensor([1.0]) * 2.0)._var is None


def test_gradient_of_a_product_reaches_both_operands():
    dx, dy = ms.grad(lambda x, y: x * y, (0, 1))(Tensor([2.0]), Tensor([3.0]))
    assert (values(dx), values(dy)) == ([3.0], [2.0])


def test_a_value_used_twice_gets_the_sum():
    assert values(ms.grad(lambda x: x * x + x)(Tensor([3.0]))) == [7.0]


def test_broadcast_operands_get_their_own_shape():
    d = ms.grad(lambda x, y: x * y, 1)(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([1.0, 1.0]))
    assert (d.shape, values(d)) == ((2,), [4.0, 6.0])


def test_an_unused_input_gets_zeros():
    assert values(ms.grad(lambda x, y: x, 1)(Tensor([2.0]), Tensor([3.0, 4.0]))) == [0.0, 0.0]


def test_stop_gradient_cuts():
    assert values(ms.grad(lambda x: x * ops.stop_gradient(x))(Tensor([3.0]))) == [3.0]


def test_third_derivative():
    def f(x):
        return x * x * x * x
    d3 = ms.grad(ms.grad(ms.grad(f)))
    assert values(d3(Tensor([2.0]))) == [48.0]


def test_inner_gradient_does_not_confuse_outer_variables():
    """d/dx (x * d/dy (x + y)) = 1: the classic of nested derivatives."""
    def f(x):
        return x * ms.grad(lambda y: x + y)(Tensor([1.0]))
    assert values(ms.grad(f)(Tensor([5.0]))) == [1.0]


def test_the_result_does_not_hold_the_history():
    loss, _ = ms.value_and_grad(lambda x: x * x)(Tensor([1.0]))
    assert loss._var is None


def test_a_sweep_frees_what_its_rules_needed():
    held = []

    def f(x):
        y = x * 2.0
        held.append(weakref.ref(y._data))
        return y * y
    gc.disable()
    try:
        ms.grad(f)(Tensor([1.0]))
        assert held[0]() is None          # freed by reference counts alone
    finally:
        gc.enable()


def test_a_parameter_assigned_in_the_function_keeps_the_recorded_value():
    w = Parameter(Tensor([2.0]), name="w")

    def f(x):
        y = x * w
        ops.assign(w, Tensor([100.0]))
        return y
    assert values(ms.grad(f)(Tensor([1.0]))) == [2.0]
    assert values(w) == [100.0]


def test_weights_are_differentiated_by_name():
    w, b = Parameter(Tensor([2.0]), name="w"), Parameter(Tensor([1.0]), name="b")
    grads = ms.grad(lambda x: x * w + b, None, [w, b], return_ids=True)(Tensor([3.0]))
    assert values(ms.get_grad(grads, "w")) == [3.0]
    assert values(ms.get_grad(grads, b)) == [1.0]
    with pytest.raises(RuntimeError, match="no gradient"):
        ms.get_grad(grads, "missing")


def test_an_error_in_the_function_ends_the_recording():
    def broken(x):
        raise KeyError("mine")
    with pytest.raises(KeyError, match="mine"):
        ms.grad(broken)(Tensor([1.0]))
    assert runtime.depth == 0


def test_grad_refuses_what_it_cannot_differentiate():
    with pytest.raises(ValueError, match="can not be None"):
        ms.grad(lambda x: x, None)
    with pytest.raises(TypeError, match="grad_position"):
        ms.grad(lambda x: x, "0")
    with pytest.raises(ValueError, match="out of range"):
        ms.grad(lambda x: x, 3)(Tensor([1.0]))


@pytest.mark.parametrize("get_all", [False, True])
@pytest.mark.parametrize("get_by_list", [False, True])
@pytest.mark.parametrize("sens_param", [False, True])
def test_grad_operation_in_all_combinations(get_all, get_by_list, sens_param):
    w = Parameter(Tensor([2.0]), name="w")
    operation = ops.GradOperation(get_all, get_by_list, sens_param)
    sens = [Tensor([10.0])] if sens_param else []
    found = operation(lambda x, y: x * y * w, ms.ParameterTuple([w]))(Tensor([3.0]), Tensor([5.0]), *sens)
    scale = 10.0 if sens_param else 1.0
    dx, dy, dw = [10.0 * scale], [6.0 * scale], [15.0 * scale]
    if get_all and get_by_list:
        (gx, gy), (gw,) = found
        assert [values(gx), values(gy), values(gw)] == [dx, dy, dw]
    elif get_all:
        assert [values(g) for g in found] == [dx, dy]
    elif get_by_list:
        assert [values(g) for g in found] == [dw]
    else:
        assert values(found) == dx


@pytest.mark.parametrize(("ours", "theirs"), [
    (lambda x: ops.cumprod(x, 0), lambda x: x.cumprod(0)), (lambda x: ops.norm(x), lambda x: torch.linalg.norm(x)),
    (lambda x: ops.logsumexp(x, 0), lambda x: x.logsumexp(0)), (lambda x: ops.lgamma(x), lambda x: x.lgamma()),
    (lambda x: ops.erfinv(x / 4), lambda x: (x / 4).erfinv()), (lambda x: ops.prod(x), lambda x: x.prod())])
def test_second_derivatives_of_what_torch_derives(ours, theirs):
    x = [0.5, 1.5, 3.0]
    twice = ms.grad(lambda x: (ms.grad(lambda y: (ours(y) ** 2).sum())(x) ** 2).sum())
    t = torch.tensor(x, requires_grad=True)
    first, = torch.autograd.grad((theirs(t) ** 2).sum(), t, create_graph=True)
    wanted, = torch.autograd.grad((first ** 2).sum(), t)
    np.testing.assert_allclose(twice(Tensor(x)).asnumpy(), wanted.numpy(), rtol=2e-4)


def test_an_assigned_tensor_keeps_its_memory_for_itself():
    p = Parameter(Tensor([0.0, 0.0]), name="p")

    def f(w):
        new = Tensor([1.0, 2.0])
        ops.assign(p, new)
        new[0] = 9.0
        return (p * w).sum()
    assert values(ms.grad(f)(Tensor([3.0, 3.0]))) == values(p) == [1.0, 2.0]


def test_an_assigned_tensor_is_not_changed_with_the_parameter():
    p, new = Parameter(Tensor([0.0, 0.0]), name="p"), Tensor([1.0, 2.0])

    def f(w):
        ops.assign(p, new)
        p[1] = 7.0
        return (p * w).sum()
    assert values(ms.grad(f)(Tensor([3.0, 3.0]))) == values(p) == [1.0, 7.0]
    assert values(new) == [1.0, 2.0]


def test_an_assigned_tensor_is_not_changed_after_the_gradient_either():
    p, new = Parameter(Tensor([0.0, 0.0]), name="p"), Tensor([1.0, 2.0])

    def f(w):
        ops.assign(p, new)
        return (p * w).sum()
    assert values(ms.grad(f)(Tensor([3.0, 3.0]))) == [1.0, 2.0]
    ops.assign(p, Tensor([5.0, 6.0]))
    assert values(new) == [1.0, 2.0]
    new[0] = 8.0
    assert values(p) == [5.0, 6.0]


def test_a_view_that_is_its_input_is_a_tensor_of_its_own():
    """Operators that have nothing to do give their input; what is known of one is not known of the other."""
    def run(x):
        y = x * 2
        same = [y.reshape(y.shape), y.view(3), ops.broadcast_to(y, (3,)), y.flatten()]
        for k, one in enumerate(same):
            one.add_(k + 1.0)                        # all are one memory
        return (y * Tensor([1.0, 10.0, 100.0])).sum() + sum((one * k).sum() for k, one in enumerate(same))

    x = Tensor([1.0, -2.0, 4.0])
    assert values(ms.grad(run)(x)) == [2 + 12, 20 + 12, 200 + 12]
