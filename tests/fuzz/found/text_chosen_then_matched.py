# ruff: noqa  # a program as drawn, shortened
def program(x, w):
    text = "a"
    if x.sum() > 0:
        text += "b"
    match text:
        case "a" | "c":
            return w, 1
    return x, 0
