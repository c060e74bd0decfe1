"""k nearest neighbours, k-means and principal components as compositions of operators (1.0), on wines.

    python examples/from_2020/nearest_neighbours.py [--mode graph|pynative]
"""
import argparse

import numpy as np
from sklearn.datasets import load_wine

import mindspore as ms
import mindspore.nn as nn
from mindspore import Tensor, context
from mindspore.ops import functional as F
from mindspore.ops import operations as P


class KnnNet(nn.Cell):
    """The places of the k samples that are nearest to one."""

    def __init__(self, k):
        super(KnnNet, self).__init__()
        self.topk = P.TopK()
        self.k = k

    def construct(self, x, samples):
        tiled = P.Tile()(x, (samples.shape[0], 1))
        square = F.square(tiled - samples)
        distance = P.Sqrt()(P.ReduceSum()(square, 1))
        values, indices = self.topk(-distance, self.k)
        return values, indices


class KMeansStep(nn.Cell):
    """The nearest centre of each sample, and the means of the samples of each centre."""

    def __init__(self, count):
        super(KMeansStep, self).__init__()
        self.one_hot = P.OneHot()
        self.argmin = P.Argmin(axis=1)
        self.count = count
        self.on, self.off = Tensor(1.0, ms.float32), Tensor(0.0, ms.float32)

    def construct(self, samples, centres):
        apart = P.ExpandDims()(samples, 1) - P.ExpandDims()(centres, 0)
        nearest = self.argmin(P.ReduceSum()(apart * apart, 2))
        member = self.one_hot(nearest, self.count, self.on, self.off)
        sums = P.MatMul(transpose_a=True)(member, samples)
        counts = P.ReduceSum(keep_dims=True)(member, 0)
        return nearest, sums / P.Maximum()(P.Transpose()(counts, (1, 0)), self.on)


class FirstComponent(nn.Cell):
    """The direction of the greatest variance, by repeated products (power iteration)."""

    def __init__(self, steps):
        super(FirstComponent, self).__init__()
        self.steps = steps

    def construct(self, centred, direction):
        for _ in range(self.steps):
            direction = P.MatMul(transpose_a=True)(centred, P.MatMul()(centred, direction))
            direction = direction / P.Sqrt()(P.ReduceSum()(F.square(direction)))
        return direction


def wines(seed=1):
    """Measures with mean 0 and variance 1, and kinds, of wines: 128 to learn from, 50 to test on."""
    x, y = load_wine(return_X_y=True)
    x = ((x - x.mean(0)) / x.std(0)).astype(np.float32)
    order = np.random.RandomState(seed).permutation(len(x))
    return x[order[:128]], y[order[:128]], x[order[128:]], y[order[128:]]


def main(mode="graph", k=5):
    """How many of the test wines are told rightly by neighbours and by clusters, and the variance of a direction."""
    context.set_context(mode=context.GRAPH_MODE if mode == "graph" else context.PYNATIVE_MODE)
    x, y, x_test, y_test = wines()
    samples, net, right = Tensor(x), KnnNet(k), 0
    for one, kind in zip(x_test, y_test):
        _, places = net(Tensor(one), samples)
        votes = np.bincount(y[places.asnumpy()], minlength=3)
        right += int(votes.argmax() == kind)
    by_neighbours = right / len(x_test)

    step, centres = KMeansStep(3), Tensor(x[[0, 3, 5]])
    for _ in range(20):
        nearest, centres = step(samples, centres)
    kinds = np.array([np.bincount(y[nearest.asnumpy() == c], minlength=3).argmax() for c in range(3)])
    by_clusters = float(np.mean(kinds[nearest.asnumpy()] == y))

    direction = FirstComponent(30)(samples, Tensor(np.ones((x.shape[1], 1), np.float32)))
    variance = float(np.var(x @ direction.asnumpy()))
    print("neighbours %.2f, clusters %.2f, variance of the first component %.3f"
          % (by_neighbours, by_clusters, variance))
    return {"neighbours": by_neighbours, "clusters": by_clusters, "variance": variance}


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode", choices=["graph", "pynative"], default="graph")
    parser.add_argument("--k", type=int, default=5)
    main(**vars(parser.parse_args()))
