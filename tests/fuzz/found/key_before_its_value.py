# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    n = 0
    def steps():
        nonlocal n
        n += 1
        return x
    return x, {f'{n}': steps()}[f'{n}']
