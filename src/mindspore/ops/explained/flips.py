"""Sections of the texts of operators in `flips`."""
TEXTS = {
    "ReverseSequence": """\
Args:
    x: Two dimensions at least.
    seq_lengths: For each entry along `batch_dim` how many elements; integers, not above the extent of `seq_dim`.
    seq_dim, batch_dim: Two dimensions, ints.

Examples:
    >>> ops.ReverseSequence(seq_dim=1)(Tensor([[1, 2, 3], [4, 5, 6]]), Tensor([2, 3])).tolist()
    [[2, 1, 3], [6, 5, 4]]
""",
}
