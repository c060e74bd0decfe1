# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    return x[0][None], 0
