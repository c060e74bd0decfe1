"""Sections of the texts of operators in `linear_algebra`."""
TEXTS = {
    "MatrixInverse": """\
Args:
    x: Matrices (..., n, n), floating point or complex.
    adjoint: Whether to invert the conjugate transposes.

Examples:
    >>> ops.MatrixInverse()(Tensor([[2.0, 0.0], [0.0, 4.0]])).tolist()
    [[0.5, 0.0], [0.0, 0.25]]
""",
    "MatrixDeterminant": """\
Args:
    x: Matrices (..., n, n), floating point or complex.

Examples:
    >>> ops.MatrixDeterminant()(Tensor([[2.0, 1.0], [0.0, 4.0]])).tolist()
    8.0
""",
    "LogMatrixDeterminant": """\
Args:
    x: Matrices (..., n, n), floating point or complex.

Examples:
    >>> sign, logarithm = ops.LogMatrixDeterminant()(Tensor([[0.0, 1.0], [4.0, 0.0]]))
    >>> sign.tolist(), round(float(logarithm), 4)
    (-1.0, 1.3863)
""",
    "MatrixSolve": """\
Args:
    a: Matrices (..., n, n), floating point or complex.
    b: (..., n, k), of that dtype.
    adjoint: Whether to solve with the conjugate transposes.

Examples:
    >>> ops.MatrixSolve()(Tensor([[2.0, 0.0], [0.0, 4.0]]), Tensor([[2.0], [8.0]])).tolist()
    [[1.0], [2.0]]
""",
    "MatrixTriangularSolve": """\
Args:
    a: Matrices (..., n, n), floating point or complex.
    b: (..., n, k), of that dtype.
    lower: Whether the lower triangle counts, otherwise the upper one.
    adjoint: Whether to solve with the conjugate transposes.

Examples:
    >>> ops.MatrixTriangularSolve()(Tensor([[2.0, 0.0], [1.0, 4.0]]), Tensor([[2.0], [9.0]])).tolist()
    [[1.0], [2.0]]
""",
    "Lstsq": """\
Args:
    a: The matrix, (m, n), floating point.
    b: (m,) or (m, k), of that dtype.
    fast: Accepted; the exact algorithm is used for both.
    l2_regularizer: The factor of the squared norm of the solution, which is kept small with it; a float.

Examples:
    >>> ops.Lstsq()(Tensor([[1.0], [1.0]]), Tensor([[1.0], [3.0]])).asnumpy().round(4)
    array([[2.]], dtype=float32)
""",
    "Cholesky": """\
Args:
    x: Symmetric positive definite matrices (..., n, n), floating point; ValueError for others.
    upper: Whether to return the upper triangular transpose.

Examples:
    >>> ops.Cholesky()(Tensor([[4.0, 2.0], [2.0, 5.0]])).tolist()
    [[2.0, 0.0], [1.0, 2.0]]
""",
    "CholeskyInverse": """\
Args:
    x: The factor, (n, n), floating point.
    upper: Whether the factor is the upper triangular one.

Examples:
    >>> ops.CholeskyInverse()(Tensor([[2.0]])).tolist()
    [[0.25]]
""",
    "CholeskySolve": """\
Args:
    b: (..., n, k), float32 or float64.
    factor: The Cholesky factors, (..., n, n), of that dtype.
    upper: Whether they are the upper triangular ones.

Examples:
    >>> ops.CholeskySolve()(Tensor([[4.0], [8.0]]), Tensor([[2.0, 0.0], [0.0, 2.0]])).tolist()
    [[1.0], [2.0]]
""",
    "Qr": """\
Args:
    x: Matrices (..., m, n), floating point or complex.
    full_matrices: Whether q is (m, m), otherwise (m, min(m, n)).

Examples:
    >>> q, r = ops.Qr()(Tensor([[3.0, 1.0], [4.0, 2.0]]))
    >>> (q @ r).asnumpy().round(4)
    array([[3., 1.],
           [4., 2.]], dtype=float32)
""",
    "Svd": """\
Args:
    x: Matrices (..., m, n), float32, float64 or complex.
    full_matrices: Whether u is (m, m) and v (n, n), otherwise both have min(m, n) columns.
    compute_uv: Whether u and v are wanted; without them two zeros stand in their places.

Examples:
    >>> s, u, v = ops.Svd()(Tensor([[3.0, 0.0], [0.0, 4.0]]))
    >>> s.asnumpy().round(4)
    array([4., 3.], dtype=float32)
""",
    "Eig": """\
Args:
    x: Matrices (..., n, n), floating point or complex.
    compute_v: Whether the eigenvectors are wanted; without, an empty tensor stands in their place.

Examples:
    >>> values, _ = ops.Eig()(Tensor([[2.0, 0.0], [0.0, 3.0]]))
    >>> values.tolist()
    [(2+0j), (3+0j)]
""",
    "Geqrf": """\
Args:
    x: Matrices (..., m, n), floating point or complex.

Examples:
    >>> y, tau = ops.Geqrf()(Tensor([[-2.0, -1.0], [1.0, 2.0]]))
    >>> y.shape, tau.asnumpy().round(4)
    ((2, 2), array([1.8944, 0.    ], dtype=float32))
""",
    "Orgqr": """\
Args:
    x: Reflectors as `Geqrf` gives them, (..., m, n), floating point or complex.
    tau: Their factors, (..., k).

Examples:
    >>> ops.Orgqr()(*ops.Geqrf()(Tensor([[3.0], [4.0]]))).asnumpy().round(4)
    array([[-0.6],
           [-0.8]], dtype=float32)
""",
    "Ormqr": """\
Args:
    x: Reflectors as `Geqrf` gives them, (..., m, k), floating point or complex.
    tau: Their factors, (..., k).
    other: The matrix to multiply.
    left: Whether the product stands left of `other`, otherwise right.
    transpose: Whether the conjugate transpose is multiplied.

Examples:
    >>> y, tau = ops.Geqrf()(Tensor([[3.0, 0.0], [4.0, 5.0]]))
    >>> ops.Ormqr(transpose=True)(y, tau, Tensor([[1.0], [7.0]])).asnumpy().round(4)
    array([[-6.2],
           [ 3.4]], dtype=float32)
""",
    "LuSolve": """\
Args:
    b: (..., n, k), floating point.
    lu: The factors in one matrix, (..., n, n).
    pivots: The row that each row was exchanged with, from 1 on, (..., n), int32.

Examples:
    >>> lu, pivots = Tensor([[2.0, 0.0], [0.0, 4.0]]), Tensor([1, 2], mindspore.int32)
    >>> ops.LuSolve()(Tensor([[2.0], [8.0]]), lu, pivots).tolist()
    [[1.0], [2.0]]
""",
    "LuUnpack": """\
Args:
    lu: The factors in one matrix, (..., m, n), real.
    pivots: The row that each row was exchanged with, from 1 on, (..., min(m, n)), integers.
    unpack_data, unpack_pivots: Whether the triangular matrices, and the permutation, are wanted.

Examples:
    >>> found = ops.LuUnpack()(Tensor([[2.0, 1.0], [0.5, 4.0]]), Tensor([2, 2], mindspore.int32))
    >>> [each.tolist() for each in found]
    [[[0.0, 1.0], [1.0, 0.0]], [[1.0, 0.0], [0.5, 1.0]], [[2.0, 1.0], [0.0, 4.0]]]
""",
    "MatrixExp": """\
Args:
    x: Matrices (..., n, n), floating point or complex.

Examples:
    >>> ops.MatrixExp()(Tensor([[0.0, 0.0], [0.0, 1.0]])).asnumpy().round(4)
    array([[1.    , 0.    ],
           [0.    , 2.7183]], dtype=float32)
""",
    "Pdist": """\
Args:
    x: (..., n, m), floating point.
    p: The order of the norm, a float, not negative.

Returns:
    (..., n (n - 1) / 2).

Examples:
    >>> ops.Pdist()(Tensor([[0.0, 0.0], [3.0, 4.0], [0.0, 1.0]])).asnumpy().round(4)
    array([5.    , 1.    , 4.2426], dtype=float32)
""",
    "MatrixPower": """\
Args:
    x: Square matrices (..., n, n).
    n: An int; below 0 the inverse is multiplied.

Examples:
    >>> ops.MatrixPower(2)(Tensor([[1.0, 1.0], [0.0, 1.0]])).tolist()
    [[1.0, 2.0], [0.0, 1.0]]
""",
    "MatrixSolveLs": """\
Args:
    matrix: (..., m, n), floating point or complex.
    rhs: (..., m, k), of the same dtype.
    l2_regularizer: A number or a tensor with one element, not negative.
    fast: Whether the normal equations are solved; else the pseudoinverse is applied, and `l2_regularizer` is not used.

Examples:
    >>> matrix = Tensor([[1.0, 0.0], [0.0, 2.0], [0.0, 0.0]])
    >>> ops.MatrixSolveLs()(matrix, Tensor([[1.0], [4.0], [5.0]]), Tensor(0.0)).tolist()
    [[1.0], [2.0]]
""",
    "NuclearNorm": """\
Args:
    x: Matrices, floating point.
    dim: The two dimensions of the matrices; None for the last two.
    keepdim: Whether they stay with the extent 1.

Examples:
    >>> ops.NuclearNorm()(Tensor([[3.0, 0.0], [0.0, -4.0]])).asnumpy().round(4)
    np.float32(7.0)
""",
    "TridiagonalMatMul": """\
Args:
    superdiag, maindiag, subdiag: (..., 1, m), of one dtype; the last element of the first and the first of the last
        do not count.
    rhs: (..., m, n).

Examples:
    >>> above, main, below = Tensor([[1.0, 0.0]]), Tensor([[2.0, 3.0]]), Tensor([[0.0, 4.0]])
    >>> ops.TridiagonalMatMul()(above, main, below, Tensor([[1.0], [1.0]])).tolist()
    [[3.0], [7.0]]
""",
    "Cdist": """\
Args:
    x1: (..., n, d), floating point.
    x2: (..., m, d), of the type of `x1`.
    p: The order of the norm, not negative.

Examples:
    >>> ops.Cdist()(Tensor([[0.0, 0.0]]), Tensor([[3.0, 4.0], [1.0, 0.0]])).tolist()
    [[5.0, 1.0]]
""",
    "ConjugateTranspose": """\
Args:
    x: A tensor.
    perm: The order of its dimensions, a tuple of ints.

Examples:
    >>> ops.ConjugateTranspose()(Tensor([[1 + 2j, 3 - 1j]]), (1, 0)).tolist()
    [[(1-2j)], [(3+1j)]]
""",
    "MatrixLogarithm": """\
Args:
    x: Matrices (..., n, n), complex, else TypeError; ValueError without a logarithm.

Examples:
    >>> x = Tensor(np.array([[1, 1], [0, 1]], np.complex64))
    >>> ops.MatrixLogarithm()(x).asnumpy().real.round(4).tolist()
    [[0.0, 1.0], [0.0, 0.0]]
""",
}
