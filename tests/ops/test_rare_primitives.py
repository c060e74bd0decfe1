"""Primitives that few programs use, against formulas, torch and numbers observed: MindSpore 2.10, CPU."""
from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore.ops import operations as P

RNG = np.random.default_rng(0)
X = np.arange(1, 13, dtype=np.float32).reshape(3, 4)


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize(("layers", "ways", "biases"), [(1, 1, 1), (1, 2, 2), (2, 2, 1), (2, 1, 0)])
def test_the_weights_of_an_lstm_stand_in_one_tensor_by_kind(layers, ways, biases):
    i, h = 3, 2
    torch.manual_seed(0)
    net = torch.nn.LSTM(i, h, layers, bias=biases > 0, bidirectional=ways == 2)
    parts = [p.detach().numpy() for kind in ("weight_ih", "weight_hh", "bias_ih") for n, p in net.named_parameters()
             if n.startswith(kind)]
    for n, p in net.named_parameters():
        if n.startswith("bias_hh"):
            p.data.zero_()
            if biases == 2:
                parts.append(RNG.normal(size=p.shape))               # a second bias, which counts nothing
    w = np.concatenate([p.ravel() for p in parts]).reshape(-1, 1, 1).astype(np.float32)
    x, h0, c0 = [RNG.normal(size=s).astype(np.float32) for s in ((4, 2, i), (layers * ways, 2, h),
                                                                 (layers * ways, 2, h))]
    with torch.no_grad():
        want, (hn, cn) = net(torch.tensor(x), (torch.tensor(h0), torch.tensor(c0)))
    found = P.LSTM(i, h, layers, biases > 0, ways == 2, 0.0)(*map(Tensor, (x, h0, c0, w)))
    for a, b in zip(found, (want, hn, cn), strict=False):
        np.testing.assert_allclose(a.asnumpy(), b.numpy(), atol=1e-6)
    with pytest.raises(ValueError, match="too few"):
        P.LSTM(i, h, layers, biases > 0, ways == 2, 0.0)(*map(Tensor, (x, h0, c0, w[:20])))


@pytest.mark.usefixtures("both_modes")
def test_loops_carry_what_their_bodies_return():
    class Net(nn.Cell):
        def construct(self, x):
            up = ops.WhileLoop()(lambda v: v < 5, lambda v: v + 2, x)
            total = ops.ForiLoop()(0, 3, lambda i, v: v + i, x)
            last, all_ = ops.Scan()(lambda c, e: (c + e, c * e), x, [1, 2, 3])
            return up, total, last, all_

    up, total, last, all_ = Net()(Tensor(1))
    assert [int(v) for v in (up, total, last, *all_)] == [5, 4, 7, 1, 4, 12]
    assert ops.Scan()(lambda c, e: (c + 1, c), 0, None, 2) == (2, [0, 1])
    with pytest.raises(ValueError, match="'length'"):
        ops.Scan()(lambda c, e: (c, e), 0, [1], 2)


def all_paths(log_p, labels, blank):
    """-log of the summed probability of every alignment."""
    times, count = log_p.shape[0], len(labels)
    total = -np.inf
    for when in itertools.combinations_with_replacement(range(times), count):
        score, u = 0.0, 0
        for t in range(times):
            while u < count and when[u] == t:
                score += log_p[t, u, labels[u]]
                u += 1
            score += log_p[t, u, blank]
        total = np.logaddexp(total, score)
    return -total


