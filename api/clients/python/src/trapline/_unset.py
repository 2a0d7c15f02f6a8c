"""Marker for arguments that were not given, where None has a meaning."""

from __future__ import annotations

from enum import Enum
from typing import Final


class Unset(Enum):
    UNSET = "UNSET"


UNSET: Final = Unset.UNSET


def given(**values: object) -> dict[str, object]:
    """Returns the given arguments, including None."""
    return {name: value for name, value in values.items() if value is not UNSET}
