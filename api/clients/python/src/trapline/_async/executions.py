"""The groups `executions` and `secrets`."""

from __future__ import annotations

import codecs
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, TypeVar, overload

import anyio
from typing_extensions import Unpack

from .._call import Call, path_of
from .._errors import ServiceConnectionError, ServiceServerError, ServiceTimeoutError
from .._models.follow import EXECUTION_EVENT, ExecutionEvent, ListSecretsResponse
from .._models.generated import (
    Execution,
    GetExecutionSuspensionResponse,
    ListExecutionsQuery,
    ListExecutionsResponse,
    RecentExecution,
    ResumeExecutionResponse,
    SendExecutionEventsResponse,
    SignalExecutionResponse,
    SuspendExecutionResponse,
)
from .._models.workflows import CancelWorkflowExecutionResponse
from .download import AsyncDownload
from .pages import iterate_offsets
from .runs import AsyncRun
from .transport import AsyncTransport

R = TypeVar("R")
_AGAIN_SECONDS = 1.0


class AsyncExecutions:
    """Operations on executions of both workflows and agents."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    @property
    def hold_seconds(self) -> int:
        """Maximum time for which the service may hold a response."""
        return self._transport.hold_seconds

    async def list(self, **query: Unpack[ListExecutionsQuery]) -> ListExecutionsResponse:
        """Lists the newest executions of all workflows and agents that the key may read."""
        return await self._transport.json(Call("GET", "/api/v1/executions", {**query}), ListExecutionsResponse)

    def iterate(self, **query: Unpack[ListExecutionsQuery]) -> AsyncIterator[RecentExecution]:
        """Iterates over all executions of `list`, page by page."""

        async def page_of(offset: int) -> tuple[Sequence[RecentExecution], int]:
            query["offset"] = offset
            page = await self.list(**query)
            return page.data, page.total

        return iterate_offsets(page_of)

    async def get(self, execution_id: str, *, wait_for_completion: int | None = None) -> Execution:
        """
        Returns one execution, with the same fields for workflows and agents. `wait_for_completion`: seconds to wait for
        its end, at most 60.
        """
        query = {"wait_for_completion": wait_for_completion}
        return await self._transport.json(Call("GET", "/api/v1/executions" + path_of(execution_id), query), Execution)

    async def cancel(self, execution_id: str) -> CancelWorkflowExecutionResponse:
        """Cancels an execution, or requests its worker to do so. Idempotent."""
        call = Call("POST", "/api/v1/executions" + path_of(execution_id, "cancel"), repeatable="always")
        return await self._transport.json(call, CancelWorkflowExecutionResponse)

    async def suspend(self, execution_id: str) -> SuspendExecutionResponse:
        """
        Suspends an execution of a workflow: tasks in progress are completed, and no other step begins. Idempotent.
        """
        call = Call("POST", "/api/v1/executions" + path_of(execution_id, "suspend"), repeatable="always")
        return await self._transport.json(call, SuspendExecutionResponse)

    async def resume(self, execution_id: str) -> ResumeExecutionResponse:
        """Resumes a suspended execution. Idempotent."""
        call = Call("POST", "/api/v1/executions" + path_of(execution_id, "resume"), repeatable="always")
        return await self._transport.json(call, ResumeExecutionResponse)

    async def suspension(self, execution_id: str) -> GetExecutionSuspensionResponse:
        """Returns whether an execution is suspended."""
        return await self._transport.json(Call("GET", "/api/v1/executions" + path_of(execution_id, "suspension")), GetExecutionSuspensionResponse)

    @overload
    def run(self, execution_id: str) -> AsyncRun[Any]: ...
    @overload
    def run(self, execution_id: str, result_type: type[R]) -> AsyncRun[R]: ...
    def run(self, execution_id: str, result_type: Any = Any) -> AsyncRun[Any]:
        """Returns a handle for an execution id. `result_type`: type of its result."""
        return AsyncRun(self, execution_id, result_type)

    async def send_events(self, events: Sequence[Mapping[str, Any]]) -> SendExecutionEventsResponse:
        """
        Delivers CloudEvents to executions that wait for them. Events with the same source and id are deduplicated.
        """
        call = Call("POST", "/api/v1/events", json=[*events], repeatable="always")
        return await self._transport.json(call, SendExecutionEventsResponse)

    async def signal(self, execution_id: str, event: Mapping[str, Any], *, wait_for_reply: int | None = None) -> SignalExecutionResponse:
        """
        Delivers one CloudEvent to one execution. `wait_for_reply`: seconds to wait for the reply of the execution, at
        most 60. An event with the same source and id is delivered once, so a repeated call continues to wait.
        """
        path = "/api/v1/executions" + path_of(execution_id, "signals")
        call = Call("POST", path, {"wait_for_reply": wait_for_reply}, json={**event}, repeatable="always")
        return await self._transport.json(call, SignalExecutionResponse)

    async def signal_reply(self, execution_id: str, event_id: str, *, wait_for_reply: int | None = None) -> SignalExecutionResponse:
        """Returns the reply to an event that `signal` delivered."""
        path = "/api/v1/executions" + path_of(execution_id, "signals", event_id)
        return await self._transport.json(Call("GET", path, {"wait_for_reply": wait_for_reply}), SignalExecutionResponse)

    async def follow(self, execution_id: str, *, after: str | None = None) -> AsyncIterator[ExecutionEvent]:
        """
        Streams all past and future events of an execution until it has ended. A broken connection is restored after the
        last received event. `after`: the id of the last known event.
        """
        path = "/api/v1/executions" + path_of(execution_id, "events")
        last = after
        reached = False
        while True:
            try:
                async with self._transport.download(Call("GET", path, {"after": last})) as download:
                    reached = True
                    async for id, event, data in read_events(download):
                        if event == "end":
                            return
                        last = id or last
                        yield EXECUTION_EVENT.validate_python({**json.loads(data), "id": id, "event": event})
            except (ServiceConnectionError, ServiceServerError, ServiceTimeoutError):
                if not reached:
                    raise
            await anyio.sleep(_AGAIN_SECONDS)


class AsyncSecrets:
    """Secrets of the account, which its workflows and agents use by name. Values are write-only."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(self) -> ListSecretsResponse:
        """Lists the names of the secrets."""
        return await self._transport.json(Call("GET", "/api/v1/secrets"), ListSecretsResponse)

    async def set(self, name: str, value: str, *, hosts: Sequence[str] | None = None) -> None:
        """
        Sets a secret. Later uses by runs get the new value. With `hosts`, runs send it only to these hosts; without,
        its hosts stay as they are.
        """
        bound = {} if hosts is None else {"hosts": [*hosts]}
        await self._transport.nothing(Call("PUT", "/api/v1/secrets" + path_of(name), json={"value": value, **bound}))

    async def delete(self, name: str) -> None:
        """Deletes a secret. Later runs that need it fail."""
        await self._transport.nothing(Call("DELETE", "/api/v1/secrets" + path_of(name)))


async def read_events(download: AsyncDownload) -> AsyncIterator[tuple[str, str, str]]:
    """Parses server-sent events. The service uses `id`, `event` and one line of `data`."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    text = ""
    async for piece in download.iter_bytes():
        *blocks, text = (text + decoder.decode(piece)).split("\n\n")
        for block in blocks:
            fields = dict(line.split(": ", 1) for line in block.split("\n") if ": " in line)
            if "event" in fields and "data" in fields:
                yield fields.get("id", ""), fields["event"], fields["data"]
