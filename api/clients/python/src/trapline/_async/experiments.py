"""The groups `agents.experiments` and `agents.checks`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from typing_extensions import Unpack

from .._call import Call, json_of, path_of
from .._models.generated import (
    ConsentToAgentMcpToolsResponse,
    GetAgentChecksResponse,
    GetAgentExperimentResponse,
    ListAgentExperimentsQuery,
    ListAgentExperimentsResponse,
    StartAgentExperimentRequest,
    StartAgentExperimentResponse,
)
from .pages import iterate_offsets
from .transport import AsyncTransport


class AsyncAgentExperiments:
    """Experiments compare two versions of an agent on the same examples."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def start(self, agent_id: str, **experiment: Unpack[StartAgentExperimentRequest]) -> StartAgentExperimentResponse:
        """Starts the runs of both versions. `get` returns their results."""
        return await self._transport.json(Call("POST", _path(agent_id, "experiments"), json=json_of({**experiment})), StartAgentExperimentResponse)

    async def list(self, agent_id: str, **query: Unpack[ListAgentExperimentsQuery]) -> ListAgentExperimentsResponse:
        """Lists the experiments of an agent, newest first."""
        return await self._transport.json(Call("GET", _path(agent_id, "experiments"), {**query}), ListAgentExperimentsResponse)

    def iterate(self, agent_id: str) -> AsyncIterator[StartAgentExperimentResponse]:
        """Iterates over all items of `list`, page by page."""

        async def page_of(offset: int) -> tuple[Sequence[StartAgentExperimentResponse], int]:
            page = await self.list(agent_id, offset=offset)
            return page.data, page.total

        return iterate_offsets(page_of)

    async def get(self, agent_id: str, experiment_id: str) -> GetAgentExperimentResponse:
        """
        Returns the runs of an experiment in pairs, and the comparison of the versions. `open`: number of runs that have
        not ended.
        """
        return await self._transport.json(Call("GET", _path(agent_id, "experiments", experiment_id)), GetAgentExperimentResponse)


class AsyncAgentChecks:
    """Checks that are applied to each run of an example: rules, and judgements by a model."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(self, agent_id: str) -> GetAgentChecksResponse:
        """Returns the checks of an agent."""
        return await self._transport.json(Call("GET", _path(agent_id, "checks")), GetAgentChecksResponse)

    async def set(self, agent_id: str, checks: Sequence[Mapping[str, Any]]) -> ConsentToAgentMcpToolsResponse:
        """Replaces all checks of the agent."""
        return await self._transport.json(Call("PUT", _path(agent_id, "checks"), json={"checks": [*checks]}), ConsentToAgentMcpToolsResponse)


def _path(agent_id: str, *more: str) -> str:
    return "/api/v1/agents" + path_of(agent_id, *more)
