"""Recurrent layers, attention and transformers against torch's, in both modes."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from mindspore import Tensor, nn, ops
from mindspore.nn.layer.rnn_cells import (
    RNNCellBase,
    _gru_cell,
    _lstm_cell,
    _rnn_relu_cell,
    _rnn_tanh_cell,
)

pytestmark = pytest.mark.usefixtures("both_modes")


def draw(*shape):
    return np.random.randn(*shape).astype(np.float32)


@pytest.mark.parametrize("batch_first", [False, True])
@pytest.mark.parametrize(("layers", "bidirectional", "bias"), [(1, False, True), (2, True, True),
                                                               (2, False, False)])
@pytest.mark.parametrize("kind", ["LSTM", "GRU", "RNN"])
def test_recurrent_layers_equal_those_of_torch(kind, layers, bidirectional, bias, batch_first):
    cell = getattr(nn, kind)(3, 4, layers, bias, batch_first, 0.0, bidirectional)
    peer = getattr(torch.nn, kind)(3, 4, layers, bias=bias, batch_first=batch_first,
                                   bidirectional=bidirectional)
    for name, parameter in peer.named_parameters():
        parameter.data = torch.tensor(cell.parameters_dict()[name].asnumpy())
    x = draw(2, 5, 3)
    expected, last = peer(torch.tensor(x))
    y, state = cell(Tensor(x))
    np.testing.assert_allclose(y.asnumpy(), expected.detach().numpy(), 1e-4, 1e-5)
    for mine, other in zip(state if kind == "LSTM" else [state], last if kind == "LSTM" else [last],
                           strict=True):
        np.testing.assert_allclose(mine.asnumpy(), other.detach().numpy(), 1e-4, 1e-5)


def test_short_sequences_end_early():
    cell = nn.LSTM(3, 4, batch_first=True)
    x = draw(2, 5, 3)
    y, (h, _) = cell(Tensor(x), None, Tensor(np.array([2, 5], np.int32)))
    alone, (h_alone, _) = cell(Tensor(x[:1, :2]))
    np.testing.assert_allclose(y.asnumpy()[0, :2], alone.asnumpy()[0], 1e-4, 1e-6)
    np.testing.assert_allclose(h.asnumpy()[:, 0], h_alone.asnumpy()[:, 0], 1e-4, 1e-6)
    assert not y.asnumpy()[0, 2:].any()


def test_single_steps_equal_those_of_torch():
    for kind, state in (("RNNCell", 1), ("GRUCell", 1), ("LSTMCell", 2)):
        cell, peer = getattr(nn, kind)(3, 4), getattr(torch.nn, kind)(3, 4)
        for name, parameter in peer.named_parameters():
            parameter.data = torch.tensor(cell.parameters_dict()[name].asnumpy())
        x, states = draw(2, 3), [draw(2, 4) for _ in range(state)]
        given = [Tensor(s) for s in states], [torch.tensor(s) for s in states]
        y = cell(Tensor(x), tuple(given[0]) if state == 2 else given[0][0])
        expected = peer(torch.tensor(x), tuple(given[1]) if state == 2 else given[1][0])
        for mine, other in zip(y if state == 2 else [y], expected if state == 2 else [expected],
                               strict=True):
            np.testing.assert_allclose(mine.asnumpy(), other.detach().numpy(), 1e-4, 1e-5)


def _copy_attention(cell, peer):
    peer.in_proj_weight.data = torch.tensor(cell.in_proj_weight.asnumpy())
    peer.in_proj_bias.data = torch.tensor(cell.in_proj_bias.asnumpy())
    peer.out_proj.weight.data = torch.tensor(cell.out_proj.weight.asnumpy())
    peer.out_proj.bias.data = torch.tensor(cell.out_proj.bias.asnumpy())


@pytest.mark.parametrize("need_weights", [True, False])
def test_attention_equals_that_of_torch(need_weights):
    cell, peer = nn.MultiheadAttention(8, 2), torch.nn.MultiheadAttention(8, 2)
    _copy_attention(cell, peer)
    q, k, v = draw(3, 2, 8), draw(5, 2, 8), draw(5, 2, 8)
    mask, padding = np.random.rand(3, 5) > 0.7, np.zeros((2, 5), bool)
    padding[0, 4] = mask[:, 0] = False
    padding[0, 3] = True
    found = cell(Tensor(q), Tensor(k), Tensor(v), Tensor(padding), need_weights, Tensor(mask))
    expected, weights = peer(torch.tensor(q), torch.tensor(k), torch.tensor(v), torch.tensor(padding),
                             need_weights, torch.tensor(mask))
    np.testing.assert_allclose(found[0].asnumpy(), expected.detach().numpy(), 1e-4, 1e-5)
    assert len(found) == 1 + need_weights
    if need_weights:
        np.testing.assert_allclose(found[1].asnumpy(), weights.detach().numpy(), 1e-4, 1e-5)


def test_added_keys_and_values_change_the_result_as_in_torch():
    cell = nn.MultiheadAttention(4, 2, add_bias_kv=True, add_zero_attn=True)
    peer = torch.nn.MultiheadAttention(4, 2, add_bias_kv=True, add_zero_attn=True)
    _copy_attention(cell, peer)
    peer.bias_k.data, peer.bias_v.data = (torch.tensor(p.asnumpy()) for p in (cell.bias_k, cell.bias_v))
    q, k = draw(3, 2, 4), draw(5, 2, 4)
    found, _ = cell(Tensor(q), Tensor(k), Tensor(k))
    expected, _ = peer(torch.tensor(q), torch.tensor(k), torch.tensor(k))
    np.testing.assert_allclose(found.asnumpy(), expected.detach().numpy(), 1e-4, 1e-5)


@pytest.mark.parametrize("norm_first", [False, True])
def test_a_transformer_layer_equals_that_of_torch(norm_first):
    cell = nn.TransformerEncoderLayer(8, 2, 16, 0.0, norm_first=norm_first)
    peer = torch.nn.TransformerEncoderLayer(8, 2, 16, 0.0, norm_first=norm_first)
    _copy_attention(cell.self_attn, peer.self_attn)
    for mine, other in ((cell.dense1, peer.linear1), (cell.dense2, peer.linear2)):
        other.weight.data = torch.tensor(mine.weight.asnumpy())
        other.bias.data = torch.tensor(mine.bias.asnumpy())
    x = draw(3, 2, 8)
    np.testing.assert_allclose(cell(Tensor(x)).asnumpy(), peer(torch.tensor(x)).detach().numpy(),
                               1e-4, 1e-5)


def test_a_transformer_has_the_shape_of_its_target():
    net = nn.Transformer(8, 2, 1, 1, 16, 0.0, batch_first=True)
    assert net(Tensor(draw(2, 5, 8)), Tensor(draw(2, 3, 8))).shape == (2, 3, 8)


@pytest.mark.parametrize("kind", ["LSTM", "GRU", "RNN"])
def test_dropout_between_layers_is_for_training_only(kind):
    cell = getattr(nn, kind)(3, 4, 3, dropout=0.5)
    whole = getattr(nn, kind)(3, 4, 3)
    for name, parameter in whole.parameters_dict().items():
        parameter.set_data(cell.parameters_dict()[name])
    x = Tensor(draw(5, 2, 3))
    np.testing.assert_array_equal(cell.set_train(False)(x)[0].asnumpy(), whole(x)[0].asnumpy())
    cell.set_train()
    assert (cell(x)[0].asnumpy() != whole(x)[0].asnumpy()).any()


@pytest.mark.parametrize("layers", [1, 2])
def test_first_states_and_cells_are_not_mistaken(layers):
    cell, peer = nn.LSTM(3, 4, layers, bidirectional=True), torch.nn.LSTM(3, 4, layers, bidirectional=True)
    for name, parameter in peer.named_parameters():
        parameter.data = torch.tensor(cell.parameters_dict()[name].asnumpy())
    x, h, c = draw(5, 2, 3), draw(2 * layers, 2, 4), draw(2 * layers, 2, 4)
    expected, last = peer(torch.tensor(x), (torch.tensor(h), torch.tensor(c)))
    y, state = cell(Tensor(x), (Tensor(h), Tensor(c)))
    for mine, other in zip((y, *state), (expected, *last), strict=True):
        np.testing.assert_allclose(mine.asnumpy(), other.detach().numpy(), 1e-4, 1e-5)


@pytest.mark.parametrize("kind", ["LSTM", "GRU", "RNN"])
def test_layers_one_by_one_are_all_layers_at_once(kind):
    """Dropout that keeps everything lies between the layers: each takes its own part of the states."""
    made = [getattr(nn, kind)(3, 4, 3, dropout=p, bidirectional=True).set_train() for p in (0.0, 1e-30)]
    for one, other in zip(*[cell.get_parameters() for cell in made], strict=True):
        other.set_data(one.value())
    x, states = draw(5, 2, 3), [Tensor(draw(6, 2, 4)) for _ in range(2)]
    given = tuple(states) if kind == "LSTM" else states[0]
    (whole, ends), (parts, lasts) = [cell(Tensor(x), given) for cell in made]
    np.testing.assert_allclose(parts.asnumpy(), whole.asnumpy(), 1e-4, 1e-6)
    pairs = zip(ends, lasts, strict=True) if kind == "LSTM" else [(ends, lasts)]
    for one, other in pairs:
        np.testing.assert_allclose(other.asnumpy(), one.asnumpy(), 1e-4, 1e-6)


def test_a_layer_of_rectified_units_equals_that_of_torch():
    cell, peer = nn.RNN(3, 4, 2, nonlinearity="relu"), torch.nn.RNN(3, 4, 2, nonlinearity="relu")
    for name, parameter in peer.named_parameters():
        parameter.data = torch.tensor(cell.parameters_dict()[name].asnumpy())
    x = draw(5, 2, 3)
    np.testing.assert_allclose(cell(Tensor(x))[0].asnumpy(), peer(torch.tensor(x))[0].detach().numpy(), 1e-4, 1e-5)


class _Minimal(RNNCellBase):
    """A unit with a forget gate alone, as programs derive steps of their own."""

    def __init__(self, inputs, hidden):
        super().__init__(inputs, hidden, True, num_chunks=2)

    def construct(self, x, h):
        gates = ops.matmul(x, self.weight_ih.T) + self.bias_ih + ops.matmul(h, self.weight_hh.T) + self.bias_hh
        forget, new = ops.chunk(gates, 2, 1)
        return h + ops.sigmoid(forget) * (ops.tanh(new) - h)


def test_steps_of_programs_derive_from_the_base_of_steps():
    cell = _Minimal(3, 4)
    x, h = draw(2, 3), draw(2, 4)
    w_ih, w_hh, b_ih, b_hh = (p.asnumpy() for p in (cell.weight_ih, cell.weight_hh, cell.bias_ih, cell.bias_hh))
    assert (w_ih.shape, w_hh.shape, b_ih.shape) == ((8, 3), (8, 4), (8,))
    assert max(abs(w_ih).max(), abs(b_hh).max()) <= 0.5                  # 1 / sqrt(hidden)
    forget, new = np.split(x @ w_ih.T + b_ih + h @ w_hh.T + b_hh, 2, 1)
    expected = h + (np.tanh(new) - h) / (1 + np.exp(-forget))
    np.testing.assert_allclose(cell(Tensor(x), Tensor(h)).asnumpy(), expected, 1e-5, 1e-6)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("kind", ["LSTM", "GRU", "RNN"])
def test_functions_of_one_step_equal_the_cells(kind, bias):
    step = {"LSTM": _lstm_cell, "GRU": _gru_cell, "RNN": _rnn_tanh_cell}[kind]
    cell = getattr(nn, kind + "Cell")(3, 4, bias)
    x, h = Tensor(draw(2, 3)), Tensor(draw(2, 4))
    state = (h, Tensor(draw(2, 4))) if kind == "LSTM" else h
    found = step(x, state, cell.weight_ih, cell.weight_hh, cell.bias_ih, cell.bias_hh)
    for mine, expected in zip(*[v if kind == "LSTM" else [v] for v in (found, cell(x, state))], strict=True):
        np.testing.assert_allclose(mine.asnumpy(), expected.asnumpy(), 1e-6, 1e-6)
    if kind == "RNN":
        relu = _rnn_relu_cell(x, h, cell.weight_ih, cell.weight_hh, cell.bias_ih, cell.bias_hh).asnumpy()
        np.testing.assert_allclose(np.tanh(relu), np.maximum(found.asnumpy(), 0), 1e-5, 1e-6)
