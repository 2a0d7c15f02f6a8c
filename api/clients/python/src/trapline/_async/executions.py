"""The groups `executions` and `secrets`."""

from __future__ import annotations

import codecs
import json
from collections.abc import AsyncIterator

import anyio

from .._call import Call, path_of
from .._errors import ServiceConnectionError, ServiceServerError, ServiceTimeoutError
from .._models.follow import EXECUTION_EVENT, ExecutionEvent, ListSecretsResponse
from .download import AsyncDownload
from .transport import AsyncTransport

_AGAIN_SECONDS = 1.0


class AsyncExecutions:
    """What happens to executions of workflows and agents alike."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def follow(self, execution_id: str, *, after: str | None = None) -> AsyncIterator[ExecutionEvent]:
        """
        Everything that has happened to an execution, and what happens to it, until it has ended. A connection that breaks is made again, and goes on behind
        the last event that came. `after`: the id of the last event that is known.
        """
        path = "/api/v1/executions" + path_of(execution_id, "events")
        last = after
        reached = False
        while True:
            try:
                async with self._transport.download(Call("GET", path, {"after": last})) as download:
                    reached = True
                    async for id, event, data in _read_events(download):
                        if event == "end":
                            return
                        last = id or last
                        yield EXECUTION_EVENT.validate_python({**json.loads(data), "id": id, "event": event})
            except (ServiceConnectionError, ServiceServerError, ServiceTimeoutError):
                if not reached:
                    raise
            await anyio.sleep(_AGAIN_SECONDS)


class AsyncSecrets:
    """Own secrets, which own workflows and agents use by name. Values go in and never come out."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(self) -> ListSecretsResponse:
        """Their names."""
        return await self._transport.json(Call("GET", "/api/v1/secrets"), ListSecretsResponse)

    async def set(self, name: str, value: str) -> None:
        """Runs use the new value from now on."""
        await self._transport.nothing(Call("PUT", "/api/v1/secrets" + path_of(name), json={"value": value}))

    async def delete(self, name: str) -> None:
        """Runs that need it fail from now on."""
        await self._transport.nothing(Call("DELETE", "/api/v1/secrets" + path_of(name)))


async def _read_events(download: AsyncDownload) -> AsyncIterator[tuple[str, str, str]]:
    """Server-sent events, of which the service uses `id`, `event` and one line of `data`."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    text = ""
    async for piece in download.iter_bytes():
        *blocks, text = (text + decoder.decode(piece)).split("\n\n")
        for block in blocks:
            fields = dict(line.split(": ", 1) for line in block.split("\n") if ": " in line)
            if "event" in fields and "data" in fields:
                yield fields.get("id", ""), fields["event"], fields["data"]
