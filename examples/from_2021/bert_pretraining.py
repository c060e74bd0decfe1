"""A small BERT learns to fill in masked words and to tell which sentence follows (1.3), with dynamic loss scale.

    python examples/from_2021/bert_pretraining.py [--mode graph|pynative] [--steps N]
"""
import argparse
import math

import numpy as np

import mindspore as ms
import mindspore.nn as nn
import mindspore.ops as ops
from mindspore import Parameter, Tensor, context, set_seed
from mindspore.common.initializer import TruncatedNormal, initializer
from mindspore.nn.learning_rate_schedule import LearningRateSchedule, PolynomialDecayLR, WarmUpLR
from mindspore.nn.wrap.loss_scale import DynamicLossScaleUpdateCell
from mindspore.ops import functional as F

PAD, CLS, SEP, MASK, FIRST = 0, 1, 2, 3, 4       # `FIRST` is the first word proper
VOCABULARY, LENGTH = 24, 16


class Attention(nn.Cell):
    """Self-attention of several heads with a mask."""

    def __init__(self, width, heads):
        super().__init__()
        weight = TruncatedNormal(0.1)
        self.query, self.key, self.value, self.out = [nn.Dense(width, width, weight) for _ in range(4)]
        self.heads, self.size = heads, width // heads
        self.transpose, self.reshape = ops.Transpose(), ops.Reshape()
        self.scores, self.mix = ops.BatchMatMul(transpose_b=True), ops.BatchMatMul()
        self.softmax = nn.Softmax()
        self.scale = 1.0 / math.sqrt(self.size)

    def split(self, x, shape):
        return self.transpose(self.reshape(x, (shape[0], shape[1], self.heads, self.size)), (0, 2, 1, 3))

    def construct(self, x, mask):
        shape = x.shape
        q, k, v = self.split(self.query(x), shape), self.split(self.key(x), shape), self.split(self.value(x), shape)
        weights = self.softmax(self.scores(q, k) * self.scale + (1.0 - mask) * -10000.0)
        mixed = self.transpose(self.mix(weights, v), (0, 2, 1, 3))
        return self.out(self.reshape(mixed, shape))


class EncoderLayer(nn.Cell):
    """Attention and two dense layers, each beside the identity and normalised."""

    def __init__(self, width, heads):
        super().__init__()
        self.attention = Attention(width, heads)
        self.norm1, self.norm2 = nn.LayerNorm((width,)), nn.LayerNorm((width,))
        self.wide = nn.Dense(width, 4 * width, TruncatedNormal(0.1), activation="gelu")
        self.narrow = nn.Dense(4 * width, width)

    def construct(self, x, mask):
        x = self.norm1(x + self.attention(x, mask))
        return self.norm2(x + self.narrow(self.wide(x)))


class Bert(nn.Cell):
    """Words, places and sentences as vectors; encoder layers; the vector of the first place."""

    def __init__(self, width=32, heads=2, layers=1):
        super().__init__()
        table = [initializer(TruncatedNormal(0.1), shape, ms.float32) for shape in
                 [(VOCABULARY, width), (LENGTH, width), (2, width)]]
        self.words, self.places, self.sentences = [
            Parameter(t, name=n) for t, n in zip(table, ("words", "places", "sentences"))]
        self.norm = nn.LayerNorm((width,))
        self.layers = nn.CellList([EncoderLayer(width, heads) for _ in range(layers)])
        self.pooler = nn.Dense(width, width, activation="tanh")
        self.gather = ops.Gather()

    def construct(self, ids, types, mask):
        x = self.norm(self.gather(self.words, ids, 0) + self.places + self.gather(self.sentences, types, 0))
        mask = mask.expand_dims(1).expand_dims(1)
        for layer in self.layers:
            x = layer(x, mask)
        return x, self.pooler(x[:, 0])


