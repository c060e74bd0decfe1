# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    return w, deque(x, 2)
