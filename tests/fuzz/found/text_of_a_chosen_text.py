# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    text = "a"
    if x[0] > 0:
        text = 1
    print(f'{text!r}|{x}')
    return x, 0
