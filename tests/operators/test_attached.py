"""Rules are checked against the operator that they are attached to."""
from __future__ import annotations

import pytest

from mindspore.core.dtype import bool_, float32, int64
from mindspore.ir import Aval
from mindspore.operators.registry import Operator
from mindspore.operators.table import REGISTRY


@pytest.fixture
def sample_op():
    """An operator that is registered for one test."""
    def a_sample(x, y=None, *, a, b=1):
        """Nothing."""
        return x

    yield Operator(a_sample, hidden=True)
    del REGISTRY["ASample"]


@pytest.mark.parametrize(("rule", "words"), [
    (lambda x, *, a, b=1: x, "must take 2 values"),
    (lambda x, y, *, a, b=1: x, r"needs \['y'\]"),
    (lambda x, y=None, *, a, b: x, r"needs \['b'\]"),
    (lambda x, y=None, *, a: x, r"does not take the attributes \['b'\]"),
    (lambda x, y=None, *, c, **_: x, r"needs \['c'\]"),
])
def test_a_rule_that_cannot_be_called_as_the_kernel_is_refused(sample_op, rule, words):
    for attach in (sample_op.shape, sample_op.cost, sample_op.dynamic_shape):
        with pytest.raises(ValueError, match=f"'ASample' {words}"):
            attach(rule)
    assert sample_op.shape_rule is None


@pytest.mark.parametrize("rule", [lambda x, y=None, *, a, b=1: x, lambda x, y=None, a=0, b=0: x,
                                  lambda *_, **__: None, lambda x, *_, a, **__: x])
def test_a_rule_may_leave_open_what_it_does_not_use(sample_op, rule):
    assert sample_op.shape(rule) is sample_op.shape_rule is rule


def test_a_layout_rule_is_given_all_attributes(sample_op):
    sample_op.layout(lambda x, y=None, *, a, b: f"... -> {'...' * b}")
    assert sample_op.labels([Aval((2,), float32)], {"a": 0}) == "... -> ..."
    with pytest.raises(ValueError, match="layout rule"):
        sample_op.layout(lambda x: "... -> ...")


def test_a_gradient_rule_takes_what_it_needs_and_the_cotangent(sample_op):
    with pytest.raises(ValueError, match="must take 3 values"):
        sample_op.grad(lambda x, dout, **_: (dout,), needs="x out")
    with pytest.raises(ValueError, match="unknown"):
        sample_op.grad(lambda z, dout, **_: (dout,), needs="z")
    sample_op.grad(lambda x, dout, **_: (dout,), needs="x.aval")
    assert sample_op.needs == ["x.aval"]


def test_a_rule_for_any_number_of_inputs_takes_any_number():
    with pytest.raises(ValueError, match="any number of values"):
        REGISTRY["AddN"].shape(lambda x: x)


def test_the_memo_of_a_shape_rule_tells_equal_constants_apart(sample_op):
    kinds = {bool: bool_, int: int64, float: float32}
    sample_op.shape(lambda x, y=None, *, a, b=1: Aval((), kinds[type(y)] if y is not None else kinds[type(a[0])]))
    x = Aval((2,), float32)
    assert [sample_op.infer(x, y, a=0).dtype for y in (1, 1.0, True)] == [int64, float32, bool_]
    assert [sample_op.infer(x, a=(y,)).dtype for y in (1, 1.0, True)] == [int64, float32, bool_]
