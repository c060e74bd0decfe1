"""Sections of the texts of operators in `communication`."""
TEXTS = {
    "AllReduce": """\
Args:
    x: The tensor of this process, of the same shape and dtype in all.
    op: "sum", "max", "min", "prod" or "avg", a constant of `ops.ReduceOp`.
    group: The name of the group of processes.
""",
    "AllGather": """\
Args:
    x: The tensor of this process, of the same shape and dtype in all.
    group: The name of the group of processes.
""",
    "ReduceScatter": """\
Args:
    x: The tensor of this process; its first extent is a multiple of the number of processes.
    op: How elements are combined, a constant of `ops.ReduceOp`.
    group: The name of the group of processes.
""",
    "Broadcast": """\
Args:
    xs: A tuple of tensors.
    root_rank: The number within the group of the process whose tensors all get.
    group: The name of the group of processes.
""",
    "Reduce": """\
Args:
    x: The tensor of this process, of the same shape and dtype in all.
    dest_rank: The number of the process that gets the result.
    op: How elements are combined, a constant of `ops.ReduceOp`.
    group: The name of the group of processes.
""",
    "CollectiveGather": """\
Args:
    x: The tensor of this process, of the same shape and dtype in all.
    dest_rank: The number of the process that gets the result.
    group: The name of the group of processes.
""",
    "CollectiveScatter": """\
Args:
    x: A tensor whose first extent is a multiple of the number of processes.
    src_rank: The number of the process whose tensor is cut.
    group: The name of the group of processes.
""",
    "Barrier": """\
Args:
    group: The name of the group of processes.
""",
}
