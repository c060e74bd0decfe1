"""A Transformer turns numbers round: encoder, decoder, teacher forcing, greedy decoding (1.8).

    python examples/from_2022/translation.py [--mode graph|pynative] [--steps N]
"""
import argparse

import numpy as np

import mindspore as ms
from mindspore import nn, ops

PAD, BEGIN, END, FIRST = 0, 1, 2, 3
SOURCE, TARGET = 8, 10          # words of the source and the target, padded


def pairs(count, rng):
    """Rows of figures, and the same rows reversed as words of another language."""
    source, target = np.zeros((count, SOURCE), np.int32), np.zeros((count, TARGET), np.int32)
    for i in range(count):
        row = rng.randint(0, 6, rng.randint(3, SOURCE + 1))
        source[i, :len(row)] = FIRST + row
        target[i, :len(row) + 2] = [BEGIN, *(FIRST + 5 - row[::-1]), END]
    return source, target


class MultiHeadAttention(nn.Cell):
    """Attention of one row on another, or on itself."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.size = heads, width // heads
        self.q, self.k, self.v, self.o = [nn.Dense(width, width, "xavier_uniform") for _ in range(4)]
        self.softmax = nn.Softmax(axis=-1)

    def split(self, x):
        return x.reshape(x.shape[0], x.shape[1], self.heads, self.size).transpose(0, 2, 1, 3)

    def construct(self, x, memory, mask):
        q, k, v = self.split(self.q(x)), self.split(self.k(memory)), self.split(self.v(memory))
        scores = ops.matmul(q, k.transpose(0, 1, 3, 2)) / self.size ** 0.5
        weights = self.softmax(ops.masked_fill(scores, ops.logical_not(mask), -1e9))
        mixed = ops.matmul(weights, v).transpose(0, 2, 1, 3)
        return self.o(mixed.reshape(x.shape))


class Layer(nn.Cell):
    """Attention on oneself, on a memory if there is one, and two dense layers; each normalised before."""

    def __init__(self, width, heads, decodes):
        super().__init__()
        self.own, self.norm = MultiHeadAttention(width, heads), nn.LayerNorm((width,))
        self.decodes = decodes
        if decodes:
            self.cross, self.norm_cross = MultiHeadAttention(width, heads), nn.LayerNorm((width,))
        self.norm_dense = nn.LayerNorm((width,))
        self.dense = nn.SequentialCell(nn.Dense(width, 2 * width), nn.ReLU(), nn.Dense(2 * width, width))

    def construct(self, x, mask, memory=None, memory_mask=None):
        y = self.norm(x)
        x = x + self.own(y, y, mask)
        if self.decodes:
            x = x + self.cross(self.norm_cross(x), memory, memory_mask)
        return x + self.dense(self.norm_dense(x))


class Transformer(nn.Cell):
    """Vaswani et al. 2017, one layer on each side."""

    def __init__(self, words=9, width=32, heads=4):
        super().__init__()
        self.source, self.target = nn.Embedding(words, width), nn.Embedding(words, width)
        rows, columns = np.arange(TARGET)[:, None], np.arange(width)[None]
        angles = rows / 10000 ** (columns // 2 * 2 / width)
        self.places = ms.Tensor(np.where(columns % 2, np.cos(angles), np.sin(angles)).astype(np.float32))
        self.encoder, self.decoder = Layer(width, heads, False), Layer(width, heads, True)
        self.norm_e, self.norm_d, self.out = nn.LayerNorm((width,)), nn.LayerNorm((width,)), nn.Dense(width, words)
        self.triangle = ms.Tensor(np.tril(np.ones((TARGET, TARGET), bool)))
        self.scale = width ** 0.5

    def encode(self, source):
        mask = (source != PAD).expand_dims(1).expand_dims(1)
        x = self.source(source) * self.scale + self.places[:SOURCE]
        return self.norm_e(self.encoder(x, mask)), mask

    def decode(self, target, memory, memory_mask):
        length = target.shape[1]
        mask = ops.logical_and((target != PAD).expand_dims(1).expand_dims(1), self.triangle[:length, :length])
        y = self.target(target) * self.scale + self.places[:length]
        return self.out(self.norm_d(self.decoder(y, mask, memory, memory_mask)))

    def construct(self, source, target):
        memory, memory_mask = self.encode(source)
        return self.decode(target, memory, memory_mask)


def translated(net, source):
    """Word by word, always the likeliest."""
    rows = np.full((len(source), TARGET - 1), PAD, np.int32)
    rows[:, 0] = BEGIN
    for at in range(TARGET - 2):
        logits = net(ms.Tensor(source), ms.Tensor(rows)).asnumpy()
        rows[:, at + 1] = np.where(np.isin(rows[:, at], (END, PAD)), PAD, logits[:, at].argmax(-1))
    return rows


def main(mode="graph", steps=150, batch=32):
    """The losses at the beginning and at the end, and the part of the rows that come out whole."""
    ms.set_context(mode=ms.GRAPH_MODE if mode == "graph" else ms.PYNATIVE_MODE)
    ms.set_seed(2)
    net, rng = Transformer(), np.random.RandomState(0)
    entropy = nn.CrossEntropyLoss(ignore_index=PAD, label_smoothing=0.0)

    def forward(source, given, wanted):
        logits = net(source, given)
        return entropy(logits.reshape(-1, logits.shape[-1]), wanted.reshape(-1))

    optimizer = nn.Adam(net.trainable_params(), learning_rate=0.005, beta2=0.98)
    grad_fn = ops.value_and_grad(forward, None, optimizer.parameters)

    def train_step(source, given, wanted):
        loss, grads = grad_fn(source, given, wanted)
        return ops.depend(loss, optimizer(ops.clip_by_global_norm(grads, 1.0)))

    if mode == "graph":
        train_step = ms.ms_function(train_step)
    net.set_train()
    losses = []
    for step in range(steps):
        source, target = pairs(batch, rng)
        losses.append(float(train_step(*[ms.Tensor(a) for a in (source, target[:, :-1], target[:, 1:])])))
        if step % 50 == 0:
            print(f"step {step}: loss {losses[-1]:.3f}")
    net.set_train(False)
    source, target = pairs(64, np.random.RandomState(1))
    found = translated(net, source)
    whole = float(np.mean((found == np.where(target == END, END, target)[:, :-1]).all(1)))
    print(f"loss {losses[0]:.3f} -> {losses[-1]:.3f}, whole rows right: {whole:.2f}")
    return {"first": losses[0], "last": losses[-1], "whole": whole}


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode", choices=["graph", "pynative"], default="graph")
    parser.add_argument("--steps", type=int, default=500)
    main(**vars(parser.parse_args()))
