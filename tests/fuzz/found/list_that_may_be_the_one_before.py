# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    a = [x * 1]
    b = a
    if w.sum() > 1:
        b = [w * 2]
    b[0] = b[0] + 5
    return a[0] + b[0], 1
