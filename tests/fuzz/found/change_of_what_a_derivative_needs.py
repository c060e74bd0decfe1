# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    y = x * 1
    z = [y, y[:]]
    a = BENT(y).sum()
    y[1:] = w[1:]
    return y * a, 1
