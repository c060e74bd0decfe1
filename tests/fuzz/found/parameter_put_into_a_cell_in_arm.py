# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    if x.sum() > 0:
        KEPT.last = P
    P.mul_(0.5)
    return x, 0
