"""Samples that an autoencoder of the others cannot reproduce."""
from __future__ import annotations

from typing import Any

from mindspore.core import check

from ..cell import Cell
from ..optimizers import Adam
from ..wrap.loss import WithLossCell
from .dpn import VAE
from .infer import ELBO, SVI


class VAEAnomalyDetection:
    """Finds outliers by the distance between a sample and what a variational autoencoder makes of it.

    Args:
        encoder, decoder: As in `nn.probability.dpn.VAE`.
        hidden_size: Length of the vectors between the coders and the latent variables.
        latent_size: Number of latent variables.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If a size is not positive.

    Examples:
        >>> from mindspore.nn.probability.toolbox import VAEAnomalyDetection
        >>> rows = np.tile(np.float32([1.0, -1.0, 1.0]), (16, 1))
        >>> finder = VAEAnomalyDetection(nn.Dense(3, 4), nn.Dense(4, 3), hidden_size=4, latent_size=1)
        >>> finder.train(dataset.NumpySlicesDataset((rows, rows), ["x", "y"]).batch(8), epochs=50)
        >>> finder.predict_outlier(Tensor(rows[:1] * 9), threshold=10.0)
        True
    """

    def __init__(self, encoder: Cell, decoder: Cell, hidden_size: int = 400, latent_size: int = 20):
        self.vae = VAE(encoder, decoder, hidden_size, latent_size)

    def train(self, train_dataset: Any, epochs: int = 5) -> None:
        """Train the autoencoder.

        Args:
            train_dataset: A data set of samples and what they are to be decoded as, which usually is the same.
            epochs: Number of passes through it.

        Raises:
            ValueError: If `epochs` is not positive.
        """
        loss = WithLossCell(self.vae, ELBO())
        SVI(loss, Adam(self.vae.trainable_params(), learning_rate=0.001)).run(train_dataset, epochs)

    def predict_outlier_score(self, sample_x: Any) -> float:
        """The Euclidean distance between samples and what the autoencoder makes of them.

        Args:
            sample_x: A batch of samples, usually of one.

        Returns:
            The distance.
        """
        error = (self.vae.reconstruct_sample(sample_x) - sample_x).asnumpy()
        return float((error.astype("float64") ** 2).sum() ** 0.5)

    def predict_outlier(self, sample_x: Any, threshold: float = 100.0) -> bool:
        """Whether the distance is greater than a threshold.

        Args:
            sample_x: A batch of samples, usually of one.
            threshold: The threshold, greater than zero.

        Returns:
            Whether the samples are outliers.

        Raises:
            ValueError: If `threshold` is not positive.
        """
        check.number("predict_outlier", "threshold", threshold, 0.0, open_low=True)
        return self.predict_outlier_score(sample_x) > threshold
