"""Inputs of cells by the names that `mint.nn` has for them, in both modes; keywords of tensor methods."""
import numpy as np
import pytest

from mindspore import Tensor, mint, nn, ops

FLAT, ROWS, IMAGE = (2, 3), (1, 4, 4), (1, 4, 4, 4)
ONE_INPUT = [
    ("ConstantPad1d", (1, 0.0), ROWS), ("ConstantPad2d", (1, 0.0), IMAGE), ("ConstantPad3d", (1, 0.0), IMAGE),
    ("ZeroPad1d", (1,), ROWS), ("ZeroPad2d", (1,), IMAGE), ("ZeroPad3d", (1,), IMAGE),
    ("ReflectionPad1d", (1,), ROWS), ("ReflectionPad2d", (1,), IMAGE), ("ReflectionPad3d", (1,), IMAGE),
    ("ReplicationPad1d", (1,), ROWS), ("ReplicationPad2d", (1,), IMAGE), ("ReplicationPad3d", (1,), IMAGE),
    ("Unfold", (2,), IMAGE), ("Softmax", (-1,), FLAT), ("LogSoftmax", (-1,), FLAT), ("SiLU", (), FLAT),
    ("Upsample", (None, 2.0), IMAGE), ("UpsamplingNearest2d", (None, 2), IMAGE), ("AvgPool1d", (2,), ROWS),
    ("AvgPool2d", (2,), IMAGE), ("AdaptiveMaxPool1d", (2,), ROWS), ("GELU", (), FLAT), ("Hardshrink", (), FLAT),
    ("Hardsigmoid", (), FLAT), ("Hardswish", (), FLAT), ("Threshold", (0.1, 0.2), FLAT), ("Mish", (), FLAT),
    ("ELU", (), FLAT), ("Flatten", (), IMAGE), ("Hardtanh", (), FLAT), ("ReLU6", (), FLAT), ("Tanh", (), FLAT),
    ("LogSigmoid", (), FLAT), ("Sigmoid", (), FLAT),
]
LOSSES = ["MSELoss", "BCELoss", "SmoothL1Loss", "KLDivLoss", "BCEWithLogitsLoss", "L1Loss"]


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize(("name", "args", "shape"), ONE_INPUT)
def test_the_input_of_a_cell_has_the_name_of_torch(name, args, shape):
    cell, x = getattr(mint.nn, name)(*args), Tensor(np.random.rand(*shape).astype(np.float32))
    by_place = cell(x).asnumpy()
    np.testing.assert_array_equal(cell(input=x).asnumpy(), by_place)
    if name in ("SiLU", "LogSoftmax", "Tanh", "Sigmoid"):        # that of `nn`, or of the original's `mint.nn`
        np.testing.assert_array_equal(cell(x=x).asnumpy(), by_place)


@pytest.mark.usefixtures("both_modes")
@pytest.mark.parametrize("name", LOSSES)
def test_losses_take_input_and_target(name):
    loss, x = getattr(mint.nn, name)(), Tensor(np.random.rand(2, 3).astype(np.float32))
    np.testing.assert_array_equal(loss(target=x * 0.5, input=x).asnumpy(), loss(x, x * 0.5).asnumpy())


@pytest.mark.usefixtures("both_modes")
def test_cells_within_a_cell_take_them_too():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.act, self.loss = mint.nn.Tanh(), mint.nn.CosineEmbeddingLoss()

        def construct(self, x, y):
            return self.loss(input1=self.act(input=x), input2=x, target=y)

    x, y = Tensor([[1.0, 2.0], [3.0, -1.0]]), Tensor([1, 1])
    a, b = np.tanh(x.asnumpy()), x.asnumpy()
    cosine = (a * b).sum(1) / np.sqrt((a * a).sum(1) * (b * b).sum(1))
    np.testing.assert_allclose(float(Net()(x, y)), (1 - cosine).mean(), rtol=1e-4)


def test_an_input_that_is_given_twice_or_has_no_such_name_is_refused():
    for kwargs in ({"input": Tensor([1.0]), "x": Tensor([1.0])}, {"unheard": Tensor([1.0])}):
        with pytest.raises(TypeError):
            mint.nn.Tanh()(**kwargs)


@pytest.mark.usefixtures("both_modes")
def test_keywords_of_methods():
    x = Tensor([[1.0], [2.0]])
    assert x.expand_as(x=Tensor(np.zeros((2, 3)))).tolist() == [[1, 1, 1], [2, 2, 2]]
    assert Tensor([5.0, -5.0]).remainder(divisor=3).tolist() == [2, 1]
    assert Tensor([1, 2]).repeat_interleave(2, output_size=4).tolist() == [1, 1, 2, 2]
    assert Tensor([[1], [2]]).repeat_interleave(Tensor([2, 1]), 0, output_size=3).shape == (3, 1)
    for wrong in (lambda: Tensor([1, 2]).repeat_interleave(2, output_size=5),
                  lambda: mint.repeat_interleave(Tensor([1, 2]), 2, output_size=5)):
        with pytest.raises(ValueError, match="must be 4"):
            wrong()
    with pytest.raises(TypeError):
        mint.repeat_interleave(3, 2)
    assert ops.expand_as(x, Tensor(np.zeros((2, 3)))).shape == (2, 3)
