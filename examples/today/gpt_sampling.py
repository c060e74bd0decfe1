"""A small GPT learns to count and writes on, with a cache of keys and values (2.x).

    python examples/today/gpt_sampling.py [--mode graph|pynative] [--steps N]
"""
import argparse

import numpy as np

import mindspore as ms
from mindspore import Parameter, Tensor, mint, nn, ops
from mindspore.common.initializer import Normal, initializer

TEXT = "one two three four five six seven eight nine ten "
LETTERS = sorted(set(TEXT))
CONTEXT = 24


class Block(nn.Cell):
    """Causal attention and two dense layers, each normalised before; keys and values may come from a cache."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.size = heads, width // heads
        self.norm1, self.norm2 = nn.LayerNorm((width,)), nn.LayerNorm((width,))
        self.qkv, self.out = mint.nn.Linear(width, 3 * width), mint.nn.Linear(width, width)
        self.wide, self.narrow = mint.nn.Linear(width, 4 * width), mint.nn.Linear(4 * width, width)

    def construct(self, x, mask, past=None):
        batch, length, width = x.shape
        qkv = self.qkv(self.norm1(x)).reshape(batch, length, 3, self.heads, self.size).transpose(2, 0, 3, 1, 4)
        q, k, v = qkv[0], qkv[1], qkv[2]
        if past is not None:
            k, v = mint.cat((past[0], k), 2), mint.cat((past[1], v), 2)
        scores = mint.matmul(q, k.swapaxes(-1, -2)) * self.size ** -0.5
        weights = mint.nn.functional.softmax(scores.masked_fill(mask, -1e9), -1)
        mixed = mint.matmul(weights, v).transpose(0, 2, 1, 3).reshape(batch, length, width)
        x = x + self.out(mixed)
        return x + self.narrow(mint.nn.functional.gelu(self.wide(self.norm2(x)))), (k, v)


class GPT(nn.Cell):
    """Letters and places as vectors, blocks, and the letters' vectors again as the last layer."""

    def __init__(self, letters, width=48, heads=4, layers=2):
        super().__init__()
        self.letters = Parameter(initializer(Normal(0.1), (letters, width)), name="letters")
        self.places = Parameter(initializer(Normal(0.1), (CONTEXT, width)), name="places")
        self.blocks = nn.CellList([Block(width, heads) for _ in range(layers)])
        self.norm = nn.LayerNorm((width,))

    def construct(self, ids, start=0, past=None):
        length = ids.shape[1]
        x = self.letters[ids] + self.places[start:start + length]
        mask = mint.triu(mint.ones((length, start + length), dtype=ms.bool_), start + 1)
        kept = []
        for i, block in enumerate(self.blocks):
            x, pair = block(x, mask, None if past is None else past[i])
            kept.append(pair)
        return mint.matmul(self.norm(x), self.letters.T), kept


def batch_of(ids, count, rng):
    starts = rng.integers(0, len(TEXT), count)
    rows = np.stack([ids[s:s + CONTEXT + 1] for s in starts])
    return Tensor(rows[:, :-1]), Tensor(rows[:, 1:])


def written(net, prompt, count, temperature, rng, cached):
    """The prompt and what follows: the likeliest letters, or drawn ones; from a cache, or computed anew each time."""
    ids, past = [LETTERS.index(c) for c in prompt], None
    for _ in range(count):
        if cached and past is not None:
            logits, past = net(Tensor([ids[-1:]], ms.int32), len(ids) - 1, past)
        else:
            logits, past = net(Tensor([ids], ms.int32))
        last = logits[0, -1].asnumpy().astype(np.float64)
        if temperature:
            chances = np.exp((last - last.max()) / temperature)
            ids.append(int(rng.choice(len(LETTERS), p=chances / chances.sum())))
        else:
            ids.append(int(last.argmax()))
    return "".join(LETTERS[i] for i in ids)


def main(mode="graph", steps=120):
    """The losses at the beginning and at the end, and what is written after "one t"."""
    ms.set_context(mode=ms.GRAPH_MODE if mode == "graph" else ms.PYNATIVE_MODE)
    ms.set_seed(1)
    rng = np.random.default_rng(0)
    ids = np.array([LETTERS.index(c) for c in TEXT * 3], np.int32)
    net = GPT(len(LETTERS))
    optimizer = nn.AdamWeightDecay(net.trainable_params(), learning_rate=3e-3, weight_decay=0.01)

    def forward(given, wanted):
        logits, _ = net(given)
        return mint.nn.functional.cross_entropy(logits.reshape(-1, len(LETTERS)), wanted.reshape(-1))

    grad_fn = ms.value_and_grad(forward, None, optimizer.parameters)
    losses = []
    for step in range(steps):
        loss, grads = grad_fn(*batch_of(ids, 8, rng))
        optimizer(ops.clip_by_global_norm(grads, 1.0))
        losses.append(float(loss))
        if step % 40 == 0:
            print(f"step {step}: loss {losses[-1]:.3f}")
    net.set_train(False)
    found = {cached: written(net, "one t", CONTEXT - 6, 0, rng, cached) for cached in (False, True)}
    drawn = written(net, "six ", CONTEXT - 6, 0.5, rng, True)
    print(f"{found[True]!r}, drawn: {drawn!r}")
    return {"first": losses[0], "last": losses[-1], "written": found[True], "anew": found[False], "drawn": drawn}


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode", choices=["graph", "pynative"], default="graph")
    parser.add_argument("--steps", type=int, default=300)
    main(**vars(parser.parse_args()))
