# ruff: noqa  # programs as users write them
"""`try`, `with`, `raise`, `assert`, `del`, `global`, in every position."""

from __future__ import annotations

from mindspore import Tensor, ops

V = [1.0, -2.0, 4.0]
TOTAL = 0
LAST = None


def test_both_modes_agree(program, agree):
    agree(program)


class Manager:
    def __init__(self, log, swallow=False):
        self.log, self.swallow = log, swallow

    def __enter__(self):
        self.log.append("in")
        return self.log

    def __exit__(self, kind, error, trace):
        self.log.append("none" if kind is None else kind.__name__)
        return self.swallow


# ---------------------------------------------------------------------- try

def program_finally_order(x=V):
    log = []
    try:
        log.append(1)
        y = x * 2
    finally:
        log.append(2)
    return y + log[0] * 10 + log[1]


def program_finally_overrides_return(x=V):
    def f(v):
        try:
            return v
        finally:
            return v * 2
    return f(x)


def program_finally_runs_on_return(x=V):
    log = []

    def f(v):
        try:
            return v + 1
        finally:
            log.append(1)
    return f(x) + len(log)


def program_finally_in_loop_with_break(x=V):
    n = 0
    for i in range(5):
        try:
            if i == 3:
                break
            if i == 1:
                continue
            n += 1
        finally:
            n += 10
    return x * n


def program_except_tuple(x=V):
    try:
        y = x * {}["a"]
    except (IndexError, KeyError):
        y = x * 2
    return y


def program_except_in_order(x=V):
    try:
        y = x + [][1]
    except KeyError:
        y = x * 2
    except LookupError:
        y = x * 3
    except Exception:
        y = x * 4
    return y


def program_except_else_finally(x=V):
    out = []
    for bad in (True, False):
        try:
            if bad:
                raise ValueError("bad")
        except ValueError as e:
            out.append(str(e))
        else:
            out.append("else")
        finally:
            out.append("finally")
    return x * len("".join(out))


def program_exception_of_called_function(x=V):
    def f(v, ok):
        if not ok:
            raise ArithmeticError("no")
        return v
    y = x
    for ok in (True, False):
        try:
            y = y + f(x, ok)
        except ArithmeticError:
            y = y * 3
    return y


def program_reraise_from(x=V):
    try:
        try:
            raise KeyError("a")
        except KeyError as e:
            raise ValueError("b") from e
    except ValueError as e:
        return x * len(repr(e.__cause__))


def program_bare_except(x=V):
    try:
        return x.reshape(100)
    except:
        return x * 2


def program_shape_error_is_caught(x=V):
    try:
        return x + ops.ones((7,))
    except ValueError:
        return x


def program_exception_not_caught(x=V):
    try:
        raise KeyError("k")
    except ValueError:
        return x


def program_name_of_handler_is_deleted(x=V):
    e = 1
    try:
        raise ValueError
    except ValueError as e:
        pass
    return x * e


def program_try_inside_arm(x=V):
    y = x
    if x.sum() > 0:
        try:
            y = y + {}["a"]
        except KeyError:
            y = y * 5
        finally:
            y = y + 1
    return y


def program_try_around_arm(x=V):
    y = x
    try:
        if x.sum() > 0:
            y = y * 2
        y = y + {}["a"]
    except KeyError:
        y = y + 1
    return y


def program_try_with_return_on_tensor(x=V):
    try:
        if x.sum() > 0:
            return x * 2
        y = x + 1
    finally:
        z = 3
    return y * z


def program_try_with_break_on_tensor(x=V):
    y = x
    for i in range(4):
        try:
            y = y + i
            if y.sum() > 5:
                break
        finally:
            y = y * 1.5
    return y


def program_except_with_return_on_tensor(x=V):
    try:
        {}["a"]
    except KeyError:
        if x.sum() > 0:
            return x * 2
    return x


def program_else_with_return_on_tensor(x=V):
    try:
        y = x
    except KeyError:
        y = x * 9
    else:
        if x.sum() > 0:
            return y * 2
    return y


def program_try_in_tensor_loop(x=V):
    y = x
    while y.sum() < 20:
        try:
            y = y + {}["a"]
        except KeyError:
            y = y * y + 1
    return y


def program_raise_on_tensor_caught(x=V):
    y = x
    try:
        if x.sum() > 0:
            raise ValueError("positive")
        y = y + 1
    except ValueError:
        y = y * 5
    return y


