"""Faults of the functions under the names of SciPy and NumPy and of `mint`: file, tests, (source text, fault)."""
FAULTS = [
    ("mint/products.py", "mint/test_bools_and_conjugates.py", [
        ("ops.conj(input) if tensor(\"vdot\", \"input\", input).dtype.is_complex else input", "input"),
    ]),
    ("mint/shapes.py", "mint/test_bools_and_conjugates.py", [
        ("return (ops.diff(input.int(), n, dim, *ends) % 2).bool()", "return ops.diff(input.int(), n, dim, *ends).bool()"),
    ]),
    ("numpy/_triangles.py", "numpy_names/test_oblong_and_listed.py", [
        ("return triu_indices(rows, k, columns)", "return triu_indices(rows, k, rows)"),
    ]),
    ("numpy/_grids.py", "numpy_names/test_oblong_and_listed.py", [
        ("powers if increasing else powers[::-1]", "powers[::-1]"),
    ]),
    ("numpy/_shapes.py", "numpy_names/test_oblong_and_listed.py", [
        ("return a.reshape((1, -1, 1))", "return a.reshape((1, 1, -1))"),
        ("for at in sorted(axes_of(", "for at in (axes_of("),
    ]),
    ("scipy/decompositions.py", "scipy_names", [
        ("if a.shape[0] > a.shape[1] else nothing", "if a.shape[0] >= a.shape[1] else nothing"),
        ("return ops.tril(x) + ops.tril(x, -1).T if lower else ops.triu(x) + ops.triu(x, 1).T", "return ops.tril(x) + ops.tril(x, -1).T"),
        ("else 2.220446049250313e-16) * max(a.shape)", "else 2.220446049250313e-16) * min(a.shape)"),
    ]),
    ("scipy/linalg.py", "scipy_names", [
        ('half = solve_triangular(x, right, trans)\n', 'half = solve_triangular(x, right, 1)\n'),
    ]),
    ("scipy/optimize/minimising.py", "scipy_names", [
        ("g = g / (rho * (y * y).sum())", "pass"),
        ("[-self.count:]", "[:self.count]"),
        ("_by_multipliers(lambda x: func(x, *args), x,", "_by_multipliers(func, x,"),
    ]),
    ("scipy/optimize/wolfe.py", "scipy_names", [
        ('if abs(now.slope) <= -c2 * first.slope:\n            return _result(line, now, i, 0)', 'if abs(now.slope) <= c2:\n            return _result(line, now, i, 0)'),
        ("last, a = now, 2 * a", "last, a = now, a + 1e-3"),
        ("a = min(1.0, guess) if guess > 0 else 1.0", "a = guess"),
        ('if now.slope * (high.a - low.a) >= 0:\n                high = low', "pass"),
    ]),
    ("scipy/sparse/linalg.py", "scipy_names", [
        ('if restrt is not None:\n        restart = restrt', "pass"),
        ("x0 = b * 0.0 if x0 is None else", "x0 = b * 0.0 if True else"),
        ("m = ops.eye(b.shape[0], b.shape[0], b.dtype) if M is None else M.astype(b.dtype)", "m = ops.eye(b.shape[0], b.shape[0], b.dtype)"),
        ("float(ops.norm(condition(b - apply(x))) / ops.norm(condition(b)))", "float(ops.norm(condition(b - apply(x))))"),
        ("and see is None:", ":"),
        ("atol=float(atol), maxiter=steps", "atol=0.0, maxiter=steps"),
    ]),
    ("scipy/triangular.py", "scipy_names", [
        ("ops.conj(part) if way == 2 and part.dtype.is_complex else part", "part"),
        ("return x if x.dtype.is_differentiable else x.astype(float64)", "return x if x.dtype.is_differentiable else x.astype(\"float32\")"),
    ]),
]
