"""Functions with derivatives of their own (`mindspore._Function`)."""
from __future__ import annotations

import pytest

import mindspore as ms
from mindspore import Parameter, Tensor

X, Y = Tensor([2.0]), Tensor([3.0])


class Product(ms._Function):
    @staticmethod
    def forward(ctx, x, y, factor):
        ctx.save_for_backward(x, y)
        ctx.factor = factor
        return x * y * factor

    @staticmethod
    def backward(ctx, gradient):
        x, y = ctx.saved_tensors
        return gradient * y * ctx.factor, gradient * x * ctx.factor, None


class Pair(ms._Function):
    seen: list = []
    apart = False
    fills = True

    @classmethod
    def of(cls, **settings):
        return type("Pair", (cls,), {"seen": [], **settings})

    @staticmethod
    def forward(ctx, x):
        y, z = x * 2, x * 3
        if ctx.apart:
            ctx.mark_non_differentiable(z)
        ctx.set_materialize_grads(ctx.fills)
        return y, z

    @staticmethod
    def backward(ctx, first, second):
        ctx.seen.append((first.tolist(), None if second is None else second.tolist()))
        return first * 10


def test_the_derivative_is_the_one_that_is_given():
    assert Product.apply(X, Y, 2).tolist() == [12]
    gradients = ms.grad(lambda x, y: Product.apply(x, y, 5).sum(), (0, 1))(X, Y)
    assert [g.tolist() for g in gradients] == [[15], [10]]
    assert ms.grad(ms.grad(lambda x: Product.apply(x, x, 1).sum()))(X).tolist() == [2]
    weight = Parameter(Tensor([4.0]), name="weight")
    value, (slope,) = ms.value_and_grad(lambda x: Product.apply(x, weight, 1).sum(), None, [weight])(X)
    assert (value.item(), slope.tolist()) == (8, [2])


def test_it_knows_for_what_gradients_are_taken():
    class Asking(Product):
        @staticmethod
        def backward(ctx, gradient):
            assert ctx.needs_input_grad == (True, False, False)
            return Product.backward(ctx, gradient)
    assert ms.grad(lambda x: Asking.apply(x, Y, 1).sum())(X).tolist() == [3]


@pytest.mark.parametrize(("settings", "use", "seen"), [
    ({}, lambda y, z: y, ([1.0], [0.0])), ({"fills": False}, lambda y, z: y, ([1.0], None)),
    ({"apart": True}, lambda y, z: y + z, ([1.0], [0.0])), ({}, lambda y, z: y + z, ([1.0], [1.0])),
])
def test_several_results(settings, use, seen):
    kind = Pair.of(**settings)
    assert ms.grad(lambda x: use(*kind.apply(x)).sum())(X).tolist() == [10]
    assert kind.seen == [seen]


def test_arguments_that_are_changed():
    class Added(ms._Function):
        @staticmethod
        def forward(ctx, x):
            x.add_(1)
            ctx.mark_dirty(x)
            return x

        @staticmethod
        def backward(ctx, gradient):
            return gradient * 4

    def f(x):
        changed = x * 1
        result = Added.apply(changed)
        assert result is changed
        return (changed * 2).sum()
    value, slope = ms.value_and_grad(f)(X)
    assert (value.item(), slope.tolist()) == (6, [8])


def test_a_context_of_its_own():
    class Square(ms._Function):
        @staticmethod
        def forward(x):
            return x * x

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs)

        @staticmethod
        def backward(ctx, gradient):
            return gradient * 2 * ctx.saved_tensors[0]
    assert ms.grad(lambda x: Square.apply(x).sum())(X).tolist() == [4]


def test_a_wrong_number_of_gradients_is_told():
    class Bad(Product):
        @staticmethod
        def backward(ctx, gradient):
            return gradient
    with pytest.raises(RuntimeError, match="each of the 3 arguments"):
        ms.grad(lambda x: Bad.apply(x, Y, 1).sum())(X)
    with pytest.raises(NotImplementedError, match="define 'forward'"):
        ms._Function.apply(X)
    with pytest.raises(Exception, match="cannot be compiled"):
        ms.jit(lambda x: Product.apply(x, x, 1), fullgraph=True)(X)


@pytest.mark.parametrize(("given", "words"), [
    ((Y, Y), "wrong number of gradients"), ((Y, Y, Y), "Input is not tensor, but gradient is not none"),
    ((Y, 2.5, None), "Gradient should be none or tensor")])
def test_gradients_that_cannot_be_are_refused(given, words):
    wrong = type("Wrong", (Product,), {"backward": staticmethod(lambda ctx, gradient: given)})
    with pytest.raises(RuntimeError, match=words):
        ms.grad(wrong.apply, (0, 1))(X, Y, 4.0)


def test_gradients_are_summed_and_cast_to_their_arguments():
    wide = type("Wide", (Product,), {"backward": staticmethod(
        lambda ctx, gradient: (Tensor([[1, 2], [3, 4]]), Tensor([5, 6]), None))})
    dx, dy = ms.grad(wide.apply, (0, 1))(X, Y, 4.0)
    assert dx.dtype is dy.dtype is ms.float32
    assert (dx.tolist(), dy.tolist()) == ([10.0], [11.0])


def test_what_was_changed_must_be_a_result():
    class Changing(ms._Function):
        @staticmethod
        def forward(ctx, x):
            x.add_(1)
            ctx.mark_dirty(x)
            return x * 2

        @staticmethod
        def backward(ctx, gradient):
            return gradient

    with pytest.raises(RuntimeError, match="must all be outputs of the forward function"):
        ms.grad(lambda x: Changing.apply(x * 1))(Tensor([1.0]))
