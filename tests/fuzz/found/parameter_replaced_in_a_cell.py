# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    NET.scale = P
    P.mul_(0.5)
    return x * NET.scale, 0
