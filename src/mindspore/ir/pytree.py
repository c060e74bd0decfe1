"""Nested containers taken apart into leaves and put together again: `mindspore.utils._pytree`.

Lists, tuples, named tuples and dicts (in the order of their keys) are taken apart, and classes that a program
registers; everything else, None among it, is a leaf.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

_registered: dict[type, tuple[Callable[[Any], Any], Callable[[Any, Any], Any]]] = {}


class PyTreeDef:
    """The form of a nested container without its leaves; two are equal if their forms are."""

    def __init__(self, kind: type | None, about: Any = None, parts: tuple[PyTreeDef, ...] = ()):
        self.kind, self.about, self.parts = kind, about, parts
        self.num_leaves: int = 1 if kind is None else sum([p.num_leaves for p in parts])
        self.num_nodes: int = 1 + sum([p.num_nodes for p in parts])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PyTreeDef) and (self.kind, self.about, self.parts) == (
            other.kind, other.about, other.parts)

    def __hash__(self) -> int:
        return hash((self.kind, self.num_leaves, self.num_nodes))

    def __repr__(self) -> str:
        if self.kind is None:
            return "PyTreeDef(*)"
        return f"PyTreeDef({self.kind.__name__}, {list(self.parts)})"

    def unflatten(self, leaves: Iterable[Any]) -> Any:
        """A container of this form with other leaves."""
        return tree_unflatten(self, leaves)

    def flatten_up_to(self, tree: Any) -> list[Any]:
        """What stands in `tree` where the leaves of this form are.

        Raises:
            TypeError: If `tree` has another form.
        """
        if self.kind is None:
            return [tree]
        parts = _taken_apart(tree)
        if parts is None or _kind(tree) is not self.kind:
            raise TypeError(f"Structure mismatch: expected {self.kind.__name__}, got {type(tree).__name__}")
        children, about = parts
        if about != self.about or len(children) != len(self.parts):
            raise TypeError(f"Structure mismatch: a {self.kind.__name__} has other keys or another size")
        return [x for part, child in zip(self.parts, children, strict=True) for x in part.flatten_up_to(child)]


def _kind(tree: Any) -> Any:
    return tree.__class__


def _taken_apart(tree: Any) -> tuple[list[Any], Any] | None:
    """What stands directly in a container, and what else is needed to make it again; None for a leaf."""
    kind, named = _kind(tree), hasattr(tree, "_fields")
    if kind in (list, tuple) or (named and issubclass(kind, tuple)):
        return list(tree), None
    if kind is dict:
        keys = sorted(tree)
        return [tree[k] for k in keys], tuple(keys)
    if kind in _registered:
        children, about = _registered[kind][0](tree)
        return list(children), about
    return None


def _together(kind: Any, about: Any, children: list[Any]) -> Any:
    if kind is dict:
        return dict(zip(about, children, strict=True))
    if kind in _registered:
        return _registered[kind][1](about, children)
    return kind(*children) if hasattr(kind, "_fields") else kind(children)


def tree_flatten(tree: Any, is_leaf: Callable[[Any], bool] | None = None,
                 tensors_only_leaf: bool = False) -> tuple[list[Any], PyTreeDef]:
    """The leaves of a nested container, and its form.

    Args:
        tree: The container, or a leaf.
        is_leaf: Tells containers that count as leaves.
        tensors_only_leaf: Whether only tensors are given.

    Returns:
        A list and a PyTreeDef.

    Examples:
        >>> from mindspore.utils import _pytree
        >>> leaves, form = _pytree.tree_flatten({"b": 1, "a": (2, [3])})
        >>> leaves, _pytree.tree_unflatten(form, [20, 30, 10])
        ([2, 3, 1], {'a': (20, [30]), 'b': 10})
    """
    leaves: list[Any] = []
    form = _flatten(tree, is_leaf, leaves)
    return [x for x in leaves if not tensors_only_leaf or hasattr(x, "_data")], form


def _flatten(tree: Any, is_leaf: Callable[[Any], bool] | None, leaves: list[Any]) -> PyTreeDef:
    parts = None if is_leaf is not None and is_leaf(tree) else _taken_apart(tree)
    if parts is None:
        leaves.append(tree)
        return PyTreeDef(None)
    children, about = parts
    return PyTreeDef(_kind(tree), about, tuple([_flatten(child, is_leaf, leaves) for child in children]))


def tree_leaves(tree: Any, is_leaf: Callable[[Any], bool] | None = None, tensors_only_leaf: bool = False) -> list[Any]:
    """The leaves of a nested container, see `tree_flatten`."""
    return tree_flatten(tree, is_leaf, tensors_only_leaf)[0]


def tree_structure(tree: Any, is_leaf: Callable[[Any], bool] | None = None,
                   tensors_only_leaf: bool = False) -> PyTreeDef:
    """The form of a nested container, see `tree_flatten`."""
    return tree_flatten(tree, is_leaf, tensors_only_leaf)[1]


def tree_unflatten(treedef: PyTreeDef, leaves: Iterable[Any]) -> Any:
    """A container of a form with the given leaves.

    Raises:
        ValueError: If there are more leaves than the form has, or fewer.
    """
    given = list(leaves)
    if len(given) != treedef.num_leaves:
        raise ValueError(f"Not enough leaves to unflatten, or too many: {treedef.num_leaves} are needed, but got "
                         f"{len(given)}")
    return _unflatten(treedef, iter(given))


def _unflatten(form: PyTreeDef, leaves: Any) -> Any:
    if form.kind is None:
        return next(leaves)
    return _together(form.kind, form.about, [_unflatten(part, leaves) for part in form.parts])


def tree_map(func: Callable[..., Any], tree: Any, *rest: Any, is_leaf: Callable[[Any], bool] | None = None,
             tensors_only_leaf: bool = False) -> Any:
    """A container of the form of `tree` with `func(leaf, ...)` for each leaf, whose others are those of `rest`.

    Args:
        func: The function.
        tree: A nested container.
        rest: Containers of the same form.
        is_leaf: Tells containers that count as leaves.
        tensors_only_leaf: Whether only tensors are changed.

    Raises:
        TypeError: If one of `rest` has another form.

    Examples:
        >>> from mindspore.utils import _pytree
        >>> _pytree.tree_map(lambda a, b: a + b, {"a": 1, "b": [2]}, {"a": 10, "b": [20]})
        {'a': 11, 'b': [22]}
    """
    leaves, form = tree_flatten(tree, is_leaf)
    others = [form.flatten_up_to(other) for other in rest]
    return tree_unflatten(form, [func(*group) if not tensors_only_leaf or hasattr(group[0], "_data") else group[0]
                                 for group in zip(leaves, *others, strict=True)])


def register_pytree_node(node_type: type[Any], flatten_func: Callable[[Any], Any],
                         unflatten_func: Callable[[Any, Any], Any]) -> None:
    """Let objects of a class be taken apart.

    Args:
        node_type: The class.
        flatten_func: `flatten_func(node)` gives its parts and what else is needed to make it again.
        unflatten_func: `unflatten_func(about, parts)` makes it again.
    """
    _registered[node_type] = flatten_func, unflatten_func


def register_pytree_node_class(cls: type[Any]) -> type[Any]:
    """Let objects of a class be taken apart by its methods `tree_flatten(self)` and `tree_unflatten(about, parts)`."""
    made: Any = cls
    register_pytree_node(cls, lambda node: node.tree_flatten(), made.tree_unflatten)
    return cls


__all__ = ["PyTreeDef", "register_pytree_node", "register_pytree_node_class", "tree_flatten", "tree_leaves", "tree_map",
           "tree_structure", "tree_unflatten"]
