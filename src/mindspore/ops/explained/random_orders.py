"""Sections of the texts of operators in `random_orders`."""
TEXTS = {
    "Randperm": """\
Args:
    n: How many numbers, an int or a tensor with one; ValueError outside of [0, max_length].
    max_length: The extent of the result, a positive int.
    pad: What stands behind the numbers.
    dtype: The dtype of the result.

Examples:
    >>> x = ops.Randperm(max_length=5)(3)
    >>> sorted(x[:3].tolist()), x[3:].tolist()
    ([0, 1, 2], [-1, -1])
""",
    "RandpermV2": """\
Args:
    n: How many numbers, an int.
    seed, offset: Two ints that fix the order.
    dtype: The dtype of the result.

Examples:
    >>> sorted(ops.RandpermV2(seed=3)(4).tolist())
    [0, 1, 2, 3]
""",
    "UniformCandidateSampler": """\
Args:
    true_classes: (N, num_true), integers.
    num_true: The true classes of a row, a positive int.
    num_sampled: How many classes to draw, a positive int.
    unique: Whether each is drawn once at most.
    range_max: The number of classes.
    seed: An int; another number than 0 fixes what is drawn.
    remove_accidental_hits: Whether the true classes are left out of those drawn.

Examples:
    >>> sample = ops.UniformCandidateSampler(num_true=1, num_sampled=3, unique=True, range_max=3, seed=1)
    >>> drawn, true, found = sample(Tensor([[0], [2]]))
    >>> sorted(drawn.tolist()), true.shape, found.shape
    ([0, 1, 2], (2, 1), (3,))
""",
    "LogUniformCandidateSampler": """\
Args:
    true_classes: The true classes, (N, num_true), int64.
    num_true: How many true classes there are for each example.
    num_sampled: How many classes are drawn.
    unique: Whether no class is drawn twice.
    range_max: The number of classes.
    seed: The seed of the numbers; 0 takes the global one.

Returns:
    The drawn classes (num_sampled,), and the expected counts of the true (N, num_true) and of the drawn ones.

Examples:
    >>> drawn, of_true, of_drawn = ops.LogUniformCandidateSampler(num_sampled=3)(Tensor([[0], [4]]))
    >>> drawn.shape, of_true.shape, of_drawn.shape
    ((3,), (2, 1), (3,))
""",
}
