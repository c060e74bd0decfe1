"""Sections of the texts of operators in `exchanges`."""
TEXTS = {
    "NeighborExchangeV2": """\
Args:
    input_x: (n, c, h, w), of the same shape in every process.
    send_rank_ids: Who gets a border: eight ranks, clockwise from the top; -1 for nobody.
    send_lens: How much of it is sent: four widths, top, bottom, left, right.
    recv_rank_ids: Who gives a border, likewise.
    recv_lens: How much is received, likewise.
    data_format: "NCHW".
    group: The name of the group, which is initialised first.

Examples:
    >>> right, left = [-1, -1, 1, -1, -1, -1, -1, -1], [-1] * 8
    >>> exchange = ops.NeighborExchangeV2(right, [0, 0, 0, 2], left, [0] * 4, "NCHW")
    >>> exchange.send_lens                     # a call needs a second process
    (0, 0, 0, 2)
""",
}
