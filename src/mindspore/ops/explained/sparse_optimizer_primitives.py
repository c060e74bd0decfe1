"""Sections of the texts of operators in `sparse_optimizer_primitives`."""
from .optimizer_primitives import text

TEXTS = {
    "FusedSparseAdam": text(
        "var m v beta1_power beta2_power lr beta1 beta2 epsilon gradient indices use_locking use_nesterov",
        """
        >>> var, m, v = [Parameter(Tensor([[1.0], [number]])) for number in (1.0, 0.0, 0.0)]
        >>> step = ops.FusedSparseAdam()
        >>> _ = step(var, m, v, 0.5, 0.75, 0.5, 0.5, 0.75, 1e-8, Tensor([[2.0]]), Tensor([1], mindspore.int32))
        >>> var.asnumpy().round(4).tolist()[1], m.tolist(), v.tolist()
        ([0.5], [[0.5], [1.0]], [[0.75], [1.0]])
        """,
        "The three parameters.",
        gradient="The rows of the gradient, (n, ...).",
    ),
    "FusedSparseLazyAdam": text(
        "var m v beta1_power beta2_power lr beta1 beta2 epsilon gradient indices use_locking use_nesterov",
        """
        >>> var, m, v = [Parameter(Tensor([[1.0], [number]])) for number in (1.0, 0.0, 0.0)]
        >>> step = ops.FusedSparseLazyAdam()
        >>> _ = step(var, m, v, 0.5, 0.75, 0.5, 0.5, 0.75, 1e-8, Tensor([[2.0]]), Tensor([1], mindspore.int32))
        >>> var.asnumpy().round(4).tolist()[1], m.tolist(), v.tolist()
        ([0.5], [[1.0], [1.0]], [[1.0], [1.0]])
        """,
        "The three parameters.",
        gradient="The rows of the gradient, (n, ...).",
    ),
    "FusedSparseFtrl": text(
        "var accum linear grad indices lr l1 l2 lr_power use_locking",
        """
        >>> var, accum, linear = [Parameter(Tensor([[number], [number]])) for number in (1.0, 3.0, 0.0)]
        >>> ftrl = ops.FusedSparseFtrl(lr=0.5, l1=0.0, l2=0.0, lr_power=-1.0)
        >>> _ = ftrl(var, accum, linear, Tensor([[1.0]]), Tensor([1], mindspore.int32))
        >>> var.tolist(), accum.tolist(), linear.tolist()
        ([[1.0], [0.125]], [[3.0], [4.0]], [[0.0], [-1.0]])
        """,
        "The three parameters.",
        grad="The rows of the gradient, (n, ...).",
    ),
    "FusedSparseProximalAdagrad": text(
        "var accum lr l1 l2 grad indices use_locking",
        """
        >>> var, accum = Parameter(Tensor([[1.0], [1.0]])), Parameter(Tensor([[3.0], [3.0]]))
        >>> step = ops.FusedSparseProximalAdagrad()
        >>> _ = step(var, accum, 0.5, 0.0, 0.0, Tensor([[1.0]]), Tensor([1], mindspore.int32))
        >>> var.tolist(), accum.tolist()
        ([[1.0], [0.75]], [[3.0], [4.0]])
        """,
        "The two parameters.",
        grad="The rows of the gradient, (n, ...).",
    ),
    "SparseApplyAdadelta": """\
Args:
    var: A parameter, which the step changes.
    accum, accum_update: Moving means of squares of gradients and of steps, parameters of its shape, which change.
    lr, rho: The rate and the weight of the earlier means; numbers or tensors with one.
    grad: A row for each of the indices.
    indices: Rows of `var`, integers; those that occur more than once add up.
    epsilon: What is added under the roots, a float.
    use_locking: Whether others must wait meanwhile; nothing here writes at the same time.

Examples:
    >>> p, accum, accum_update = [Parameter(Tensor([[x], [x]])) for x in (1.0, 0.0, 0.0)]
    >>> step = ops.SparseApplyAdadelta(epsilon=1e-6)
    >>> _ = step(p, accum, accum_update, 1.0, 0.5, Tensor([[1.0]]), Tensor([1], mindspore.int32))
    >>> accum.asnumpy().tolist()
    [[0.0], [0.5]]
    >>> p.asnumpy().round(4).ravel()
    array([1.    , 0.9986], dtype=float32)
""",
    "SparseApplyAdagrad": """\
Args:
    var: A parameter, which the step changes.
    accum: Sums of squares of gradients, a parameter of its shape, which changes.
    grad: A row for each of the indices.
    indices: Rows of `var`, integers; those that occur more than once add up.
    lr: The rate, a float.
    update_slots: Whether `accum` grows.
    use_locking: Whether others must wait meanwhile; nothing here writes at the same time.

Examples:
    >>> p, accum = [Parameter(Tensor([[x], [x]])) for x in (1.0, 3.0)]
    >>> _ = ops.SparseApplyAdagrad(lr=0.5)(p, accum, Tensor([[1.0]]), Tensor([1], mindspore.int32))
    >>> p.asnumpy().tolist(), accum.asnumpy().tolist()
    ([[1.0], [0.75]], [[3.0], [4.0]])
""",
    "SparseApplyAdagradV2": """\
Args:
    var: A parameter, which the step changes.
    accum: Sums of squares of gradients, a parameter of its shape, which changes.
    grad: A row for each of the indices.
    indices: Rows of `var`, integers; those that occur more than once add up.
    lr: The rate, a float.
    epsilon: What is added under the root, a float.
    update_slots: Whether `accum` grows.
    use_locking: Whether others must wait meanwhile; nothing here writes at the same time.

Examples:
    >>> p, accum = [Parameter(Tensor([[x], [x]])) for x in (1.0, 3.0)]
    >>> _ = ops.SparseApplyAdagradV2(lr=0.5, epsilon=0.0)(p, accum, Tensor([[1.0]]), Tensor([1], mindspore.int32))
    >>> p.asnumpy().tolist(), accum.asnumpy().tolist()
    ([[1.0], [0.75]], [[3.0], [4.0]])
""",
    "SparseApplyFtrl": """\
Args:
    var: A parameter, which the step changes.
    accum, linear: Sums of squares and the linear term, parameters of its shape, which change.
    grad: A row for each of the indices.
    indices: Rows of `var`, integers; those that occur more than once add up.
    lr: The rate, a positive float.
    l1, l2: Weights of the absolute values and of the squares, not negative.
    lr_power: The power of the sums that the rate is divided by, at most 0.
    use_locking: Whether others must wait meanwhile; nothing here writes at the same time.

Examples:
    >>> p, accum, linear = [Parameter(Tensor([[x], [x]])) for x in (1.0, 1.0, 0.0)]
    >>> step = ops.SparseApplyFtrl(lr=0.5, l1=0.0, l2=0.0, lr_power=-0.5)
    >>> _ = step(p, accum, linear, Tensor([[1.0]]), Tensor([1], mindspore.int32))
    >>> p.asnumpy().round(4).ravel()
    array([ 1.    , -0.0607], dtype=float32)
""",
    "SparseApplyFtrlV2": """\
Args:
    var: A parameter, which the step changes.
    accum, linear: Sums of squares and the linear term, parameters of its shape, which change.
    grad: A row for each of the indices.
    indices: Rows of `var`, integers; those that occur more than once add up.
    lr: The rate, a positive float.
    l1, l2: Weights of the absolute values and of the squares, not negative.
    l2_shrinkage: The weight of the squares that changes the gradient only.
    lr_power: The power of the sums that the rate is divided by, at most 0.
    use_locking: Whether others must wait meanwhile; nothing here writes at the same time.

Examples:
    >>> p, accum, linear = [Parameter(Tensor([[x], [x]])) for x in (1.0, 1.0, 0.0)]
    >>> step = ops.SparseApplyFtrlV2(lr=0.5, l1=0.0, l2=0.0, l2_shrinkage=0.0, lr_power=-0.5)
    >>> _ = step(p, accum, linear, Tensor([[1.0]]), Tensor([1], mindspore.int32))
    >>> p.asnumpy().round(4).ravel()
    array([ 1.    , -0.0607], dtype=float32)
""",
    "SparseApplyProximalAdagrad": """\
Args:
    var: A parameter, which the step changes.
    accum: Sums of squares of gradients, a parameter of its shape, which changes.
    lr: The rate, a number or a tensor with one.
    l1, l2: Weights of the absolute values and of the squares, likewise.
    grad: A row for each of the indices.
    indices: Rows of `var`, integers; those that occur more than once add up.
    use_locking: Whether others must wait meanwhile; nothing here writes at the same time.

Examples:
    >>> p, accum = [Parameter(Tensor([[x], [x]])) for x in (1.0, 3.0)]
    >>> _ = ops.SparseApplyProximalAdagrad()(p, accum, 0.5, 0.0, 0.0, Tensor([[1.0]]), Tensor([1], mindspore.int32))
    >>> p.asnumpy().tolist(), accum.asnumpy().tolist()
    ([[1.0], [0.75]], [[3.0], [4.0]])
""",
    "SparseApplyRMSProp": """\
Args:
    var: A parameter, which the step changes.
    ms, mom: The moving mean of the squares and the momentum, parameters of its shape, which change.
    lr: The rate, a number or a tensor with one.
    grad: A row for each of the indices.
    indices: Rows of `var`, integers; those that occur more than once add up.
    rho: The weight of the earlier mean, a float.
    momentum: The weight of the earlier step, a float.
    epsilon: What is added under the root, a float.
    use_locking: Whether others must wait meanwhile; nothing here writes at the same time.

Examples:
    >>> p, ms, mom = [Parameter(Tensor([[x], [x]])) for x in (1.0, 0.0, 0.0)]
    >>> step = ops.SparseApplyRMSProp(rho=0.75, momentum=0.0, epsilon=1e-12)
    >>> _ = step(p, ms, mom, 0.25, Tensor([[1.0]]), Tensor([1], mindspore.int32))
    >>> p.asnumpy().tolist(), ms.asnumpy().tolist()
    ([[1.0], [0.5]], [[0.0], [0.25]])
""",
}
