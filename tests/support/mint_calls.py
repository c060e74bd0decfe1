"""Calls of functions that `mindspore.mint` has with torch: name, arguments, options.

What stands in a `V` takes on the element type under test; other arrays keep theirs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

RNG = np.random.default_rng(0)


class V(NamedTuple):
    """Numbers whose element type a test chooses."""

    values: np.ndarray

    def __getitem__(self, places):
        return V(self.values[places])


A, B, D = [V(v) for v in RNG.uniform(-3, 3, (3, 2, 3, 4))]  # of any sign
P, Q = [V(v) for v in RNG.uniform(0.3, 3.3, (2, 2, 3, 4))]  # positive
U = V(RNG.uniform(0.05, 0.95, (2, 3, 4)))  # between 0 and 1
M, N = V(RNG.uniform(-2, 2, (3, 4))), V(RNG.uniform(-2, 2, (4, 5)))
S = V(np.eye(3) * 3 + RNG.uniform(-1, 1, (3, 3)))  # well conditioned
X, Y = [V(v) for v in RNG.uniform(-2, 2, (2, 4))]
L = V((RNG.uniform(-1, 1, (2, 3, 4)) > 0).astype("f8"))
PLACES = RNG.integers(0, 3, (2, 3, 4))
J = np.array([2, 0, 1])
K = V(np.array([[3.0, -7.0, 5.0], [8.0, 6.0, -2.0]]))  # whole, with ties of remainders
G = V(np.array([[2.0, -3.0, 3.0], [4.0, 5.0, -6.0]]))
SORTED = V(np.array([[1.0, 2.0, 4.0], [0.0, 3.0, 3.0]]))
R = V(np.array([1.0, 1.0, 2.0, 2.0, 2.0, 1.0, 3.0]))
NANS = V(np.where(A.values > 2, np.nan, np.where(A.values < -2, np.inf, A.values)))
WEIGHTED = V(np.abs(RNG.uniform(0.1, 1, (2, 5))))
T = V(RNG.permutation(24).reshape(2, 3, 4) - 12.0)  # without ties

ANY = ("abs ceil cos cosh erf erfc exp exp2 expm1 floor frac neg negative sigmoid sign sin sinc sinh square tanh "
         "arctan atan asinh arcsinh")
BOTH = ("isfinite isinf isnan isneginf logical_not ravel real clone nonzero ones_like zeros_like bitwise_not t "
         "trace round")
UNIT = "acos arccos asin arcsin atanh arctanh erfinv tan"
POSITIVE = "log log10 log1p log2 reciprocal rsqrt sqrt acosh arccosh"
PAIRS = (
    "add sub mul div divide eq greater greater_equal gt le less less_equal lt ne not_equal logical_and logical_or "
    "logical_xor "
    "maximum minimum atan2 arctan2 fmod remainder floor_divide isclose"
)
POWERS = "pow float_power"

CASES = [
    *[(n, (A,)) for n in ANY.split() if n not in ("t", "trace")],
    *[(n, (A if n not in ("t", "trace") else M,)) for n in BOTH.split()],
    ("isnan", (NANS,)), ("isinf", (NANS,)), ("isfinite", (NANS,)), ("isneginf", (NANS,)),
    *[(n, (U,)) for n in UNIT.split()],
    *[(n, (V(P.values + 1) if "cosh" in n else P,)) for n in POSITIVE.split()],
    *[(n, (A, P)) for n in PAIRS.split()],
    *[(n, (A[0], 2)) for n in PAIRS.split() if n not in ("atan2", "arctan2", "isclose", "logical_and", "logical_or",
                                                         "logical_xor", "maximum", "minimum")],
    *[(n, (K, G)) for n in ("fmod", "remainder", "floor_divide", "div", "gcd")],
    *[(n, (K, G)) for n in ("bitwise_and", "bitwise_or", "bitwise_xor")],
    *[(n, (P, V(np.floor(Q.values)))) for n in POWERS.split()],
    ("pow", (P, 2)), ("pow", (2, P)), ("pow", (P, 0.5)), ("float_power", (P, 2)), ("float_power", (2, P)),
    ("add", (A, B), {"alpha": 2}), ("sub", (A, B), {"alpha": 2}), ("add", (A, 3), {"alpha": 2}),
    ("div", (K, G), {"rounding_mode": "floor"}), ("div", (K, G), {"rounding_mode": "trunc"}),
    ("divide", (K, 2), {"rounding_mode": "floor"}), ("divide", (K, 2), {"rounding_mode": "trunc"}),
    ("addbmm", (S, V(RNG.uniform(-1, 1, (2, 3, 4))), V(RNG.uniform(-1, 1, (2, 4, 3))))),
    ("addbmm", (S, V(RNG.uniform(-1, 1, (2, 3, 4))), V(RNG.uniform(-1, 1, (2, 4, 3)))), {"beta": 2, "alpha": 3}),
    ("addcdiv", (A, B, P)), ("addcdiv", (A, B, P), {"value": 2}),
    ("addcmul", (A, B, P)), ("addcmul", (A, B, P), {"value": 2}),
    ("addmm", (V(RNG.uniform(-1, 1, (3, 5))), M, N)),
    ("addmm", (V(RNG.uniform(-1, 1, 5)), M, N), {"beta": 2, "alpha": 3}),
    ("addmv", (V(RNG.uniform(-1, 1, 3)), M, X)), ("addmv", (V(RNG.uniform(-1, 1, 3)), M, X), {"beta": 2, "alpha": 3}),
    ("baddbmm", (V(RNG.uniform(-1, 1, (2, 3, 5))), A, V(RNG.uniform(-1, 1, (2, 4, 5)))), {"beta": 2, "alpha": 3}),
    ("bmm", (A, V(RNG.uniform(-1, 1, (2, 4, 5))))), ("mm", (M, N)), ("mv", (M, X)), ("dot", (X, Y)), ("vdot", (X, Y)),
    ("outer", (X, Y)), ("matmul", (M, N)), ("matmul", (A, X)), ("matmul", (X, Y)), ("einsum", ("ij,jk->ik", M, N)),
    ("inverse", (S,)), ("linalg.inv", (S,)), ("linalg.qr", (V(S.values),)), ("linalg.qr", (M,), {"mode": "r"}),
    ("linalg.qr", (V(N.values),), {"mode": "complete"}),
    ("linalg.norm", (A,)), ("linalg.norm", (M,), {"ord": 1}), ("linalg.norm", (M, "nuc")),
    ("linalg.norm", (M, 2, (0, 1), True)),
    ("linalg.vector_norm", (A,)), ("linalg.vector_norm", (A, 1, (0, 2), True)),
    ("linalg.vector_norm", (A, float("inf"), 1)),
    ("linalg.matrix_norm", (A,)), ("linalg.matrix_norm", (A, 1, (0, 1), True)), ("linalg.matrix_norm", (M, -2)),
    ("norm", (A,)), ("norm", (A, 1, 1)), ("norm", (A, 3.0, (0, 2), True)), ("norm", (M, "fro", (0, 1))),
    ("norm", (M, "nuc")),
    ("all", (L,)), ("all", (L, 1)), ("all", (L,), {"dim": 1, "keepdim": True}),
    ("any", (L,)), ("any", (L, 1)), ("any", (L,), {"dim": 1, "keepdim": True}),
    ("amax", (A,)), ("amax", (A, 1)), ("amax", (A, (0, 2), True)), ("amin", (A,)), ("amin", (A, -1, True)),
    ("argmax", (A,)), ("argmax", (A, 1)), ("argmax", (A,), {"dim": 1, "keepdim": True}),
    ("argmin", (A,)), ("argmin", (A, 1)), ("argmin", (A,), {"dim": 1, "keepdim": True}),
    ("argsort", (A,)), ("argsort", (A, 1, True)), ("argsort", (R,), {"stable": True, "descending": True}),
    ("sort", (A,)), ("sort", (A,), {"dim": 0, "descending": True}), ("sort", (R,), {"stable": True}),
    ("sum", (A,)), ("sum", (A, 1)), ("sum", (A, (0, 1), True)),
    ("mean", (A,)), ("mean", (A, 1)), ("mean", (A, (0, 1), True)),
    ("prod", (A,)), ("prod", (A, 1)), ("prod", (A, 1, True)),
    ("nansum", (NANS[0],)), ("nansum", (A, 1, True)), ("logsumexp", (A, 1)), ("logsumexp", (A, (0, 1), True)),
    *[(n, (A,)) for n in ("std", "var", "std_mean", "var_mean")],
    *[(n, (A, 1)) for n in ("std", "var", "std_mean", "var_mean")],
    *[(n, (A, (0, 2)), {"correction": 0, "keepdim": True}) for n in ("std", "var", "std_mean", "var_mean")],
    ("count_nonzero", (L,)), ("count_nonzero", (L, 1)), ("count_nonzero", (L, (0, 2))),
    ("max", (A,)), ("max", (A, 1)), ("max", (A, 1, True)), ("max", (A, B)),
    ("max", (A,), {"dim": 0, "keepdim": True}),
    ("min", (A,)), ("min", (A, 1)), ("min", (A, 1, True)), ("min", (A, B)),
    ("min", (A,), {"dim": 0, "keepdim": True}),
    ("median", (A,)), ("median", (A, 1)), ("median", (A,), {"dim": 1, "keepdim": True}),
    ("kthvalue", (T, 2)), ("kthvalue", (T, 1, 0, True)), ("kthvalue", (T, 2), {"dim": 1}),
    ("topk", (A, 2)), ("topk", (A, 2, 1, False)), ("topk", (A, 1), {"dim": 0}),
    ("cummax", (A, 1)), ("cummin", (A, 1)), ("cumprod", (A, 1)), ("cumsum", (A, 1)),
    ("histc", (A,), {"bins": 5}), ("histc", (A, 4, -1, 2)), ("bincount", (PLACES.reshape(-1),)),
    ("bincount", (PLACES.reshape(-1), V(RNG.uniform(0, 2, 24)), 7)),
    ("arange", (5,)), ("arange", (1, 7, 2)), ("arange", (1.5, 4.0, 0.5)), ("eye", (3,)), ("eye", (2, 4)),
    ("full", ((2, 3), 7)), ("full", ((2,), 1.5)), ("full", ((2,), True)), ("full_like", (A, 2)),
    ("ones", ((2, 3),)), ("zeros", ((2, 3),)), ("zeros", (3,)),
    ("broadcast_to", (X, (3, 4))), ("cat", ([A, B],)), ("cat", ((A, B), 1)), ("concat", ([A, B], -1)),
    ("chunk", (A, 2, 2)), ("chunk", (R, 3)), ("split", (A, 2, 2)), ("split", (A, [1, 2], 1)), ("unbind", (A, 1)),
    ("stack", ([A, B],)), ("stack", ((A, B), 2)), ("hstack", ([A, B],)), ("dstack", ([M, M],)),
    ("diag", (X,)), ("diag", (M,)), ("diag", (X, 1)), ("diag", (M, -1)),
    ("diff", (A,)), ("diff", (A, 2, 1)), ("diff", (A,), {"prepend": A, "append": B}),
    ("flatten", (A,)), ("flatten", (A, 1)), ("flatten", (A,), {"start_dim": 0, "end_dim": 1}),
    ("flip", (A, (0, 2))), ("flip", (A, [1])), ("gather", (A, 1, PLACES)), ("gather", (A, -2, PLACES[:1])),
    ("index_add", (M, 0, np.array([2, 0]), V(M.values[:2]))),
    ("index_add", (M, 1, J, V(M.values[:, :3])), {"alpha": 2}),
    ("index_select", (A, 1, J)), ("lerp", (A, B, 0.3)), ("lerp", (A, B, U)), ("masked_select", (A, A.values > 0)),
    ("meshgrid", (X, R)), ("meshgrid", (X, R), {"indexing": "xy"}), ("narrow", (A, 2, 1, 2)), ("nan_to_num", (NANS,)),
    ("nan_to_num", (NANS, 1.0, 2.0, -2.0)), ("nonzero", (L,), {"as_tuple": True}), ("permute", (A, (2, 0, 1))),
    ("polar", (P, A)), ("repeat_interleave", (A, 2)), ("repeat_interleave", (A, 2, 1)),
    ("repeat_interleave", (A, np.array([2, 0, 1])), {"dim": 1, "output_size": 3}),
    ("reshape", (A, (4, -1))), ("squeeze", (V(A.values[:1]),), {"dim": 0}), ("roll", (A, 1)), ("roll", (A, (1, 2),
    (0, 2))), ("round", (A,), {"decimals": 1}),
    ("scatter", (M, 1, PLACES[0, :, :3], V(M.values))), ("scatter", (M, 0, PLACES[0], 2)),
    ("scatter_add", (M, 1, PLACES[0, :, :3], V(M.values))), ("searchsorted", (SORTED, SORTED)),
    ("searchsorted", (SORTED, SORTED), {"right": True, "out_int32": True}),
    ("searchsorted", (SORTED[0], SORTED), {"side": "right"}),
    ("select", (A, 1, 2)), ("select", (A, -1, -2)), ("softmax", (A, 1)), ("softmax", (A,), {"dim": -1}),
    ("squeeze", (V(A.values[:1]),)), ("squeeze", (V(A.values[:1]), 0)), ("squeeze", (V(A.values[:1, :, :1]),
    (0, 1, 2))),
    ("swapaxes", (A, 0, 2)), ("take", (A, PLACES)), ("take", (A, np.array([-1, 5]))), ("tile", (A, (2, 1))),
    ("tile", (M, (2, 1, 2))),
    ("transpose", (A, 0, 2)), ("transpose", (A, -1, 1)), ("triangular_solve", (M, S)),
    ("triangular_solve", (M, S), {"upper": False, "transpose": True, "unitriangular": True}),
    ("tril", (M,)), ("tril", (A, 1)), ("triu", (M,)), ("triu", (A, -1)), ("unique_consecutive", (R,)),
    ("unique", (R,)), ("unique", (R, True, True, True)), ("unique", (K[:, :2], True, True)), ("equal", (A, A)),
    ("unique", (V(np.repeat(M.values[::-1], 2, 0)),), {"dim": 0, "return_inverse": True, "return_counts": True}),
    ("unique", (V(np.repeat(K.values, 2, 1)),), {"dim": 1, "return_counts": True}), ("equal", (A, B)),
    ("unique_consecutive", (R, True, True)), ("unique_consecutive", (V(np.repeat(M.values, 2, 0)),), {"dim": 0}),
    ("unsqueeze", (A, 1)), ("unsqueeze", (A, -1)), ("where", (L.values > 0, A, B)), ("where", (L.values > 0, A, 0.5)),
    ("where", (L.values > 0, 1, A)), ("where", (L,)), ("xlogy", (A, P)), ("xlogy", (A, 2)), ("xlogy", (2, P)),
    ("logaddexp", (A, B)), ("logaddexp2", (A, B)), ("clamp", (A, -1, 1)), ("clamp", (A,), {"max": 0.5}),
    ("clamp", (A, X)),
    ("cdist", (A, B)), ("cdist", (A, B), {"p": 1.0}), ("cdist", (A, B, float("inf"))),
    ("cross", (V(A.values[:, :, :3]), V(B.values[:, :, :3]))), ("cross", (A, B), {"dim": 1}),
    ("imag", (A.values.astype("c8"),)), ("real", (A.values.astype("c8"),)), ("allclose", (A, A)),
    ("allclose", (A, B)),
    ("isclose", (NANS, NANS), {"equal_nan": True}), ("allclose", (NANS, NANS), {"equal_nan": True}),
    ("empty_like", (A,)), ("addr_", (S, V(S.values[0]), V(S.values[1])), {"beta": 2, "alpha": 3}),
    ("conv_tbc", (V(RNG.uniform(-1, 1, (5, 2, 3))), V(RNG.uniform(-1, 1, (2, 3, 4))), X, 1)),
    *[(f"special.{n}", (A,)) for n in ("erfc", "exp2", "expm1", "log1p", "round", "sinc")],
    ("special.log_softmax", (A, 1)),
]

W, W3, W1 = [V(RNG.uniform(-1, 1, s)) for s in ((4, 2, 3, 2), (4, 2, 2, 1, 2), (4, 2, 3))]
SEQ, IMG, VOL = [V(RNG.uniform(-1, 1, s)) for s in ((2, 4, 9), (2, 4, 6, 5), (2, 4, 4, 3, 5))]
BIAS = V(RNG.uniform(-1, 1, 4))
CLASSES = np.array([1, 0, 2])
LOGP = V(np.log(RNG.dirichlet(np.ones(4), 3)))
PROB = V(RNG.dirichlet(np.ones(4), 3))
ON = V((RNG.uniform(0, 1, (3, 4)) > 0.5).astype("f8"))
EVEN = "relu relu6 silu hardtanh mish selu hardshrink softshrink hardsigmoid hardswish softplus logsigmoid gelu elu glu"
FUNCTIONAL = [
    *[(n, (A,)) for n in EVEN.split()], *[(n, (A,)) for n in ("sigmoid", "tanh", "leaky_relu")],
    *[(n, (A,), {"inplace": True}) for n in ("relu6", "silu", "hardtanh", "elu", "relu")],
    ("relu_", (A,)), ("sigmoid_", (A,)), ("elu_", (A, 2.0)), ("hardtanh_", (A, -2, 0.5)),
    ("threshold_", (A, 0.5, 7.0)),
    ("elu", (A, 2.0)), ("glu", (A, 2)), ("hardtanh", (A, -2.0, 0.5)), ("leaky_relu", (A, 0.3)),
    ("threshold", (A, 0.5, 7.0)),
    ("threshold", (A, 0.5, 7.0, True)), ("gelu", (A,), {"approximate": "tanh"}), ("prelu", (M, V(np.array([0.3])))),
    ("softmax", (A, 1)), ("log_softmax", (A, 1)), ("log_softmax", (A,), {"dim": -1}),
    ("softplus", (A, 2, 1)), ("softshrink", (A, 0.3)), ("hardshrink", (A, 0.3)),
    ("conv1d", (SEQ, W1), {"groups": 2}), ("conv1d", (SEQ[0], W1, BIAS, 2, 1, 2, 2)),
    ("conv1d", (SEQ, W1, BIAS, 1, "same", 1, 2)),
    ("conv1d", (SEQ, W1, BIAS, (2,), (1,), (1,), 2)),
    ("conv2d", (IMG, W, BIAS), {"groups": 2}), ("conv2d", (IMG[0], W, BIAS, 2, (1, 0), (1, 2), 2)),
    ("conv2d", (IMG, W, None, 1, "same", 1, 2)), ("conv2d", (IMG, W, None, (2, 1), "valid", 1, 2)),
    ("conv3d", (VOL, W3, BIAS, 1, (1, 0, 1), 1, 2)), ("conv3d", (VOL[0], W3, BIAS), {"groups": 2}),
    ("conv_transpose2d", (IMG, W, None, 2, 1, 1, 2)), ("conv_transpose2d", (IMG, W)),
    ("avg_pool1d", (SEQ, 3)), ("avg_pool1d", (SEQ[0], 3, 2, 1, True, False)), ("avg_pool1d", (SEQ, (2,), (1,), (1,))),
    ("avg_pool2d", (IMG, 2)), ("avg_pool2d", (IMG[0], (3, 2), (2, 1), (1, 0), True, False)),
    ("avg_pool2d", (IMG, 2), {"divisor_override": 3}), ("avg_pool3d", (VOL, 2, 1, (1, 0, 1))),
    ("avg_pool3d", (VOL[0], 2)),
    ("avg_pool3d", (VOL, 2), {"divisor_override": 3, "ceil_mode": True}),
    ("max_pool2d", (IMG, 2)), ("max_pool2d", (IMG[0], (3, 2), (2, 1), 1, 1, True)),
    ("max_pool2d", (IMG, 2), {"return_indices": True}), ("max_pool2d", (IMG, 2, 1, 0, 2)),
    ("max_unpool2d", (V(IMG[:, :, :2, :2].values), np.array([0, 6, 8, 14] * 8).reshape(2, 4, 2, 2), 2)),
    ("adaptive_max_pool1d", (SEQ, 4)), ("adaptive_max_pool1d", (SEQ[0], 4, True)), ("adaptive_avg_pool1d", (SEQ, 4)),
    ("adaptive_avg_pool2d", (IMG, (3, 2))), ("adaptive_avg_pool3d", (VOL, 2)),
    ("adaptive_max_pool2d", (IMG, 2, True)),
    ("pad", (A, (1, 2))), ("pad", (A, (1, 0, 2, 1), "constant", 7)), ("pad", (A, (1, 1), "replicate")),
    ("pad", (A, (2, 1), "reflect")), ("pad", (A, (-1, 1))), ("pad", (A, (1, 2), "circular")),
    ("linear", (M, V(N.values.T), V(np.arange(5.0)))), ("linear", (M, X)),
    ("normalize", (A,)), ("normalize", (A, 1, -1)), ("normalize", (A, 3.0, 0, 2.0)),
    ("one_hot", (CLASSES,)), ("one_hot", (CLASSES, 5)), ("flatten", (A,)), ("flatten", (A, 1)),
    ("binary_cross_entropy", (PROB, ON)),
    ("binary_cross_entropy", (PROB, ON, V(np.abs(M.values))), {"reduction": "sum"}),
    ("binary_cross_entropy_with_logits", (M, ON)),
    ("binary_cross_entropy_with_logits", (M, ON, PROB), {"reduction": "none", "pos_weight": BIAS}),
    ("kl_div", (LOGP, PROB)), ("kl_div", (LOGP, LOGP), {"reduction": "sum", "log_target": True}),
    ("kl_div", (LOGP, PROB), {"reduction": "none"}),
    ("kl_div", (LOGP, PROB), {"reduction": "batchmean"}),
    ("nll_loss", (LOGP, CLASSES)),
    ("nll_loss", (LOGP, CLASSES, V(PROB.values[0])), {"ignore_index": 2, "reduction": "sum"}),
    ("nll_loss", (LOGP, CLASSES), {"reduction": "none"}), ("smooth_l1_loss", (A, B)),
    ("smooth_l1_loss", (A, B), {"reduction": "sum", "beta": 0.5}),
    ("smooth_l1_loss", (A, B), {"reduction": "none", "beta": 0.0}),
    ("l1_loss", (A, B)), ("l1_loss", (A, B), {"reduction": "none"}), ("mse_loss", (A, B)),
    ("mse_loss", (A, B), {"reduction": "none"}),
    ("cross_entropy", (M, CLASSES)), ("cross_entropy", (M, CLASSES, V(PROB.values[0])),
     {"ignore_index": 2, "reduction": "sum", "label_smoothing": 0.1}),
    ("soft_margin_loss", (M, V(ON.values * 2 - 1))),
    ("cosine_embedding_loss", (M, PROB, np.array([1.0, -1.0, 1.0]), 0.1)),
    ("layer_norm", (A, (4,))), ("layer_norm", (A, (3, 4), M, LOGP, 0.1)), ("group_norm", (IMG, 2, BIAS, BIAS)),
    ("batch_norm", (IMG, BIAS, V(np.abs(BIAS.values)))), ("batch_norm", (IMG, None, None, BIAS, BIAS, True)),
    ("batch_norm", (IMG, BIAS, V(np.abs(BIAS.values)), BIAS, None, True, 0.3, 0.1)),
    ("embedding", (CLASSES, M)), ("embedding", (CLASSES, M, 1)), ("pixel_shuffle", (IMG, 2)),
    ("unfold", (IMG, 2)), ("unfold", (IMG, (2, 3), 1, 1, 2)), ("fold", (V(IMG.values.reshape(2, 4, 30)), (7, 6), 2)),
    ("interpolate", (IMG,), {"scale_factor": 2.0}), ("interpolate", (IMG, (4, 7), None, "bilinear", True)),
    ("grid_sample", (IMG, V(RNG.uniform(-1, 1, (2, 3, 4, 2)))), {"align_corners": False}),
    ("dropout", (A, 0.3, False)), ("dropout", (A, 1.0)), ("dropout2d", (IMG, 0.3, False)), ("dropout2d", (IMG, 1.0)),
]
CASES += [(f"nn.functional.{name}", *rest) for name, *rest in FUNCTIONAL]
