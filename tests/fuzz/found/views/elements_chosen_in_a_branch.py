# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    y = x * 1
    if w.sum() > 0:
        y[w > 0] -= 1.5
    return y * y, 1
