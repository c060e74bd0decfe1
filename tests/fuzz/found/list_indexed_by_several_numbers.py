# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    return [x, w][(w > 0).int()] + CELLS[(x > 0).int()](x), 0
