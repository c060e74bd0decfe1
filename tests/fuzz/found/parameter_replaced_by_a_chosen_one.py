# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    NET.scale = P if x.sum() > 0 else NET.scale
    P.mul_(0.5)
    return x * NET.scale, 0
