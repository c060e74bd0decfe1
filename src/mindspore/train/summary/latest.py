"""The tensors of the last run, for programs that look at layers without a file between: coverage, drift."""
from __future__ import annotations

from mindspore.eager.tensor import Tensor, wrap
from mindspore.operators.summary import latest


def _get_summary_tensor_data() -> dict[str, Tensor]:
    """What 'TensorSummary' was given last under each name, by "name[:Tensor]"; each value is given once."""
    found = {f"{name}[:Tensor]": wrap(value) for name, value in latest.items()}
    latest.clear()
    return found


__all__ = ["_get_summary_tensor_data"]
