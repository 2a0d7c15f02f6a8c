# Generated from _async by tools/make_sync.py. Change it there.
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
from .transport import Transport


class Outputs:
    """Outputs: receivers of detections and cases. For administrators."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def kinds(self) -> ListOutputKindsResponse:
        """Lists the kinds of outputs with their settings."""
        return self._transport.json(Call("GET", "/api/output-kinds"), ListOutputKindsResponse)

    def list(self) -> ListOutputsResponse:
        """Lists all outputs."""
        return self._transport.json(Call("GET", "/api/outputs"), ListOutputsResponse)

    def get(self, id: str) -> Output:
        """Returns one output."""
        return self._transport.json(Call("GET", "/api/outputs" + path_of(id)), Output)

    def create(self, output: Mapping[str, Any]) -> Output:
        """Adds an output: `name`, `type`, `settings`, and optionally `filter`, `secrets` and `enabled`."""
        return self._transport.json(Call("POST", "/api/outputs", json={**output}), Output)

    def update(self, id: str, change: Mapping[str, Any], *, if_match: str | None = None) -> Output:
        """Changes the given fields; other fields stay as they are."""
        return self._transport.json(Call("PATCH", "/api/outputs" + path_of(id), json={**change}, if_match=if_match), Output)

    def delete(self, id: str, *, if_match: str | None = None) -> None:
        """Deletes an output."""
        self._transport.nothing(Call("DELETE", "/api/outputs" + path_of(id), if_match=if_match))

    def deliveries(self, id: str, **query: Unpack[GetOutputDeliveriesQuery]) -> GetOutputDeliveriesResponse:
        """Returns the state of deliveries: state, lag, the last error, and messages that the receiver refused."""
        return self._transport.json(Call("GET", "/api/outputs" + path_of(id, "deliveries"), {**query}), GetOutputDeliveriesResponse)

    def test(self, id: str) -> TestOutputResponse:
        """Sends a marked test detection and returns the response of the receiver."""
        return self._transport.json(Call("POST", "/api/outputs" + path_of(id, "test")), TestOutputResponse)

    def resend(self, id: str, **body: Unpack[ResendOutputDeadLettersRequest]) -> ResendOutputDeadLettersResponse:
        """Sends refused messages again: those with the given `ids`, or all."""
        return self._transport.json(Call("POST", "/api/outputs" + path_of(id, "resend"), json=json_of({**body})), ResendOutputDeadLettersResponse)
