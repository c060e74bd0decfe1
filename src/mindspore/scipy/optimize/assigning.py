"""Assignments with the smallest sum of costs."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.errors import show
from mindspore.operators.solvers import assignment
from mindspore.ops.arguments import tensor
from mindspore.ops.signatures import plain


def linear_sum_assignment(cost_matrix: Any, maximize: Any, dimension_limit: Any = 2**63 - 1) -> tuple[Any, Any]:
    """The rows and the columns of the elements, one in each row and each column, with the smallest sum (Crouse 2016).

    Args:
        cost_matrix: The costs (m, n).
        maximize: Whether the largest sum is wanted; a bool or a tensor of one.
        dimension_limit: Only so many columns count; an int or a tensor of one.

    Returns:
        The rows, rising, and their columns, int64 (min(m, n),); -1 where the limit leaves none.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If `cost_matrix` is no matrix, or the limit not positive.

    Examples:
        >>> costs = Tensor([[4.0, 1.0, 3.0], [2.0, 0.0, 5.0], [3.0, 2.0, 2.0]])
        >>> rows, columns = mindspore.scipy.optimize.linear_sum_assignment(costs, False)
        >>> rows.tolist(), columns.tolist()
        ([0, 1, 2], [1, 0, 2])
    """
    owner = "linear_sum_assignment"
    costs = tensor(owner, "cost_matrix", cost_matrix)
    if costs.dtype.is_complex:
        raise TypeError(f"For '{owner}', the 'cost_matrix' must be of real numbers, but got {show(costs)}.")
    return assignment(costs, maximize=check.boolean(owner, "maximize", plain(maximize)),
                      limit=check.positive_int(owner, "dimension_limit", plain(dimension_limit)))
