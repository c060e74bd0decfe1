"""Affine maps, and cells that only change the shape."""
from __future__ import annotations

from math import sqrt
from typing import Any

from mindspore import ops
from mindspore.core import check
from mindspore.core.dtype import DType, float32
from mindspore.eager.automatic import affine
from mindspore.eager.initializer import HeUniform, Uniform
from mindspore.eager.tensor import is_tensor
from mindspore.operators.matmul import dense
from mindspore.operators.structure import reshape

from .activation import activation_of
from .cell import Cell


class Dense(Cell):
    """Affine map of the last axis, `activation(x @ weight.T + bias)`.

    Args:
        in_channels: Length of the last axis of the input.
        out_channels: Length of the last axis of the output.
        weight_init: Initial `weight`, shape (out_channels, in_channels). Default: HeUniform(sqrt(5)).
        bias_init: Initial `bias`, shape (out_channels,). Default: uniform within 1 / sqrt(in_channels).
        has_bias: Whether there is a bias.
        activation: Applied to the result: a name, a cell or a primitive.
        dtype: Element type of the parameters.

    Inputs:
        x: (*, in_channels).

    Outputs:
        (*, out_channels).

    Examples:
        >>> nn.Dense(3, 4)(ops.ones((2, 3))).shape
        (2, 4)
    """

    def __init__(self, in_channels: int, out_channels: int, weight_init: Any = None,
                 bias_init: Any = None, has_bias: bool = True, activation: Any = None,
                 dtype: DType = float32):
        super().__init__()
        self.in_channels = check.positive_int(self, "in_channels", in_channels)
        self.out_channels = check.positive_int(self, "out_channels", out_channels)
        self.has_bias = check.boolean(self, "has_bias", has_bias)
        self.weight = self.parameter("weight", (out_channels, in_channels),
                                     HeUniform(sqrt(5)) if weight_init is None else weight_init, dtype)
        self.bias = None
        if has_bias:
            bias_init = Uniform(1 / sqrt(in_channels)) if bias_init is None else bias_init
            self.bias = self.parameter("bias", (out_channels,), bias_init, dtype)
        self.activation = activation_of(self, activation)
        self.activation_flag = self.activation is not None           # layers that derive from this one ask for it

    def construct(self, x):
        y = affine(x, self.weight, self.bias)
        return y if self.activation is None else self.activation(y)

    def extend_repr(self) -> str:
        shown = f"input_channels={self.in_channels}, output_channels={self.out_channels}"
        if self.has_bias:
            shown += f", has_bias={self.has_bias}"
        return shown + (f", activation={self.activation}" if self.activation is not None else "")


def check_dense_input_shape(x: Any, prim_name: str | None = None) -> None:
    """ValueError if a shape has fewer than two dimensions: a check that earlier releases offered."""
    if len(x) < 2:
        owner = f"For '{prim_name}', the" if prim_name else "The"
        raise ValueError(f"{owner} dimension of 'x' should not be less than 2, but got {len(x)}.")


class Linear(Cell):
    """Affine map of the last axis, `x @ weight.T + bias`.

    Args:
        in_features: Length of the last axis of the input.
        out_features: Length of the last axis of the output.
        bias: Whether there is a bias.
        weight_init: As for `Dense`.
        bias_init: As for `Dense`.
        dtype: Element type of the parameters. Default: float32.

    Inputs:
        x: (*, in_features).

    Examples:
        >>> net = nn.Linear(3, 1, weight_init="ones", bias=False)
        >>> net(Tensor([[1.0, 2.0, 3.0]])).tolist()
        [[6.0]]
    """

    def __init__(self, in_features: int, out_features: int, bias: bool = True,
                 weight_init: Any = None, bias_init: Any = None, dtype: DType | None = None):
        super().__init__()
        self.in_features = check.positive_int(self, "in_features", in_features)
        self.out_features = check.positive_int(self, "out_features", out_features)
        self.has_bias = check.boolean(self, "bias", bias)
        dtype = dtype or float32
        self.weight = self.parameter("weight", (out_features, in_features),
                                     HeUniform(sqrt(5)) if weight_init is None else weight_init, dtype)
        self.bias = None
        if bias:
            bias_init = Uniform(1 / sqrt(in_features)) if bias_init is None else bias_init
            self.bias = self.parameter("bias", (out_features,), bias_init, dtype)

    def construct(self, x):
        return dense(x, self.weight, self.bias)

    def extend_repr(self) -> str:
        shown = f"input_features={self.in_features}, output_features={self.out_features}"
        return shown + (f", has_bias={self.has_bias}" if self.has_bias else "")


