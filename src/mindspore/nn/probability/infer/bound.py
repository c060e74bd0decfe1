"""The evidence lower bound and its maximisation."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.eager.tensor import Tensor

from ...cell import Cell
from ...wrap.step import TrainOneStepCell
from ..distribution import Normal


class ELBO(Cell):
    """The evidence lower bound with the sign of a loss: ||x - recon_x||**2 / 2 + KL(latent variables || N(0, 1)),
    summed over the batch, without the constant of the normal density.

    Args:
        latent_prior: Distribution of the latent variables before the data: "Normal".
        output_prior: Distribution of the outputs around what was decoded: "Normal", of standard deviation 1.

    Inputs:
        data: (recon_x, x, mu, std), as `VAE` gives them.
        label: What the decoded samples are compared with.

    Outputs:
        The loss, one number.

    Raises:
        ValueError: If a distribution has another name.

    Examples:
        >>> from mindspore.nn.probability.infer import ELBO
        >>> x = ops.zeros((1, 2))
        >>> round(float(ELBO()((x + 1, x, ops.ones((1, 3)), ops.ones((1, 3))), x)), 6)
        2.5
    """

    def __init__(self, latent_prior: str = "Normal", output_prior: str = "Normal"):
        super().__init__()
        check.option(self, "latent_prior", latent_prior, ["Normal"])
        check.option(self, "output_prior", output_prior, ["Normal"])
        self.latent = Normal(0.0, 1.0)

    def construct(self, data, label):
        decoded, _, mu, std = data
        error = decoded - label
        mean, sd = self.latent.get_dist_args()
        return 0.5 * (error * error).sum() + self.latent.kl_loss("Normal", mean, sd, mu, std).sum()


class SVI:
    """Stochastic variational inference: minimises the loss of a network.

    Args:
        net_with_loss: A cell whose output is the loss, such as `nn.WithLossCell(vae, ELBO())`.
        optimizer: The optimizer.

    Raises:
        TypeError: If `net_with_loss` is no cell.

    Examples:
        >>> from mindspore.nn.probability.dpn import VAE
        >>> from mindspore.nn.probability.infer import ELBO, SVI
        >>> vae = VAE(nn.Dense(6, 4), nn.Dense(4, 6), 4, 2)
        >>> rows = np.ones((8, 6), np.float32)
        >>> data = dataset.NumpySlicesDataset((rows, rows), ["x", "y"], shuffle=False).batch(4)
        >>> vi = SVI(nn.WithLossCell(vae, ELBO()), nn.Adam(vae.trainable_params(), 0.01))
        >>> trained, first = vi.run(data, epochs=1), vi.get_train_loss()
        >>> trained, last = vi.run(data, epochs=20), vi.get_train_loss()
        >>> bool(last < first)
        True
    """

    def __init__(self, net_with_loss: Cell, optimizer: Any):
        self.net_with_loss = check.instance("SVI", "net_with_loss", net_with_loss, Cell)
        self.optimizer = check.instance("SVI", "optimizer", optimizer, Cell)
        self._loss: Tensor | float = 0.0

    def run(self, train_dataset: Any, epochs: int = 10) -> Cell:
        """Train for some epochs.

        Args:
            train_dataset: The data set, of the inputs of the network.
            epochs: Number of passes through it.

        Returns:
            The network with its loss, trained.

        Raises:
            ValueError: If `epochs` is not positive.
        """
        check.positive_int("SVI.run", "epochs", epochs)
        step = TrainOneStepCell(self.net_with_loss, self.optimizer)
        step.set_train()
        for _ in range(epochs):
            losses = [step(*row) for row in train_dataset.create_tuple_iterator(num_epochs=1)]
            self._loss = sum(losses[1:], losses[0]) / len(losses)
        return self.net_with_loss

    def get_train_loss(self) -> Any:
        """The mean loss of the last epoch; 0.0 before any."""
        return self._loss
