"""Statistics of batches: together they are those of all rows, and the normalised batch is torch's."""
from __future__ import annotations

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Tensor, mint

RNG = np.random.default_rng(1)
X = RNG.normal(2, 3, (6, 3, 5)).astype("f8")


@pytest.mark.parametrize("mode", [lambda f: f, ms.jit])
def test_statistics_of_parts_together_are_those_of_the_whole(mode):
    parts = [mint.batch_norm_stats(Tensor(p), 1e-3) for p in (X[:2], X[2:])]
    mean, invstd = [mint.stack(list(s)) for s in zip(*parts, strict=True)]
    running = [Tensor(np.full(3, 7.0)), Tensor(np.full(3, 2.0))]
    together = mode(lambda *given: mint.batch_norm_gather_stats_with_counts(*given[:5], 0.3, 1e-3, given[5]))
    got = together(Tensor(X[:2]), mean, invstd, *running, Tensor(np.array([10.0, 20.0])))
    want = torch.from_numpy(X)
    np.testing.assert_allclose(got[0].asnumpy(), want.mean((0, 2)), rtol=1e-9)
    np.testing.assert_allclose(got[1].asnumpy(), (want.var((0, 2), correction=0) + 1e-3).rsqrt(), rtol=1e-9)
    theirs = [torch.full((3,), 7.0, dtype=torch.float64), torch.full((3,), 2.0, dtype=torch.float64)]
    out = torch.nn.functional.batch_norm(want, *theirs, training=True, momentum=0.3, eps=1e-3)
    for mine, other in zip(running, theirs, strict=True):
        np.testing.assert_allclose(mine.asnumpy(), other, rtol=1e-9)
    np.testing.assert_allclose(mint.batch_norm_elemt(Tensor(X), None, None, *got).asnumpy(), out, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(mint.batch_norm_elemt(Tensor(X), eps=1e-3).asnumpy(), out, rtol=1e-8, atol=1e-9)


def test_without_counts_all_batches_are_as_large_as_the_input():
    parts = [mint.batch_norm_stats(Tensor(p), 0.0) for p in (X[:3], X[3:])]
    mean, invstd = [mint.stack(list(s)) for s in zip(*parts, strict=True)]
    got = mint.batch_norm_gather_stats_with_counts(Tensor(X[:3]), mean, invstd, eps=0.0)
    np.testing.assert_allclose(got[1].asnumpy() ** -2, X.var((0, 2)), rtol=1e-9)


def test_factors_and_summands_are_per_channel_and_halves_stay_halves():
    x, w, b = [Tensor(v.astype("f2")) for v in (X, np.array([1.0, 2.0, 3.0]), np.array([3.0, 2.0, 1.0]))]
    mean, invstd = mint.batch_norm_stats(x, 1e-5)
    out = mint.batch_norm_elemt(x, w, b, mean, invstd)
    assert (mean.dtype, out.dtype) == (ms.float32, ms.float16)
    want = torch.nn.functional.batch_norm(torch.from_numpy(X), None, None, torch.tensor([1.0, 2, 3]).double(),
                                          torch.tensor([3.0, 2, 1]).double(), training=True)
    np.testing.assert_allclose(out.asnumpy(), want, rtol=5e-3, atol=5e-3)


@pytest.mark.parametrize("call", [
    lambda: mint.batch_norm_stats(mint.ones(3), 0.1),
    lambda: mint.batch_norm_gather_stats_with_counts(mint.ones((2, 3)), mint.ones((2, 4)), mint.ones((2, 3))),
])
def test_shapes_that_do_not_fit_are_told(call):
    with pytest.raises(ValueError, match="must have"):
        call()