@pytest.mark.usefixtures("both_modes")
def test_the_transducers_loss_sums_over_all_alignments():
    acts = torch.log_softmax(torch.tensor(RNG.normal(size=(2, 3, 3, 4))), -1).numpy().astype(np.float32)
    labels, times, counts = np.array([[1, 2], [3, 0]], np.int32), np.array([3, 2], np.int32), np.array([2, 1], np.int32)
    given = [Tensor(a) for a in (labels, times, counts)]
    cost, grads = ops.RNNTLoss(0)(Tensor(acts), *given)
    want = [all_paths(acts[b, :times[b]], labels[b, :counts[b]], 0) for b in range(2)]
    np.testing.assert_allclose(cost.asnumpy(), want, rtol=1e-5)
    found = ms.grad(lambda a: (ops.RNNTLoss(0)(a, *given)[0] * Tensor([1.0, 3.0])).sum())(Tensor(acts))
    np.testing.assert_allclose(found.asnumpy(), grads.asnumpy() * np.array([1, 3]).reshape(2, 1, 1, 1), rtol=1e-5)
    step = 1e-2
    moved = acts.copy()
    moved[0, 1, 1, 2] += step
    np.testing.assert_allclose(grads.asnumpy()[0, 1, 1, 2], (all_paths(moved[0], labels[0], 0) - want[0]) / step,
                               rtol=0.05)


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize(("call", "wanted"), [
    (lambda: ops.AffineGrid()(Tensor([[[1.0, 0, 0], [0, 1, 0]]]), (1, 1, 1, 2)), [[[[-0.5, 0], [0.5, 0]]]]),
    (lambda: ops.CountNonZero((1,))(Tensor([[0, 1, 2], [0, 0, 1]])), [2, 1]),
    (lambda: ops.ConfusionMatrix(3)(Tensor([0, 1, 2]), Tensor([0, 2, 2])), [[1, 0, 0], [0, 0, 1], [0, 0, 1]]),
    (lambda: ops.BatchToSpaceNDV2()(Tensor(X[:1].reshape(4, 1, 1, 1)), Tensor([2, 2]), Tensor([[0, 0], [0, 0]])),
     [[[[1, 2], [3, 4]]]]),
    (lambda: ops.sparse_segment_mean(Tensor(X), Tensor([0, 1, 2]), Tensor([0, 0, 1])), [X[:2].mean(0), X[2]]),
    (lambda: P.SparseSegmentSumWithNumSegments()(Tensor(X), Tensor([0, 2, 2]), Tensor([0, 0, 2]), Tensor([4])),
     [X[0] + X[2], 0 * X[0], X[2], 0 * X[0]]),
    (lambda: P.SparseSegmentSqrtN()(Tensor(X), Tensor([0, 1]), Tensor([0, 0])), [(X[0] + X[1]) / np.sqrt(2)]),
    (lambda: ops.RaggedRange(ms.int64)(Tensor([2, 5, 8]), Tensor([3, 5, 12]), Tensor([1, 1, 2]))[1], [2, 8, 10]),
    (lambda: P.SparseSparseMaximum()(Tensor([[0, 1], [1, 2]]), Tensor([1.0, -2]), Tensor([2, 3]),
                                     Tensor([[0, 1], [1, 1]]), Tensor([3.0, -1]), Tensor([2, 3]))[1], [3, 0, 0]),
    (lambda: P.SparseSparseMinimum()(Tensor([[0, 1], [1, 2]]), Tensor([1.0, -2]), Tensor([2, 3]),
                                     Tensor([[0, 1], [1, 1]]), Tensor([3.0, -1]), Tensor([2, 3]))[1], [1, -1, -2]),
    (lambda: ops.ComputeAccidentalHits(2)(Tensor([[1, 2], [0, 4]]), Tensor([0, 1, 2]))[1], [1, 2, 0]),
    (lambda: ops.NonMaxSuppressionV3()(Tensor([[0.0, 0, 2, 2], [0, 0, 2, 1.9], [5, 5, 6, 6]]),
                                       Tensor([0.5, 0.9, 0.3]), Tensor(3), Tensor(0.5), Tensor(0.0)), [1, 2]),
    (lambda: ops.LogSoftmaxExt()(Tensor(np.log([[1.0, 3.0]])), 1), np.log([[0.25, 0.75]])),
    (lambda: ops.rotary_position_embedding(Tensor(X[:1]), Tensor([[0.0]]), Tensor([[1.0]])), [[-3, -4, 1, 2]]),
    (lambda: ops.rotary_position_embedding(Tensor(X[:1]), Tensor([[1.0]]), Tensor([[1.0]]), 1), [[-1, 3, -1, 7]]),
    (lambda: ops.CopyWithSlice()(Tensor(X[0]), Tensor(X[1])), X[1]),
], ids=lambda v: "x")
def test_the_result_is_that_of_the_formula(call, wanted):
    np.testing.assert_allclose(call().asnumpy(), np.array(wanted), rtol=1e-6, atol=1e-6)


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("padding", ["SAME", "VALID"])
def test_dilation_takes_the_greatest_of_a_window(padding):
    x, w = [RNG.normal(size=s).astype(np.float32) for s in ((2, 3, 5, 4), (3, 2, 3))]
    y = ops.Dilation2D(1, 1, padding)(Tensor(x), Tensor(w)).asnumpy()
    low = np.pad(x, ((0, 0), (0, 0), (0, 1), (1, 1)), constant_values=-np.inf) if padding == "SAME" else x
    windows = np.lib.stride_tricks.sliding_window_view(low, (2, 3), (2, 3))
    np.testing.assert_allclose(y, (windows + w[:, None, None]).max((-2, -1)), rtol=1e-6)
    patches = ops.ExtractImagePatches([1, 1, 2, 3], [1, 1, 1, 1], [1, 1, 1, 1], padding)(Tensor(x)).asnumpy()
    filled = np.where(np.isinf(windows), 0, windows).transpose(0, 4, 5, 1, 2, 3)
    np.testing.assert_array_equal(patches, filled.reshape(patches.shape))


