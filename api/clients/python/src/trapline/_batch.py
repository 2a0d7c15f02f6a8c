"""Concurrent calls with a limit."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import anyio

T = TypeVar("T")
I = TypeVar("I")  # noqa: E741


class AsyncBatch:
    """Calls with at most `concurrency` in flight."""

    def __init__(self, concurrency: int) -> None:
        self._concurrency = _checked(concurrency)

    async def map(self, call: Callable[[int, I], Awaitable[T]], inputs: Sequence[I]) -> list[T]:
        """Returns the results of all calls, in the order of the inputs. An exception of a call cancels the others."""
        done: dict[int, T] = {}
        limit = anyio.CapacityLimiter(self._concurrency)

        async def one(index: int) -> None:
            async with limit:
                done[index] = await call(index, inputs[index])

        async with anyio.create_task_group() as group:
            for index in range(len(inputs)):
                group.start_soon(one, index)
        return [done[index] for index in range(len(inputs))]


class Batch:
    """Calls in at most `concurrency` threads."""

    def __init__(self, concurrency: int) -> None:
        self._concurrency = _checked(concurrency)

    def map(self, call: Callable[[int, I], T], inputs: Sequence[I]) -> list[T]:
        """Returns the results of all calls, in the order of the inputs."""
        with ThreadPoolExecutor(self._concurrency) as threads:
            return list(threads.map(call, range(len(inputs)), inputs))


def _checked(concurrency: int) -> int:
    if concurrency < 1:
        raise ValueError("concurrency: must be at least 1")
    return concurrency
