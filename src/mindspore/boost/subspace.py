"""Steps of second order in a space of few dimensions.

Li et al., Low dimensional trajectory hypothesis is true: DNNs can be trained in tiny subspaces, 2021.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from mindspore import nn, ops
from mindspore.compiler.frontend import cond
from mindspore.core import check
from mindspore.core.dtype import float32
from mindspore.distributed import get_group_size
from mindspore.eager.parameter import Parameter, assign
from mindspore.eager.parameter_tuple import ParameterTuple
from mindspore.eager.tensor import Tensor
from mindspore.nn.wrap.adaptive_sum import gathered

ATTEMPTS = 3                                    # of a line search; observed


class DimReduce(nn.Cell):
    """One step of training: BFGS in a space of few dimensions, momentum in what is orthogonal to it.

    With the matrix P of principal components of weights, the gradient g and the approximation B of the inverse of the
    matrix of second derivatives, which BFGS updates (Nocedal and Wright 2006, 6.17):

        gk = P g;  s = -rho^m B gk  with the first m of 0, 1, 2 so that  loss(w + P's) < loss(w) + sigma gk's
        v <- gamma v + g - P'gk;  the optimizer is given  alpha v - P's

    Where no m suffices s is 0, and B stays.  Each of several processes has as many rows of P.

    Args:
        network: The training network, which gives the loss for `inputs`.
        optimizer: What moves the weights by the gradients that it is given; SGD with a learning rate of 1 makes the
            step that is searched for.
        weight: The parameters.
        pca_mat_local: Array (n_components / rank_size, elements of all parameters): this process's rows of P, which
            are orthonormal.
        n_components: Number of dimensions.
        rho: By how much the search shortens a step, in (0, 1).
        gamma: Factor of the momentum.
        alpha: Size of the step outside of the space.
        sigma: Which part of the promised decrease of the loss suffices.
        rank: Number of this process.
        rank_size: Number of processes.

    Inputs:
        loss: The loss, a tensor of one element.
        old_grad: Its gradients, one per parameter.
        loss_scale: A tensor or number that the gradients are divided by.
        weight: The parameters.
        weight_clone: Copies of what they hold.
        inputs: What `network` is called with.

    Outputs:
        `loss`.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If shapes or numbers do not fit.

    Examples:
        >>> net = nn.Dense(2, 1, weight_init="ones", has_bias=False)
        >>> loss, weights = nn.WithLossCell(net, nn.MSELoss()), (net.weight,)
        >>> step = mindspore.boost.DimReduce(loss, nn.SGD(weights, 1.0), weights, np.array([[1.0, 0.0]], np.float32), 1,
        ...                                  0.5, 0.9, 0.1, 0.4, 0, 1)
        >>> x, y = Tensor([[1.0, 0.0]]), Tensor([[0.0]])
        >>> step(loss(x, y), (Tensor([[2.0, 0.0]]),), 1.0, weights, (net.weight * 1,), x, y).item()
        1.0
        >>> net.weight.tolist()
        [[0.0, 1.0]]
    """

    def __init__(self, network: Any, optimizer: Any, weight: Any, pca_mat_local: Any, n_components: int, rho: float,
                 gamma: float, alpha: float, sigma: float, rank: int, rank_size: int):
        super().__init__()
        check.callable_(self, "network", network)
        check.callable_(self, "optimizer", optimizer)
        self.network, self.optimizer = network, optimizer
        self.n_components = check.positive_int(self, "n_components", n_components)
        self.rho = check.number(self, "rho", rho, 0.0, 1.0, open_low=True, open_high=True)
        self.gamma, self.alpha, self.sigma = [check.number(self, name, value) for name, value in (
            ("gamma", gamma), ("alpha", alpha), ("sigma", sigma))]
        self.rank_size = check.positive_int(self, "rank_size", rank_size)
        if rank_size > 1 and rank_size != get_group_size():
            raise ValueError(f"For 'DimReduce', the 'rank_size' must be the number of processes, {get_group_size()}, "
                             f"but got {rank_size}.")
        self.rank = check.integer(self, "rank", rank, 0, rank_size - 1)
        weights = ParameterTuple(weight)
        rows = np.asarray(pca_mat_local, np.float32)
        wanted = n_components // rank_size, sum([p.size for p in weights])
        if n_components % rank_size or rows.shape != wanted:
            raise ValueError(f"For 'DimReduce', the 'pca_mat_local' must be an array (n_components / rank_size, "
                             f"elements of 'weight'), {wanted}, but got {rows.shape} for {n_components} components in "
                             f"{rank_size} processes.")
        self.pca = Tensor(rows)
        self.gk_last = Parameter(ops.zeros((n_components, 1), float32), name="gk_last", requires_grad=False)
        self.gk_last_init = Parameter(Tensor(False), name="gk_last_init", requires_grad=False)
        self.bk = Parameter(ops.eye(n_components, dtype=float32), name="bk", requires_grad=False)
        self.sk = Parameter(ops.zeros((n_components, 1), float32), name="sk", requires_grad=False)
        self.grad_res_momentum = weights.clone(prefix="grad_res_momentum", init="zeros")

    def construct(self, loss, old_grad, loss_scale, weight, weight_clone, *inputs):
        grads = [g.astype(float32) / loss_scale for g in old_grad]
        gk = self._all_rows(ops.matmul(self.pca, ops.cat([g.reshape(-1) for g in grads])))
        bk = self._updated(gk)
        direction = -ops.matmul(bk, gk)
        slope = (gk * direction).sum()

        def suffices(step):
            self._move(weight, weight_clone, self._back(direction * step))
            return self._loss(*inputs) < loss + self.sigma * step * slope

        rate = self._searched(0, suffices)
        good = rate > 0
        sk = direction * rate
        self._move(weight, weight_clone, None)
        for held, new in ((self.gk_last, gk), (self.gk_last_init, good), (self.bk, bk), (self.sk, sk)):
            assign(held, ops.where(good, new.reshape(held.shape), held))
        changes = []
        shape = [w.shape for w in weight]
        for v, g, within, ahead in zip(self.grad_res_momentum, grads, self._split(self._back(gk), shape),
                                       self._split(self._back(sk), shape), strict=True):
            moved = assign(v, self.gamma * v + g - within)
            changes.append(self.alpha * moved - ahead)
        self.optimizer(tuple(changes))
        return loss

    def _searched(self, m, suffices):
        """The first factor that suffices, from the m-th on; 0 where none does."""
        if m == ATTEMPTS:
            return ops.zeros((), float32)
        return cond(suffices(self.rho**m), lambda: ops.full((), self.rho**m, dtype=float32),
                    lambda: self._searched(m + 1, suffices))

    def _updated(self, gk):
        """B by the last step and the change of the gradient, where the loss curves upwards along it."""
        s, y = self.sk.reshape(-1), gk - self.gk_last.reshape(-1)
        curve = (s * y).sum()
        usable = ops.logical_and(self.gk_last_init, curve > 0)
        inverse = 1 / ops.where(usable, curve, 1.0)
        left = ops.eye(self.n_components, dtype=float32) - inverse * ops.outer(s, y)
        found = ops.matmul(ops.matmul(left, self.bk), left.T) + inverse * ops.outer(s, s)
        return ops.where(usable, found, self.bk)

    def _all_rows(self, own):
        """The rows of all processes in the order of their ranks."""
        return ops.cat(gathered(own, self.rank_size))

    def _back(self, few):
        """The change of all elements of the weights that a vector of the space means."""
        rows = self.n_components // self.rank_size
        own = ops.matmul(few[self.rank * rows:(self.rank + 1) * rows], self.pca)
        return sum(gathered(own, self.rank_size))

    def _loss(self, *inputs):
        return sum(gathered(self.network(*inputs), self.rank_size)) / self.rank_size

    @staticmethod
    def _split(flat, shapes):
        found, at = [], 0
        for shape in shapes:
            count = int(np.prod(shape))
            found.append(flat[at:at + count].reshape(shape))
            at += count
        return found

    def _move(self, weight, start, change):
        """Let the weights hold their start and a change."""
        parts = [None] * len(weight) if change is None else self._split(change, [w.shape for w in weight])
        for w, before, d in zip(weight, start, parts, strict=True):
            assign(w, before if d is None else (before + d).astype(w.dtype))
