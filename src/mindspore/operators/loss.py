"""Losses that have kernels of their own, and their reverse operators."""
from __future__ import annotations

from typing import Any

import torch

from mindspore.compiler.ir import Aval
from mindspore.core.dtype import float32, int64
from mindspore.core.errors import ArgumentError, show

from .activation import sigmoid
from .registry import operator
from .rules import BINARY, floating
from .samples import between, index
from .softmaxes import log_softmax_grad, softmax_grad
from .structure import expand_dims

aten = torch.ops.aten
REDUCTIONS = {"none": 0, "mean": 1, "sum": 2}


def _matrix(name: str, logits: Aval) -> None:
    floating(name)(logits)
    if len(logits.shape) != 2:
        raise ValueError(f"For '{name}', the logits must have two dimensions (N, C), but got "
                         f"{show(logits)}.")


def _alike(name: str, x: Aval, y: Aval) -> Aval:
    floating(name)(x)
    if x.shape != y.shape:
        raise ValueError(f"For '{name}', both operands must have the same shape, but got {show(x)} and "
                         f"{show(y)}.")
    return x


# ---------------------------------------------------------------------- cross entropy

@operator(hidden=True, samples=[])
def softmax_cross_entropy(logits, labels):
    """-sum(labels * log(softmax(logits))) per row, and its gradient softmax(logits) - labels."""
    logp = torch.log_softmax(logits, 1)
    loss = torch.linalg.vecdot(labels, logp).neg_()
    return loss, logp.exp_().sub_(labels)


@softmax_cross_entropy.shape
def _(logits: Aval, labels: Aval):
    _matrix("SoftmaxCrossEntropyWithLogits", logits)
    _alike("SoftmaxCrossEntropyWithLogits", logits, labels)
    if labels.dtype is not logits.dtype:
        raise TypeError(f"For 'SoftmaxCrossEntropyWithLogits', logits and labels must have the same "
                        f"dtype, but got {show(logits)} and {show(labels)}.")
    return Aval(logits.shape[:1], logits.dtype), logits


@softmax_cross_entropy.grad(needs="labels out")
def _(labels, out, dout):
    """The labels get no gradient."""
    dloss, d = dout
    dlogits = None if dloss is None else out[1] * expand_dims(dloss, axis=1)
    if d is not None:
        through = softmax_grad(d, out[1] + labels, axis=1)
        dlogits = through if dlogits is None else dlogits + through
    return dlogits, None


_NO_LABEL = -(1 << 62)      # an index that no label has


def _ignored(ignore_index: int | None) -> int:
    return _NO_LABEL if ignore_index is None else ignore_index


@operator(hidden=True, samples=[])
def sparse_cross_entropy(logits, labels, *, reduction="mean", ignore_index=None):
    """-log(softmax(logits)) at the labels, reduced, and log(softmax(logits)).

    Rows whose label is `ignore_index` count nothing.
    """
    logp = torch.log_softmax(logits, 1)
    wide = logp.float() if logp.dtype.itemsize < 4 else logp
    loss, _ = aten.nll_loss_forward.default(wide, labels.long(), None, REDUCTIONS[reduction],
                                            _ignored(ignore_index))
    return loss.to(logp.dtype), logp


@sparse_cross_entropy.shape
def _(logits: Aval, labels: Aval, *, reduction="mean", ignore_index=None):
    name = "SparseSoftmaxCrossEntropyWithLogits"
    _matrix(name, logits)
    if labels.dtype.kind not in "iu":
        raise TypeError(f"For '{name}', the labels must be integers, but got {show(labels)}.")
    if labels.shape != logits.shape[:1]:
        raise ArgumentError(f"For '{name}', the labels must have the shape {logits.shape[:1]} for the "
                            f"logits {show(logits)}, but got {show(labels)}.")
    return Aval(logits.shape[:1] if reduction == "none" else (), logits.dtype), logits


@sparse_cross_entropy.grad(needs="labels out")
def _(labels, out, dout, *, reduction="mean", ignore_index=None):
    dloss, dlogp = dout
    dlogits = None
    if dloss is not None:
        dlogits = sparse_cross_entropy_grad(dloss, out[1], labels, reduction=reduction,
                                            ignore_index=ignore_index)
    if dlogp is not None:
        through = log_softmax_grad(dlogp, out[1], axis=1)
        dlogits = through if dlogits is None else dlogits + through
    return dlogits, None


