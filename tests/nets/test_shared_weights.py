"""Networks that use a weight several times have the gradients of torch: each use adds its part."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from mindspore import Tensor, nn, ops

pytestmark = [pytest.mark.nets, pytest.mark.usefixtures("both_modes")]


def normal(*shape):
    return np.random.standard_normal(shape).astype(np.float32)


def check(twins, net, model, inputs, labels):
    twins.copy_weights(model, net)
    expected = twins.torch_gradients(model, torch.nn.CrossEntropyLoss(), inputs, labels)
    found = twins.cell_gradients(net, nn.CrossEntropyLoss(), inputs, labels.astype(np.int32))
    twins.assert_same(found, expected)


class TiedWords(nn.Cell):
    """The table of the embedding also scores the words."""

    def __init__(self):
        super().__init__()
        self.embed, self.mix = nn.Embedding(9, 5), nn.Dense(5, 5, activation="tanh")

    def construct(self, tokens):
        return ops.matmul(self.mix(self.embed(tokens)), self.embed.embedding_table.T)


class TorchTiedWords(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.mix = torch.nn.Embedding(9, 5), torch.nn.Linear(5, 5)

    def forward(self, tokens):
        return torch.tanh(self.mix(self.embed(tokens))) @ self.embed.weight.T


def test_an_embedding_that_is_also_the_output_layer(twins):
    tokens, labels = np.array([1, 4, 4, 8], np.int32), np.array([4, 0, 2, 1])
    check(twins, TiedWords(), TorchTiedWords(), [tokens], labels)


class Siamese(nn.Cell):
    """One encoder for two images; the distance decides."""

    def __init__(self):
        super().__init__()
        self.encode = nn.SequentialCell(nn.Conv2d(1, 3, 3, pad_mode="valid", has_bias=True), nn.ReLU(),
                                        nn.Flatten(), nn.Dense(48, 5))
        self.head = nn.Dense(5, 2)

    def construct(self, x, y):
        return self.head(ops.abs(self.encode(x) - self.encode(y)))


class TorchSiamese(torch.nn.Module):
    def __init__(self):
        super().__init__()
        t = torch.nn
        self.encode = t.Sequential(t.Conv2d(1, 3, 3), t.ReLU(), t.Flatten(), t.Linear(48, 5))
        self.head = t.Linear(5, 2)

    def forward(self, x, y):
        return self.head((self.encode(x) - self.encode(y)).abs())


def test_an_encoder_of_two_inputs(twins):
    inputs = [normal(3, 1, 6, 6), normal(3, 1, 6, 6)]
    check(twins, Siamese(), TorchSiamese(), inputs, np.array([0, 1, 1]))


class Unrolled(nn.Cell):
    """A recurrent cell that is called once for every element of the sequence (T, N, I)."""

    def __init__(self, kind):
        super().__init__()
        self.step = {"lstm": nn.LSTMCell, "gru": nn.GRUCell, "rnn": nn.RNNCell}[kind](3, 4)
        self.pair, self.head = kind == "lstm", nn.Dense(4, 2)

    def construct(self, x):
        h = c = ops.zeros((x.shape[1], 4), x.dtype)
        for i in range(x.shape[0]):
            if self.pair:
                h, c = self.step(x[i], (h, c))
            else:
                h = self.step(x[i], h)
        return self.head(h)


class TorchUnrolled(torch.nn.Module):
    def __init__(self, kind):
        super().__init__()
        t = torch.nn
        self.step = {"lstm": t.LSTMCell, "gru": t.GRUCell, "rnn": t.RNNCell}[kind](3, 4)
        self.pair, self.head = kind == "lstm", t.Linear(4, 2)

    def forward(self, x):
        h = c = torch.zeros(x.shape[1], 4)
        for part in x:
            if self.pair:
                h, c = self.step(part, (h, c))
            else:
                h = self.step(part, h)
        return self.head(h)


@pytest.mark.parametrize("kind", ["lstm", "gru", "rnn"])
def test_a_recurrent_cell_in_a_loop(twins, kind):
    check(twins, Unrolled(kind), TorchUnrolled(kind), [normal(5, 3, 3)], np.array([0, 1, 1]))


class Until(nn.Cell):
    """The same layer again until the state is long enough: how often, the numbers decide."""

    def __init__(self):
        super().__init__()
        self.layer, self.head = nn.Dense(4, 4), nn.Dense(4, 2)

    def construct(self, x):
        while (x * x).sum() < 200:
            x = 1.5 * x + ops.tanh(self.layer(x))
        return self.head(x)


class TorchUntil(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.head = torch.nn.Linear(4, 4), torch.nn.Linear(4, 2)

    def forward(self, x):
        while (x * x).sum() < 200:
            x = 1.5 * x + torch.tanh(self.layer(x))
        return self.head(x)


@pytest.mark.parametrize("size", [0.1, 1.0, 20.0], ids=["many times", "some times", "never"])
def test_a_layer_in_a_loop_of_unknown_length(twins, size):
    class WithoutLayer(TorchUntil):  # torch.autograd.grad wants every parameter to be used
        def forward(self, x):
            return super().forward(x) + 0 * self.layer(x).sum()

    check(twins, Until(), WithoutLayer(), [(size * normal(3, 4)).astype(np.float32)],
          np.array([0, 1, 1]))


class Translator(nn.Cell):
    """The whole transformer; encoder and decoder share an embedding."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(9, 6)
        self.transformer = nn.Transformer(6, 2, 1, 1, 8, dropout=0.0, batch_first=True)
        self.head = nn.Dense(6, 9)
        self.mask = Tensor(np.triu(np.ones((4, 4), bool), 1))

    def construct(self, source, target):
        y = self.transformer(self.embed(source), self.embed(target), tgt_mask=self.mask)
        return self.head(y).reshape(-1, 9)


class TorchTranslator(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = torch.nn.Embedding(9, 6)
        self.transformer = torch.nn.Transformer(6, 2, 1, 1, 8, dropout=0.0, batch_first=True)
        self.head = torch.nn.Linear(6, 9)
        self.mask = np.triu(np.ones((4, 4), bool), 1)

    def forward(self, source, target):
        mask = torch.tensor(self.mask)
        y = self.transformer(self.embed(source), self.embed(target), tgt_mask=mask)
        return self.head(y).reshape(-1, 9)


def test_a_transformer_whose_halves_share_the_embedding(twins):
    rng = np.random.default_rng(0)
    source, target = (rng.integers(0, 9, shape).astype(np.int32) for shape in [(2, 5), (2, 4)])
    check(twins, Translator(), TorchTranslator(), [source, target], rng.integers(0, 9, (8,)))
