# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    it = iter([x, w, x * 2])
    if x.sum() > 0:
        next(it)
    return next(it), 1
