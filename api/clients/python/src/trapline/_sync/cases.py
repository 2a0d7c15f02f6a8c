# Generated from _async by tools/make_sync.py. Change it there.
"""The group `cases`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager

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
from .comments import Comments, LinkedExecutions
from .download import Download
from .pages import iterate_cursors
from .transport import Transport


class CaseTasks:
    """Tasks of cases."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, case_id: str, **body: Unpack[CreateCaseTaskRequest]) -> CaseTask:
        """Adds a task."""
        return self._transport.json(Call("POST", "/api/cases" + path_of(case_id, "tasks"), json=json_of({**body})), CaseTask)

    def update(self, case_id: str, task_id: str, **body: Unpack[ChangeCaseTaskRequest]) -> CaseTask:
        """Changes the given fields."""
        return self._transport.json(Call("PATCH", "/api/cases" + path_of(case_id, "tasks", task_id), json=json_of({**body})), CaseTask)

    def delete(self, case_id: str, task_id: str) -> None:
        """Deletes a task."""
        self._transport.nothing(Call("DELETE", "/api/cases" + path_of(case_id, "tasks", task_id)))


class CaseFiles:
    """Evidence files of cases."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def add(self, case_id: str, file: FileSource) -> CaseFile:
        """Uploads a file, which is streamed."""
        call = Call("POST", "/api/cases" + path_of(case_id, "files"), form=Form({}, {"file": file}))
        return self._transport.json(call, CaseFile)

    def download(self, case_id: str, file_id: str) -> AbstractContextManager[Download]:
        """Streams the content of a file: `with … as download`."""
        return self._transport.download(Call("GET", "/api/cases" + path_of(case_id, "files", file_id)))

    def delete(self, case_id: str, file_id: str) -> None:
        """Deletes a file."""
        self._transport.nothing(Call("DELETE", "/api/cases" + path_of(case_id, "files", file_id)))


class CaseTemplates:
    """Templates from which cases are created. Administrators change them."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self) -> ListCaseTemplatesResponse:
        """Lists all templates."""
        return self._transport.json(Call("GET", "/api/case-templates"), ListCaseTemplatesResponse)

    def create(self, **body: Unpack[CreateCaseTemplateRequest]) -> CaseTemplate:
        """Adds a template."""
        return self._transport.json(Call("POST", "/api/case-templates", json=json_of({**body})), CaseTemplate)

    def replace(self, id: str, *, if_match: str | None = None, **body: Unpack[CreateCaseTemplateRequest]) -> CaseTemplate:
        """Replaces a template."""
        return self._transport.json(Call("PUT", "/api/case-templates" + path_of(id), json=json_of({**body}), if_match=if_match), CaseTemplate)

    def delete(self, id: str, *, if_match: str | None = None) -> None:
        """Deletes a template."""
        self._transport.nothing(Call("DELETE", "/api/case-templates" + path_of(id), if_match=if_match))


class Cases:
    """Cases: several detections that analysts work on together."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.tasks = CaseTasks(transport)
        self.files = CaseFiles(transport)
        self.templates = CaseTemplates(transport)
        self.comments = Comments(transport, "/api/cases")
        self.executions = LinkedExecutions(transport, "/api/cases")

    def list(self, **query: Unpack[ListCasesQuery]) -> ListCasesResponse:
        """Lists cases, newest first."""
        return self._transport.json(Call("GET", "/api/cases", {**query}), ListCasesResponse)

    def iterate(self, **query: Unpack[ListCasesQuery]) -> Iterator[Case]:
        """Iterates over all items of `list`, page by page."""

        def page_of(cursor: str | None) -> tuple[Sequence[Case], str | None]:
            query["cursor"] = cursor
            page = self.list(**query)
            return page.data, page.next_cursor

        return iterate_cursors(page_of)

    def get(self, id: str) -> WholeCase:
        """Returns one case with its detections, tasks and files."""
        return self._transport.json(Call("GET", "/api/cases" + path_of(id)), WholeCase)

    def create(self, **body: Unpack[CreateCaseRequest]) -> WholeCase:
        """Opens a case."""
        return self._transport.json(Call("POST", "/api/cases", json=json_of({**body})), WholeCase)

    def update(self, id: str, *, if_match: str | None = None, **body: Unpack[ChangeCaseRequest]) -> WholeCase:
        """Changes the given fields; other fields stay as they are."""
        return self._transport.json(Call("PATCH", "/api/cases" + path_of(id), json=json_of({**body}), if_match=if_match), WholeCase)

    def add_detections(self, id: str, detections: Sequence[str]) -> AddCaseDetectionsResponse:
        """Adds detections, at most 1,000."""
        return self._transport.json(Call("POST", "/api/cases" + path_of(id, "detections"), json={"detections": [*detections]}, repeatable="always"), AddCaseDetectionsResponse)

    def remove_detection(self, id: str, detection_id: str) -> None:
        """Removes a detection from the case."""
        self._transport.nothing(Call("DELETE", "/api/cases" + path_of(id, "detections", detection_id)))

    def timeline(self, id: str) -> GetCaseTimelineResponse:
        """Returns the events of a case in order."""
        return self._transport.json(Call("GET", "/api/cases" + path_of(id, "timeline")), GetCaseTimelineResponse)

    def report(self, id: str) -> AbstractContextManager[Download]:
        """Returns the report of a case as Markdown: `with … as download`."""
        return self._transport.download(Call("GET", "/api/cases" + path_of(id, "report")))

    def metrics(self) -> GetCaseMetricsResponse:
        """Returns figures over all cases: open cases, time to acknowledge and to close."""
        return self._transport.json(Call("GET", "/api/case-metrics"), GetCaseMetricsResponse)
