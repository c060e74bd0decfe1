# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    a = strict(x, 0)
    big = ops.cat([x[x > 0].sum()])
    return a + big, 1
