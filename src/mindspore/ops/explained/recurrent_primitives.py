"""Sections of the texts of operators in `recurrent_primitives`."""
TEXTS = {
    "BasicLSTMCell": """\
Args:
    x: (N, I), floating point.
    h, c: The states, (N, H).
    w: The weights, also with further dimensions of the extent 1.
    b: (4 H,), likewise.
    keep_prob: The probability to keep an element of the new h.
    forget_bias: What is added to the forget gate before the sigmoid.
    state_is_tuple: Has no effect: the states are two tensors.
    activation: "tanh".

Examples:
    >>> step = ops.BasicLSTMCell(forget_bias=0.0)
    >>> c, h, *gates = step(ops.ones((1, 3)), ops.zeros((1, 2)), ops.ones((1, 2)), ops.zeros((8, 5)), ops.zeros((8,)))
    >>> c.tolist(), h.asnumpy().round(4)
    ([[0.5, 0.5]], array([[0.2311, 0.2311]], dtype=float32))
""",
    "LSTM": """\
Args:
    x: (T, N, input_size), floating point.
    h, c: The first states, (layers and directions, N, hidden_size).
    w: All weights, (n, 1, 1).
    input_size, hidden_size: The extents of an input and of a state.
    num_layers: The number of layers.
    has_bias: Whether `w` has biases.
    bidirectional: Whether a second stack reads backwards.
    dropout: 0 where there are several layers.
    proj_size: 0.

Examples:
    >>> lstm, state = ops.LSTM(3, 2, 1, False, False, 0.0), ops.zeros((1, 1, 2))
    >>> y, h, c, *_ = lstm(ops.ones((4, 1, 3)), state, state, ops.zeros((40, 1, 1)))
    >>> y.shape, h.shape, c.tolist()
    ((4, 1, 2), (1, 1, 2), [[[0.0, 0.0]]])
""",
}
