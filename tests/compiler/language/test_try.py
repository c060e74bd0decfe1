# ruff: noqa  # programs as users write them
"""`try`: handlers, `else`, `finally`, and blocks that are left by an `if` on a tensor."""

from __future__ import annotations

from mindspore import ops

V = [1.0, -2.0, 4.0]


def test_both_modes_agree(program, agree):
    agree(program)


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


def program_try_inside_branch(x=V):
    y = x
    if x.sum() > 0:
        try:
            y = y + {}["a"]
        except KeyError:
            y = y * 5
        finally:
            y = y + 1
    return y


def program_try_around_branch(x=V):
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


def program_try_static(x=V):
    try:
        k = {"a": 1}["b"]
    except KeyError:
        k = 7
    else:
        k = 0
    finally:
        x = x + 1
    return x * k


def program_try_return(x=V):
    try:
        return x * 2
    finally:
        x = x + 100


def program_try_in_loop(x=V):
    for i in range(4):
        try:
            if i == 1:
                continue
            if i == 3:
                break
            x = x + 10 // (i - 2)
        except ZeroDivisionError as error:
            x = x + len(str(error))
    return x


def program_try_reraise(x=V):
    try:
        raise ValueError("a")
    except ValueError:
        raise
