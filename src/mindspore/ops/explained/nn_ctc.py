"""Sections of the texts of operators in `nn_ctc`."""
TEXTS = {
    "CTCGreedyDecoder": """\
Args:
    inputs: Scores, (T, N, C), floating point, with the blank as the last class.
    sequence_length: The lengths, (N,), int32.
    merge_repeated: Whether repetitions that follow each other are dropped.

Returns:
    Places, elements and shape of the sparse sequences, and the sum of -max(inputs) for each, (N, 1).

Examples:
    >>> scores = Tensor([[[0.75, 0.25, 0.0]], [[0.0, 0.5, 0.25]]])
    >>> indices, values, shape, score = ops.CTCGreedyDecoder()(scores, Tensor([2], mindspore.int32))
    >>> values.tolist(), score.tolist()
    ([0, 1], [[-1.25]])
""",
    "CTCLoss": """\
Args:
    x: Scores, floating point.
    indices: Where the labels stand, (n, 2): the example and the place, int64.
    values: The labels, (n,), int32.
    lengths: The numbers of steps, (N,), int32.
    preprocess_collapse_repeated: Whether of equal labels that follow each other only the first counts.
    ctc_merge_repeated: Whether classes that follow each other are one label. If not, each is a label of its own.
    ignore_longer_outputs_than_inputs: Whether labels that are too many for the steps count 0.

Examples:
    >>> scores, places = ops.zeros((1, 1, 2)), Tensor([[0, 0]])
    >>> loss, grad = ops.CTCLoss()(scores, places, Tensor([0], mindspore.int32), Tensor([1], mindspore.int32))
    >>> loss.asnumpy().round(4), grad.tolist()
    (array([0.6931], dtype=float32), [[[-0.5, 0.5]]])
""",
    "CTCLossV2": """\
Args:
    log_probs: Logarithms of probabilities, (T, N, C), floating point.
    targets: The labels, (N, S), int32 or int64.
    input_lengths, target_lengths: The numbers of steps and of labels, (N,).
    blank: The class of the blank.
    reduction: "none", "mean" or "sum".
    zero_infinity: Whether losses that are infinite count 0.

Examples:
    >>> log_probs = ops.zeros((1, 1, 2)) - float(np.log(2.0))
    >>> loss, forward = ops.CTCLossV2()(log_probs, Tensor([[1]]), Tensor([1]), Tensor([1]))
    >>> loss.asnumpy().round(4)
    array([0.6931], dtype=float32)
""",
}
