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
    "AlltoAllV": """\
Args:
    input_x: Any shape; its elements in their order.
    send_numel_list, recv_numel_list: How many blocks go to each process, and come from each, lists of ints.
    group: The group of processes.
    block_size: The elements of a block.

Examples:
    >>> from mindspore import communication
    >>> communication.init()
    >>> ops.AlltoAllV()(Tensor([1.0, 2.0]), [2], [2]).tolist()
    [1.0, 2.0]
""",
    "AlltoAllVC": """\
Args:
    input_x: Any shape; its elements in their order.
    send_count_matrix: The table, in blocks: a list of lists, or a tensor.
    group: The group of processes.
    block_size: The elements of a block.
    transpose: Whether rows are what is received.

Examples:
    >>> from mindspore import communication
    >>> communication.init()
    >>> ops.AlltoAllVC()(Tensor([1.0, 2.0]), [[2]]).tolist()
    [1.0, 2.0]
""",
}
