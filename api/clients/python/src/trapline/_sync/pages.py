# Generated from _async by tools/make_sync.py. Change it there.
"""Iteration over lists with pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar


class _Identified(Protocol):
    @property
    def id(self) -> str: ...


I = TypeVar("I", bound=_Identified)  # noqa: E741
D = TypeVar("D")


def iterate_offsets(
    page_of: Callable[[int], tuple[Sequence[I], int]],
) -> Iterator[I]:
    """
    Iterates over a list that is paged by offset, with `page_of(offset)` → (items, total). Concurrent additions at the
    front move items onto the next page; such items are returned once.
    """
    offset = 0
    seen: set[str] = set()
    while True:
        items, total = page_of(offset)
        for item in items:
            if item.id not in seen:
                yield item
        seen = {item.id for item in items}
        offset += len(items)
        if not items or offset >= total:
            return


def iterate_cursors(
    page_of: Callable[[str | None], tuple[Sequence[D], str | None]],
) -> Iterator[D]:
    """Iterates over a list that is paged by cursor, with `page_of(cursor)` → (items, next cursor)."""
    cursor: str | None = None
    while True:
        items, cursor = page_of(cursor)
        for item in items:
            yield item
        if cursor is None:
            return
