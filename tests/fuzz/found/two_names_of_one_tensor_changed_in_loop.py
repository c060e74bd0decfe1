# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    a = b = x * 1
    k = 0
    while (x * 0).sum() + k < 3:
        a.add_(w)
        b[0] = b[1]
        k += 1
    return a + b, 1
