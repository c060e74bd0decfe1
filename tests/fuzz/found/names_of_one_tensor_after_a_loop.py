# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    b, c = x * 1, w * 1
    k = 0
    while k < 2:
        k += 1
        if x.sum() > 1 and k < 3:
            break
        b = c = c * b[1]
    b.add_(x)
    return b + c, k
