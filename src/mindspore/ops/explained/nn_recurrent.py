"""Sections of the texts of operators in `nn_recurrent`."""
TEXTS = {
    "DynamicRNN": """\
Args:
    x: (T, N, I), floating point.
    w: (I + H, 4 H).
    b: (4 H,).
    seq_length: None.
    init_h, init_c: The first states, (1, N, H); None is 0.
    cell_type: "LSTM".
    direction: "UNIDIRECTIONAL".
    cell_depth: 1.
    use_peephole: False.
    keep_prob: 1.0.
    cell_clip: The greatest magnitude of a cell; negative for none.
    num_proj: 0.
    time_major: True.
    activation: "tanh".
    forget_bias: What is added to the forget gate before the sigmoid.
    is_training: A bool; the result is the same.

Examples:
    >>> found = ops.DynamicRNN()(ops.ones((2, 1, 3)), ops.zeros((5, 8)), ops.zeros((8,)))
    >>> found[0].shape, found[2].tolist(), found[3].tolist()
    ((2, 1, 2), [[[0.0, 0.0]], [[0.0, 0.0]]], [[[0.5, 0.5]], [[0.5, 0.5]]])
""",
    "DynamicGRUV2": """\
Args:
    x: (T, N, I), floating point.
    weight_input: (I, 3 H).
    weight_hidden: (H, 3 H).
    bias_input, bias_hidden: (3 H,); None is 0.
    seq_length: None.
    init_h: The first state, (N, H); None is 0.
    direction: "UNIDIRECTIONAL".
    cell_depth: 1.
    keep_prob: 1.0.
    cell_clip: -1.0.
    num_proj: 0.
    time_major: True.
    activation: "tanh".
    gate_order: "rzh" or "zrh": the order of reset (r), update (z) and new (h).
    reset_after: Whether the reset gate multiplies what the weights made of the state, else the state.
    is_training: A bool; the result is the same.

Examples:
    >>> found = ops.DynamicGRUV2()(ops.ones((1, 1, 3)), ops.zeros((3, 6)), ops.zeros((2, 6)), init_h=ops.ones((1, 2)))
    >>> found[0].tolist(), found[2].tolist()
    ([[[0.5, 0.5]]], [[[0.5, 0.5]]])
""",
}
