"""Forms of a tensor share its memory, also where a convolution left its channels innermost."""
from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, jit, nn, ops

IMAGES = np.random.default_rng(0).standard_normal((2, 3, 6, 6)).astype(np.float32)
convolution = nn.Conv2d(3, 4, 3)

FORMS = [lambda y: y.view(2, -1), lambda y: y.view(y.size).view((2, -1)), lambda y: y.reshape(2, -1),
         lambda y: ops.reshape(y, (2, -1)), lambda y: y.view_as(ops.zeros((2, 144)))]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.usefixtures("both_modes")
def test_what_is_written_into_a_form_reaches_the_result_of_a_convolution(form):
    y = convolution(Tensor(IMAGES))
    before = y.asnumpy().copy()
    view = form(y)
    np.testing.assert_array_equal(view.asnumpy(), before.reshape(2, -1))
    view[0] = 7
    assert np.all(y.asnumpy()[0] == 7)
    np.testing.assert_array_equal(y.asnumpy()[1], before[1])
    y[1] = 5
    assert np.all(view.asnumpy()[1] == 5)


@pytest.mark.parametrize("run", [lambda f: f, jit], ids=["pynative", "jit"])
def test_so_it_is_inside_of_a_function(run):
    def program(x):
        y = convolution(x)
        y.view(2, -1)[0] = 7
        return y[0].sum() + y[1].max() * 0

    assert float(run(program)(Tensor(IMAGES))) == 7 * 144


def test_slices_and_transposed_forms_keep_seeing_the_tensor():
    y = convolution(Tensor(IMAGES))
    part = y[0]
    y.view(2, -1)
    part[0] = 9
    assert np.all(y.asnumpy()[0, 0] == 9)
    base = Tensor(IMAGES)
    turned = base.permute(0, 2, 3, 1)
    turned.view(2, -1)
    turned[0] = 3
    assert np.all(base.asnumpy()[0] == 3)


def test_an_array_that_gave_its_memory_keeps_seeing_the_tensor():
    array = np.ones((2, 3), np.float32)
    x = Tensor.from_numpy(array.T)
    x.view(-1)
    x[0] = 4
    assert array[:, 0].tolist() == [4, 4]


def test_a_gradient_passes_a_form_of_a_convolution():
    found = ms.grad(lambda x: (convolution(x).view(2, -1) * 2).sum())(Tensor(IMAGES)).asnumpy()
    wanted = ms.grad(lambda x: convolution(x).sum() * 2)(Tensor(IMAGES)).asnumpy()
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)
