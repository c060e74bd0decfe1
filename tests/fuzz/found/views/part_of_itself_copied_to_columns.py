# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    q = ops.stack([x, w, x])
    q[:, 1:].copy_(q[:, 1][1:])
    return q.sum(0) * x, 1
