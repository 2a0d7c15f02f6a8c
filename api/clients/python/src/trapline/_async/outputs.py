"""The group `outputs`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typing_extensions import Unpack

from .._call import Call, json_of, path_of
from .._models.generated import (
    GetOutputDeliveriesQuery,
    GetOutputDeliveriesResponse,
    ListOutputKindsResponse,
    ListOutputsResponse,
    Output,
    ResendOutputDeadLettersRequest,
    ResendOutputDeadLettersResponse,
    TestOutputResponse,
)
from .transport import AsyncTransport


class AsyncOutputs:
    """Outputs: receivers of detections and cases. For administrators."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def kinds(self) -> ListOutputKindsResponse:
        """Lists the kinds of outputs with their settings."""
        return await self._transport.json(Call("GET", "/api/output-kinds"), ListOutputKindsResponse)

    async def list(self) -> ListOutputsResponse:
        """Lists all outputs."""
        return await self._transport.json(Call("GET", "/api/outputs"), ListOutputsResponse)

    async def get(self, id: str) -> Output:
        """Returns one output."""
        return await self._transport.json(Call("GET", "/api/outputs" + path_of(id)), Output)

    async def create(self, output: Mapping[str, Any]) -> Output:
        """Adds an output: `name`, `type`, `settings`, and optionally `filter`, `secrets` and `enabled`."""
        return await self._transport.json(Call("POST", "/api/outputs", json={**output}), Output)

    async def update(self, id: str, change: Mapping[str, Any], *, if_match: str | None = None) -> Output:
        """Changes the given fields; other fields stay as they are."""
        return await self._transport.json(Call("PATCH", "/api/outputs" + path_of(id), json={**change}, if_match=if_match), Output)

    async def delete(self, id: str, *, if_match: str | None = None) -> None:
        """Deletes an output."""
        await self._transport.nothing(Call("DELETE", "/api/outputs" + path_of(id), if_match=if_match))

    async def deliveries(self, id: str, **query: Unpack[GetOutputDeliveriesQuery]) -> GetOutputDeliveriesResponse:
        """Returns the state of deliveries: state, lag, the last error, and messages that the receiver refused."""
        return await self._transport.json(Call("GET", "/api/outputs" + path_of(id, "deliveries"), {**query}), GetOutputDeliveriesResponse)

    async def test(self, id: str) -> TestOutputResponse:
        """Sends a marked test detection and returns the response of the receiver."""
        return await self._transport.json(Call("POST", "/api/outputs" + path_of(id, "test")), TestOutputResponse)

    async def resend(self, id: str, **body: Unpack[ResendOutputDeadLettersRequest]) -> ResendOutputDeadLettersResponse:
        """Sends refused messages again: those with the given `ids`, or all."""
        return await self._transport.json(Call("POST", "/api/outputs" + path_of(id, "resend"), json=json_of({**body})), ResendOutputDeadLettersResponse)
