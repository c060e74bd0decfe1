# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    n = 0

    def asking(v):
        nonlocal n
        try:
            yield from rows(v, 2)
        finally:
            n += 1

    for b in next(asking(x)):
        n += 1
    return x, n
