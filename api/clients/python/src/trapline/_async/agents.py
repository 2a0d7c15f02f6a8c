"""The group `agents`."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import Any, List, Literal, TypeVar, overload

from typing_extensions import Unpack

from .._call import Call, Form, body_of, new_key, path_of
from .._files import Content, FileSource, file_body, split_input
from .._models.agents import (
    Agent,
    CreateAgentResponse,
    GetAgentResponse,
    ListAgentsResponse,
    PatchAgentResponse,
    RunAgentResponse,
    StartAgentParams,
    Visibility,
)
from .._models.generated import GetAgentUsageQuery, GetAgentUsageResponse, ListAgentVersionsQuery, ListAgentVersionsResponse
from .agent_executions import AsyncAgentExecutions
from .examples import AsyncAgentExamples
from .executions import AsyncExecutions
from .experiments import AsyncAgentChecks, AsyncAgentExperiments
from .pages import iterate_offsets
from .runs import AsyncBatchStart, AsyncRun, start_batch
from .sharing import AsyncGrants
from .transport import AsyncTransport

R = TypeVar("R")
_AGENTS = "/api/v1/agents"


class AsyncAgents:
    """
    Agents: units with a workspace of files that are run, re-run, cancelled and rated. Methods take the id or slug of an
    agent.
    """

    executions: AsyncAgentExecutions

    def __init__(self, transport: AsyncTransport, executions: AsyncExecutions) -> None:
        self._transport = transport
        self._executions = executions
        self.executions = AsyncAgentExecutions(transport)
        self.examples = AsyncAgentExamples(transport)
        self.experiments = AsyncAgentExperiments(transport)
        self.checks = AsyncAgentChecks(transport)
        self.grants = AsyncGrants(transport, "/api/v1/agents")

    async def list(
        self,
        *,
        search: str | None = None,
        include_archived: bool | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> ListAgentsResponse:
        """Lists the agents that the key may access. `search`: text contained in one of their fields."""
        query = {"search": search, "include_archived": include_archived, "limit": limit, "offset": offset}
        return await self._transport.json(Call("GET", _AGENTS, query), ListAgentsResponse)

    async def usage(self, agent_id: str, **query: Unpack[GetAgentUsageQuery]) -> GetAgentUsageResponse:
        """Returns runs, tokens and cost of an agent over time."""
        return await self._transport.json(Call("GET", _AGENTS + path_of(agent_id, "usage"), {**query}), GetAgentUsageResponse)

    def iterate(self, *, search: str | None = None, include_archived: bool | None = None) -> AsyncIterator[Agent]:
        """Iterates over all agents of `list`, page by page."""

        async def page_of(offset: int) -> tuple[Sequence[Agent], int]:
            page = await self.list(search=search, include_archived=include_archived, offset=offset)
            return page.data, page.total

        return iterate_offsets(page_of)

    async def get(
        self, agent_id: str, *, include: Iterable[Literal["files", "dataset"]] | None = None
    ) -> GetAgentResponse:
        """Returns one agent with the requested sections."""
        query = {"include": None if include is None else [*include]}
        return await self._transport.json(Call("GET", _agent(agent_id), query), GetAgentResponse)

    async def create(
        self,
        *,
        name: str,
        slug: str,
        description: str | None = None,
        config: Mapping[str, Any] | None = None,
        visibility: Visibility | None = None,
    ) -> CreateAgentResponse:
        """
        Creates an agent with an empty workspace. `visibility`: `shared` permits all users who may run agents to run it.
        Default `private`.
        """
        body = body_of(name=name, slug=slug, description=description, config=config, visibility=visibility)
        return await self._transport.json(Call("POST", _AGENTS, json=body), CreateAgentResponse)

    async def update(
        self,
        agent_id: str,
        *,
        name: str | None = None,
        description: str | None = None,
        config: Mapping[str, Any] | None = None,
        visibility: Visibility | None = None,
        archived: bool | None = None,
    ) -> PatchAgentResponse:
        """
        Changes the given fields; other fields stay as they are. An `archived` agent is not listed and cannot be run;
        False restores it.
        """
        body = body_of(name=name, description=description, config=config, visibility=visibility, archived=archived)
        return await self._transport.json(Call("PATCH", _agent(agent_id), json=body), PatchAgentResponse)

    async def run(
        self,
        agent_id: str,
        input: Mapping[str, object] | None = None,
        *,
        files: Mapping[str, FileSource] | None = None,
        metadata: Mapping[str, Any] | None = None,
        batch_id: str | None = None,
        example_id: str | None = None,
        example_name: str | None = None,
        wait_for_completion: int | None = None,
        idempotency_key: str | None = None,
    ) -> RunAgentResponse:
        """
        Starts a run. Files are `files` by input name (paths, bytes, open files), or `pathlib.Path` values of `input`;
        they are streamed.

        Args:
            metadata: stored with the run. Not available for inputs with files, nor are the following three arguments.
            batch_id: id of the experiment to which the run belongs.
            example_id: id of the dataset example that provides the input.
            example_name: name of that example.
            wait_for_completion: seconds to wait for the end, at most 600. A longer run has the status `timeout` and
                continues.
            idempotency_key: requests with the same key and input are one run, for 24 hours. Generated for each call if
                not given.
        """
        scalars, found = split_input(input, files)
        extra = body_of(batch_id=batch_id, example_id=example_id, example_name=example_name)
        if metadata is not None:
            extra["_metadata"] = metadata
        if found and extra:
            raise ValueError("metadata, batch and example can't be given for a run with files")
        call = Call(
            "POST",
            _agent(agent_id, "run"),
            {"wait_for_completion": wait_for_completion},
            json=None if found else {"input": scalars, **extra},
            form=Form({"_json": json.dumps(scalars, allow_nan=False)} if scalars else {}, found) if found else None,
            idempotency_key=idempotency_key or new_key(),
            repeatable="by-key",
        )
        return await self._transport.json(call, RunAgentResponse)

    async def list_files(
        self, agent_id: str, *, path: str | None = None, prefix: str | None = None, version: int | None = None
    ) -> dict[str, Any]:
        """
        Lists the live files of the workspace. `prefix` limits them to a folder, `path` to one file. `version` selects
        an older state.
        """
        call = Call("GET", _agent(agent_id, "files"), {"path": path, "prefix": prefix, "version": version})
        return await self._transport.json(call, dict[str, Any])

    async def put_file(
        self,
        agent_id: str,
        path: str,
        content: Content,
        *,
        content_type: str | None = None,
        prefix: str | None = None,
    ) -> dict[str, Any]:
        """Writes one file of the workspace: text as `str`, bytes, or the content of a `pathlib.Path`."""
        call = Call(
            "PUT", _agent(agent_id, "files"), {"path": path, "prefix": prefix}, json=file_body(content, content_type)
        )
        return await self._transport.json(call, dict[str, Any])

    async def upload_files(self, agent_id: str, files: Mapping[str, Content]) -> dict[str, Any]:
        """Writes several files of the workspace in one version, by path."""
        body = {"files": [{"path": path, **file_body(content, None)} for path, content in files.items()]}
        return await self._transport.json(Call("POST", _agent(agent_id, "files"), json=body), dict[str, Any])

    @overload
    async def start(
        self, agent_id: str, input: Mapping[str, object] | None = None, **params: Unpack[StartAgentParams]
    ) -> AsyncRun[Any]: ...
    @overload
    async def start(
        self, agent_id: str, input: Mapping[str, object] | None = None, *, result_type: type[R], **params: Unpack[StartAgentParams]
    ) -> AsyncRun[R]: ...
    async def start(
        self, agent_id: str, input: Mapping[str, object] | None = None, *, result_type: Any = Any, **params: Unpack[StartAgentParams]
    ) -> AsyncRun[Any]:
        """
        Starts a run and returns its handle as soon as the run is accepted. `result_type`: type of `result()`, such as a
        pydantic model or a TypedDict.
        """
        started = await self.run(agent_id, input, **params)
        return self._executions.run(started.execution_id, result_type)

    async def start_all(
        self,
        agent_id: str,
        inputs: Sequence[Mapping[str, object]],
        *,
        concurrency: int = 8,
        idempotency_key: str | None = None,
    ) -> List[AsyncBatchStart[Any]]:
        """
        Starts a run for each input, with limited concurrency, and returns the outcomes in the order of the inputs. A
        refused input does not stop the others. For 24 hours, a repeated call with the same `idempotency_key` and inputs
        starts nothing twice.
        """

        async def start(input: Mapping[str, object], key: str) -> AsyncRun[Any]:
            return await self.start(agent_id, input, idempotency_key=key)

        return await start_batch(inputs, start, concurrency=concurrency, idempotency_key=idempotency_key)

    async def delete(self, agent_id: str, *, if_match: str | None = None) -> None:
        """Archives the agent; `update` with `archived=False` makes it active again. Accepted runs continue."""
        await self._transport.nothing(Call("DELETE", "/api/v1/agents" + path_of(agent_id), if_match=if_match))

    async def versions(self, agent_id: str, **query: Unpack[ListAgentVersionsQuery]) -> ListAgentVersionsResponse:
        """Lists versions of the workspace, newest first."""
        return await self._transport.json(Call("GET", "/api/v1/agents" + path_of(agent_id, "versions"), {**query}), ListAgentVersionsResponse)


def _agent(agent_id: str, *more: str) -> str:
    return _AGENTS + path_of(agent_id, *more)
