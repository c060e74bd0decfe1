# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    n = 0
    for k in range(x.sum() > 0):
        n += 1
    return [w, x][w.sum() > 1 and n < 3] + (x, w)[x[0] > 0], n
