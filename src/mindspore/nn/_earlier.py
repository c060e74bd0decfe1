"""What only programs of earlier releases ask of a cell."""
from __future__ import annotations

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

    def exec_checkpoint_graph(self) -> None:
        """Let a checkpoint that follows see what was trained; it does so without this call, because parameters
        here have no second home on a device.

        Examples:
            >>> nn.Dense(2, 1).exec_checkpoint_graph()
        """
