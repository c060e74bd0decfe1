"""Attention that leaves out what a mask rules out, against torch in double precision."""
import pytest
import torch

from mindspore.compiler.kernels import available
from mindspore.compiler.kernels.multiplication import Attention, AttentionReverse
from mindspore.core.dtype import float32
from mindspore.ir import Aval

pytestmark = pytest.mark.skipif(not available(), reason="llvmlite is not installed")
N, H, T, D = 2, 3, 135, 8


def drawn(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(sum(shape) + seed))


def causal(low, size=T):
    return torch.triu(torch.full((T, size), float(low)), 1)


def padding(low):
    mask = torch.zeros(N, 1, 1, T)
    mask[0, ..., 40:], mask[1, ..., 101:] = low, low
    return mask


def band(low):
    at = torch.arange(T)
    return torch.where((at[None] - at[:, None]).abs() < 9, 0.0, low)


def first_only(low):
    mask = torch.full((T, T), low)
    mask[:, 0] = 0.0
    return mask


def turned(low):
    return causal(low).t().contiguous()


SHUFFLED = torch.randperm(T, generator=torch.Generator().manual_seed(1))
MASKS = {"causal": causal(-1e9), "infinite": causal(float("-inf")), "padded": padding(-1e9), "band": band(-1e9),
         "first": first_only(float("-inf")), "later keys": turned(-1e9), "weak": causal(-100.0), "near": causal(-5e3),
         "all": torch.full((T, T), -1e9), "by sample": padding(-1e9) + causal(-1e9),
         "uneven": causal(-1e9)[SHUFFLED]}


def both(q, k, v, dout, mask, threads=2):
    t, s = q.shape[2], k.shape[2]
    shape = (N, H, t, s, D, D)
    avals = [Aval(tuple(x.shape), float32) for x in (q, k, v)]
    ways = Attention(shape, 0.3, (avals[0], Aval((N, H, t, s), float32)))
    back = AttentionReverse(shape, 0.3, tuple(avals))
    ways.shared = back.shared = True
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        y, weights = ways(q, k, v, mask)
        return y, weights, *back(dout, q, k, v, weights)
    finally:
        torch.set_num_threads(before)


def exact(q, k, v, dout, mask):
    q, k, v = [x.double().requires_grad_() for x in (q, k, v)]
    weights = torch.softmax(q @ k.mT * 0.3 + mask, -1)
    y = weights @ v
    y.backward(dout.double())
    return [x.detach() for x in (y, weights, q.grad, k.grad, v.grad)]


@pytest.mark.parametrize("size", [1.0, 30.0, 300.0])
@pytest.mark.parametrize("name", MASKS)
def test_results_and_gradients_are_those_of_double_precision(name, size):
    q, k, v, dout = [drawn(N, H, T, D, seed=i) for i in range(4)]
    q = q * size
    mask = MASKS[name]
    given = mask if name != "all" else torch.zeros(())      # beside -1e9 scores are rounded away in float32
    if name == "all":
        q = q * 1e-30
    for got, wanted in zip(both(q, k, v, dout, mask), exact(q, k, v, dout, given), strict=True):
        torch.testing.assert_close(got.double(), wanted, rtol=1e-4, atol=1e-4 * float(wanted.abs().max()))


@pytest.mark.parametrize("size", [1.0, 1e5])
def test_what_is_left_out_changes_no_bit(size):
    """Operands so large that nothing is left out, scaled back: all else is a power of two."""
    q, k, v, dout = [drawn(N, H, T, D, seed=i) for i in range(4)]
    keys = torch.cat([k, torch.full((N, H, 1, D), size)], 2)
    values = torch.cat([v, torch.zeros(N, H, 1, D)], 2)
    mask = torch.cat([causal(-1e9), torch.full((T, 1), -1e30)], 1)        # the last key counts for nothing
    plain = torch.cat([causal(-1e9), torch.full((T, 1), -1e9)], 1)
    found = both(q, keys, values, dout, mask if size > 1 else plain)
    wanted = both(q, k, v, dout, causal(-1e9))
    assert torch.equal(found[0], wanted[0])
    assert torch.equal(found[1][..., :T], wanted[1])
    assert not found[1][..., T].any()


