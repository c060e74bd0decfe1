# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    n, items = 0, [x * 1, w * 2]
    try:
        print(x > 0)
    finally:
        n += 1
    match items:
        case (1, _):
            n += 1
    return x + w, n
