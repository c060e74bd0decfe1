"""Sections of the texts of operators in `messages`."""
TEXTS = {
    "AlltoAll": """\
Args:
    x: The tensor of this process, of the same shape and dtype in all.
    split_count: The number of processes.
    split_dim: The dimension along which the input is cut.
    concat_dim: The dimension along which the result is joined.
    group: The name of the group of processes.
""",
    "AllGatherV": """\
Args:
    x: The tensor of this process.
    output_split_sizes: The first extents of the tensors of all processes, ints.
    group: The name of the group of processes.
""",
    "ReduceScatterV": """\
Args:
    x: The tensor of this process, of the same shape and dtype in all.
    input_split_sizes: The first extents of the parts of all processes, ints.
    op: How elements are combined, a constant of `ops.ReduceOp`.
    group: The name of the group of processes.
""",
    "Send": """\
Args:
    x: The tensor.
    sr_tag: A number that tells apart messages between the same processes.
    dest_rank: The number of the process that receives.
    group, group_back: The names of the groups of processes, for the tensor and for its cotangent.

Examples:
    >>> send = ops.Send(sr_tag=0, dest_rank=1)       # `send(x)` needs a process that receives
    >>> send.dest_rank, send.group
    (1, 'hccl_world_group')
""",
    "Receive": """\
Args:
    x: A tensor that is not looked at.
    sr_tag: A number that tells apart messages between the same processes.
    src_rank: The number of the process that sends.
    shape, dtype: Those of the tensor that comes.
    group, group_back: The names of the groups of processes, for the tensor and for its cotangent.

Examples:
    >>> receive = ops.Receive(sr_tag=0, src_rank=0, shape=[2, 3], dtype=mindspore.float32)
    >>> receive.shape, receive.src_rank               # `receive()` needs a process that sends
    ((2, 3), 0)
""",
    "NeighborExchange": """\
Args:
    xs: A tuple of tensors of the `send_shapes`.
    send_rank_ids, recv_rank_ids: The numbers of the processes to which and from which tensors go.
    recv_shapes, send_shapes: The shapes of the tensors that come and go, in the order of the processes.
    recv_type: The dtype of the tensors that come.
    group: The name of the group of processes.

Examples:
    >>> exchange = ops.NeighborExchange([1], [1], ([2],), ([2],), mindspore.float32)
    >>> exchange.send_rank_ids, exchange.recv_shapes      # a call needs a second process
    ((1,), ((2,),))
""",
    "BatchISendIRecv": """\
Args:
    xs: A tuple with a tensor for each "isend".
    op_types: "isend" or "irecv" for each message.
    remote_ranks: The number of the other process for each message.
    receive_shapes, receive_dtypes: Those of the tensors that come, in the order of the "irecv".
    group: The name of the group of processes.

Examples:
    >>> messages = ops.BatchISendIRecv(["isend", "irecv"], [1, 1], [(2,)], [mindspore.float32])
    >>> messages.op_types, messages.remote_ranks          # a call needs a second process
    (('isend', 'irecv'), (1, 1))
""",
}
