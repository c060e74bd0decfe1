"""The integer types of quantised values, by their number of bits."""

from __future__ import annotations

import enum


class QuantDtype(enum.Enum):
    """A signed (`INT1` to `INT16`) or unsigned (`UINT1` to `UINT16`) integer of so many bits.

    Examples:
        >>> mindspore.QuantDtype.INT8.num_bits
        8
        >>> mindspore.QuantDtype.is_signed(mindspore.QuantDtype.UINT4)
        False
    """

    INT1, INT2, INT3, INT4, INT5, INT6, INT7, INT8 = range(8)
    INT9, INT10, INT11, INT12, INT13, INT14, INT15, INT16 = range(8, 16)
    UINT1, UINT2, UINT3, UINT4, UINT5, UINT6, UINT7, UINT8 = range(100, 108)
    UINT9, UINT10, UINT11, UINT12, UINT13, UINT14, UINT15, UINT16 = range(108, 116)

    @property
    def num_bits(self) -> int:
        """The number of bits."""
        return self.value % 100 + 1

    @staticmethod
    def is_signed(dtype: QuantDtype) -> bool:
        """Whether the type has a sign.

        Args:
            dtype: One of these types.
        """
        return dtype.value < 100

    @staticmethod
    def switch_signed(dtype: QuantDtype) -> QuantDtype:
        """The type of as many bits with the other signedness.

        Args:
            dtype: One of these types.
        """
        return QuantDtype(dtype.value + (100 if QuantDtype.is_signed(dtype) else -100))
