"""The group `cases`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager

from typing_extensions import Unpack

from .._call import Call, Form, json_of, path_of
from .._files import FileSource
from .._models.generated import (
    AddCaseDetectionsResponse,
    Case,
    CaseFile,
    CaseTask,
    CaseTemplate,
    ChangeCaseRequest,
    ChangeCaseTaskRequest,
    CreateCaseRequest,
    CreateCaseTaskRequest,
    CreateCaseTemplateRequest,
    GetCaseMetricsResponse,
    GetCaseTimelineResponse,
    ListCaseTemplatesResponse,
    ListCasesQuery,
    ListCasesResponse,
    WholeCase,
)
from .comments import AsyncComments, AsyncLinkedExecutions
from .download import AsyncDownload
from .pages import iterate_cursors
from .transport import AsyncTransport


class AsyncCaseTasks:
    """Tasks of cases."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(self, case_id: str, **body: Unpack[CreateCaseTaskRequest]) -> CaseTask:
        """Adds a task."""
        return await self._transport.json(Call("POST", "/api/cases" + path_of(case_id, "tasks"), json=json_of({**body})), CaseTask)

    async def update(self, case_id: str, task_id: str, **body: Unpack[ChangeCaseTaskRequest]) -> CaseTask:
        """Changes the given fields."""
        return await self._transport.json(Call("PATCH", "/api/cases" + path_of(case_id, "tasks", task_id), json=json_of({**body})), CaseTask)

    async def delete(self, case_id: str, task_id: str) -> None:
        """Deletes a task."""
        await self._transport.nothing(Call("DELETE", "/api/cases" + path_of(case_id, "tasks", task_id)))


class AsyncCaseFiles:
    """Evidence files of cases."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def add(self, case_id: str, file: FileSource) -> CaseFile:
        """Uploads a file, which is streamed."""
        call = Call("POST", "/api/cases" + path_of(case_id, "files"), form=Form({}, {"file": file}))
        return await self._transport.json(call, CaseFile)

    def download(self, case_id: str, file_id: str) -> AbstractAsyncContextManager[AsyncDownload]:
        """Streams the content of a file: `with … as download`."""
        return self._transport.download(Call("GET", "/api/cases" + path_of(case_id, "files", file_id)))

    async def delete(self, case_id: str, file_id: str) -> None:
        """Deletes a file."""
        await self._transport.nothing(Call("DELETE", "/api/cases" + path_of(case_id, "files", file_id)))


class AsyncCaseTemplates:
    """Templates from which cases are created. Administrators change them."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(self) -> ListCaseTemplatesResponse:
        """Lists all templates."""
        return await self._transport.json(Call("GET", "/api/case-templates"), ListCaseTemplatesResponse)

    async def create(self, **body: Unpack[CreateCaseTemplateRequest]) -> CaseTemplate:
        """Adds a template."""
        return await self._transport.json(Call("POST", "/api/case-templates", json=json_of({**body})), CaseTemplate)

    async def replace(self, id: str, *, if_match: str | None = None, **body: Unpack[CreateCaseTemplateRequest]) -> CaseTemplate:
        """Replaces a template."""
        return await self._transport.json(Call("PUT", "/api/case-templates" + path_of(id), json=json_of({**body}), if_match=if_match), CaseTemplate)

    async def delete(self, id: str, *, if_match: str | None = None) -> None:
        """Deletes a template."""
        await self._transport.nothing(Call("DELETE", "/api/case-templates" + path_of(id), if_match=if_match))


class AsyncCases:
    """Cases: several detections that analysts work on together."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport
        self.tasks = AsyncCaseTasks(transport)
        self.files = AsyncCaseFiles(transport)
        self.templates = AsyncCaseTemplates(transport)
        self.comments = AsyncComments(transport, "/api/cases")
        self.executions = AsyncLinkedExecutions(transport, "/api/cases")

    async def list(self, **query: Unpack[ListCasesQuery]) -> ListCasesResponse:
        """Lists cases, newest first."""
        return await self._transport.json(Call("GET", "/api/cases", {**query}), ListCasesResponse)

    def iterate(self, **query: Unpack[ListCasesQuery]) -> AsyncIterator[Case]:
        """Iterates over all items of `list`, page by page."""

        async def page_of(cursor: str | None) -> tuple[Sequence[Case], str | None]:
            query["cursor"] = cursor
            page = await self.list(**query)
            return page.data, page.next_cursor

        return iterate_cursors(page_of)

    async def get(self, id: str) -> WholeCase:
        """Returns one case with its detections, tasks and files."""
        return await self._transport.json(Call("GET", "/api/cases" + path_of(id)), WholeCase)

    async def create(self, **body: Unpack[CreateCaseRequest]) -> WholeCase:
        """Opens a case."""
        return await self._transport.json(Call("POST", "/api/cases", json=json_of({**body})), WholeCase)

    async def update(self, id: str, *, if_match: str | None = None, **body: Unpack[ChangeCaseRequest]) -> WholeCase:
        """Changes the given fields; other fields stay as they are."""
        return await self._transport.json(Call("PATCH", "/api/cases" + path_of(id), json=json_of({**body}), if_match=if_match), WholeCase)

    async def add_detections(self, id: str, detections: Sequence[str]) -> AddCaseDetectionsResponse:
        """Adds detections, at most 1,000."""
        return await self._transport.json(Call("POST", "/api/cases" + path_of(id, "detections"), json={"detections": [*detections]}, repeatable="always"), AddCaseDetectionsResponse)

    async def remove_detection(self, id: str, detection_id: str) -> None:
        """Removes a detection from the case."""
        await self._transport.nothing(Call("DELETE", "/api/cases" + path_of(id, "detections", detection_id)))

    async def timeline(self, id: str) -> GetCaseTimelineResponse:
        """Returns the events of a case in order."""
        return await self._transport.json(Call("GET", "/api/cases" + path_of(id, "timeline")), GetCaseTimelineResponse)

    def report(self, id: str) -> AbstractAsyncContextManager[AsyncDownload]:
        """Returns the report of a case as Markdown: `with … as download`."""
        return self._transport.download(Call("GET", "/api/cases" + path_of(id, "report")))

    async def metrics(self) -> GetCaseMetricsResponse:
        """Returns figures over all cases: open cases, time to acknowledge and to close."""
        return await self._transport.json(Call("GET", "/api/case-metrics"), GetCaseMetricsResponse)
