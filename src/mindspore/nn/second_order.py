"""Layers that keep the second moments of their inputs and gradients, for the optimizer `thor`.

The Fisher matrix of a layer is taken for a Kronecker product of two small matrices, `A` of the inputs and `G` of the
gradients of the outputs: Martens and Grosse 2015, for convolutions Grosse and Martens 2016.
"""
from __future__ import annotations

from typing import Any, ClassVar

from mindspore import ops
from mindspore.core.dtype import DType, float32
from mindspore.eager.parameter import Parameter, assign
from mindspore.operators.matmul import dense
from mindspore.operators.segments import unsorted_segment_sum
from mindspore.ops.user import InsertGradientOf

from .cell import Cell
from .convolution import Conv2d
from .embedding import Embedding, EmbeddingLookup
from .linear import Dense


def second_moment(rows: Any) -> Any:
    """The mean of r r^T over the rows r of a matrix, in float32."""
    rows = rows.astype(float32)
    return rows.T @ rows / rows.shape[0]


class Observed(Cell):
    """What the layers share: two parameters that the reverse pass fills while `thor` is True.

    A subclass says which parameter the factors belong to (`weighted`), their names and shapes, and how they follow
    from the inputs and from the cotangent of the outputs.
    """

    thor = True
    weighted: ClassVar[str] = "weight"
    factors: ClassVar[tuple[str, str]] = ("matrix_a", "matrix_g")

    @classmethod
    def takes(cls, cell: Any) -> bool:
        """Whether a layer without factors can become one of this class."""
        return True

    @property
    def weights(self) -> Parameter:
        """The parameter whose gradient the factors belong to."""
        return getattr(self, self.weighted)

    def keep_factors(self) -> None:
        """Make the parameters of the factors, named after the layer's own."""
        prefix = self.weights.name.removesuffix(self.weighted)
        for name, shape in zip(self.factors, self.factor_shapes(), strict=True):
            setattr(self, name, Parameter(ops.zeros(shape), name=prefix + name, requires_grad=False))

    def observed(self, x: Any, y: Any) -> Any:
        """The outputs y; the reverse pass keeps the factors of them and of the inputs x."""
        if not self.thor:
            return y

        def keep(dout: Any) -> Any:
            assign(getattr(self, self.factors[0]), self.of_inputs(x))
            assign(getattr(self, self.factors[1]), self.of_outputs(dout))
            return dout
        return InsertGradientOf(keep)(y)

    def factor_shapes(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The shapes of the two factors."""
        raise NotImplementedError

    def of_inputs(self, x: Any) -> Any:
        """The factor of the inputs."""
        raise NotImplementedError

    def of_outputs(self, dout: Any) -> Any:
        """The factor of the cotangent of the outputs."""
        return second_moment(dout.reshape((-1, dout.shape[-1])))

    def solved(self, grad: Any, a: Any, g: Any) -> Any:
        """The gradient of `weights` times the inverses a and g of the two damped factors."""
        return (g @ grad.reshape((grad.shape[0], -1)) @ a).reshape(grad.shape)


class DenseThor(Observed, Dense):
    """`Dense` for `thor`: A is the mean of x x^T, G that of d d^T, with the cotangent d before the activation.

    Args:
        in_channels: Length of the last axis of the input.
        out_channels: Length of the last axis of the output.
        weight_init: Initial `weight`, shape (out_channels, in_channels).
        bias_init: Initial `bias`, shape (out_channels,).
        has_bias: Whether there is a bias.
        activation: Applied to the result: a name, a cell or a primitive.

    Inputs:
        x: (*, in_channels).

    Outputs:
        (*, out_channels).

    Raises:
        TypeError, ValueError: As `Dense`.

    Examples:
        >>> layer = nn.DenseThor(3, 4)
        >>> layer(ops.ones((2, 3))).shape, layer.matrix_a.shape, layer.matrix_g.shape
        ((2, 4), (3, 3), (4, 4))
    """

    def __init__(self, in_channels: int, out_channels: int, weight_init: Any = "normal", bias_init: Any = "zeros",
                 has_bias: bool = True, activation: Any = None):
        Dense.__init__(self, in_channels, out_channels, weight_init, bias_init, has_bias, activation)
        self.keep_factors()

    def construct(self, x):
        y = self.observed(x, dense(x, self.weight, self.bias))
        return y if self.activation is None else self.activation(y)

    def factor_shapes(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return (self.in_channels, self.in_channels), (self.out_channels, self.out_channels)

    def of_inputs(self, x: Any) -> Any:
        return second_moment(x.reshape((-1, self.in_channels)))


class Conv2dThor(Observed, Conv2d):
    """`Conv2d` for `thor`: A is the sum of p p^T over the patches p of an image, G the mean of d d^T over the places.

    Args:
        in_channels: Channels of the input.
        out_channels: Channels of the output.
        kernel_size: Extents of the window, one int or (height, width).
        stride: Steps of the window.
        pad_mode: "same", "valid" or "pad".
        padding: Zeros at the ends, for "pad".
        dilation: Distances of the window's elements.
        group: 1: a Fisher matrix of groups is no Kronecker product.
        has_bias: Whether there is a bias.
        weight_init: Initial weight.
        bias_init: Initial bias.

    Inputs:
        x: (N, C, H, W).

    Outputs:
        (N, O, H', W').

    Raises:
        TypeError, ValueError: As `Conv2d`, and if `group` is not 1.

    Examples:
        >>> layer = nn.Conv2dThor(2, 4, 3)
        >>> layer(ops.ones((1, 2, 5, 5))).shape, layer.matrix_a_cov.shape, layer.matrix_g_cov.shape
        ((1, 4, 5, 5), (18, 18), (4, 4))
    """

    factors = ("matrix_a_cov", "matrix_g_cov")

    def __init__(self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, pad_mode: str = "same",
                 padding: Any = 0, dilation: Any = 1, group: int = 1, has_bias: bool = False,
                 weight_init: Any = "normal", bias_init: Any = "zeros"):
        Conv2d.__init__(self, in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group,
                        has_bias, weight_init, bias_init)
        if self.group != 1:
            raise ValueError(f"For 'Conv2dThor', the 'group' must be 1, but got {group}: use 'Conv2d' for groups.")
        self.keep_factors()

    @classmethod
    def takes(cls, cell: Any) -> bool:
        return cell.group == 1 and cell.format == "NCHW"

    def construct(self, x):
        return self.observed(x, Conv2d.construct(self, x))

    def factor_shapes(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        window = self.in_channels * self.kernel_size[0] * self.kernel_size[1]
        return (window, window), (self.out_channels, self.out_channels)

    def of_inputs(self, x: Any) -> Any:
        padding = self._same(tuple(x.shape[2:])) if self._fixed is None else self._fixed
        if len(padding) == 4:                       # both ends of the height, then of the width
            x, padding = ops.pad(x, (*padding[2:], *padding[:2])), (0, 0)
        patches = ops.unfold(x.astype(float32), self.kernel_size, self.dilation, padding, self.stride)
        return second_moment(patches.swapaxes(1, 2).reshape((-1, patches.shape[1]))) * patches.shape[2]

    def of_outputs(self, dout: Any) -> Any:
        return second_moment(dout.transpose(0, 2, 3, 1).reshape((-1, self.out_channels)))


class _ObservedTable(Observed):
    """A table of vectors: A is diagonal, the part of the indices that each row has."""

    weighted = "embedding_table"

    def factor_shapes(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return (self.vocab_size,), (self.embedding_size, self.embedding_size)

    def of_inputs(self, x: Any) -> Any:
        ids = x.reshape((-1,))
        found = unsorted_segment_sum(ops.ones_like(ids, dtype=float32), ids, num_segments=self.vocab_size)
        return found / ids.shape[0]

    def solved(self, grad: Any, a: Any, g: Any) -> Any:
        return grad * a.expand_dims(1) @ g


class EmbeddingThor(_ObservedTable, Embedding):
    """`Embedding` for `thor`: A is diagonal, the part of the indices that each row has.

    Args:
        vocab_size: Number of rows.
        embedding_size: Length of a row.
        use_one_hot: Whether to look up by a product with one-hot vectors.
        embedding_table: Initial table.
        dtype: Element type of the one-hot vectors.
        padding_idx: Row that starts as zeros.

    Inputs:
        ids: Integers of any shape.

    Outputs:
        (*ids.shape, embedding_size).

    Raises:
        TypeError, ValueError: As `Embedding`.

    Examples:
        >>> layer = nn.EmbeddingThor(10, 4)
        >>> layer(Tensor([1, 2])).shape, layer.matrix_a.shape, layer.matrix_g.shape
        ((2, 4), (10,), (4, 4))
    """

    def __init__(self, vocab_size: int, embedding_size: int, use_one_hot: bool = False,
                 embedding_table: Any = "normal", dtype: DType = float32, padding_idx: int | None = None):
        Embedding.__init__(self, vocab_size, embedding_size, use_one_hot, embedding_table, dtype, padding_idx)
        self.keep_factors()

    def construct(self, ids):
        return self.observed(ids, Embedding.construct(self, ids))


class EmbeddingLookupThor(_ObservedTable, EmbeddingLookup):
    """`EmbeddingLookup` for `thor`: A is diagonal, the part of the indices that each row has.

    Args:
        vocab_size: Number of rows.
        embedding_size: Length of a row.
        param_init: Initial table.
        target, slice_mode, manual_shapes, sparse: As for `EmbeddingLookup`.
        max_norm: None: rows that are scaled down have other gradients than the table.

    Inputs:
        indices: Integers of any shape.

    Outputs:
        (*indices.shape, embedding_size).

    Raises:
        TypeError, ValueError: As `EmbeddingLookup`, and if there is a `max_norm`.

    Examples:
        >>> layer = nn.EmbeddingLookupThor(10, 4)
        >>> layer(Tensor([1, 2])).shape, layer.matrix_a.shape, layer.matrix_g.shape
        ((2, 4), (10,), (4, 4))
    """

    def __init__(self, vocab_size: int, embedding_size: int, param_init: Any = "normal", target: str = "CPU",
                 slice_mode: str = "batch_slice", manual_shapes: Any = None, max_norm: float | None = None,
                 sparse: bool = True):
        EmbeddingLookup.__init__(self, vocab_size, embedding_size, param_init, target, slice_mode, manual_shapes,
                                 max_norm, sparse)
        if max_norm is not None:
            raise ValueError(f"For 'EmbeddingLookupThor', the 'max_norm' must be None, but got {max_norm}: use "
                             "'EmbeddingLookup' for rows of limited norm.")
        self.keep_factors()

    @classmethod
    def takes(cls, cell: Any) -> bool:
        return cell.max_norm is None

    def construct(self, indices):
        return self.observed(indices, EmbeddingLookup.construct(self, indices))


KINDS: dict[type, type[Observed]] = {
    Dense: DenseThor, Conv2d: Conv2dThor, Embedding: EmbeddingThor, EmbeddingLookup: EmbeddingLookupThor}


def observe(net: Cell) -> None:
    """Turn the layers of a network that `thor` has a second-order step for into layers that keep their factors.

    The objects stay, with their parameters and options: who else refers to one refers to the new layer. Classes
    that derive from a layer are left alone, since they may compute something else.
    """
    for _, cell in net.cells_and_names():
        kind = KINDS.get(type(cell))
        if kind is not None and kind.takes(cell):
            object.__setattr__(cell, "__class__", kind)    # not an attribute of the cell
            cell.keep_factors()


def observed_layers(net: Cell, trained: Any) -> list[Observed]:
    """The layers whose weights are among the trained parameters, each weight in one layer only.

    The others keep no factors: the Fisher matrix of a weight of several layers is no Kronecker product.
    """
    layers = [cell for _, cell in net.cells_and_names() if isinstance(cell, Observed)]
    used = [id(layer.weights) for layer in layers]
    places = {id(p) for p in trained}
    for layer in layers:
        layer.thor = id(layer.weights) in places and used.count(id(layer.weights)) == 1
    return [layer for layer in layers if layer.thor]
