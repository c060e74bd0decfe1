"""Cells as releases before the present one were called."""
from __future__ import annotations

import copy

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops

pytestmark = pytest.mark.usefixtures("both_modes")


@pytest.mark.parametrize("batch_first", [False, True])
@pytest.mark.parametrize("bidirectional", [False, True])
@pytest.mark.parametrize("has_bias", [False, True])
def test_a_cell_of_before_1_6_is_a_layer_with_the_weights_that_it_is_given(batch_first, bidirectional, has_bias):
    layer = nn.LSTM(3, 4, has_bias=has_bias, batch_first=batch_first, bidirectional=bidirectional)
    for bias in layer.b_hh_list:                                # a cell has one bias
        bias.set_data(ops.zeros_like(bias))
    packed = ops.cat([p.reshape(-1) for p in (*layer.w_ih_list, *layer.w_hh_list, *layer.b_ih_list)])
    ways = 1 + bidirectional
    draw = np.random.RandomState(0)
    x = Tensor(draw.randn(2, 5, 3).astype(np.float32))
    batch = 2 if batch_first else 5
    h, c = [Tensor(draw.randn(ways, batch, 4).astype(np.float32)) for _ in range(2)]
    cell = nn.LSTMCell(3, 4, has_bias, batch_first, dropout=0, bidirectional=bidirectional)
    assert [p.name for p in cell.get_parameters()] == []
    found = cell(x, h, c, packed.reshape(-1, 1, 1))
    assert len(found) == 5
    want, (last, state) = layer(x, (h, c))
    for a, b in zip(found[:3], (want, last, state), strict=True):
        np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-5, atol=1e-6)


def test_weights_of_recurrent_layers_stand_in_lists():
    layer = nn.GRU(3, 4, 2, bidirectional=True)
    assert [p.name for p in layer.w_ih_list] == [f"weight_ih_l{i}{s}" for i in range(2) for s in ("", "_reverse")]
    assert [p.shape for p in layer.w_hh_list] == [(12, 4)] * 4
    assert [p.name for p in layer.b_ih_list] == [p.name.replace("weight", "bias") for p in layer.w_ih_list]
    assert layer.b_hh_list[1] is layer.bias_hh_l0_reverse
    assert len(nn.RNN(3, 4, has_bias=False).b_ih_list) == 0


def test_a_cell_of_the_present_stays_one():
    cell = nn.LSTMCell(3, 4)
    assert type(copy.deepcopy(cell)) is nn.LSTMCell
    assert len(list(cell.get_parameters())) == 4

    class Own(nn.LSTMCell):
        pass

    assert type(Own(3, 4)) is Own
    for wrong in (lambda: Own(3, 4, bidirectional=True), lambda: nn.LSTMCell(3, 4, True, ms.float16, dropout=0.0),
                  lambda: Own(3, 4, True, True)):
        with pytest.raises(TypeError, match="of releases before"):
            wrong()
    with pytest.raises(TypeError, match="has_bias"):
        nn.LSTMCell(3, 4, 1, batch_first=True)


def test_a_transformer_of_1_6_is_told_by_its_arguments():
    options = {"hidden_size": 8, "batch_size": 2, "ffn_hidden_size": 16, "src_seq_length": 5, "tgt_seq_length": 4,
               "encoder_layers": 1, "decoder_layers": 1, "num_heads": 2}
    net = nn.Transformer(**options)
    assert type(net) is nn.transformer.Transformer
    net.set_train(False)
    ones = Tensor(np.ones((2, 5, 5), np.float16)), Tensor(np.ones((2, 4, 4), np.float16))
    out = net(ops.ones((2, 5, 8)), ones[0], ops.ones((2, 4, 8)), ones[1], Tensor(np.ones((2, 4, 5), np.float16)))
    assert out[0].shape == (2, 4, 8)
    assert type(nn.Transformer(8, 2, 1, 1, 16)) is nn.Transformer
    with pytest.raises(TypeError, match="unexpected keyword"):
        nn.Transformer(8, heads=2)
    with pytest.raises(TypeError, match="unexpected keyword"):
        nn.Transformer(**options, heads=3)
