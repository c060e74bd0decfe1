"""Sections of the texts of operators in `optimizer_primitives`."""
TEXTS = {
    "SGD": """\
Args:
    parameters: A parameter, which the step changes.
    gradient: Of its shape and dtype.
    learning_rate, momentum: Numbers or tensors with one.
    accum: The momentum so far, a parameter of the shape of `parameters`, which changes.
    stat: Of that shape; above 0 before the first step, 0 afterwards.
    dampening: What the gradient is weakened by in the momentum, a float.
    weight_decay: The factor of the parameter that is added to the gradient.
    nesterov: Whether the step looks ahead by the momentum.

Examples:
    >>> p, accum, stat = [Parameter(Tensor([x])) for x in (1.0, 0.0, 1.0)]
    >>> ops.SGD()(p, Tensor([0.5]), 0.5, accum, 0.9, stat).tolist()
    [0.75]
    >>> accum.asnumpy(), stat.asnumpy()
    (array([0.5], dtype=float32), array([0.], dtype=float32))
""",
}