class BertPreTraining(nn.Cell):
    """The loss of masked words plus that of the order of the sentences."""

    def __init__(self, bert):
        super().__init__()
        self.bert = bert
        self.dense, self.norm = nn.Dense(32, 32, activation="gelu"), nn.LayerNorm((32,))
        self.bias = Parameter(initializer("zeros", (VOCABULARY,), ms.float32), name="bias")
        self.follows = nn.Dense(32, 2)
        self.matmul = ops.MatMul(transpose_b=True)
        self.log_softmax, self.one_hot = ops.LogSoftmax(-1), ops.OneHot()
        self.on, self.off = Tensor(1.0, ms.float32), Tensor(0.0, ms.float32)

    def entropy(self, logits, labels, depth):
        return -(self.log_softmax(logits) * self.one_hot(labels, depth, self.on, self.off)).sum(-1)

    def construct(self, ids, types, mask, places, words, weights, label):
        x, pooled = self.bert(ids, types, mask)
        batch, count = places.shape
        rows = ops.tuple_to_array(ops.make_range(batch)).reshape(batch, 1) * LENGTH
        picked = x.reshape(-1, 32)[(places + rows).reshape(-1)]
        logits = self.matmul(self.norm(self.dense(picked)), self.bert.words) + self.bias
        weights = weights.reshape(-1)
        of_words = (self.entropy(logits, words.reshape(-1), VOCABULARY) * weights).sum() / (weights.sum() + 1e-5)
        return of_words + self.entropy(self.follows(pooled), label, 2).mean()


class WarmThenFall(LearningRateSchedule):
    """A rate that rises in the first steps and then falls."""

    def __init__(self, rate, warm, steps):
        super().__init__()
        self.warm, self.rising = Tensor(float(warm)), WarmUpLR(rate, warm)
        self.falling = PolynomialDecayLR(rate, rate / 10, steps, 1.0)

    def construct(self, global_step):
        early = F.cast(global_step < self.warm, ms.float32)
        return early * self.rising(global_step) + (1 - early) * self.falling(global_step)


def batch_of(count, rng):
    """Two rows, each of one word; the second has the next word, or any. Three words are masked."""
    half = LENGTH // 2 - 2
    arrays = [[] for _ in range(7)]
    for _ in range(count):
        start, follows = rng.randint(VOCABULARY - FIRST), rng.randint(2)
        second = start + 1 if follows else rng.randint(VOCABULARY - FIRST)
        rows = [[FIRST + s % (VOCABULARY - FIRST)] * half for s in (start, second)]
        ids = [CLS, *rows[0], SEP, *rows[1], SEP]
        types, mask = [0] * (half + 2) + [1] * (half + 1), [1.0] * len(ids)
        ids, types, mask = [v + [0] * (LENGTH - len(v)) for v in (ids, types, mask)]
        places = np.sort(rng.choice([*range(2, half), *range(half + 3, 2 * half + 1)], 3, False))
        words = [ids[p] for p in places]
        for p in places:
            ids[p] = MASK
        for array, value in zip(arrays, (ids, types, mask, places, words, [1.0] * 3, follows)):
            array.append(value)
    kinds = [np.int32, np.int32, np.float32, np.int32, np.int32, np.float32, np.int32]
    return [Tensor(np.array(a, k)) for a, k in zip(arrays, kinds)]


def main(mode="graph", steps=100, batch=16):
    """The losses at the beginning and at the end (means of ten steps), and the last loss scale."""
    context.set_context(mode=context.GRAPH_MODE if mode == "graph" else context.PYNATIVE_MODE)
    set_seed(2)
    rng = np.random.RandomState(0)
    net = BertPreTraining(Bert())
    decays = lambda p: "norm" not in p.name.lower() and "bias" not in p.name
    groups = [{"params": [p for p in net.trainable_params() if decays(p)], "weight_decay": 0.01},
              {"params": [p for p in net.trainable_params() if not decays(p)], "weight_decay": 0.0}]
    optimizer = nn.AdamWeightDecay(groups, WarmThenFall(0.003, 10, steps))
    manager = DynamicLossScaleUpdateCell(loss_scale_value=2 ** 16, scale_factor=2, scale_window=20)
    step = nn.TrainOneStepWithLossScaleCell(net, optimizer, scale_sense=manager)
    step.set_train()
    losses = []
    for number in range(steps):
        loss, overflow, scale = step(*batch_of(batch, rng))
        losses.append(float(loss.asnumpy()))
        if number % 20 == 0:
            print(f"step {number}: loss {losses[-1]:.3f}, overflow {overflow}, scale {float(scale.asnumpy()):.0f}")
    first, last = np.mean(losses[:10]), np.mean(losses[-10:])
    print(f"loss {first:.3f} -> {last:.3f}")
    return {"first": float(first), "last": float(last), "scale": float(scale.asnumpy())}


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode", choices=["graph", "pynative"], default="graph")
    parser.add_argument("--steps", type=int, default=400)
    main(**vars(parser.parse_args()))
