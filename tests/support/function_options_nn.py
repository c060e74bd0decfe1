"""More calls of functions of `mindspore.ops` with options that are not their defaults, and the same in torch:
activations, losses, images, spectra, windows, products, diagonals, reductions."""
from __future__ import annotations

import numpy as np
import torch

T, F = torch, torch.nn.functional
RNG = np.random.default_rng(10)
X, Y = RNG.standard_normal((2, 2, 3, 5))
M, P = RNG.standard_normal((4, 6)), RNG.standard_normal((6, 3))
V, U = RNG.standard_normal((2, 6))
SHARES, SHARES2 = RNG.uniform(0.05, 0.95, (2, 4, 3))
SCORES = RNG.standard_normal((5, 3)) * 3
LABELS = np.array([0, 2, 1, 2, 0])
WEIGHT = np.array([0.5, 2.0, 1.25])
SIGNS = np.array([1.0, -1, 1, -1, -1])
IMAGES = RNG.standard_normal((2, 3, 5, 7)).astype(np.float32)
VOLUMES = RNG.standard_normal((2, 2, 3, 4, 5)).astype(np.float32)
LINES = RNG.standard_normal((2, 3, 6)).astype(np.float32)
FLOW = RNG.uniform(-1.3, 1.3, (2, 4, 3, 2)).astype(np.float32)
FLOW3 = RNG.uniform(-1.3, 1.3, (2, 2, 3, 4, 3)).astype(np.float32)
THETA = RNG.standard_normal((2, 2, 3)).astype(np.float32)
ANY = np.where(RNG.random((2, 3, 5)) < 0.3, 0.0, X)
BATCHES, BATCHES2 = RNG.standard_normal((3, 2, 4)), RNG.standard_normal((3, 4, 5))
REDUCTIONS = ("none", "mean", "sum")


def same(name, *more, **options):
    """torch's function of the same name with further arguments."""
    found = getattr(F, name, None) or getattr(T, name)
    return lambda *xs: found(*xs, *more, **options)


def losses(name, arguments, *variants, **names):
    """A case for each reduction and each dict of options; `names` says how torch calls an option."""
    return [(name, arguments, {**options, "reduction": r},
             same(name, reduction=r, **{names.get(k, k): torch.tensor(v) if isinstance(v, np.ndarray) else v
                                        for k, v in options.items()}))
            for r in REDUCTIONS for options in variants]


