# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    n = 0
    if x.sum() > 0:
        print(x > 0)
        n = 1
    if n in {1}:
        x = x * 2
    return x, n
