# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    f = lambda v: v * 0.5
    k = 0
    while (x * 0).sum() + k < 3:
        f = lambda v, g=f: g(v) + x
        k += 1
    return f(w), 1
