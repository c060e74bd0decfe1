"""Primitives with conventions of their own; the numbers were observed: MindSpore 2.10, CPU."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore
from mindspore import Parameter, Tensor, ops

X = np.arange(1, 13, dtype=np.float32).reshape(3, 4)


@pytest.mark.parametrize(("found", "wanted"), [
    (lambda: ops.UnravelIndex()(Tensor([2, 5]), Tensor([3, 3])), [[0, 1], [2, 2]]),
    (lambda: ops.LowerBound()(Tensor([[0.0, 1, 2, 3]]), Tensor([[2.0, 5, 1]])), [[2, 4, 1]]),
    (lambda: ops.UpperBound()(Tensor([[0.0, 1, 2, 3]]), Tensor([[2.0, 5, 1]])), [[3, 4, 2]]),
    (lambda: ops.ParallelConcat()((Tensor(X[:1]), Tensor(X[1:2]))), X[:2]),
    (lambda: ops.DataFormatDimMap()(Tensor([0, 1, 2, 3])), [0, 3, 1, 2]),
    (lambda: ops.DataFormatVecPermute()(Tensor([4, 5, 6, 7])), [4, 7, 5, 6]),
    (lambda: ops.NthElement()(Tensor(X), 2), [3, 7, 11]),
    (lambda: ops.Expand()(Tensor(X[:1]), Tensor([2, 4])), X[[0, 0]]),
    (lambda: ops.ScatterAddWithAxis(1)(Tensor([[1.0, 2.0]]), Tensor([[1]]), Tensor([[5.0]])), [[1, 7]]),
    (lambda: ops.IndexPut(1)(Tensor(X[:1]), Tensor([9.0, 8.0]), (Tensor([0, 0]), Tensor([1, 1]))),
     [[1, 19, 3, 4]]),
    (lambda: ops.InplaceUpdateV2()(Tensor(X), (0, 2), Tensor(X[1])), X[[1, 1, 1]]),
    (lambda: ops.SubAndFilter()(Tensor([1, 3, 5, 8]), 5, 2)[1], [1, 2]),
    (lambda: ops.TransposeView()(Tensor(X), (1, 0)), X.T),
    (lambda: Tensor(X).kthvalue(2, 0, keepdim=True)[0], X[1:2]),
], ids=lambda v: getattr(v, "__name__", "x"))
def test_the_result_is_the_one_observed(found, wanted):
    np.testing.assert_array_equal(found().asnumpy(), wanted)


def test_the_inverse_of_an_order_is_a_tuple():
    assert ops.InvertPermutation()((3, 0, 2, 1)) == (1, 3, 2, 0)
    with pytest.raises(ValueError, match="once"):
        ops.InvertPermutation()((0, 0))


def test_updates_reach_the_parameter():
    p = Parameter(Tensor([1.0, 2.0, 3.0]), name="p")
    ops.ScatterNonAliasingAdd()(p, Tensor([[0], [2]]), Tensor([5.0, 6.0]))
    np.testing.assert_array_equal(p.asnumpy(), [6, 2, 9])


def test_candidates_are_distinct_and_their_expected_counts_follow_the_chances():
    drawn, true, sampled = ops.UniformCandidateSampler(1, 3, False, 4, 1)(Tensor([[1], [3]]))
    assert drawn.shape == (3,)
    np.testing.assert_allclose(true.asnumpy(), [[0.75], [0.75]])
    np.testing.assert_allclose(sampled.asnumpy(), [0.75] * 3)
    drawn, true, sampled = ops.log_uniform_candidate_sampler(Tensor([[0, 1]]), 2, 5, True, 5)
    assert sorted(drawn.asnumpy().tolist()) == [0, 1, 2, 3, 4]
    assert true.asnumpy()[0, 0] > true.asnumpy()[0, 1]
    drawn, _, _ = ops.uniform_candidate_sampler(Tensor([[1]]), 1, 3, True, 4, 1, True)
    assert sorted(drawn.asnumpy().tolist()) == [0, 2, 3]


def test_the_type_of_what_is_drawn_can_be_chosen():
    drawn = ops.RandomPoisson(dtype=mindspore.int32)(Tensor([2]), Tensor([4.0, 5.0]))
    assert (drawn.dtype, drawn.shape) == (mindspore.int32, (2, 2))
