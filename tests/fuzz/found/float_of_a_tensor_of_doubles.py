# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    return x * float((x + w * 3)[0]), 0
