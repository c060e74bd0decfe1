"""Sections of the texts of operators in `float_status`."""
TEXTS = {
    "NPUAllocFloatStatus": """\
Examples:
    >>> ops.NPUAllocFloatStatus()().tolist()
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
""",
    "NPUClearFloatStatus": """\
Args:
    input_x: The flags of `NPUAllocFloatStatus`, (8,), float32.

Examples:
    >>> ops.NPUClearFloatStatus()(ops.NPUAllocFloatStatus()()).tolist()
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
""",
    "NPUGetFloatStatus": """\
Args:
    input_x: The flags of `NPUAllocFloatStatus`, (8,), float32.

Examples:
    >>> ops.NPUGetFloatStatus()(ops.NPUAllocFloatStatus()()).tolist()
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
""",
    "FloatStatus": """\
Args:
    x: Floating point.

Examples:
    >>> ops.FloatStatus()(Tensor([1.0, float("inf")])).tolist()
    [1.0]
""",
}
