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
    """Outputs: receivers that detections and cases are sent to. For administrators."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def kinds(self) -> ListOutputKindsResponse:
        """Kinds of outputs with the settings of each."""
        return await self._transport.json(Call("GET", "/api/output-kinds"), ListOutputKindsResponse)

    async def list(self) -> ListOutputsResponse:
        """All outputs."""
        return await self._transport.json(Call("GET", "/api/outputs"), ListOutputsResponse)

    async def get(self, id: str) -> Output:
        """One output."""
        return await self._transport.json(Call("GET", "/api/outputs" + path_of(id)), Output)

    async def create(self, output: Mapping[str, Any]) -> Output:
        """Adds an output: `name`, `type`, `settings`, and perhaps `filter`, `secrets` and `enabled`."""
        return await self._transport.json(Call("POST", "/api/outputs", json={**output}), Output)

    async def update(self, id: str, change: Mapping[str, Any], *, if_match: str | None = None) -> Output:
        """Changes what is given; the rest stays."""
        return await self._transport.json(Call("PATCH", "/api/outputs" + path_of(id), json={**change}, if_match=if_match), Output)

    async def delete(self, id: str, *, if_match: str | None = None) -> None:
        """Deletes an output."""
        await self._transport.nothing(Call("DELETE", "/api/outputs" + path_of(id), if_match=if_match))

    async def deliveries(self, id: str, **query: Unpack[GetOutputDeliveriesQuery]) -> GetOutputDeliveriesResponse:
        """How deliveries go: state, lag, the last error, and what the receiver refused."""
        return await self._transport.json(Call("GET", "/api/outputs" + path_of(id, "deliveries"), {**query}), GetOutputDeliveriesResponse)

    async def test(self, id: str) -> TestOutputResponse:
        """Sends a marked test detection and returns the response of the receiver."""
        return await self._transport.json(Call("POST", "/api/outputs" + path_of(id, "test")), TestOutputResponse)

    async def resend(self, id: str, **body: Unpack[ResendOutputDeadLettersRequest]) -> ResendOutputDeadLettersResponse:
        """Sends refused messages again: those of `ids`, or all."""
        return await self._transport.json(Call("POST", "/api/outputs" + path_of(id, "resend"), json=json_of({**body})), ResendOutputDeadLettersResponse)
