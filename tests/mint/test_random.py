"""What draws: shapes, element types, ranges, one stream that the seed sets; what asks for more than there is raises."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, mint

X = Tensor(np.zeros((40, 50), "f2"))
DRAWN = [
    (lambda: mint.rand(40, 50), (40, 50), "float32", 0, 1, 0.5),
    (lambda: mint.rand((40, 50), dtype=ms.float64), (40, 50), "float64", 0, 1, 0.5),
    (lambda: mint.rand_like(X), (40, 50), "float16", 0, 1, 0.5),
    (lambda: mint.randn(40, 50), (40, 50), "float32", -6, 6, 0.0),
    (lambda: mint.randn_like(X, dtype=ms.float64), (40, 50), "float64", -6, 6, 0.0),
    (lambda: mint.randint(3, (40, 50)), (40, 50), "int64", 0, 2, 1.0),
    (lambda: mint.randint(2, 5, (40, 50), dtype=ms.int32), (40, 50), "int32", 2, 4, 3.0),
    (lambda: mint.randint(low=2, high=5, size=(40, 50)), (40, 50), "int64", 2, 4, 3.0),
    (lambda: mint.randint(2, high=5, size=(40, 50)), (40, 50), "int64", 2, 4, 3.0),
    (lambda: mint.randint_like(X, 3), (40, 50), "float16", 0, 2, 1.0),
    (lambda: mint.randint_like(input=X, low=0, high=3), (40, 50), "float16", 0, 2, 1.0),
    (lambda: mint.randint_like(X, 2, 5, dtype=ms.int32), (40, 50), "int32", 2, 4, 3.0),
    (lambda: mint.randperm(2000), (2000,), "int64", 0, 1999, 999.5),
    (lambda: mint.bernoulli(X + 0.25), (40, 50), "float16", 0, 1, 0.25),
    (lambda: mint.multinomial(Tensor([1.0, 0.0, 1.0]), 2000, True), (2000,), "int64", 0, 2, 1.0),
    (lambda: mint.normal(3.0, 2.0, (40, 50)), (40, 50), "float32", -9, 15, 3.0),
    (lambda: mint.normal(mint.full((40, 1), 3.0), mint.full((50,), 2.0)), (40, 50), "float32", -9, 15, 3.0),
]


@pytest.mark.parametrize(("draw", "shape", "dtype", "low", "high", "mean"), DRAWN)
def test_numbers_follow_the_distribution(draw, shape, dtype, low, high, mean):
    ms.set_seed(3)
    out = draw()
    assert (tuple(out.shape), str(out.dtype).lower()) == (shape, dtype)
    values = out.asnumpy().astype("f8")
    assert low <= values.min() < values.max() <= high
    assert abs(values.mean() - mean) < 6 * values.std() / np.sqrt(values.size)
    ms.set_seed(3)
    np.testing.assert_array_equal(draw().asnumpy(), out.asnumpy())


@pytest.mark.parametrize("dtype", [ms.float32, ms.int64])
def test_memory_that_nobody_has_set_has_its_form(dtype):
    like = mint.empty_like(mint.ones((2, 3)), dtype=dtype)
    out = mint.empty((2, 3), dtype=dtype), mint.empty(2, 3, dtype=dtype), like
    assert {(tuple(x.shape), x.dtype) for x in out} == {((2, 3), dtype)}


def test_places_without_replacement_are_all_different():
    assert sorted(mint.multinomial(mint.ones(5), 5).tolist()) == [0, 1, 2, 3, 4]
    with pytest.raises(ValueError, match="5"):
        mint.multinomial(mint.ones(5), 6)


@pytest.mark.parametrize(("error", "says", "call"), [
    (TypeError, "generator", lambda: mint.rand(2, generator=1)),
    (TypeError, "generator", lambda: mint.bernoulli(mint.ones(2), generator=1)),
    (ValueError, "device", lambda: mint.randn(2, device="Ascend")),
    (ValueError, "device", lambda: mint.empty(2, device="Ascend")),
    (ValueError, "pin_memory", lambda: mint.empty(2, pin_memory=True)),
    (ValueError, "low", lambda: mint.randint(3, 3, (2,))),
    (TypeError, "size", lambda: mint.randint(3)),
    (TypeError, "high", lambda: mint.randint_like(X)),
    (TypeError, "too many", lambda: mint.randint(1, 2, (3,), 4)),
    (TypeError, "size", lambda: mint.normal(1.0, 2.0)),
    (ValueError, "size", lambda: mint.normal(mint.ones(2), 2.0, (2,))),
    (TypeError, "std", lambda: mint.normal(1.0, "2")),
])
def test_what_cannot_be_is_told(error, says, call):
    with pytest.raises(error, match=says):
        call()