@pytest.mark.usefixtures("both_modes")
def test_numbers_that_are_drawn_lie_where_they_should():
    y = ops.ParameterizedTruncatedNormal(1, 2)(Tensor([2, 2000]), Tensor([0.0, 10]), Tensor([1.0, 2]),
                                               Tensor([-1.0, 9]), Tensor([1.0, 30])).asnumpy()
    assert (y.min(1) >= [-1, 9]).all()
    assert (y.max(1) < [1, 30]).all()
    np.testing.assert_allclose(y.mean(1), [0, 10 + 2 * 0.5092], atol=0.1)     # phi(-0.5) / (1 - Phi(-0.5)) = 0.5092
    whole = ops.NonDeterministicInts(ms.int32)(Tensor([1000])).asnumpy()
    assert whole.min() < -2**30
    assert whole.max() > 2**30
    np.testing.assert_array_equal(
        ops.multinomial_with_replacement(Tensor([[0.0, 1], [1, 0]]), 1, 2, 3, True).asnumpy(), [[1] * 3, [0] * 3])


@pytest.mark.usefixtures("both_modes")
def test_the_linear_part_of_a_function_takes_many_directions():
    value, derivative = ops.linearize(lambda x, y: (x * y, x + y), (Tensor([2.0]), Tensor([3.0])))
    assert [v.tolist() for v in value] == [[6], [5]]
    assert [v.tolist() for v in derivative(Tensor([1.0]), Tensor([10.0]))] == [[23], [11]]
    assert [v.tolist() for v in derivative(Tensor([1.0]), Tensor([0.0]))] == [[3], [1]]


@pytest.mark.usefixtures("both_modes")
def test_attention_as_one_function_is_torchs():
    size, heads = 8, 2
    q, k = [RNG.normal(size=s).astype(np.float32) for s in ((4, 3, size), (5, 3, size))]
    w, b, ow, ob, bk = [RNG.normal(size=s).astype(np.float32) for s in ((3 * size, size), 3 * size, (size, size), size,
                                                                        (1, 1, size))]
    padding = np.zeros((3, 5), bool)
    padding[0, 3:] = True
    for added in (False, True):
        given = [q, k, k, size, heads, w, b, bk if added else None, bk if added else None, added, 0.0, ow, ob]
        want = torch.nn.functional.multi_head_attention_forward(
            *[torch.tensor(a) if isinstance(a, np.ndarray) else a for a in given], training=False,
            key_padding_mask=torch.tensor(padding), average_attn_weights=added)
        found = ops.function.nn_func.multi_head_attention_forward(
            *[Tensor(a) if isinstance(a, np.ndarray) else a for a in given], training=False,
            key_padding_mask=Tensor(padding), average_attn_weights=added)
        for x, y in zip(found, want, strict=True):
            np.testing.assert_allclose(x.asnumpy(), y.numpy(), atol=1e-5)


@pytest.mark.usefixtures("both_modes")
def test_the_primitive_of_attention_gives_maxima_and_sums_too():
    q = Tensor(RNG.normal(size=(2, 3, 8)).astype(np.float32))
    most, total, _, y = P.nn_ops.FlashAttentionScore(2, scale_value=0.5)(q, q, q)
    want = ops.flash_attention_score(q, q, q, 2, scalar_value=0.5)
    np.testing.assert_allclose(y.asnumpy(), want.asnumpy(), atol=1e-6)
    rows = q.asnumpy().reshape(2, 3, 2, 4).transpose(0, 2, 1, 3)
    scores = rows @ rows.swapaxes(-1, -2) * 0.5
    np.testing.assert_allclose(most.asnumpy()[..., 0], scores.max(-1), rtol=1e-5)
    sums = np.exp(scores - scores.max(-1, keepdims=True)).sum(-1)
    np.testing.assert_allclose(total.asnumpy()[..., 7], sums, rtol=1e-5)


def test_interpolation_takes_the_arguments_of_1_8():
    x = Tensor(X[None, None])
    want = ops.interpolate(x, (6, 8), mode="bilinear", align_corners=True).asnumpy()
    for found in (ops.interpolate(x, sizes=(6, 8), mode="bilinear"),
                  ops.interpolate(x, None, None, (6, 8), "align_corners", "bilinear"),
                  ops.interpolate(x, None, [1, 1, 2, 2], None, "align_corners", "bilinear")):
        np.testing.assert_array_equal(found.asnumpy(), want)
    found = ops.interpolate(x, sizes=(6, 8), coordinate_transformation_mode="asymmetric", mode="bilinear")
    np.testing.assert_allclose(found.asnumpy()[0, 0, 0], [1, 1.5, 2, 2.5, 3, 3.5, 4, 4])
    with pytest.raises(TypeError, match="'place'"):
        ops.interpolate(x, sizes=(6, 8), place=1)