class BiDense(Cell):
    """Bilinear map of two inputs, y[o] = x1 @ weight[o] @ x2 + bias[o].

    Args:
        in1_channels: Length of the last axis of the first input.
        in2_channels: Length of the last axis of the second input.
        out_channels: Length of the last axis of the output.
        weight_init: Initial weight, (out_channels, in1_channels, in2_channels). Default: uniform
            within 1 / sqrt(in1_channels).
        bias_init: Initial bias, (out_channels,). Default: likewise.
        has_bias: Whether there is a bias.
        dtype: Element type of the parameters.

    Inputs:
        input1: (*, in1_channels).
        input2: (*, in2_channels), the same leading axes.

    Outputs:
        (*, out_channels).

    Examples:
        >>> net = nn.BiDense(2, 3, 1, weight_init="ones", bias_init="zeros")
        >>> net(Tensor([[1.0, 2.0]]), Tensor([[1.0, 1.0, 2.0]])).tolist()
        [[12.0]]
    """

    def __init__(self, in1_channels: int, in2_channels: int, out_channels: int,
                 weight_init: Any = None, bias_init: Any = None, has_bias: bool = True,
                 dtype: DType = float32):
        super().__init__()
        self.in1_channels = check.positive_int(self, "in1_channels", in1_channels)
        self.in2_channels = check.positive_int(self, "in2_channels", in2_channels)
        self.out_channels = check.positive_int(self, "out_channels", out_channels)
        self.has_bias = check.boolean(self, "has_bias", has_bias)
        bound = Uniform(1 / sqrt(in1_channels))
        self.weight = self.parameter("weight", (out_channels, in1_channels, in2_channels),
                                     bound if weight_init is None else weight_init, dtype)
        self.bias = None
        if has_bias:
            self.bias = self.parameter("bias", (out_channels,),
                                       bound if bias_init is None else bias_init, dtype)

    def construct(self, input1, input2):
        lead = tuple(input1.shape[:-1])
        if lead != tuple(input2.shape[:-1]):
            raise ValueError("For 'BiDense', the dimensions except the last of 'input1' must be same as "
                             f"'input2', but got {input1.shape} of 'input1' and {input2.shape} of "
                             "'input2'.")
        for name, x, want in (("1", input1, self.in1_channels), ("2", input2, self.in2_channels)):
            if x.shape[-1] != want:
                raise ValueError(f"For 'BiDense', the last dimension of 'input{name}' must be same as "
                                 f"'in{name}_channels', but got {x.shape[-1]} of 'input{name}' and "
                                 f"{want} of 'in{name}_channels'.")
        i, j, o = self.in1_channels, self.in2_channels, self.out_channels
        left = input1.reshape((-1, i)) @ self.weight.transpose(1, 0, 2).reshape((i, o * j))
        y = (left.reshape((-1, o, j)) * input2.reshape((-1, 1, j))).sum(-1)
        y = y if self.bias is None else y + self.bias
        return y.reshape((*lead, o))

    def extend_repr(self) -> str:
        shown = (f"in1_channels={self.in1_channels}, in2_channels={self.in2_channels}, "
                 f"output_channels={self.out_channels}")
        return shown + (f", has_bias={self.has_bias}" if self.has_bias else "")


class Flatten(Cell):
    """The axes from `start_dim` to `end_dim` joined into one.

    Args:
        start_dim: The first of the axes that are joined.
        end_dim: The last of them.

    Inputs:
        x: Any shape and dtype.

    Outputs:
        (*, product of the joined axes, *), dtype of `x`.

    Raises:
        TypeError: If an axis is no int, or the input no tensor.
        ValueError: If the input has no such axis, or `end_dim` stands before `start_dim`.

    Examples:
        >>> nn.Flatten()(ops.ones((2, 3, 4))).shape
        (2, 12)
    """

    def __init__(self, start_dim: int = 1, end_dim: int = -1):
        super().__init__()
        for name, value in (("start_dim", start_dim), ("end_dim", end_dim)):
            if not isinstance(value, int):
                raise TypeError(f"For 'Flatten', both 'start_dim' and 'end_dim' must be int, but got "
                                f"{name} {value!r}.")
        self.start_dim, self.end_dim = start_dim, end_dim

    def check_axis_valid(self, axis: int, ndim: int) -> None:
        """ValueError if a tensor of `ndim` dimensions lacks that axis."""
        if not -ndim <= axis < ndim:
            raise ValueError(f"For 'Flatten', 'start_dim' or 'end_dim' out of range: {axis} for "
                             f"{ndim} dimensions.")

    def construct(self, x):
        if not is_tensor(x):
            raise TypeError(f"For 'Flatten', both 'x' must be Tensor, but got {type(x).__name__}.")
        shape, n = tuple(x.shape), x.ndim
        self.check_axis_valid(self.start_dim, n)
        self.check_axis_valid(self.end_dim, n)
        first, last = self.start_dim % n, self.end_dim % n
        if first > last:
            raise ValueError("For 'Flatten', 'start_dim' cannot come after 'end_dim'.")
        joined = 1
        for extent in shape[first:last + 1]:
            joined *= extent
        return reshape(x, shape=(*shape[:first], joined, *shape[last + 1:]))


class Unflatten(Cell):
    """The axis `axis` split into axes of the extents `unflattened_size`; one of them may be -1.

    Args:
        axis: The dimension that is divided.
        unflattened_size: The extents in its place, whose product is its extent.

    Inputs:
        x: Any shape and dtype.

    Examples:
        >>> nn.Unflatten(1, (2, 3))(ops.ones((4, 6))).shape
        (4, 2, 3)
    """

    def __init__(self, axis: int, unflattened_size: tuple[int, ...] | list[int]):
        super().__init__()
        self.axis = check.integer(self, "axis", axis)
        self.unflattened_size = check.instance(self, "unflattened_size", unflattened_size, (tuple, list))

    def construct(self, input_x):
        axis = self.axis % input_x.ndim
        shape = tuple(input_x.shape)
        return ops.reshape(input_x, (*shape[:axis], *self.unflattened_size, *shape[axis + 1:]))


class Identity(Cell):
    """The input; arguments of the constructor are accepted and not needed.

    Args:
        args, kwargs: Anything, which is not looked at.

    Inputs:
        x: Anything.

    Examples:
        >>> nn.Identity(54)(Tensor([1.0, 2.0])).tolist()
        [1.0, 2.0]
    """

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__()

    def construct(self, input):
        return input
