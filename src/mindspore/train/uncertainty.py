"""How uncertain a network is: because of its weights, and because of noise in the data."""
from __future__ import annotations

import copy
import os
from typing import Any

import numpy as np

from mindspore import nn, ops
from mindspore.core import check
from mindspore.eager.tensor import Tensor

from .serialization import load_checkpoint, load_param_into_net, save_checkpoint

TASKS = ("classification", "regression")
DRAWS = 10


class EpistemicUncertaintyModel(nn.Cell):
    """A network that drops out in predictions, too: an approximate draw from the posterior of its weights
    (Gal and Ghahramani 2016).

    Dropout layers of the network stay active; a network that has none gets one before each dense layer and each
    convolution but the first, or before the only one.

    Args:
        epi_model: The network, which is copied.

    Inputs:
        x: Input of the network.

    Outputs:
        Its output.

    Raises:
        TypeError: If `epi_model` is no cell.
        ValueError: If it has neither dropout nor a dense layer or convolution.

    Examples:
        >>> from mindspore.train.uncertainty import EpistemicUncertaintyModel
        >>> model = EpistemicUncertaintyModel(nn.SequentialCell(nn.Dense(8, 16), nn.Dense(16, 1)))
        >>> x = ops.ones((1, 8))
        >>> bool((model(x) != model(x)).all())
        True
    """

    def __init__(self, epi_model: nn.Cell):
        super().__init__()
        self.epi_model = copy.deepcopy(check.instance(self, "epi_model", epi_model, nn.Cell))
        dropouts = [c for _, c in self.epi_model.cells_and_names() if isinstance(c, nn.Dropout)]
        if not dropouts:
            dropouts = self._with_dropouts()
        self._dropouts = dropouts
        self.set_train(False)

    def set_train(self, mode: bool = True) -> nn.Cell:
        super().set_train(mode)
        for dropout in self.__dict__.get("_dropouts", ()):
            dropout.set_train(True)
        return self

    def _with_dropouts(self) -> list[nn.Cell]:
        found = [(cell, name, layer) for _, cell in self.epi_model.cells_and_names()
                 for name, layer in cell.name_cells().items() if isinstance(layer, (nn.Dense, nn.Conv2d))]
        if not found:
            raise ValueError("For 'EpistemicUncertaintyModel', the 'epi_model' must have a dropout, a dense layer or a "
                             "convolution as a sub-cell.")
        made = []
        for cell, name, layer in found[1:] or found:
            made.append(nn.Dropout(p=0.5))
            joined = nn.SequentialCell(made[-1], layer)
            if name.isdigit():
                cell[int(name)] = joined
            else:
                setattr(cell, name, joined)
        return made

    def construct(self, x):
        return self.epi_model(x)


class AleatoricUncertaintyModel(nn.Cell):
    """A network and a layer that tells the logarithm of the variance of its output (Kendall and Gal 2017).

    Args:
        ale_model: The network, which is copied.
        num_classes: Length of its output; 1 or None for a regression of one number.
        task: "classification" or "regression".

    Inputs:
        x: Input of the network.

    Outputs:
        (prediction, log variance), both of the shape of the network's output.

    Raises:
        TypeError: If `ale_model` is no cell.
        ValueError: If `task` is another word.

    Examples:
        >>> from mindspore.train.uncertainty import AleatoricUncertaintyModel
        >>> prediction, spread = AleatoricUncertaintyModel(nn.Dense(3, 4), 4, "classification")(ops.ones((2, 3)))
        >>> prediction.shape, spread.shape
        ((2, 4), (2, 4))
    """

    def __init__(self, ale_model: nn.Cell, num_classes: int | None, task: str):
        super().__init__()
        self.task = check.option(self, "task", task, TASKS)
        self.ale_model = copy.deepcopy(check.instance(self, "ale_model", ale_model, nn.Cell))
        length = check.positive_int(self, "num_classes", 1 if num_classes is None else num_classes)
        self.var_layer = nn.Dense(length, length)

    def construct(self, x):
        predicted = self.ale_model(x)
        return predicted, self.var_layer(predicted)


class AleatoricLoss(nn.Cell):
    """The loss of an `AleatoricUncertaintyModel`.

    Regression: the mean of exp(-s) (prediction - y)**2 / 2 + s / 2 with the log variance s. Classification: the
    negative logarithm of the mean probability of the class over ten draws of the logits.

    Args:
        task: "classification" or "regression".

    Inputs:
        data_pred: (prediction, log variance).
        y: Targets, or classes as int32.

    Outputs:
        The loss, one number.

    Raises:
        ValueError: If `task` is another word.

    Examples:
        >>> from mindspore.train.uncertainty import AleatoricLoss
        >>> float(AleatoricLoss("regression")((ops.ones((2, 1)), ops.zeros((2, 1))), ops.zeros((2, 1))))
        0.5
    """

    def __init__(self, task: str):
        super().__init__()
        self.task = check.option(self, "task", task, TASKS)

    def construct(self, data_pred, y):
        predicted, log_variance = data_pred
        if self.task == "regression":
            error = predicted - y
            return (0.5 * ops.exp(-log_variance) * error * error + 0.5 * log_variance).mean()
        noise = ops.standard_normal((DRAWS, *predicted.shape))
        drawn = ops.log_softmax(predicted + ops.exp(0.5 * log_variance) * noise, -1)
        mean = ops.logsumexp(drawn, 0) - np.log(DRAWS)
        return ops.nll_loss(mean, y)


