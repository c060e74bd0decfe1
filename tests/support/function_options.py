"""Calls of functions of `mindspore.ops` with options that are not their defaults, and the same in torch.

Extents are unequal, numbers have both signs, some are equal, some not finite.
"""
from __future__ import annotations

import math

import numpy as np
import torch

T = torch
RNG = np.random.default_rng(9)
X, Y = RNG.standard_normal((2, 2, 3, 5))
M, P = RNG.standard_normal((2, 4, 6))
V, U = RNG.standard_normal((2, 5))
S = RNG.standard_normal((3, 3))
N = RNG.integers(0, 4, (3, 7))
IMAGES = RNG.standard_normal((2, 4, 6, 9))
VOLUMES = RNG.standard_normal((2, 2, 5, 6, 7))
HOLES = np.where(np.arange(24).reshape(4, 6) % 5 == 1, np.nan, M)
RISING = np.sort(RNG.integers(0, 9, (2, 8)), 1).astype(float)
WEIGHTS, COUNTS = RNG.uniform(0.5, 2, 6), np.array([1, 2, 1, 3, 1, 2])
ROWS, AT = np.array([2, 0]), np.array([[0, 2, 1, 0, 2], [1, 1, 0, 2, 0]])


def triple(x, y):
    return T.stack([x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]])


