# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    n = 0
    for v in x:
        n += 1
        if v > 0:
            break
    print(f'{n:>3}|{n / 4:.2f}|{n!r:<4}|{"{:03d}".format(n)}')
    return x, n