class UncertaintyEvaluation:
    """How uncertain the predictions of a network are.

    Args:
        model: The network.
        train_dataset: The data set that the two uncertain networks are trained with, of inputs and labels.
        task_type: "classification" or "regression".
        num_classes: Number of classes; not needed for regression.
        epochs: Number of passes through the data.
        epi_uncer_model_path: File of the network for the uncertainty of weights: read instead of training if it
            exists, or written with `save_model`.
        ale_uncer_model_path: The same for the uncertainty because of noise.
        save_model: Whether trained networks are written.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If `task_type` is another word, classification has no `num_classes`, or `save_model` no paths.

    Examples:
        >>> from mindspore.nn.probability.toolbox import UncertaintyEvaluation
        >>> x = np.random.default_rng(0).standard_normal((32, 4)).astype(np.float32)
        >>> data = dataset.NumpySlicesDataset((x, (x[:, 0] > 0).astype(np.int32)), ["x", "y"]).batch(8)
        >>> net = nn.SequentialCell(nn.Dense(4, 16, activation="relu"), nn.Dense(16, 2))
        >>> asked = UncertaintyEvaluation(net, data, "classification", num_classes=2, epochs=2)
        >>> asked.eval_epistemic_uncertainty(Tensor(x)).shape, asked.eval_aleatoric_uncertainty(Tensor(x)).shape
        ((32, 2), (32,))
    """

    def __init__(self, model: nn.Cell, train_dataset: Any, task_type: str, num_classes: int | None = None,
                 epochs: int = 1, epi_uncer_model_path: str | None = None, ale_uncer_model_path: str | None = None,
                 save_model: bool = False):
        owner = "UncertaintyEvaluation"
        self.model = check.instance(owner, "model", model, nn.Cell)
        self.train_dataset = train_dataset
        self.task_type = check.option(owner, "task_type", task_type, TASKS)
        self.num_classes = check.optional(check.positive_int, owner, "num_classes", num_classes)
        if task_type == "classification" and num_classes is None:
            raise ValueError("For 'UncertaintyEvaluation', the 'num_classes' must be given for a classification.")
        self.epochs = check.positive_int(owner, "epochs", epochs)
        self.save_model = check.boolean(owner, "save_model", save_model)
        self._paths = {"epistemic": epi_uncer_model_path, "aleatoric": ale_uncer_model_path}
        if save_model and None in self._paths.values():
            raise ValueError("For 'UncertaintyEvaluation', 'epi_uncer_model_path' and 'ale_uncer_model_path' must be "
                             "given with save_model=True.")
        self._models: dict[str, nn.Cell] = {}

    def eval_epistemic_uncertainty(self, eval_data: Tensor) -> np.ndarray:
        """The variance of predictions because of the weights.

        Args:
            eval_data: A batch of inputs.

        Returns:
            The variance over ten draws of every predicted number (of probabilities, for a classification).
        """
        usual = nn.CrossEntropyLoss() if self.task_type == "classification" else nn.MSELoss()
        model = self._trained("epistemic", lambda: EpistemicUncertaintyModel(self.model), usual)
        drawn = [self._probable(model(eval_data)) for _ in range(DRAWS)]
        return np.stack([d.asnumpy() for d in drawn]).var(0)

    def eval_aleatoric_uncertainty(self, eval_data: Tensor) -> np.ndarray:
        """The variance of predictions because of noise in the data.

        Args:
            eval_data: A batch of inputs.

        Returns:
            One predicted variance per sample: the mean over what the network predicts for it.
        """
        model = self._trained("aleatoric", lambda: AleatoricUncertaintyModel(
            self.model, self.num_classes, self.task_type), AleatoricLoss(self.task_type))
        _, log_variance = model(eval_data)
        found = np.exp(log_variance.asnumpy())
        return found.reshape(len(found), -1).mean(1)

    def _probable(self, predicted: Any) -> Any:
        return ops.softmax(predicted, -1) if self.task_type == "classification" else predicted

    def _trained(self, kind: str, make: Any, loss_fn: Any) -> nn.Cell:
        """The network of one uncertainty: made and trained, or read, at its first use."""
        if kind in self._models:
            return self._models[kind]
        model, path = make(), self._paths[kind]
        if path is not None and os.path.exists(path) and not self.save_model:
            load_param_into_net(model, load_checkpoint(path))
        else:
            optimizer = nn.Adam(model.trainable_params())
            step = nn.TrainOneStepCell(nn.WithLossCell(model, loss_fn), optimizer)
            step.set_train()
            for _ in range(self.epochs):
                for row in self.train_dataset.create_tuple_iterator(num_epochs=1):
                    step(*row)
            if self.save_model:
                save_checkpoint(model, path)
        model.set_train(False)
        return self._models.setdefault(kind, model)
