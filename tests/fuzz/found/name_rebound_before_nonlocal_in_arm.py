# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    a, b = x * 1, w * 1

    def bump(v):
        nonlocal a
        a = a * 0.5 + v

    if x.sum() > -2:
        a = b * 0.5 * 0.5
        bump(x)
    return a + b, 1
