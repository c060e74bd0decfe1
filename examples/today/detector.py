"""A detector in YOLO's manner finds squares and discs: targets on a grid, three losses, suppression (2.x).

    python examples/today/detector.py [--mode graph|pynative] [--steps N]
"""
import argparse

import numpy as np

import mindspore as ms
from mindspore import Tensor, nn, ops

SIZE, CELLS, KINDS = 32, 4, 2
STRIDE = SIZE // CELLS


def scene(rng):
    """A picture (1, 32, 32) with one or two things, and their boxes: kind, middle (x, y), width, height."""
    image, boxes = rng.normal(0, 0.05, (SIZE, SIZE)), []
    rows, columns = np.mgrid[:SIZE, :SIZE]
    for _ in range(rng.randint(1, 3)):
        kind, half = rng.randint(KINDS), rng.randint(3, 6)
        x, y = rng.randint(half, SIZE - half, 2)
        if any(max(abs(x - b[1]), abs(y - b[2])) < half + b[3] / 2 + 2 for b in boxes):
            continue
        apart = np.maximum(abs(rows - y), abs(columns - x)) if kind else np.hypot(rows - y, columns - x)
        image[apart <= half] += 1
        boxes.append((kind, x, y, 2 * half, 2 * half))
    return image[None].astype(np.float32), boxes


def target_of(boxes):
    """On the grid: whether a middle is there, where in the cell, the size (as a logarithm), and the kind."""
    grid = np.zeros((6, CELLS, CELLS), np.float32)
    for kind, x, y, width, height in boxes:
        row, column = y // STRIDE, x // STRIDE
        offset, size = (x / STRIDE - column, y / STRIDE - row), (np.log(width / STRIDE), np.log(height / STRIDE))
        grid[:, row, column] = [1, *offset, *size, kind]
    return grid


class Detector(nn.Cell):
    """Three convolutions that halve the picture, and a head with seven numbers for each cell of the grid."""

    def __init__(self):
        super().__init__()
        self.backbone = nn.SequentialCell(self.halved(1, 16), self.halved(16, 32), self.halved(32, 32))
        self.head = nn.SequentialCell(nn.Conv2d(32, 32, 3, pad_mode="same", weight_init="HeUniform"), nn.LeakyReLU(0.1),
                                      nn.Conv2d(32, 5 + KINDS, 1, has_bias=True))

    def halved(self, before, after):
        return nn.SequentialCell(nn.Conv2d(before, after, 3, stride=2, pad_mode="same", weight_init="HeUniform"),
                                 nn.BatchNorm2d(after), nn.LeakyReLU(0.1))

    def construct(self, x):
        out = self.head(self.backbone(x))
        return out[:, 0], ops.sigmoid(out[:, 1:3]), out[:, 3:5], out[:, 5:]


class DetectionLoss(nn.Cell):
    """Whether something is there, everywhere; where, how large and which, in the cells that have something."""

    def construct(self, found, target):
        there, offset, size, kinds = found
        has = target[:, 0]
        count = ops.maximum(has.sum(), Tensor(1.0, ms.float32))
        of_there = ops.binary_cross_entropy_with_logits(there, has, ops.ones_like(has), ops.full_like(has, 3.0))
        of_box = (ops.square(offset - target[:, 1:3]) + ops.square(size - target[:, 3:5])) * has.expand_dims(1)
        kind = target[:, 5].reshape(-1).astype(ms.int32)
        each = ops.cross_entropy(kinds.transpose(0, 2, 3, 1).reshape(-1, KINDS), kind, reduction="none")
        return of_there + 5 * of_box.sum() / count + (each * has.reshape(-1)).sum() / count


def boxes_of(found, limit=0.5):
    """The boxes of one picture whose chance is above the limit, without those that overlap a better one."""
    there, offset, size, kinds = [v[0].asnumpy() for v in found]
    chance = 1 / (1 + np.exp(-there))
    rows, columns = np.nonzero(chance > limit)
    middle = (offset[:, rows, columns] + np.stack([columns, rows])) * STRIDE
    extent = np.exp(size[:, rows, columns]) * STRIDE
    if not len(rows):
        return []
    corners = np.concatenate([middle - extent / 2, middle + extent / 2, chance[None, rows, columns]]).T
    _, places, kept = ops.NMSWithMask(0.4)(Tensor(corners.astype(np.float32)))
    places = places.asnumpy()[kept.asnumpy()]
    return [(int(kinds[:, rows[i], columns[i]].argmax()), *middle[:, i], *extent[:, i]) for i in places]


def main(mode="graph", steps=120, batch=16):
    """The losses at the beginning and at the end; which part of the things in other pictures is found."""
    ms.set_context(mode=ms.GRAPH_MODE if mode == "graph" else ms.PYNATIVE_MODE)
    ms.set_seed(1)
    rng = np.random.RandomState(0)
    net, loss_fn = Detector(), DetectionLoss()
    optimizer = nn.Adam(net.trainable_params(), learning_rate=nn.cosine_decay_lr(1e-4, 0.01, steps, steps, 1))
    grad_fn = ms.value_and_grad(lambda x, y: loss_fn(net(x), y), None, optimizer.parameters)
    net.set_train()
    losses = []
    for step in range(steps):
        scenes = [scene(rng) for _ in range(batch)]
        images, targets = np.stack([s[0] for s in scenes]), np.stack([target_of(s[1]) for s in scenes])
        loss, grads = grad_fn(Tensor(images), Tensor(targets))
        optimizer(grads)
        losses.append(float(loss))
        if step % 20 == 0:
            print(f"step {step}: loss {losses[-1]:.3f}")
    net.set_train(False)
    wanted = found = false = 0
    for image, boxes in [scene(np.random.RandomState(100 + k)) for k in range(32)]:
        told = boxes_of(net(Tensor(image[None])))
        hits = [any(k == b[0] and abs(x - b[1]) < 3 and abs(y - b[2]) < 3 for k, x, y, _, _ in told) for b in boxes]
        wanted, found, false = wanted + len(boxes), found + sum(hits), false + max(len(told) - sum(hits), 0)
    print(f"loss {losses[0]:.2f} -> {losses[-1]:.2f}; {found} of {wanted} found, {false} false")
    return {"first": losses[0], "last": losses[-1], "found": found / wanted, "false": false / wanted}


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode", choices=["graph", "pynative"], default="graph")
    parser.add_argument("--steps", type=int, default=300)
    main(**vars(parser.parse_args()))
