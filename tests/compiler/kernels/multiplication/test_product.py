"""Generated products of matrices, against torch's in double precision."""
import pickle
import threading

import pytest
import torch

from mindspore.compiler.kernels import available
from mindspore.compiler.kernels.multiplication import MatrixProduct
from mindspore.core.dtype import float32
from mindspore.ir import Aval

pytestmark = pytest.mark.skipif(not available(), reason="llvmlite is not installed")
SIZES = [(1, 1, 1), (7, 5, 3), (8, 16, 32), (97, 33, 31), (33, 70, 129), (131, 1030, 40), (3, 2100, 70)]


def product_of(x, y, turn_x=False, turn_y=False, width=0):
    m, n = x.shape[1] if turn_x else x.shape[0], y.shape[0] if turn_y else y.shape[1]
    out = (m, n) if x.dim() == 2 else (*x.shape[:-1], n)
    found = MatrixProduct(Aval(tuple(x.shape), float32), Aval(tuple(y.shape), float32), turn_x, turn_y,
                          Aval(out, float32))
    found.width, found.shared = width, True
    return found


def drawn(*shape):
    return torch.randn(shape, generator=torch.Generator().manual_seed(sum(shape)))


@pytest.fixture(params=[1, 2, 3])
def threads(request):
    before = torch.get_num_threads()
    torch.set_num_threads(request.param)
    yield request.param
    torch.set_num_threads(before)


@pytest.mark.parametrize("width", [0, 4, 8])
@pytest.mark.parametrize("turned", [(False, False), (True, False), (False, True), (True, True)])
def test_a_product_is_that_of_double_precision(turned, width, threads):
    if width > 4 and not torch.backends.cpu.get_cpu_capability().startswith("AVX"):
        pytest.skip("the processor has no vectors of that width")
    for m, k, n in SIZES:
        x, y = drawn(k, m) if turned[0] else drawn(m, k), drawn(n, k) if turned[1] else drawn(k, n)
        wanted = (x.t() if turned[0] else x).double() @ (y.t() if turned[1] else y).double()
        for bias in (None, drawn(n)):
            (got,) = product_of(x, y, *turned, width)(x, y, bias)
            exact = wanted if bias is None else wanted + bias
            torch.testing.assert_close(got.double(), exact, rtol=0, atol=4e-7 * k + 1e-6)


def test_whatever_the_threads_a_sum_has_one_order():
    x, y = drawn(200, 300), drawn(300, 100)
    before = torch.get_num_threads()
    found = []
    for count in (1, 2, 5):
        torch.set_num_threads(count)
        found.append(product_of(x, y)(x, y)[0])
    torch.set_num_threads(before)
    assert torch.equal(found[0], found[1])
    assert torch.equal(found[0], found[2])


def test_operands_may_lie_in_memory_in_any_way():
    whole, y = drawn(90, 80), drawn(40, 60)
    for x in (whole[:70, :40], whole[::2, :40], whole[:, ::2], whole.t()[:40].t(), whole[:1, :40]):
        for other in (y, y.t().contiguous().t(), drawn(40, 120)[:, ::2], drawn(40, 1).expand(40, 60)):
            (got,) = product_of(x, other)(x, other)
            torch.testing.assert_close(got, x @ other, rtol=1e-4, atol=1e-4)
    cube = drawn(4, 5, 40).transpose(0, 1)
    torch.testing.assert_close(product_of(cube, y)(cube, y)[0], cube @ y, rtol=1e-4, atol=1e-4)


def test_what_is_not_a_number_stays_in_its_row_and_column():
    x, y = drawn(20, 30), drawn(30, 50)
    x[3, 4], y[6, 7], x[9, 0] = float("nan"), float("nan"), float("inf")
    (got,) = product_of(x, y)(x, y)
    wanted = x @ y
    assert torch.equal(got.isnan(), wanted.isnan())
    assert torch.equal(got.isinf(), wanted.isinf())


def test_it_can_be_stored_and_computes_the_same_in_many_threads_at_once():
    x, y = drawn(120, 200), drawn(200, 90)
    product = pickle.loads(pickle.dumps(product_of(x, y)))
    wanted, found = product(x, y)[0], []
    workers = [threading.Thread(target=lambda: found.extend(product(x, y)[0] for _ in range(20))) for _ in range(4)]
    [w.start() for w in workers]
    [w.join() for w in workers]
    assert len(found) == 80
    assert all(torch.equal(f, wanted) for f in found)
