"""Hooks in a graph: functions of the program that the derivative of a tensor calls.

They are walked when the reverse is built, in the place where PyNative mode would call them.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore.compiler.frontend.objects.journal import assigned
from mindspore.compiler.frontend.objects.state import lift
from mindspore.core.errors import GraphValueError
from mindspore.eager.hooks import HookHandle, replaced
from mindspore.ir import ITEM, Node, tree, user_tensor
from mindspore.ir.runtime import runtime
from mindspore.operators import structure, user

from .dispatch import call


def call_in_reverse(fn: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """Call a function of the program while a reverse is built.

    Raises:
        GraphValueError: If it changes objects or parameters, and the reverse is that of a loop or branch.
    """
    heap = runtime.trace.heap
    version = heap.version
    if tree.leaves(args, _is_aside):       # these are values, as they were
        args = tree.mapped(args, _is_aside, structure.identity)
    with user_tensor.contents(tree.leaves(args, _is_node)), heap.watched() as changes:
        found = call(fn, args, {})
    if runtime.nested and (heap.version != version or assigned(changes)):
        raise GraphValueError(f"The hook '{getattr(fn, '__name__', fn)}' changes an object or a parameter whenever a "
                              "gradient passes an 'if' or a loop on a tensor, and a graph changes them only once. "
                              "Let the hook return a gradient and change nothing, or run in PyNative mode.")
    return found


def _is_node(value: Any) -> bool:
    return type(value) is Node


def _is_aside(value: Any) -> bool:
    return type(value) is Node and user_tensor.is_aside(value)


class Chain:
    """The hooks of one tensor, in the order of their calls."""

    calls_back = True            # see `Program.calls_back`

    def __init__(self) -> None:
        self.hooks: dict[int, Callable[..., Any]] = {}

    def __call__(self, gradient: Any) -> Any:
        for hook in list(self.hooks.values()):
            gradient = replaced(hook, gradient, call_in_reverse(hook, (gradient,)))
        return gradient


def register_hook(tensor: Any, hook: Callable[..., Any]) -> HookHandle:
    """`tensor.register_hook(hook)` for a tensor that the block under construction computes.

    The node still represents the tensor, now with its hooks; a twin of it computes the elements.

    Raises:
        GraphValueError: If the tensor was computed elsewhere: its hooks would outlive the program, or depend on an
            `if` or loop.
    """
    node, block = lift(tensor), runtime.blocks[-1]
    place = next((k for k in range(len(block) - 1, -1, -1) if block[k] is node), None)
    source = node.inputs[0] if place is not None and node.op is ITEM else node
    if place is None or node.op is structure.identity or source.op.dynamic_rule:
        raise GraphValueError("A graph can register a hook only on a tensor that the function computes, in the "
                              "block that computes it: not on an argument, nor inside of an 'if' or a loop on a "
                              "tensor on one from outside of it. Register it where the tensor is computed, or run "
                              "in PyNative mode.")
    if node.op is not user.hooked or type(node.attrs["hook"]) is not Chain:
        _insert_twin(block, place, node)
    chain = node.attrs["hook"]
    handle = HookHandle(chain.hooks)
    chain.hooks[handle.handle_id] = hook

    def removed() -> None:
        if runtime.building and runtime.blocks[-1] is not block:
            raise GraphValueError("A hook is removed in a branch of an 'if' or in a loop on a tensor; remove it "
                                  "in the block where it was registered.")
    return handle.on_removal(removed)


def _insert_twin(block: list[Node], place: int, node: Node) -> None:
    """Let another node compute what a node does, and the node pass that on with hooks."""
    twin = node.like(node.op, node.inputs, node.attrs, node.aval)
    block[place] = twin
    after = place + 1
    if node.op is ITEM:
        owner = node.inputs[0]
        owner.items = tuple([twin if item is node else item for item in owner.items])
        while after < len(block) and block[after].op is ITEM and block[after].inputs[0] is owner:
            after += 1
    node.become(user.hooked, (twin,), {"hook": Chain()})
    block.insert(after, node)
    user_tensor.join(twin, node)
