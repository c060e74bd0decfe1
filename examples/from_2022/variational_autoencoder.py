"""A variational autoencoder of digits, with its two losses weighed (1.8).

    python examples/from_2022/variational_autoencoder.py [--mode graph|pynative] [--epochs N]
"""
import argparse

import numpy as np
from sklearn.datasets import load_digits

import mindspore as ms
import mindspore.dataset as ds
from mindspore import nn, ops


class VAE(nn.Cell):
    """Kingma and Welling 2014: a normal distribution for each picture, and a picture for each draw."""

    def __init__(self, hidden=48, latent=4):
        super().__init__()
        self.encoder = nn.SequentialCell(nn.Dense(64, hidden), nn.ReLU())
        self.mean, self.log_variance = nn.Dense(hidden, latent), nn.Dense(hidden, latent)
        self.decoder = nn.SequentialCell(nn.Dense(latent, hidden), nn.ReLU(), nn.Dense(hidden, 64))
        self.normal = ops.StandardNormal(seed=5)

    def construct(self, x):
        h = self.encoder(x)
        mean, log_variance = self.mean(h), self.log_variance(h)
        z = mean + ops.exp(0.5 * log_variance) * self.normal(mean.shape)
        return self.decoder(z), mean, log_variance


class NegativeBound(nn.Cell):
    """Cross entropy of the pixels plus the divergence from the standard normal distribution."""

    def __init__(self, vae):
        super().__init__()
        self.vae = vae
        self.entropy = ops.BinaryCrossEntropy(reduction="sum")
        self.sigmoid = ops.Sigmoid()

    def construct(self, x):
        logits, mean, log_variance = self.vae(x)
        of_pixels = self.entropy(self.sigmoid(logits), x, ops.ones_like(x)) / x.shape[0]
        divergence = -0.5 * (1 + log_variance - ops.square(mean) - ops.exp(log_variance)).sum() / x.shape[0]
        return of_pixels + divergence


def main(mode="graph", epochs=8):
    """The loss of the first and last batch, and the mean error of the pixels of pictures rebuilt from their means."""
    ms.set_context(mode=ms.GRAPH_MODE if mode == "graph" else ms.PYNATIVE_MODE)
    ms.set_seed(3)
    images = (load_digits().data / 16).astype(np.float32)
    data = ds.NumpySlicesDataset({"image": images}, shuffle=True).batch(64, drop_remainder=True)
    vae = VAE()
    step = nn.TrainOneStepCell(NegativeBound(vae), nn.Adam(vae.trainable_params(), 0.005))
    step.set_train()
    losses = []
    for epoch in range(epochs):
        losses += [float(step(image).asnumpy()) for image, in data.create_tuple_iterator()]
        print(f"epoch {epoch + 1}: {losses[-1]:.3f}")
    x = ms.Tensor(images[:200])
    rebuilt = ops.sigmoid(vae.decoder(vae.mean(vae.encoder(x)))).asnumpy()
    error = float(np.abs(rebuilt - images[:200]).mean())
    plain = float(np.abs(images.mean(0) - images[:200]).mean())
    print(f"loss {losses[0]:.2f} -> {losses[-1]:.2f}; error {error:.3f}, that of the mean picture {plain:.3f}")
    return {"first": losses[0], "last": losses[-1], "error": error, "plain": plain}


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode", choices=["graph", "pynative"], default="graph")
    parser.add_argument("--epochs", type=int, default=30)
    main(**vars(parser.parse_args()))
