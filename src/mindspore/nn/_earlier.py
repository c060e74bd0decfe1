"""What only programs of earlier releases ask of a cell."""
from __future__ import annotations

from typing import Any, NoReturn, Self

from mindspore.core import check

from ._settings import Settings


class Earlier(Settings):
    """Calls that prepared a cell for a device in earlier releases."""

    def set_auto_parallel(self) -> None:
        """Mark the cell, by its flag `auto_parallel`, as one that several processes may share.

        `mindspore.set_auto_parallel_context` decides whether they do.

        Examples:
            >>> network = nn.Dense(2, 1)
            >>> network.set_auto_parallel()
            >>> network.get_flags()["auto_parallel"]
            True
        """
        self.add_flags(auto_parallel=True)

    def set_data_parallel(self) -> None:
        """Note that operators without a strategy share the batch; the search of `auto_parallel` decides what they do.

        Examples:
            >>> nn.Dense(2, 1).set_data_parallel()
        """
        self._note("set_data_parallel", data_parallel=True)

    def set_boost(self, boost_type: str) -> Self:
        """Set the flag of a way to train faster, which `mindspore.boost` has.

        Args:
            boost_type: "less_bn".

        Returns:
            The cell.

        Raises:
            ValueError: If `boost_type` is another one.

        Examples:
            >>> nn.Dense(2, 1).set_boost("less_bn").get_flags()["less_bn"]
            True
        """
        if boost_type != "less_bn":
            raise check.fail(ValueError, self, "boost_type", "'less_bn'", boost_type)
        return self.add_flags_recursive(less_bn=True)

    def register_parameter_forward_hook(self, hook: Any) -> NoReturn:
        """Refuse a function of the parameters that `construct` would see in their place.

        Args:
            hook: The function, or dicts of parameters and a function.

        Raises:
            NotImplementedError: Always; it says what to do instead.

        Examples:
            >>> try:
            ...     nn.Dense(2, 1).register_parameter_forward_hook(lambda parameter: parameter * 10)
            ... except NotImplementedError as error:
            ...     print(str(error)[:40])
            For 'register_parameter_forward_hook', p
        """
        raise NotImplementedError("For 'register_parameter_forward_hook', parameters are used as they are: compute "
                                  "with a function of them in 'construct', for example 'self.changed(self.weight)'.")

    @property
    def bprop_debug(self) -> bool:
        """Whether `bprop` of the cell is looked at; it always runs as Python in PyNative mode, where it can be.

        Raises:
            TypeError: If it is set to what is no bool.

        Examples:
            >>> net = nn.Dense(2, 1)
            >>> net.bprop_debug = True
            >>> net.bprop_debug
            True
        """
        return self.__dict__.get("_bprop_debug", False)

    @bprop_debug.setter
    def bprop_debug(self, value: bool) -> None:
        self.__dict__["_bprop_debug"] = check.boolean(self, "bprop_debug", value)

    def exec_checkpoint_graph(self) -> None:
        """Let a checkpoint that follows see what was trained; it does so without this call, because parameters
        here have no second home on a device.

        Examples:
            >>> nn.Dense(2, 1).exec_checkpoint_graph()
        """
