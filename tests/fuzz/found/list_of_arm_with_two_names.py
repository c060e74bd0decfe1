# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    if x.sum() > 0:
        a = b = [x * 1]
    else:
        a = b = [w * 2]
    a[0] = a[0] + 5
    return b[0], 1
