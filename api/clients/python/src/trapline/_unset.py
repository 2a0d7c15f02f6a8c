"""What was not given, where None says something."""

from __future__ import annotations

from enum import Enum
from typing import Final


class Unset(Enum):
    UNSET = "UNSET"


UNSET: Final = Unset.UNSET


def given(**values: object) -> dict[str, object]:
    """What was given, null included."""
    return {name: value for name, value in values.items() if value is not UNSET}
