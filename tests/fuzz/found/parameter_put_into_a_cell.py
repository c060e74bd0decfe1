# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    KEPT.last = P
    P.mul_(0.5)
    return x, 0