CASES = [
    # activations
    ("gelu", (X, "tanh"), {}, same("gelu", approximate="tanh")),
    *[(f, (X, 1), {}, same(f, dim=1)) for f in ("softmax", "softmin", "log_softmax")],
    ("glu", (M, 0), {}, same("glu", dim=0)),
    ("leaky_relu", (X, 0.3), {}, same("leaky_relu", 0.3)),
    ("elu", (X, 1.0), {}, same("elu", 1.0)),
    ("celu", (X, 0.4), {}, same("celu", 0.4)),
    ("hardtanh", (X, -0.25, 0.75), {}, same("hardtanh", -0.25, 0.75)),
    ("hardshrink", (X, 0.8), {}, same("hardshrink", 0.8)),
    ("softshrink", (X, 0.3), {}, same("softshrink", 0.3)),
    ("threshold", (X, 0.2, -4.0), {}, same("threshold", 0.2, -4.0)),
    ("softplus", (X * 9, 0.7, 3.0), {}, same("softplus", 0.7, 3.0)),
    # losses
    *losses("cross_entropy", (SCORES, LABELS), {}, {"ignore_index": 2}, {"label_smoothing": 0.3},
            {"weight": WEIGHT, "ignore_index": 0}, {"weight": WEIGHT, "label_smoothing": 0.3}),
    *losses("cross_entropy", (SCORES, RNG.dirichlet([1, 2, 3], 5)), {}, {"weight": WEIGHT, "label_smoothing": 0.2}),
    *losses("cross_entropy", (RNG.standard_normal((2, 3, 4)), RNG.integers(0, 3, (2, 4))), {"weight": WEIGHT}),
    *losses("nll_loss", (SCORES, LABELS), {}, {"ignore_index": 1}, {"weight": WEIGHT, "ignore_index": 2}),
    *losses("binary_cross_entropy", (SHARES, SHARES2), {}, {"weight": WEIGHT}),
    *losses("binary_cross_entropy_with_logits", (SHARES * 9 - 4, SHARES2),
            {"weight": WEIGHT, "pos_weight": WEIGHT + 1}),
    *losses("smooth_l1_loss", (SCORES, SCORES[::-1] * 0.5), {"beta": 0.4}),
    *losses("huber_loss", (SCORES, SCORES[::-1] * 0.5), {"delta": 0.4}),
    *losses("margin_ranking_loss", (V[:5], U[:5], SIGNS), {"margin": 0.7}),
    *losses("hinge_embedding_loss", (V[:5], SIGNS), {"margin": 0.6}),
    *losses("cosine_embedding_loss", (SCORES, SCORES[::-1] + 1, SIGNS), {"margin": 0.3}),
    *losses("multi_margin_loss", (SCORES, LABELS), {"p": 2, "margin": 0.6}, {"weight": WEIGHT}),
    *losses("multilabel_margin_loss", (SCORES[:3], np.array([[2, 0, -1], [-1, 1, 0], [0, 1, 2]])), {}),
    *losses("soft_margin_loss", (SCORES, np.sign(SCORES[::-1])), {}),
    *losses("multilabel_soft_margin_loss", (SHARES * 5 - 2, (SHARES2 > 0.5) * 1.0), {"weight": WEIGHT}),
    *losses("triplet_margin_loss", (SCORES, SCORES[::-1] + 1, SCORES * 2), {"margin": 0.8, "p": 1},
            {"p": 3, "swap": True, "eps": 1e-3}),
    *losses("gaussian_nll_loss", (SCORES, SCORES[::-1] + 1, SCORES**2 - 0.1), {"full": True, "eps": 0.2}),
    # images
    *[("interpolate", (IMAGES,), {"size": size, "mode": "bilinear", "align_corners": corners},
       same("interpolate", size, mode="bilinear", align_corners=corners))
      for size in ((3, 11), (8, 4)) for corners in (False, True)],
    *[("interpolate", (IMAGES,), {"size": (3, 11), "mode": mode}, same("interpolate", (3, 11), mode=mode))
      for mode in ("nearest", "area")],
    *[("interpolate", (LINES,), {"size": (9,), "mode": "linear", "align_corners": corners},
       same("interpolate", 9, mode="linear", align_corners=corners)) for corners in (False, True)],
    *[("interpolate", (VOLUMES,), {"size": (5, 3, 7), "mode": "trilinear", "align_corners": corners},
       same("interpolate", (5, 3, 7), mode="trilinear", align_corners=corners)) for corners in (False, True)],
    *[("grid_sample", (IMAGES, FLOW, mode, pad, corners), {}, same("grid_sample", mode, pad, corners))
      for mode in ("bilinear", "nearest") for pad in ("zeros", "border", "reflection") for corners in (False, True)],
    *[("grid_sample", (VOLUMES, FLOW3, mode, pad, corners), {}, same("grid_sample", mode, pad, corners))
      for mode in ("bilinear", "nearest") for pad in ("zeros", "border", "reflection") for corners in (False, True)],
    *[("affine_grid", (THETA, (2, 3, 4, 5), corners), {}, same("affine_grid", (2, 3, 4, 5), corners))
      for corners in (False, True)],
    ("unfold", (IMAGES, (2, 3), (1, 2), (1, 0), (2, 1)), {}, same("unfold", (2, 3), (1, 2), (1, 0), (2, 1))),
    ("fold", (RNG.standard_normal((2, 12, 16)), np.array([5, 6]), [2, 3], 1, 0, 1), {},
     lambda x, _: F.fold(x, (5, 6), (2, 3))),
    *[(f"adaptive_{kind}_pool2d", (IMAGES, size), {}, same(f"adaptive_{kind}_pool2d", size))
      for kind in ("avg", "max") for size in ((2, 4), (3, 3), (None, 2))],
    *[(f"adaptive_{kind}_pool1d", (LINES, 4), {}, same(f"adaptive_{kind}_pool1d", 4)) for kind in ("avg", "max")],
    ("adaptive_avg_pool3d", (VOLUMES, (2, 3, 4)), {}, same("adaptive_avg_pool3d", (2, 3, 4))),
    # normalisation
    ("group_norm", (RNG.standard_normal((2, 6, 4)), 3, V, U, 0.1), {},
     lambda x, w, b: F.group_norm(x, 3, w, b, 0.1)),
    ("layer_norm", (X, (3, 5), Y[0], Y[1], 0.1), {}, lambda x, w, b: F.layer_norm(x, (3, 5), w, b, 0.1)),
    # spectra
    *[(f, (X, 4, 1, norm), {}, lambda x, f=f, norm=norm: getattr(T.fft, f)(x, 4, 1, norm))
      for f in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft") for norm in ("ortho", "forward", "backward")],
    *[(f, (X, (4, 3), (0, 2), norm), {}, lambda x, f=f, norm=norm: getattr(T.fft, f)(x, (4, 3), (0, 2), norm))
      for f in ("fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn", "hfft2", "ihfft2", "hfftn",
                "ihfftn") for norm in ("ortho", "forward")],
    *[(f, (X, dim), {}, lambda x, f=f, dim=dim: getattr(T.fft, f)(x, dim)) for f in ("fftshift", "ifftshift")
      for dim in (None, 1, (0, 2))],
    *[(f"{f}_window", (7, periodic), {}, lambda f=f, periodic=periodic: getattr(T, f"{f}_window")(7, periodic))
      for f in ("bartlett", "blackman", "hamming", "hann", "kaiser") for periodic in (False, True)],
    # products
    ("addmm", (X[0, :, :3], M[:3], P), {"beta": 0.5, "alpha": -2.0}, same("addmm", beta=0.5, alpha=-2.0)),
    ("addmv", (V[:4], M, U), {"beta": 0.5, "alpha": -2.0}, same("addmv", beta=0.5, alpha=-2.0)),
    ("addr", (M, V[:4], U), {"beta": 0.5, "alpha": -2.0}, same("addr", beta=0.5, alpha=-2.0)),
    ("baddbmm", (X[0, :1], BATCHES, BATCHES2), {"beta": 0.5, "alpha": -2.0},
     same("baddbmm", beta=0.5, alpha=-2.0)),
    ("addbmm", (X[0, :2], BATCHES, BATCHES2), {"beta": 0.5, "alpha": -2.0}, same("addbmm", beta=0.5, alpha=-2.0)),
    ("tensor_dot", (X, Y, ((0, 2), (0, 2))), {}, lambda x, y: T.tensordot(x, y, ([0, 2], [0, 2]))),
    ("kron", (M, X[0]), {}, T.kron),
    ("inner", (M, X[..., :1].repeat(6, -1)), {}, T.inner),
    ("vecdot", (X, Y), {"axis": 1}, lambda x, y: T.linalg.vecdot(x, y, dim=1)),
    *[("matrix_power", (BATCHES2[:, :, :4], n), {}, same("matrix_power", n)) for n in (0, 1, 5, -2)],
    # diagonals
    *[("diagonal", (X, offset, dim1, dim2), {}, same("diagonal", offset, dim1, dim2))
      for offset, dim1, dim2 in ((1, 1, 2), (-1, 2, 0), (2, -2, -1), (-2, 1, 2))],
    *[("diag_embed", (X, offset, dim1, dim2), {}, same("diag_embed", offset, dim1, dim2))
      for offset, dim1, dim2 in ((1, 0, 2), (-2, -1, 1))],
    ("diagonal_scatter", (X, Y[0, :2, :5].T.copy(), -1, 1, 0), {}, same("diagonal_scatter", -1, 1, 0)),
    ("diagflat", (M[:2], -1), {}, same("diagflat", -1)),
    # turned
    *[("roll", (X, shifts, dims), {}, same("roll", shifts, dims)) for shifts, dims in
      ((2, 1), ((1, -2), (0, 2)), ((3, 1), (-1, -2)), (4, None))],
    *[("rot90", (X, k, dims), {}, same("rot90", k, dims)) for k in (-1, 2, 3) for dims in ((0, 2), (2, 1))],
    ("flip", (X, (0, -1)), {}, same("flip", (0, -1))),
    # reductions
    *[("logsumexp", (X, dim, keep), {}, same("logsumexp", dim, keep))
      for dim in (1, (0, -1)) for keep in (False, True)],
    *[(f, (X, axis, ddof, keep), {}, same(f, axis, correction=ddof, keepdim=keep))
      for f in ("var", "std", "var_mean", "std_mean") for axis in (1, (0, -1))
      for ddof, keep in ((0, True), (2, False))],
    *[("count_nonzero", (ANY, axis), {}, same("count_nonzero", axis)) for axis in (1, (0, 2))],
    *[(f, (X, axis), {}, same(f, axis)) for f in ("cumsum", "cumprod", "logcumsumexp") for axis in (0, -2)],
    *[(f, (X, axis, True), {}, same(f, axis, True)) for f in ("argmax", "argmin") for axis in (0, -1)],
    *[(f, (X, axis, True), {}, same(f, axis, True)) for f in ("amax", "amin") for axis in ((0, 2), -2)],
    ("aminmax", (X,), {"axis": 1, "keepdims": True}, same("aminmax", dim=1, keepdim=True)),
    ("prod", (X, 1, True), {}, same("prod", 1, True)),
    # elements
    *[("div", (X * 5, Y), {"rounding_mode": mode}, same("div", rounding_mode=mode)) for mode in ("floor", "trunc")],
    ("subtract", (X, Y), {"alpha": -3}, same("subtract", alpha=-3)),
    ("logit", (SHARES - 0.3, 0.2), {}, same("logit", 0.2)),
    ("polygamma", (2, SHARES), {}, lambda x: T.polygamma(2, x)),
    ("mvlgamma", (SHARES + 2, 3), {}, same("mvlgamma", 3)),
    *[("clamp", (X, low, high), {}, same("clamp", low, high))
      for low, high in ((-0.5, None), (None, 0.0), (1.0, -1.0))],
    ("gather_elements", (X, 1, np.array([[[2, 0, 1, 2, 2]], [[0, 0, 1, 1, 2]]])), {}, lambda x, i: T.gather(x, 1, i)),
    ("index_select", (X, -1, np.array([4, 0, 0])), {}, lambda x, i: T.index_select(x, -1, i)),
    ("take", (X, np.array([[7, -1], [29, 0]])), {}, T.take),
    ("masked_fill", (X, Y > 0, -5.0), {}, lambda x, m: x.masked_fill(m, -5.0)),
]