@operator(hidden=True, grad="torch", samples=[((), (4, 3), index(3, 4)),
                                              ((4,), (4, 3), index(3, 4), {"reduction": "none"})])
def sparse_cross_entropy_grad(dloss, logp, labels, *, reduction="mean", ignore_index=None):
    """(exp(logp) - one_hot(labels)) * dloss, the cotangent of the logits."""
    labels = labels.long()
    wide = logp.float() if logp.dtype.itemsize < 4 else logp
    if ignore_index is None:
        total = torch.full((), labels.shape[0], dtype=wide.dtype, device=wide.device)
    else:
        total = (labels != ignore_index).sum().to(wide.dtype)
    d = aten.nll_loss_backward.default(dloss.to(wide.dtype), wide, labels, None, REDUCTIONS[reduction],
                                       _ignored(ignore_index), total)
    return aten._log_softmax_backward_data.default(d, wide, 1, wide.dtype).to(logp.dtype)


@sparse_cross_entropy_grad.shape
def _(dloss: Aval, logp: Aval, labels: Aval, *, reduction="mean", ignore_index=None) -> Aval:
    return logp


# ---------------------------------------------------------------------- negative log likelihood

def _flat(logp: torch.Tensor, labels: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """(N, C, *) and (N, *) as torch's two- or four-dimensional kernels take them."""
    labels = labels.long()
    if logp.dim() == 2:
        return logp, labels
    n, c = logp.shape[:2]
    return logp.reshape(n, c, -1, 1), labels.reshape(n, -1, 1)


@operator(hidden=True, samples=[])
def nll_loss(logp, labels, weight, *, reduction="mean", ignore_index=-100):
    """-weight[label] * logp[label] per example, reduced; and the sum of the weights.

    `logp` is (N, C) or (N, C, *).  The mean is over the weights.  Labels equal to `ignore_index`
    count nothing.
    """
    x, y = _flat(logp, labels)
    kernel = (aten.nll_loss_forward if x.dim() == 2 else aten.nll_loss2d_forward).default
    loss, total = kernel(x, y, weight, REDUCTIONS[reduction], ignore_index)
    if reduction == "none":
        loss = loss.reshape(labels.shape)
        kept = y != ignore_index
        total = (weight[y.where(kept, 0)] * kept).sum()
    return loss, total


@nll_loss.shape
def _(logp: Aval, labels: Aval, weight: Aval, *, reduction="mean", ignore_index=-100):
    floating("NLLLoss")(logp)
    if reduction not in REDUCTIONS:
        raise ValueError(f"For 'NLLLoss', the 'reduction' must be one of {list(REDUCTIONS)}, but got "
                         f"{reduction!r}.")
    if labels.dtype.kind not in "iu":
        raise TypeError(f"For 'NLLLoss', the labels must be integers, but got {show(labels)}.")
    if len(logp.shape) < 2 or labels.shape != (logp.shape[0], *logp.shape[2:]):
        raise ValueError(f"For 'NLLLoss', the labels must have the shape of the logits (N, C, *) without "
                         f"C, but got {show(labels)} and {show(logp)}.")
    if weight.shape != logp.shape[1:2]:
        raise ValueError(f"For 'NLLLoss', the 'weight' must have {logp.shape[1]} elements, but got "
                         f"{show(weight)}.")
    shape = labels.shape if reduction == "none" else ()
    return Aval(shape, logp.dtype), Aval((), logp.dtype)


@nll_loss.grad(needs="logp.aval labels weight out")
def _(logp, labels, weight, out, dout, **attrs):
    if dout[0] is None:
        return None, None, None
    return (lambda: nll_loss_grad(dout[0], labels, weight, out[1], shape=logp.shape, **attrs),
            None, None)


@operator(hidden=True, grad="torch", samples=[])
def nll_loss_grad(dout, labels, weight, total, *, shape, reduction="mean", ignore_index=-100):
    """The cotangent of the log-probabilities."""
    x, y = _flat(dout.new_empty(shape), labels)
    if reduction == "none" and x.dim() == 4:
        dout = dout.reshape(y.shape)
    kernel = (aten.nll_loss_backward if x.dim() == 2 else aten.nll_loss2d_backward).default
    return kernel(dout, x, y, weight, REDUCTIONS[reduction], ignore_index,
                  total.detach()).reshape(shape)


@nll_loss_grad.shape
def _(dout: Aval, labels: Aval, weight: Aval, total: Aval, *, shape, **_: Any) -> Aval:
    return Aval(shape, dout.dtype)


# ---------------------------------------------------------------------- element by element

_PROBABLE = between(0.1, 0.9, 3, 4)


@operator(hidden=True, dims=BINARY, samples=[(_PROBABLE, _PROBABLE)])
def cross_entropy_of(p, labels):
    """-labels * log(p) - (1 - labels) * log(1 - p); logarithms are at least -100."""
    return aten.binary_cross_entropy.default(p, labels, None, 0)


@cross_entropy_of.shape
def _(p: Aval, labels: Aval) -> Aval:
    return _alike("BinaryCrossEntropy", p, labels)


@cross_entropy_of.grad(needs="p labels")
def _(p, labels, dout):
    return (lambda: cross_entropy_of_grad(dout, p, labels), lambda: log_odds(p) * dout)


@operator(hidden=True, grad="torch", dims="..., ..., ... -> ...", samples=[((3, 4), _PROBABLE, _PROBABLE)])
def cross_entropy_of_grad(dout, p, labels):
    """dout * (p - labels) / (p * (1 - p))."""
    return aten.binary_cross_entropy_backward.default(dout, p, labels, None, 0)


@cross_entropy_of_grad.shape
def _(dout: Aval, p: Aval, labels: Aval) -> Aval:
    return p


@operator(hidden=True, grad="torch", dims="... -> ...", samples=[(_PROBABLE,)])
def log_odds(p):
    """log(1 - p) - log(p)."""
    return torch.log1p(-p).clamp(min=-100) - p.log().clamp(min=-100)


log_odds.shape(floating("BinaryCrossEntropy"))


@operator(hidden=True, dims=BINARY, samples=[((3, 4), (3, 4))])
def cross_entropy_of_logits(x, labels):
    """`cross_entropy_of(sigmoid(x), labels)`, without overflow."""
    return aten.binary_cross_entropy_with_logits.default(x, labels, None, None, 0)


@cross_entropy_of_logits.shape
def _(x: Aval, labels: Aval) -> Aval:
    return _alike("BCEWithLogitsLoss", x, labels)


@cross_entropy_of_logits.grad(needs="x labels")
def _(x, labels, dout):
    return lambda: dout * (sigmoid(x) - labels), lambda: -dout * x


@operator(hidden=True, dims=BINARY, samples=[((3, 4), (3, 4)), ((3, 4), (3, 4), {"beta": 0.5})])
def smooth_l1(x, y, *, beta=1.0):
    """d^2 / (2 beta) where |d| < beta, else |d| - beta / 2, for d = x - y."""
    return aten.smooth_l1_loss.default(x, y, 0, beta)


@smooth_l1.shape
def _(x: Aval, y: Aval, *, beta=1.0) -> Aval:
    if isinstance(beta, bool) or not isinstance(beta, (int, float)):
        raise TypeError(f"For 'SmoothL1Loss', the 'beta' must be a float, but got {beta!r}.")
    if beta < 0:
        raise ArgumentError(f"For 'SmoothL1Loss', the 'beta' must be 0 or more, but got {beta}.")
    return _alike("SmoothL1Loss", x, y)


@smooth_l1.grad(needs="x y")
def _(x, y, dout, *, beta=1.0):
    return (lambda: smooth_l1_grad(dout, x, y, beta=beta),
            lambda: -smooth_l1_grad(dout, x, y, beta=beta))


@operator(hidden=True, grad="torch", dims="..., ..., ... -> ...", samples=[((3, 4), (3, 4), (3, 4))])
def smooth_l1_grad(dout, x, y, *, beta=1.0):
    """The cotangent of the first operand of the smooth l1 loss."""
    return aten.smooth_l1_loss_backward.default(dout, x, y, 0, beta)


@smooth_l1_grad.shape
def _(dout: Aval, x: Aval, y: Aval, *, beta=1.0) -> Aval:
    return x


@operator(hidden=True, dims=BINARY, samples=[])
def divergence(logits, labels):
    """labels * (log(labels) - logits), 0 where the label is 0."""
    return aten.kl_div.default(logits, labels, 0)


@divergence.shape
def _(logits: Aval, labels: Aval) -> Aval:
    return _alike("KLDivLoss", logits, labels)


@divergence.grad(needs="labels")
def _(labels, dout):
    """The labels get no gradient."""
    return -dout * labels, None


@operator(hidden=True, samples=[((3, 4), (3, 4)), ((3, 4), (3, 4), {"reduction": "none"})])
def squared_error(x, y, *, reduction="mean"):
    """(x - y)^2, reduced."""
    return aten.mse_loss.default(x, y, REDUCTIONS[reduction])


@squared_error.shape
def _(x: Aval, y: Aval, *, reduction="mean") -> Aval:
    _alike("MSELoss", x, y)
    return x if reduction == "none" else Aval((), x.dtype)


@squared_error.grad(needs="x y")
def _(x, y, dout, *, reduction="mean"):
    return (lambda: squared_error_grad(dout, x, y, reduction=reduction),
            lambda: -squared_error_grad(dout, x, y, reduction=reduction))


@operator(hidden=True, grad="torch", samples=[((), (3, 4), (3, 4))])
def squared_error_grad(dout, x, y, *, reduction="mean"):
    """The cotangent of the first operand of the squared error."""
    return aten.mse_loss_backward.default(dout, x, y, REDUCTIONS[reduction])


@squared_error_grad.shape
def _(dout: Aval, x: Aval, y: Aval, *, reduction="mean") -> Aval:
    return x


@operator(primitive="L2Loss()(input_x)", samples=[((3, 4),)])
def l2_loss(x):
    """sum(x^2) / 2."""
    flat = x.reshape(-1)
    return torch.dot(flat, flat) / 2


@l2_loss.shape
def _(x: Aval) -> Aval:
    return Aval((), x.dtype if x.dtype.is_differentiable else float32)


@l2_loss.grad(needs="x")
def _(x, dout):
    return x * dout,


# ---------------------------------------------------------------------- margins

@operator(hidden=True, grad="torch", samples=[((4, 3), index(3, 4), {"p": 2, "margin": 0.5})])
def multi_margin(x, target, weight=None, *, p=1, margin=1.0, reduction="mean"):
    """sum over i != y of max(0, margin - x[y] + x[i])^p / C per row, reduced."""
    places = target.long().unsqueeze(1)
    z = (margin - x.gather(1, places) + x).clamp(min=0)
    z = (z * z if p == 2 else z).scatter(1, places, 0.0)
    if weight is not None:
        z = z * weight[places]
    rows = z.sum(1) / x.shape[1]
    return {"none": rows.clone, "mean": rows.mean, "sum": rows.sum}[reduction]()


def _reduced(x: Aval, reduction: str, rows: bool = False) -> Aval:
    shape = x.shape[:-1] if rows else x.shape
    return Aval(shape if reduction == "none" else (), x.dtype)


@multi_margin.shape
def _(x: Aval, target: Aval, weight: Aval | None = None, *, p=1, margin=1.0, reduction="mean") -> Aval:
    _matrix("MultiMarginLoss", x)
    if p not in (1, 2) or reduction not in REDUCTIONS:
        raise ValueError(f"For 'MultiMarginLoss', the 'p' must be 1 or 2 and the 'reduction' one of "
                         f"{list(REDUCTIONS)}, but got {p} and {reduction!r}.")
    if target.shape != x.shape[:1]:
        raise ValueError(f"For 'MultiMarginLoss', the target must have the shape {x.shape[:1]}, but got "
                         f"{show(target)}.")
    return _reduced(x, reduction, rows=True)


@operator(hidden=True, grad="torch", samples=[])
def multilabel_margin(x, target, *, reduction="mean"):
    """The margin loss for rows of label indices that end at the first -1; and which classes they name."""
    loss, named = aten.multilabel_margin_loss_forward.default(x, target.long(), REDUCTIONS[reduction])
    return loss, named.to(torch.int32)


# ---------------------------------------------------------------------- connectionist classification

@operator(hidden=True, samples=[])
def ctc_loss(logp, labels, input_lengths, label_lengths, *, blank=0, zero_infinity=False):
    """-log of the probability of the labels under `logp` (T, N, C), and the forward variables.

    Graves et al. 2006.
    """
    loss, alpha = torch._ctc_loss(logp, labels.long(), input_lengths.long(), label_lengths.long(), blank,
                                  zero_infinity)
    places = torch.arange(alpha.shape[2], device=alpha.device)
    return loss, alpha.masked_fill_((places > 2 * label_lengths[:, None])[:, None], -torch.inf)


@ctc_loss.shape
def _(logp: Aval, labels: Aval, input_lengths: Aval, label_lengths: Aval, *, blank=0,
      zero_infinity=False):
    floating("CTCLoss")(logp)
    if len(logp.shape) != 3 or len(labels.shape) != 2:
        raise ValueError(f"For 'CTCLoss', the probabilities must be (T, N, C) and the labels (N, S), but "
                         f"got {show(logp)} and {show(labels)}.")
    t, n, c = logp.shape
    if not 0 <= blank < c:
        raise ValueError(f"For 'CTCLoss', the 'blank' must be in [0, {c}), but got {blank}.")
    return Aval((n,), logp.dtype), Aval((n, t, 2 * labels.shape[1] + 1), logp.dtype)


@ctc_loss.grad(needs="logp labels input_lengths label_lengths out")
def _(logp, labels, input_lengths, label_lengths, out, dout, **attrs):
    """The forward variables are not differentiated."""
    if dout[0] is None:
        return None, None, None, None
    return (lambda: ctc_loss_grad(dout[0], logp, labels, input_lengths, label_lengths, *out, **attrs),
            None, None, None)


@operator(hidden=True, samples=[])
def ctc_loss_grad(dout, logp, labels, input_lengths, label_lengths, loss, alpha, *, blank=0,
                  zero_infinity=False):
    """The cotangent of the log probabilities; it has no derivative of its own."""
    return aten._ctc_loss_backward.default(dout, logp, labels.long(), input_lengths.long().tolist(),
                                           label_lengths.long().tolist(), loss, alpha, blank,
                                           zero_infinity)


@ctc_loss_grad.shape
def _(dout: Aval, logp: Aval, *_: Any, **__: Any) -> Aval:
    return logp


@operator(hidden=True, samples=[])
def ctc_labels(indices, values, *, rows, width):
    """The sparse labels (row and column, value) as a dense matrix, and the length of each row."""
    dense = torch.zeros((rows, width), dtype=torch.int64, device=values.device)
    dense[indices[:, 0].long(), indices[:, 1].long()] = values.long()
    lengths = torch.zeros(rows, dtype=torch.int64, device=values.device)
    lengths.scatter_reduce_(0, indices[:, 0].long(), indices[:, 1].long() + 1, "amax")
    return dense, lengths


@ctc_labels.shape
def _(indices: Aval, values: Aval, *, rows, width):
    return Aval((rows, width), int64), Aval((rows,), int64)


@operator(hidden=True, samples=[])
def ctc_greedy_decoder(inputs, lengths, *, merge_repeated=True):
    """The most probable classes of (T, N, C) without blanks (the last class) and repetitions.

    As (indices, values, shape) of a sparse matrix, and the sum of -max(inputs) per sequence.
    """
    steps, rows, classes = inputs.shape
    best, chosen = inputs.max(2)
    valid = torch.arange(steps, device=inputs.device)[:, None] < lengths
    kept = valid & (chosen != classes - 1)
    if merge_repeated:
        kept[1:] &= chosen[1:] != chosen[:-1]
    kept, chosen = kept.t(), chosen.t()
    row, _ = kept.nonzero(as_tuple=True)
    column = (kept.cumsum(1) - 1)[kept]
    width = kept.sum(1).max() if rows else torch.zeros((), dtype=torch.int64)
    shape = torch.stack([torch.tensor(rows, device=inputs.device), width.to(inputs.device)])
    score = -(best * valid).sum(0).unsqueeze(1)
    return torch.stack([row, column], 1), chosen[kept], shape, score
