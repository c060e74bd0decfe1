"""Variational autoencoders: Kingma and Welling 2014; with a condition: Sohn, Lee and Yan 2015."""
from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import float32

from ...cell import Cell
from ...linear import Dense


class VAE(Cell):
    """A variational autoencoder.

    Args:
        encoder: A cell from a sample to a vector of `hidden_size` numbers.
        decoder: A cell from such a vector to a sample.
        hidden_size: Length of the vectors between the coders and the latent variables.
        latent_size: Number of latent variables.

    Inputs:
        x: A batch of samples.

    Outputs:
        (recon_x, x, mu, std): the decoded samples, the input, and expectation and standard deviation of the latent
        variables, (N, latent_size). `nn.probability.infer.ELBO` takes them.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If a size is not positive.

    Examples:
        >>> from mindspore.nn.probability.dpn import VAE
        >>> vae = VAE(nn.Dense(6, 4), nn.Dense(4, 6), hidden_size=4, latent_size=2)
        >>> [t.shape for t in vae(ops.ones((3, 6)))]
        [(3, 6), (3, 6), (3, 2), (3, 2)]
        >>> vae.generate_sample(5, (5, 6)).shape
        (5, 6)
    """

    def __init__(self, encoder: Cell, decoder: Cell, hidden_size: int, latent_size: int):
        super().__init__()
        self._coders(encoder, decoder, hidden_size, latent_size)
        self.dense1 = Dense(hidden_size, latent_size)
        self.dense2 = Dense(hidden_size, latent_size)
        self.dense3 = Dense(latent_size, hidden_size)

    def _coders(self, encoder: Any, decoder: Any, hidden_size: int, latent_size: int) -> None:
        self.encoder = check.instance(self, "encoder", encoder, Cell)
        self.decoder = check.instance(self, "decoder", decoder, Cell)
        self.hidden_size = check.positive_int(self, "hidden_size", hidden_size)
        self.latent_size = check.positive_int(self, "latent_size", latent_size)

    def _encode(self, x: Any) -> tuple[Any, Any]:
        hidden = self.encoder(x)
        return self.dense1(hidden), ops.exp(0.5 * self.dense2(hidden))

    def _decode(self, z: Any) -> Any:
        return self.decoder(self.dense3(z))

    def _latent(self, mu: Any, std: Any) -> Any:
        return mu + std * ops.standard_normal(mu.shape)

    def construct(self, x):
        mu, std = self._encode(x)
        return self._decode(self._latent(mu, std)), x, mu, std

    def generate_sample(self, generate_nums: int, shape: tuple[int, ...]) -> Any:
        """Samples from random latent variables.

        Args:
            generate_nums: Number of samples.
            shape: Shape of the result, such as (generate_nums, C, H, W).

        Returns:
            The samples.

        Raises:
            TypeError: If an argument has another type.
            ValueError: If `generate_nums` is not positive.
        """
        check.positive_int(self, "generate_nums", generate_nums)
        check.instance(self, "shape", shape, tuple)
        return self._decode(ops.standard_normal((generate_nums, self.latent_size))).reshape(shape)

    def reconstruct_sample(self, x: Any) -> Any:
        """Samples encoded and decoded.

        Args:
            x: A batch of samples.

        Returns:
            The decoded ones.
        """
        return self(x)[0]


class ConditionalVAE(VAE):
    """A variational autoencoder of samples given their class.

    Args:
        encoder, decoder, hidden_size, latent_size: As in `VAE`.
        num_classes: Number of classes.

    Inputs:
        x: A batch of samples.
        y: Their classes, int32 of shape (N,).

    Outputs:
        (recon_x, x, mu, std) as from `VAE`.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If a size is not positive.

    Examples:
        >>> from mindspore.nn.probability.dpn import ConditionalVAE
        >>> vae = ConditionalVAE(nn.Dense(6, 4), nn.Dense(4, 6), 4, 2, num_classes=3)
        >>> vae(ops.ones((2, 6)), Tensor([0, 2], mindspore.int32))[0].shape
        (2, 6)
        >>> vae.generate_sample(Tensor([1], mindspore.int32), 1, (1, 6)).shape
        (1, 6)
    """

    def __init__(self, encoder: Cell, decoder: Cell, hidden_size: int, latent_size: int, num_classes: int):
        Cell.__init__(self)
        self._coders(encoder, decoder, hidden_size, latent_size)
        self.num_classes = check.positive_int(self, "num_classes", num_classes)
        self.dense1 = Dense(hidden_size + num_classes, latent_size)
        self.dense2 = Dense(hidden_size + num_classes, latent_size)
        self.dense3 = Dense(latent_size + num_classes, hidden_size)

    def _with(self, values: Any, y: Any) -> Any:
        return ops.cat((values, ops.one_hot(y, self.num_classes).astype(float32)), 1)

    def construct(self, x, y):
        hidden = self._with(self.encoder(x), y)
        mu, std = self.dense1(hidden), ops.exp(0.5 * self.dense2(hidden))
        return self._decode(self._with(self._latent(mu, std), y)), x, mu, std

    def generate_sample(self, sample_y: Any, generate_nums: int, shape: tuple[int, ...]) -> Any:
        """Samples of given classes from random latent variables.

        Args:
            sample_y: The classes, one per sample.
            generate_nums: Number of samples.
            shape: Shape of the result.

        Returns:
            The samples.

        Raises:
            TypeError: If an argument has another type.
            ValueError: If `generate_nums` is not positive.
        """
        check.positive_int(self, "generate_nums", generate_nums)
        check.instance(self, "shape", shape, tuple)
        z = ops.standard_normal((generate_nums, self.latent_size))
        return self._decode(self._with(z, sample_y)).reshape(shape)

    def reconstruct_sample(self, x: Any, y: Any) -> Any:
        """Samples of given classes encoded and decoded.

        Args:
            x: A batch of samples.
            y: Their classes.

        Returns:
            The decoded ones.
        """
        return self(x, y)[0]
