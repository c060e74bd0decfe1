# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    y = x * 1
    z = y.reshape(3, 1)
    z[0] = 9.0
    return y + w, 1
