"""Distributions of weights: before and after the data have been seen."""
from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import DType, float32
from mindspore.eager.initializer import Normal as Drawn
from mindspore.eager.initializer import initializer
from mindspore.eager.parameter import Parameter

from ...cell import Cell
from ..distribution import Normal


class NormalPrior(Cell):
    """The normal distribution that weights have before any data.

    Args:
        dtype: Element type of the weights.
        mean: Expectation.
        std: Standard deviation, greater than zero.

    Inputs:
        name, *args: A question of `Normal` and its arguments, such as "kl_loss".

    Raises:
        TypeError: If an argument has another type.
        ValueError: If `std` is not positive.

    Examples:
        >>> from mindspore.nn.probability.bnn_layers import NormalPrior
        >>> round(float(NormalPrior(std=0.5)("sd")), 6)
        0.5
    """

    def __init__(self, dtype: DType = float32, mean: float = 0, std: float = 0.1):
        super().__init__()
        self.normal = Normal(float(mean), float(std), dtype=dtype)

    def construct(self, *inputs):
        return self.normal(*inputs)


class NormalPosterior(Cell):
    """A normal distribution for each weight, whose parameters are trained.

    The standard deviation is log(1 + exp(untransformed_std)).

    Args:
        name: What the names of the parameters begin with; "" for none.
        shape: Shape of the weights.
        dtype: Element type.
        loc_mean, loc_std: Expectation and standard deviation of the initial `mean`.
        untransformed_scale_mean, untransformed_scale_std: Those of the initial `untransformed_std`.

    Inputs:
        name, *args: A question of `Normal` and its arguments, such as "sample".

    Raises:
        TypeError: If an argument has another type.

    Examples:
        >>> from mindspore.nn.probability.bnn_layers import NormalPosterior
        >>> weights = NormalPosterior("w", [2, 3])
        >>> [p.name for p in weights.trainable_params()], weights("sample").shape
        (['w_mean', 'w_untransformed_std'], (2, 3))
    """

    def __init__(self, name: str, shape: Any, dtype: DType = float32, loc_mean: float = 0, loc_std: float = 0.1,
                 untransformed_scale_mean: float = -5, untransformed_scale_std: float = 0.1):
        super().__init__()
        prefix = f"{check.string(self, 'name', name)}_" if name else ""
        shape = tuple(check.instance(self, "shape", shape, (tuple, list)))
        for key, mean, std in (("mean", loc_mean, loc_std),
                               ("untransformed_std", untransformed_scale_mean, untransformed_scale_std)):
            first = initializer(Drawn(float(std), float(mean)), shape, dtype)
            setattr(self, key, Parameter(first, name=f"{prefix}{key}"))
        self.normal = Normal(dtype=dtype)

    def std(self) -> Any:
        """The standard deviations."""
        return ops.softplus(self.untransformed_std)

    def construct(self, *inputs):
        question, *more = inputs
        if question == "sample":
            return self.normal(question, *(more or [()]), self.mean, self.std())
        return self.normal(question, *more, self.mean, self.std())


def normal_post_fn(name: str, shape: Any) -> NormalPosterior:
    """A normal distribution for weights of a shape, with the defaults of `NormalPosterior`.

    Args:
        name: What the names of the parameters begin with.
        shape: Shape of the weights.

    Returns:
        The distribution.

    Examples:
        >>> from mindspore.nn.probability.bnn_layers import normal_post_fn
        >>> normal_post_fn("w", [2])("mean").shape
        (2,)
    """
    return NormalPosterior(name=name, shape=shape)