@pytest.mark.parametrize("which", range(3))
@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_not_finite_spoils_what_it_spoils_without_a_mask(which, value):
    given = [drawn(N, H, T, D, seed=i) for i in range(3)]
    given[which][0, 1, T - 1, 2] = value
    mask = causal(-1e9)
    y = both(*given, drawn(N, H, T, D, seed=3), mask)[0]
    wanted = torch.softmax(given[0] @ given[1].mT * 0.3 + mask, -1) @ given[2]
    assert torch.equal(y.isnan(), wanted.isnan())
    assert bool(wanted.isnan().any())
    torch.testing.assert_close(y, wanted, rtol=1e-4, atol=1e-4, equal_nan=True)


def test_a_cotangent_that_is_not_finite_spoils_the_gradients_of_keys_that_are_ruled_out():
    q, k, v, dout = [drawn(N, H, T, D, seed=i) for i in range(4)]
    dout[1, 0, 3, 0] = float("inf")
    dv = both(q, k, v, dout, causal(-1e9))[-1]
    weights = torch.softmax(q @ k.mT * 0.3 + causal(-1e9), -1)
    wanted = weights.mT @ dout
    assert torch.equal(dv.isnan(), wanted.isnan())
    assert bool(wanted[1, 0, 4:, 0].isnan().all())


def test_a_row_without_any_key_is_not_a_number():
    q, k, v, dout = [drawn(N, H, T, D, seed=i) for i in range(4)]
    mask = causal(float("-inf"))
    mask[7] = float("-inf")
    y = both(q, k, v, dout, mask)[0]
    assert bool(y[:, :, 7].isnan().all())
    assert not y[:, :, torch.arange(T) != 7].isnan().any()


def test_cotangents_that_are_stacked_are_written_side_by_side():
    q, k, v, dout = [drawn(N, H, T, D, seed=i) for i in range(4)]
    *_, dq, dk, dv = both(q, k, v, dout, causal(-1e9))
    weights = both(q, k, v, dout, causal(-1e9))[1]
    made = AttentionReverse((N, H, T, T, D, D), 0.3, (Aval((3, N, H, T, D), float32),))
    (together,) = made(dout, q, k, v, weights)
    assert torch.equal(together, torch.stack((dq, dk, dv)))
    assert together.permute(1, 3, 0, 2, 4).is_contiguous()


def test_scores_may_be_larger_than_the_gap_of_a_mask():
    q, v, dout = torch.full((N, H, T, D), 100.0), drawn(N, H, T, D), drawn(N, H, T, D, seed=1)
    k = torch.zeros(N, H, T, D)
    k[:, :, T - 1] = 100.0                                # a score of 24000 beside a mask of -5000
    y, weights = both(q, k, v, dout, causal(-5e3))[:2]
    assert torch.equal(weights[..., T - 1], torch.ones(N, H, T))
    assert torch.equal(y, v[:, :, T - 1:].expand(N, H, T, D))


def test_a_mask_of_infinity_spoils_the_whole_row():
    q, k, v, dout = [drawn(N, H, T, D, seed=i) for i in range(4)]
    mask = causal(-1e9)
    mask[5, 2] = float("inf")
    weights = both(q, k, v, dout, mask)[1]
    assert bool(weights[:, :, 5].isnan().all())
    assert not weights[:, :, torch.arange(T) != 5].isnan().any()


@pytest.mark.parametrize("which", ["product", "q", "k"])
def test_what_is_multiplied_with_weights_of_zero_may_overflow(which):
    q, k, v, dout = [drawn(N, H, T, D, seed=i) for i in range(4)]
    weights = both(q, k, v, dout, causal(-1e9))[1]
    if which == "product":
        dout[0, 0, 3, 1], v[0, 0, T - 1, 1] = 1e25, 1e25
    else:
        (q if which == "q" else k)[0, 0, 3 if which == "q" else T - 1, 1] = float("inf")
    made = AttentionReverse((N, H, T, T, D, D), 0.3, tuple([Aval((N, H, T, D), float32)] * 3))
    dweights = dout @ v.mT
    ds = weights * (dweights - (dweights * weights).sum(-1, keepdim=True)) * 0.3
    wanted = ds @ k, ds.mT @ q, weights.mT @ dout
    assert any(bool(x.isnan().any()) for x in wanted)
    for got, of in zip(made(dout, q, k, v, weights), wanted, strict=True):
        assert torch.equal(got.isnan(), of.isnan())
