"""Sections of the texts of operators in `random`."""
_DRAWN = """\
Args:
    shape: The shape of the result, a tuple of ints.
    seed, seed2: Numbers that start the random numbers; 0 and 0 for what `set_seed` says.
"""
TEXTS = {
    "StandardNormal": _DRAWN + """
Examples:
    >>> ops.StandardNormal(seed=1)((2, 3)).shape
    (2, 3)
""",
    "UniformReal": _DRAWN + """
Examples:
    >>> x = ops.UniformReal(seed=1)((2, 3))
    >>> x.shape, bool((x >= 0).all()) and bool((x < 1).all())
    ((2, 3), True)
""",
    "UniformInt": """\
Args:
    shape: The shape of the result, a tuple of ints.
    minval, maxval: The bounds, int32 tensors without dimensions.
    seed, seed2: Numbers that start the random numbers; 0 and 0 for what `set_seed` says.

Examples:
    >>> x = ops.UniformInt(seed=1)((2, 3), Tensor(4, mindspore.int32), Tensor(6, mindspore.int32))
    >>> x.shape, set(x.asnumpy().ravel().tolist()) <= {4, 5}
    ((2, 3), True)
""",
    "StandardLaplace": _DRAWN + """
Examples:
    >>> ops.StandardLaplace(seed=1)((2, 3)).shape
    (2, 3)
""",
    "TruncatedNormal": """\
Args:
    shape: The shape of the result, a tuple of ints.
    dtype: The floating type of the result.
    seed, seed2: Numbers that start the random numbers; 0 and 0 for what `set_seed` says.

Examples:
    >>> x = ops.TruncatedNormal(seed=1)((2, 3))
    >>> x.shape, bool((x.abs() <= 2).all())
    ((2, 3), True)
""",
    "Gamma": """\
Args:
    shape: A tuple of ints; the result has the shape that it and those of the tensors broadcast to.
    alpha, beta: Positive float32 tensors.
    seed, seed2: Numbers that start the random numbers; 0 and 0 for what `set_seed` says.

Examples:
    >>> ops.Gamma(seed=1)((3, 1), Tensor([1.0, 2.0]), Tensor([1.0])).shape
    (3, 2)
""",
    "Poisson": """\
Args:
    shape: A tuple of ints; the result has the shape that it and that of the tensor broadcast to.
    mean: A positive float32 tensor.
    seed, seed2: Numbers that start the random numbers; 0 and 0 for what `set_seed` says.

Examples:
    >>> x = ops.Poisson(seed=1)((2, 3), Tensor([4.0]))
    >>> x.dtype, bool((x >= 0).all())
    (mindspore.int32, True)
""",
    "Multinomial": """\
Args:
    x: (n,) or (m, n), real, not negative.
    num_samples: How many indices for each row, a positive int.
    seed, seed2: Numbers that start the random numbers; 0 and 0 for what `set_seed` says.
    dtype: int32 or int64, that of the result.

Examples:
    >>> ops.Multinomial(seed=1)(Tensor([0.0, 1.0, 0.0]), 4).tolist()
    [1, 1, 1, 1]
""",
    "RandomCategorical": """\
Args:
    logits: (m, n), floating point.
    num_sample: How many indices for each row, a positive int.
    seed: A number that starts the random numbers.
    dtype: int16, int32 or int64, that of the result.

Examples:
    >>> ops.RandomCategorical()(Tensor([[0.0, 100.0, 0.0]]), 4, 1).tolist()
    [[1, 1, 1, 1]]
""",
    "Bernoulli": """\
Args:
    x: Any shape, real; only its shape and dtype count.
    p: The probability, a float or a tensor.
    seed, offset: Numbers that start the random numbers; -1 for what `set_seed` says.

Examples:
    >>> ops.Bernoulli()(Tensor([1.0, 2.0]), Tensor([1.0])).tolist()
    [1.0, 1.0]
""",
    "RandomShuffle": """\
Args:
    x: At least one dimension, any dtype.
    seed, seed2: Numbers that start the random numbers; 0 and 0 for what `set_seed` says.

Examples:
    >>> sorted(ops.RandomShuffle()(Tensor([3, 1, 2])).tolist())
    [1, 2, 3]
""",
    "RandomChoiceWithMask": """\
Args:
    x: Bools, of one to five dimensions.
    count: How many coordinates.
    seed, seed2: Numbers that start the random numbers; 0 and 0 for what `set_seed` says.

Examples:
    >>> places, real = ops.RandomChoiceWithMask(count=2)(Tensor([False, True, False]))
    >>> places.tolist(), real.tolist()
    ([[1], [0]], [True, False])
""",
    "MultinomialWithReplacement": """\
Args:
    x: What the probabilities are proportional to: (C,) or (N, C), floating point, not negative.
    seed, offset: Two ints that fix what is drawn.
    numsamples: How many indices to draw for each row.
    replacement: Whether an index may be drawn again.

Examples:
    >>> draw = ops.MultinomialWithReplacement(numsamples=3, replacement=True)
    >>> draw(Tensor([0.0, 1.0, 0.0]), 1, 2).tolist()
    [[1, 1, 1]]
""",
    "RandomGamma": """\
Args:
    shape: How many are drawn for each element of `alpha`; it stands first in the shape of the result.
    alpha: Any shape, floating point, positive.
    seed, seed2: Two ints; numbers other than 0 fix what is drawn.

Examples:
    >>> ops.RandomGamma(seed=1)((3,), Tensor([1.0, 2.0])).shape
    (3, 2)
""",
    "RandomPoisson": """\
Args:
    shape: How many are drawn for each element of `rate`; it stands first in the shape of the result.
    rate: Any shape, floating point, not negative.
    seed, seed2: Two ints; numbers other than 0 fix what is drawn.
    dtype: The dtype of the result.

Examples:
    >>> ops.RandomPoisson(seed=1)((2,), Tensor([0.0])).tolist()
    [[0], [0]]
""",
    "Cauchy": """\
Args:
    size: The shape, a list of ints.
    median: The place of the maximum.
    sigma: The half width at half of the maximum, positive.

Examples:
    >>> ops.Cauchy([2, 3])().shape
    (2, 3)
""",
    "LogNormalReverse": """\
Args:
    input: The tensor whose shape and type the numbers have, floating point.
    mean, std: Mean and deviation of the logarithms.

Examples:
    >>> ops.LogNormalReverse(mean=0.0, std=1.0)(ops.zeros((2, 3))).shape
    (2, 3)
""",
}