# name, arguments, options, the same in torch
CASES = [
    # statistics
    *[("median", (X, axis, keep), {}, lambda x, axis=axis, keep=keep: T.median(x, axis, keep))
      for axis in (0, 1, -1) for keep in (False, True)],
    *[("nanmedian", (HOLES, axis, keep), {}, lambda x, axis=axis, keep=keep: T.nanmedian(x, axis, keep))
      for axis in (0, -1) for keep in (False, True)],
    *[("quantile", (X, q), {"axis": axis, "keepdims": keep},
       lambda x, q=q, axis=axis, keep=keep: T.quantile(x, q, axis, keep))
      for q, axis, keep in ((0.0, None, False), (0.3, 1, True), (1.0, -1, False), (0.77, 0, False))],
    ("nanquantile", (HOLES, 0.4), {"axis": 0, "keepdims": True}, lambda x: T.nanquantile(x, 0.4, 0, True)),
    ("nanquantile", (HOLES, 0.9), {}, lambda x: T.nanquantile(x, 0.9)),
    *[("cov", (M,), {"correction": c}, lambda x, c=c: T.cov(x, correction=c)) for c in (0, 1, 2)],
    ("cov", (M,), {"fweights": COUNTS, "correction": 2}, lambda x: T.cov(x, correction=2, fweights=T.tensor(COUNTS))),
    ("cov", (M,), {"aweights": WEIGHTS}, lambda x: T.cov(x, aweights=T.tensor(WEIGHTS))),
    ("cov", (M,), {"fweights": COUNTS, "aweights": WEIGHTS, "correction": 2},
     lambda x: T.cov(x, correction=2, fweights=T.tensor(COUNTS), aweights=T.tensor(WEIGHTS))),
    ("cov", (M,), {"fweights": COUNTS, "aweights": WEIGHTS, "correction": 0},
     lambda x: T.cov(x, correction=0, fweights=T.tensor(COUNTS), aweights=T.tensor(WEIGHTS))),
    ("cov", (V,), {}, lambda x: T.cov(x)),
    *[("cosine_similarity", (X, Y, dim, 2.5), {}, lambda x, y, dim=dim: (x * y).sum(dim) / (
        x.norm(dim=dim).clamp(min=2.5) * y.norm(dim=dim).clamp(min=2.5))) for dim in (0, -1)],
    ("cosine_similarity", (X, Y), {}, lambda x, y: T.cosine_similarity(x, y, 1)),
    ("cross", (X, Y, 1), {}, lambda x, y: T.linalg.cross(x, y, dim=1)),
    ("cross", (S, np.exp(S)), {}, triple),
    ("cross", (X[:, :, :3], np.exp(X[:, :, :3]), -1), {}, lambda x, y: T.linalg.cross(x, y, dim=-1)),
    ("diff", (X, 2), {"axis": 1}, lambda x: T.diff(x, 2, 1)),
    ("diff", (X, 1, 1), {"prepend": Y[:, :1], "append": Y[:, :2]},
     lambda x: T.diff(x, 1, 1, T.tensor(Y[:, :1]), T.tensor(Y[:, :2]))),
    ("diff", (X, 0), {}, lambda x: x),
    ("trapz", (X,), {"dx": 0.3, "dim": 1}, lambda x: T.trapezoid(x, dx=0.3, dim=1)),
    ("trapz", (X, np.array([1.0, 4.0, 2.0])), {"dim": -2},
     lambda x, p: T.trapezoid(x, p[:, None], dim=1)),
    ("trapz", (X, Y), {"dim": 0}, lambda x, p: T.trapezoid(x, p, dim=0)),
    ("bincount", (N[0],), {"weights": N[1] + 0.5, "minlength": 9},
     lambda x: T.bincount(x, T.tensor(N[1] + 0.5), minlength=9).float()),
    # norms
    *[("vector_norm", (X, ord), {"axis": axis, "keepdims": keep}, lambda x, ord=ord, axis=axis, keep=keep:
        T.linalg.vector_norm(x, ord, axis, keep)) for ord in (0, 1, 2, 3, -1, 0.5, math.inf, -math.inf)
      for axis, keep in ((None, False), (1, True), ((0, 2), False))],
    *[("matrix_norm", (X, ord), {"axis": axis, "keepdims": keep}, lambda x, ord=ord, axis=axis, keep=keep:
        T.linalg.matrix_norm(x, ord, axis, keep)) for ord in ("fro", "nuc", 1, -1, 2, -2, math.inf, -math.inf)
      for axis, keep in (((-2, -1), False), ((0, 2), True), ((2, 1), False), ((1, 0), True))],
    *[("norm", (M,), options, lambda x, options=options: T.linalg.norm(x, **options)) for options in (
        {}, {"ord": 1}, {"ord": -1}, {"ord": "nuc"}, {"ord": 2}, {"ord": math.inf, "keepdim": True},
        {"ord": 1, "dim": 0}, {"ord": 3, "dim": -1, "keepdim": True}, {"dim": (1, 0)}, {"ord": 1, "dim": (1, 0)})],
    ("norm", (V, 3), {}, lambda x: T.linalg.norm(x, 3)),
    *[("dist", (X, Y, p), {}, lambda x, y, p=p: T.dist(x, y, p)) for p in (0, 1, 2, 3, math.inf)],
    *[("renorm", (X, p, axis, 1.5), {}, lambda x, p=p, axis=axis: T.renorm(x, p, axis, 1.5))
      for p in (1, 2, 3) for axis in (0, 1, -1)],
    # ordering
    *[("topk", (X, 2, dim, largest), {}, lambda x, dim=dim, largest=largest: T.topk(x, 2, dim, largest))
      for dim in (0, 1, -1) for largest in (False, True)],
    ("argsort", (X, 1, True), {}, lambda x: T.argsort(x, 1, True)),
    ("msort", (X,), {}, T.msort),
    *[("unique_consecutive", (np.sort(N, 1).ravel(), *flags), {}, lambda x, flags=flags: T.unique_consecutive(
        x, return_inverse=flags[0], return_counts=flags[1]))
      for flags in ((False, False), (True, False), (False, True), (True, True))],
    ("unique_consecutive", (N[[0, 0, 1, 1, 1, 0]], True, True), {"dim": 0},
     lambda x: T.unique_consecutive(x, True, True, dim=0)),
    ("unique_consecutive", (N[:, [0, 0, 1, 3, 3]], True, True), {"dim": 1},
     lambda x: T.unique_consecutive(x, True, True, dim=1)),
    *[("searchsorted", (RISING, RISING[:, ::3] + shift), options,
       lambda s, v, options=options: T.searchsorted(s, v.contiguous(), **options))
      for options in ({}, {"right": True}, {"side": "right"}, {"side": "left"}) for shift in (0.0, 0.5)],
    # places
    ("scatter", (X, 1, AT[:, None], Y[:, :1]), {}, lambda x, i, s: T.scatter(x, 1, i, s)),
    ("scatter", (X, -1, AT[:, None, :3], Y[:, :2]), {}, lambda x, i, s: T.scatter(x, -1, i, s)),
    ("index_fill", (X, 1, ROWS, -7.0), {}, lambda x, i: T.index_fill(x, 1, i, -7.0)),
    ("index_fill", (X, -1, ROWS, -7.0), {}, lambda x, i: T.index_fill(x, -1, i, -7.0)),
    *[("slice_scatter", (X, Y[:, :2] if axis in (1, -2) else Y[..., :2], axis, *where), {},
       lambda x, y, axis=axis, where=where: T.slice_scatter(x, y, axis, *where))
      for axis, where in ((1, (0, 2)), (-2, (0, 3, 2)), (2, (1, 3)), (-1, (1, 5, 2)))],
    ("select_scatter", (X, Y[:, 1], 1, -1), {}, lambda x, y: T.select_scatter(x, y, 1, -1)),
    ("select_scatter", (X, Y[..., 1], -1, 3), {}, lambda x, y: T.select_scatter(x, y, -1, 3)),
    # borders and blocks
    *[("pad", (X, sizes, mode), {}, lambda x, sizes=sizes, mode=mode: T.nn.functional.pad(x, sizes, mode))
      for sizes in ((1, 3), (4, 0)) for mode in ("reflect", "replicate", "circular")],
    *[("pad", (IMAGES, (1, 3, 2, 0), mode), {}, lambda x, mode=mode: T.nn.functional.pad(x, (1, 3, 2, 0), mode))
      for mode in ("reflect", "replicate", "circular")],
    ("pad", (X, (1, -2, 0, 3)), {"value": 2.5}, lambda x: T.nn.functional.pad(x, (1, -2, 0, 3), value=2.5)),
    ("pixel_shuffle", (RNG.standard_normal((2, 12, 3, 5)), 2), {}, lambda x: T.pixel_shuffle(x, 2)),
    ("pixel_shuffle", (RNG.standard_normal((18, 3, 5)), 3), {}, lambda x: T.pixel_shuffle(x, 3)),
    ("pixel_unshuffle", (IMAGES, 3), {}, lambda x: T.pixel_unshuffle(x, 3)),
    ("channel_shuffle", (RNG.standard_normal((2, 6, 3, 5)), 3), {}, lambda x: T.channel_shuffle(x, 3)),
    ("channel_shuffle", (RNG.standard_normal((2, 6, 4)), 2), {}, lambda x: T.channel_shuffle(x, 2)),
    # joined, cut, repeated
    ("block_diag", (S, X[0, :2], V[:1], M), {}, T.block_diag),
    ("hstack", ((X, Y[:, :2]),), {}, lambda *xs: T.hstack(xs)),
    ("dstack", ((M, P),), {}, lambda *xs: T.dstack(xs)),
    ("dstack", ((X, Y[..., :2]),), {}, lambda *xs: T.dstack(xs)),
    ("column_stack", ((V, X[0].T, U),), {}, lambda *xs: T.column_stack(xs)),
    *[("tensor_split", (X, how, axis), {}, lambda x, how=how, axis=axis: T.tensor_split(x, how, axis))
      for how in (2, 3, 7, (1, 2), (2, 1), (-2, 9)) for axis in (0, 1, -1)],
    *[("chunk", (X, n, axis), {}, lambda x, n=n, axis=axis: T.chunk(x, n, axis))
      for n in (2, 3, 4) for axis in (1, -1)],
    ("split", (X, [1, 0, 4], -1), {}, lambda x: T.split(x, [1, 0, 4], -1)),
    *[("narrow", (X, axis, start, 2), {}, lambda x, axis=axis, start=start: T.narrow(x, axis, start, 2))
      for axis, start in ((1, 1), (-1, -3), (2, 0))],
    ("repeat_interleave", (X, [2, 0, 3], 1), {}, lambda x: T.repeat_interleave(x, T.tensor([2, 0, 3]), 1)),
    ("repeat_interleave", (X, 2), {}, lambda x: T.repeat_interleave(x, 2)),
    ("combinations", (V, 3), {}, lambda x: T.combinations(x, 3)),
    ("combinations", (V, 2, True), {}, lambda x: T.combinations(x, 2, True)),
    ("combinations", (V[:2], 3), {}, lambda x: T.combinations(x, 3)),
    ("cartesian_prod", (V, U[:2], S[0]), {}, T.cartesian_prod),
    # matrices
    *[("cond", (S, p), {}, lambda x, p=p: T.linalg.cond(x, p)) for p in (None, 2, -2, "fro", "nuc", 1, -1, math.inf)],
    *[("cdist", (X, RNG.standard_normal((2, 4, 5)), p), {}, lambda x, y, p=p: T.cdist(x, y, p))
      for p in (0.0, 1.0, 2.0, 3.0, math.inf)],
    ("logdet", (S @ S.T,), {}, T.logdet),
    ("pinv", (M,), {"rtol": 0.5}, lambda x: T.linalg.pinv(x, rtol=0.5)),
    ("pinv", (M,), {"atol": 1.5}, lambda x: T.linalg.pinv(x, atol=1.5)),
    ("pinv", (S + S.T,), {"hermitian": True}, lambda x: T.linalg.pinv(x, hermitian=True)),
    # windows
    *[("max_pool2d", (IMAGES, (2, 3), stride, padding, dilation, True, ceil), {},
       lambda x, a=(stride, padding, dilation, ceil): T.nn.functional.max_pool2d(x, (2, 3), *a, True))
      for stride, padding, dilation in (((2, 1), (1, 0), 1), ((1, 3), 0, (2, 1)), ((3, 2), (0, 1), (1, 2)))
      for ceil in (False, True)],
    *[("avg_pool2d", (IMAGES, (2, 3), (2, 4), padding, ceil, include, divisor), {},
       lambda x, a=(padding, ceil, include, divisor): T.nn.functional.avg_pool2d(
           x, (2, 3), (2, 4), a[0], a[1], a[2], a[3] or None))
      for padding in (0, (1, 1)) for ceil in (False, True) for include in (False, True) for divisor in (0, 5)],
    *[("avg_pool3d", (VOLUMES, (2, 3, 1), (1, 2, 2), (1, 1, 0), ceil, include, divisor), {},
       lambda x, a=(ceil, include, divisor): T.nn.functional.avg_pool3d(
           x, (2, 3, 1), (1, 2, 2), (1, 1, 0), a[0], a[1], a[2] or None))
      for ceil in (False, True) for include in (False, True) for divisor in (0, 5)],
    *[("avg_pool1d", (X, 2, 3, 1, ceil, include), {},
       lambda x, ceil=ceil, include=include: T.nn.functional.avg_pool1d(x, 2, 3, 1, ceil, include))
      for ceil in (False, True) for include in (False, True)],
    *[("lp_pool2d", (np.abs(IMAGES), p, (2, 3), stride, ceil), {},
       lambda x, p=p, stride=stride, ceil=ceil: T.nn.functional.lp_pool2d(x, p, (2, 3), stride, ceil))
      for p in (1.0, 3.0) for stride in (None, (1, 2)) for ceil in (False, True)],
    ("lp_pool1d", (np.abs(X), 3.0, 2, None, True), {},
     lambda x: T.nn.functional.lp_pool1d(x, 3.0, 2, None, True)),
]
