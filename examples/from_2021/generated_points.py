"""Points like those of a cloud, by a generator and a discriminator that train each other (1.2).

    python examples/from_2021/generated_points.py [--mode graph|pynative] [--steps N]

Goodfellow et al., Generative adversarial nets, 2014.
"""
import argparse
from itertools import pairwise

import numpy as np

import mindspore.nn as nn
from mindspore import Tensor, context
from mindspore.common import set_seed
from mindspore.ops import composite as C
from mindspore.ops import functional as F
from mindspore.ops import operations as P

MIDDLE, SPREAD = (2.0, -1.0), (0.5, 1.0)


def layers(*sizes):
    found = []
    for below, above in pairwise(sizes):
        found += [nn.Dense(below, above, weight_init="xavier_uniform"), nn.LeakyReLU(0.2)]
    return nn.SequentialCell(found[:-1])


class DiscriminatorLoss(nn.Cell):
    """Real points are to be told 1, made ones 0."""

    def __init__(self, generator, discriminator):
        super(DiscriminatorLoss, self).__init__(auto_prefix=True)
        self.generator, self.discriminator = generator, discriminator
        self.cross_entropy = P.SigmoidCrossEntropyWithLogits()
        self.ones, self.zeros, self.mean = P.OnesLike(), P.ZerosLike(), P.ReduceMean()

    def construct(self, real, noise):
        told = self.discriminator(real)
        made = self.discriminator(F.stop_gradient(self.generator(noise)))
        return self.mean(self.cross_entropy(told, self.ones(told))) + self.mean(
            self.cross_entropy(made, self.zeros(made)))


class GeneratorLoss(nn.Cell):
    """Made points are to be taken for real ones."""

    def __init__(self, generator, discriminator):
        super(GeneratorLoss, self).__init__(auto_prefix=True)
        self.generator, self.discriminator = generator, discriminator
        self.cross_entropy = P.SigmoidCrossEntropyWithLogits()
        self.ones, self.mean = P.OnesLike(), P.ReduceMean()

    def construct(self, noise):
        made = self.discriminator(self.generator(noise))
        return self.mean(self.cross_entropy(made, self.ones(made)))


class TrainOneStep(nn.Cell):
    """A step of one of the two, with the gradients of its own weights only."""

    def __init__(self, network, optimizer, sens=1.0):
        super(TrainOneStep, self).__init__(auto_prefix=False)
        self.network = network
        self.network.set_grad()
        self.network.add_flags(defer_inline=True)
        self.weights = optimizer.parameters
        self.optimizer = optimizer
        self.grad = C.GradOperation(get_by_list=True, sens_param=True)
        self.sens = sens

    def construct(self, *inputs):
        loss = self.network(*inputs)
        sens = P.Fill()(P.DType()(loss), P.Shape()(loss), self.sens)
        grads = self.grad(self.network, self.weights)(*inputs, sens)
        return F.depend(loss, self.optimizer(grads))


def main(mode="graph", steps=400):
    context.set_context(mode=context.GRAPH_MODE if mode == "graph" else context.PYNATIVE_MODE, device_target="CPU")
    set_seed(1)
    draw = np.random.RandomState(1)
    generator, discriminator = layers(2, 16, 2), layers(2, 16, 1)
    first = TrainOneStep(DiscriminatorLoss(generator, discriminator),
                         nn.Adam(discriminator.trainable_params(), 1e-2, beta1=0.5))
    second = TrainOneStep(GeneratorLoss(generator, discriminator),
                          nn.Adam(generator.trainable_params(), 5e-3, beta1=0.5))
    first.set_train()
    second.set_train()

    def distance():
        made = generator(Tensor(np.random.RandomState(2).randn(500, 2).astype(np.float32))).asnumpy()
        return float(np.linalg.norm(made.mean(0) - MIDDLE))

    found = {"before": distance()}
    for step in range(steps):
        real = Tensor((MIDDLE + draw.randn(64, 2) * SPREAD).astype(np.float32))
        loss = first(real, Tensor(draw.randn(64, 2).astype(np.float32)))
        fooled = second(Tensor(draw.randn(64, 2).astype(np.float32)))
        if step % 100 == 99:
            losses = float(loss.asnumpy()), float(fooled.asnumpy())
            print(f"step {step + 1}: discriminator {losses[0]:.3f}, generator {losses[1]:.3f}, distance of the means "
                  f"{distance():.3f}")
    found["after"] = distance()
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode", choices=("graph", "pynative"), default="graph")
    parser.add_argument("--steps", type=int, default=400)
    given = parser.parse_args()
    main(given.mode, given.steps)
