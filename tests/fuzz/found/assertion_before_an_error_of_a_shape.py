# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    assert x.sum() < 0
    return x * w.reshape(7), 0
