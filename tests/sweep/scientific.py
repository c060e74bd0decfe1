"""Calls of the functions of `scipy`, with gradients: `python tests/sweep/scientific.py CALLS.jsonl [--only TEXT]`."""
from __future__ import annotations

import expressions

ROWS = """
scipy.linalg.block_diag(f2x2, f1x3)
scipy.linalg.cho_factor(s3x3)
scipy.linalg.cho_solve((s3x3, True), f3)
scipy.linalg.cholesky(s3x3)
scipy.linalg.cholesky(s3x3, lower=True)
scipy.linalg.det(s3x3)
scipy.linalg.eigh(s3x3)
scipy.linalg.inv(s3x3)
scipy.linalg.lstsq(f4x3, f4)
scipy.linalg.lu(s3x3)
scipy.linalg.lu_factor(s3x3)
scipy.linalg.solve_triangular(s3x3, f3)
scipy.linalg.solve_triangular(s3x3, f3x2, lower=True, trans=1)
scipy.fft.dct(f2x4)
scipy.fft.idct(f2x4)
scipy.fft.dctn(f2x4)
scipy.fft.idctn(f2x4)
scipy.optimize.linear_sum_assignment(p3x4, False, i)
"""
EVERY = 4           # of the variants one in so many is called where there is little time


def calls(only=""):
    """All calls, with ids."""
    return expressions.calls(filter(None, ROWS.splitlines()), only, {})


def kept(only=""):
    """The rows and one in EVERY of their variants."""
    return expressions.some(calls(only), EVERY)


if __name__ == "__main__":
    expressions.main(__doc__, calls, kept)