def program_raise_on_tensor_caught_with_more(x=V):
    n = 0
    try:
        n = 1
        if x[0] > 0:
            n = 2
            raise KeyError("a")
        elif x[1] > 0.5:
            raise ValueError("b")
        n = 3
    except KeyError:
        n = n + 10
    except ValueError as e:
        n = n + 20
    else:
        n = n + 30
    finally:
        n = n + 100
    return x * n


def program_raise_on_tensor_not_caught(x=V):
    try:
        if x.sum() > 0:
            raise ValueError("positive")
    except KeyError:
        return x * 2
    return x


def program_raise_on_tensor_with_finally(x=V):
    y = x
    try:
        if x.sum() > 0:
            raise ValueError("positive")
        y = y * 2
    finally:
        y = y + 1
    return y


# ---------------------------------------------------------------------- with

def program_with_two_managers(x=V):
    log = []
    with Manager(log) as a, Manager(log):
        y = x * len(a)
    return y + len(log)


def program_with_swallows(x=V):
    log = []
    with Manager(log, swallow=True):
        raise ValueError
    return x * len(log)


def program_with_return_on_tensor(x=V):
    log = []
    with Manager(log):
        if x.sum() > 0:
            return x * 2
        y = x
    return y + len(log)


def program_with_break_on_tensor(x=V):
    log = []
    y = x
    for i in range(3):
        with Manager(log):
            y = y + i
            if y.sum() > 3:
                break
    return y


def program_with_in_tensor_loop(x=V):
    y = x
    log = []
    while y.sum() < 20:
        with Manager([]) as inner:
            y = y * y + len(inner)
    return y


def program_with_in_arm(x=V):
    y = x
    if x.sum() > 0:
        with Manager([]) as inner:
            y = y * 2 + len(inner)
    return y


# ---------------------------------------------------------------------- raise, assert

def program_raise_with_tensor_in_message(x=V):
    if x.sum() > 0:
        raise ValueError(f"sum {x.sum()}")
    return x


def program_raise_class(x=V):
    if x.sum() > 0:
        raise NotImplementedError
    return x


def program_raise_in_loop_on_tensor(x=V):
    y = x
    for i in range(5):
        y = y + x
        if y.sum() > 6:
            raise OverflowError("too much")
    return y


def program_raise_in_while_on_tensor(x=V):
    y = x
    while y.sum() < 30:
        y = y + abs(x)
        if y[0] > 3:
            raise RuntimeError("stop")
    return y


def program_assert_message(x=V):
    assert x.sum() < 2, f"sum is {x.sum()}"
    return x * 2


def program_assert_shape(x=V):
    assert x.ndim == 1 and x.shape[0] == 3, x.shape
    return x


def program_assert_in_loop(x=V):
    for v in x:
        assert v > -3, "small"
    return x


def program_assert_false(x=V):
    assert False, "always"


def program_assert_isinstance(x=V):
    assert isinstance(x, Tensor)
    return x


def program_return_after_raise_in_else(x=V):
    if x.sum() > 0:
        return x * 2
    else:
        raise ValueError("negative")


def program_raise_in_nested_function(x=V):
    def check(v):
        if v.sum() > 2:
            raise ValueError("big")
        return v * 2
    return check(x) + check(x - 1)


# ---------------------------------------------------------------------- global, del, annotations

def program_global(x=V):
    global TOTAL
    TOTAL = 5
    TOTAL += 1
    return x * TOTAL


def program_global_tensor(x=V):
    global LAST
    LAST = x * 2
    return LAST + 1


def program_global_in_arm(x=V):
    global LAST
    LAST = x
    if x.sum() > 0:
        LAST = x * 3
    return LAST


def program_global_in_inner_function(x=V):
    def store(v):
        global LAST
        LAST = v
    store(x * 4)
    return LAST


def program_del_of_many(x=V):
    a, b, c = x, x * 2, [x, x * 3]
    y = a + b
    del a, b, c[0]
    return y + c[0]


def program_del_then_use(x=V):
    y = x
    del y
    return y


def program_del_of_slice(x=V):
    items = [x, x * 2, x * 3, x * 4]
    del items[1:3]
    return items[0] + items[1]


def program_annotated_without_value(x=V):
    y: Tensor
    y = x
    z: int = 3
    return y * z


def program_pass_and_ellipsis(x=V):
    if x.sum() > 0:
        pass
    else:
        ...
    return x


def program_multiple_statements_on_a_line(x=V):
    a = x; b = a * 2; return a + b


def program_nested_functions_deep(x=V):
    def a(u):
        def b(v):
            def c(w):
                return u + v + w + x
            return c(v * 2)
        return b(u * 2)
    return a(x)
