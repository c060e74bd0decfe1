"""Products by tiles of 16-bit floats, against torch's in double precision, and where they do not count."""
import re
import threading

import pytest
import torch

from mindspore.compiler.kernels import available
from mindspore.compiler.kernels.multiplication import MatrixProduct, split, split_product
from mindspore.core.dtype import float32
from mindspore.ir import Aval
from mindspore.operators.choices import NEVER, Choices, using

pytestmark = pytest.mark.skipif(not (available() and split.available()),
                                reason="llvmlite is not installed, or the processor has no tiles of 16-bit floats")
SIZES = [(1, 1, 1), (32, 32, 32), (7, 5, 3), (33, 70, 129), (97, 33, 31), (16, 1100, 300), (1060, 40, 270),
         (64, 96, 520)]
TURNED = [(False, False), (True, False), (False, True), (True, True)]


def drawn(*shape):
    return torch.randn(shape, generator=torch.Generator().manual_seed(sum(shape)))


def operands(m, k, n, turn_x, turn_y):
    return drawn(k, m) if turn_x else drawn(m, k), drawn(n, k) if turn_y else drawn(k, n)


def exact(x, y, turn_x, turn_y):
    return (x.t() if turn_x else x).double() @ (y.t() if turn_y else y).double()


def multiplied(x, y, turn_x=False, turn_y=False, bias=None):
    out = torch.full((x.shape[1] if turn_x else x.shape[0], y.shape[0] if turn_y else y.shape[1]), float("nan"))
    return out, split_product.multiply(x, y, turn_x, turn_y, out, bias)


@pytest.fixture(params=[1, 2, 3])
def threads(request):
    before = torch.get_num_threads()
    torch.set_num_threads(request.param)
    yield request.param
    torch.set_num_threads(before)


@pytest.mark.parametrize("turned", TURNED)
def test_every_element_is_as_near_as_that_of_a_sum_of_floats(turned, threads):
    for m, k, n in SIZES:
        x, y = operands(m, k, n, *turned)
        wanted, magnitude = exact(x, y, *turned), exact(x.abs(), y.abs(), *turned)
        for bias in (None, drawn(n)):
            got, right = multiplied(x, y, *turned, bias)
            assert right
            off = (got.double() - wanted - (0 if bias is None else bias)).abs()
            most = magnitude if bias is None else magnitude + bias.abs()
            assert (off <= 2.0**-22 * most * max(1.0, k**0.5 / 4)).all()


def test_it_is_not_less_exact_than_the_library():
    x, y = operands(300, 600, 400, False, False)
    wanted = exact(x, y, False, False)
    got, right = multiplied(x, y)
    assert right
    assert (got - wanted).square().mean() < 1.1 * (x @ y - wanted).square().mean()


@pytest.mark.parametrize("k", [2048, 8192])
def test_long_sums_of_one_sign_are_not_less_exact_than_the_librarys(k):
    x, y, bias = drawn(100, k).abs(), drawn(k, 70).abs(), drawn(70)
    wanted = exact(x, y, False, False) + bias
    got, right = multiplied(x, y, bias=bias)
    assert right
    assert (got - wanted).square().mean() < 1.1 * (torch.addmm(bias, x, y) - wanted).square().mean()


def test_what_is_infinite_may_be_added():
    x, y, bias = drawn(70, 40), drawn(40, 50), drawn(50)
    bias[7], bias[33] = float("inf"), float("-inf")
    got, right = multiplied(x, y, bias=bias)
    assert right
    assert got[:, 7].eq(float("inf")).all()
    assert got[:, 33].eq(float("-inf")).all()
    assert got.isfinite().sum() == 70 * 48


def test_no_more_than_four_registers_hold_tiles():
    # with more, whatever else runs on a core halves the speed (see `split`)
    used = re.findall(r"@llvm[.]x86[.](?:tileloadd64|tilezero|tdpbf16ps)[(]i8 (\d)", split.written())
    assert set(used) == {"0", "1", "2", "3"}


def test_whatever_the_threads_a_sum_has_one_order():
    x, y = drawn(200, 700), drawn(700, 300)
    before, found = torch.get_num_threads(), []
    for count in (1, 2, 5):
        torch.set_num_threads(count)
        found.append(multiplied(x, y)[0])
    torch.set_num_threads(before)
    assert torch.equal(found[0], found[1])
    assert torch.equal(found[0], found[2])


def test_operands_may_lie_in_memory_in_any_way():
    whole, y = drawn(90, 80), drawn(40, 60)
    for x in (whole[:70, :40], whole[::2, :40], whole[:, ::2], whole.t()[:40].t(), whole[:1, :40]):
        for other in (y, y.t().contiguous().t(), drawn(40, 120)[:, ::2], drawn(40, 1).expand(40, 60)):
            got, right = multiplied(x, other)
            assert right
            torch.testing.assert_close(got, x @ other, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("value", [1e-31, -1e-38, 1e-44, float("inf"), float("-inf"), float("nan"), 3.4028e38])
@pytest.mark.parametrize("second", [False, True])
@pytest.mark.parametrize("place", [(0, 0), (37, 41)])
def test_what_tiles_do_not_compute_is_told_and_computed_otherwise(value, second, place):
    operand = [torch.full((50, 50), 0.5), torch.full((50, 50), 0.5)]
    operand[second][place] = value
    assert not multiplied(*operand)[1]
    with using(Choices()._replace(split_least=0, split_edge=0)):
        aval = Aval((50, 50), float32)
        product = MatrixProduct(aval, aval, False, False, aval)
    assert product.split
    wanted = operand[0] @ operand[1]
    torch.testing.assert_close(product(*operand)[0], wanted, equal_nan=True)


def test_a_result_beyond_the_range_is_infinite():
    x = torch.full((40, 40), 1e20)
    assert not multiplied(x, x)[1]
    with using(Choices()._replace(split_least=0, split_edge=0)):
        aval = Aval((40, 40), float32)
        assert MatrixProduct(aval, aval, False, False, aval)(x, x)[0].isinf().all()


@pytest.mark.parametrize("value", [2.0**-102, -(2.0**-100), 2.0**126, 0.0, -0.0, 1.17, 16777213.0])
def test_numbers_of_the_range_are_multiplied_with_all_their_digits(value):
    x = torch.zeros(40, 40).fill_diagonal_(value)
    y = torch.zeros(40, 40).fill_diagonal_(1.0) * 0.75
    got, right = multiplied(x, y)
    assert right
    assert torch.equal(got, x @ y)


def test_it_is_taken_from_the_sizes_of_the_table_on():
    with using(Choices()._replace(split_least=2.0 * 64**3, split_edge=32)):
        assert split_product.worth(64, 64, 64)
        assert not split_product.worth(31, 128, 128)
        assert not split_product.worth(63, 64, 64)
    with using(Choices()._replace(split_least=NEVER)):
        assert not split_product.worth(1 << 20, 1 << 20, 1 << 10)


def test_many_threads_may_multiply_at_once():
    x, y = drawn(120, 200), drawn(200, 90)
    wanted, found = multiplied(x, y)[0], []
    workers = [threading.Thread(target=lambda: found.extend(multiplied(x, y)[0] for _ in range(20))) for _ in range(4)]
    [w.start() for w in workers]
    [w.join() for w in workers]
    assert len(found) == 80
    assert all(torch.equal(f, wanted) for f in found)
