"""`_cell_graph_executor`: cells are compiled without being run, in both modes."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn
from mindspore.common.api import _cell_graph_executor, _executor


class Counting(nn.Cell):
    def __init__(self):
        super().__init__()
        self.calls = Parameter(Tensor(0), name="calls", requires_grad=False)

    def construct(self, x, y=1):
        self.calls += 1
        return x * 2 + y


@pytest.fixture(params=[ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def mode(request):
    ms.set_context(mode=request.param)
    yield
    ms.set_context(mode=ms.PYNATIVE_MODE)


@pytest.mark.usefixtures("mode")
def test_a_cell_is_compiled_and_not_run():
    net = Counting()
    name, done = _cell_graph_executor.compile(net, Tensor([1.0, 2.0]), y=3)
    assert done
    assert name.startswith("predict.")
    assert _cell_graph_executor.has_compiled(name)
    assert not _cell_graph_executor.has_compiled("predict.")
    assert net.calls == 0
    assert _executor(net, Tensor([1.0, 2.0])).tolist() == [3.0, 5.0]
    assert _executor.run(net, Tensor([1.0, 2.0]), phase=name).tolist() == [3.0, 5.0]
    assert net.calls == 2


@pytest.mark.usefixtures("mode")
def test_a_cell_that_does_not_fit_is_an_error():
    class Wrong(nn.Cell):
        def construct(self, x):
            return x + Tensor(np.ones((3, 3), np.float32))

    with pytest.raises(ValueError, match="Add"):
        _cell_graph_executor.compile(Wrong(), Tensor(np.ones((4, 2), np.float32)))


def test_what_is_no_cell_and_other_settings_are_refused():
    with pytest.raises(TypeError, match="Cell"):
        _cell_graph_executor.compile(lambda x: x, Tensor(1.0))
    for settings in ({"do_convert": False}, {"jit_config_dict": {}}):
        with pytest.raises(ValueError, match="set_jit_config"):
            _cell_graph_executor.compile(Counting(), Tensor(1.0), **settings)
