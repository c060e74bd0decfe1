"""Sections of the texts of operators in `nn_random`."""
TEXTS = {
    "Dropout": """\
Args:
    x: Floating point.
    keep_prob: The probability to keep an element, in [0, 1].
    Seed0, Seed1: Seeds; with both 0 they are those of the process.

Examples:
    >>> y, kept = ops.Dropout(keep_prob=0.5)(ops.ones((2, 3)))
    >>> bool((y == kept * 2).all())
    True
""",
    "Dropout2D": """\
Args:
    x: (N, C, H, W).
    keep_prob: The probability to keep a channel, in [0, 1].

Examples:
    >>> y, kept = ops.Dropout2D(keep_prob=0.5)(ops.ones((2, 3, 2, 2)))
    >>> bool((y == kept * 2).all()), kept.dtype
    (True, mindspore.bool)
""",
    "Dropout3D": """\
Args:
    x: (N, C, D, H, W).
    keep_prob: The probability to keep a channel, in [0, 1].

Examples:
    >>> y, kept = ops.Dropout3D(keep_prob=0.5)(ops.ones((2, 3, 2, 2, 2)))
    >>> bool((y == kept * 2).all()), kept.dtype
    (True, mindspore.bool)
""",
    "DropoutGenMask": """\
Args:
    shape: The shape, a tuple of ints.
    keep_prob: The probability of a 1, a tensor without dimensions.
    Seed0, Seed1: Seeds; with both 0 they are those of the process.

Examples:
    >>> ops.DropoutGenMask()((2, 4), Tensor(0.5)).dtype
    mindspore.uint8
""",
    "DropoutDoMask": """\
Args:
    x: Floating point.
    mask: What `DropoutGenMask` gave for the shape of `x`.
    keep_prob: The probability that it was given, a tensor without dimensions.

Examples:
    >>> bits, keep = ops.DropoutGenMask()((2, 4), Tensor(1.0)), Tensor(1.0)
    >>> ops.DropoutDoMask()(ops.ones((2, 4)), bits, keep).tolist()
    [[1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]]
""",
}
