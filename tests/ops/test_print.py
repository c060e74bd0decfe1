"""`ops.Print` in compiled functions prints at every run what PyNative mode prints."""
from __future__ import annotations

import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, ops

WEIGHT = Parameter(Tensor([4.0]), name="weight")


def containers(x):
    ops.Print()([x, (x * 2, 3)], {"a": x + 1}, "t", x)


def texts(x):
    ops.Print()(f"x is {x}, {x.sum()}", f"{x.shape}")


def kept(x):
    ops.print_([WEIGHT, None, 1.5])


@pytest.mark.parametrize("function", [containers, texts, kept])
def test_a_graph_prints_what_pynative_mode_prints(function, capfd):
    compiled = ms.jit(function)
    for x in (Tensor([1, 2]), Tensor([3, 5])):
        WEIGHT.set_data(x.sum().astype(ms.float32).reshape(1))
        function(x)
        wanted = capfd.readouterr().out
        compiled(x)
        assert capfd.readouterr().out == wanted
        assert str(x.tolist()[0]) in wanted
    assert compiled.cache.compiled == 1
