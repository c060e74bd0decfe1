"""Sections of the texts of operators in `control_primitives`."""
TEXTS = {
    "Scan": """\
Args:
    loop_func: Takes the value and an element; returns the next value and a result.
    init: The first value.
    xs: The elements, a tuple or a list; None for `length` times None.
    length: How many there are; needed only without `xs`, else the length of `xs` or ValueError.
    unroll: A bool; compiled or not, the result is the same.

Examples:
    >>> ops.Scan()(lambda total, x: (total + x, total * x), 1, [2, 3, 4])
    (10, [2, 9, 24])
""",
    "WhileLoop": """\
Args:
    cond_func: Takes the value, tells whether to continue.
    loop_func: Takes the value, returns the next, of the same type.
    init_val: The first value.

Examples:
    >>> ops.WhileLoop()(lambda x: x < 100, lambda x: x * 2, Tensor(3)).tolist()
    192
""",
    "ForiLoop": """\
Args:
    lower, upper: The first index and the one behind the last, integers.
    loop_func: A function of the index and the value that returns the next value.
    init_val: The first value.
    unroll: Whether the loop may be unrolled; the result is the same.

Examples:
    >>> ops.ForiLoop()(1, 4, lambda i, value: value + i, Tensor(0)).item()
    6
""",
}
