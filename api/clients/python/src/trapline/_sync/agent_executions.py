# Generated from _async by tools/make_sync.py. Change it there.
"""The group `agents.executions`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Literal, overload

from typing_extensions import Unpack

from .._call import Call, Form, body_of, new_key, path_of
from .._files import FileSource
from .._models.agents import (
    AgentExecution,
    AgentExecutionExpectedArtifacts,
    AgentExecutionFeedbackDetail,
    AgentExecutionFilters,
    AgentExecutionResponse,
    CancelAgentExecutionResponse,
    ExpectedFileResponse,
    FeedbackRating,
    FeedbackStatus,
    FileKind,
    ListAgentExecutionsResponse,
    RenameExpectedFileResponse,
    RerunAgentExecutionResponse,
)
from .._unset import UNSET, Unset, given
from .download import Download
from .pages import iterate_offsets
from .transport import Transport


class AgentExecutions:
    """Runs of agents: their state, files, feedback, and expected results."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        agent_id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        **filters: Unpack[AgentExecutionFilters],
    ) -> ListAgentExecutionsResponse:
        """Lists runs of an agent. `AgentExecutionFilters` describes the filters and sort orders."""
        path = "/api/v1/agents" + path_of(agent_id, "executions")
        call = Call("GET", path, {**filters, "limit": limit, "offset": offset})
        return self._transport.json(call, ListAgentExecutionsResponse)

    def iterate(self, agent_id: str, **filters: Unpack[AgentExecutionFilters]) -> Iterator[AgentExecution]:
        """Iterates over all runs of `list`, page by page."""

        def page_of(offset: int) -> tuple[Sequence[AgentExecution], int]:
            page = self.list(agent_id, offset=offset, **filters)
            return page.executions, page.total

        return iterate_offsets(page_of)

    def get(
        self,
        execution_id: str,
        *,
        include: Iterable[Literal["feedback", "expected", "files"]] | None = None,
        wait_for_completion: int | None = None,
    ) -> AgentExecutionResponse:
        """
        Returns one run with the requested sections. `wait_for_completion`: seconds to wait for its end, at most 60.
        """
        query = {"include": None if include is None else [*include], "wait_for_completion": wait_for_completion}
        return self._transport.json(Call("GET", _execution(execution_id), query), AgentExecutionResponse)

    def cancel(self, execution_id: str) -> CancelAgentExecutionResponse:
        """Requests the cancellation of a run."""
        call = Call("POST", _execution(execution_id, "cancel"), repeatable="always")
        return self._transport.json(call, CancelAgentExecutionResponse)

    def rerun(self, execution_id: str, *, idempotency_key: str | None = None) -> RerunAgentExecutionResponse:
        """
        Starts a new run on the stored input of this run, which does not change. `idempotency_key`: requests with the
        same key are one run, for 24 hours. Generated for each call if not given.
        """
        call = Call(
            "POST",
            _execution(execution_id, "rerun"),
            idempotency_key=idempotency_key or new_key(),
            repeatable="by-key",
        )
        return self._transport.json(call, RerunAgentExecutionResponse)

    def get_feedback(self, execution_id: str) -> AgentExecutionFeedbackDetail:
        """Returns the feedback about a run, and its expected results."""
        call = Call("GET", _execution(execution_id, "feedback"))
        return self._transport.json(call, AgentExecutionFeedbackDetail)

    def update_feedback(
        self,
        execution_id: str,
        *,
        body: str | Unset = UNSET,
        rating: FeedbackRating | Unset | None = UNSET,
        status: FeedbackStatus | Unset | None = UNSET,
        expected: Any = UNSET,
    ) -> AgentExecutionFeedbackDetail:
        """Changes the feedback about a run. Omitted fields stay as they are; None removes a value."""
        changes = given(body=body, rating=rating, status=status, expected=expected)
        call = Call("PATCH", _execution(execution_id, "feedback"), json=changes)
        return self._transport.json(call, AgentExecutionFeedbackDetail)

    def clear_feedback(self, execution_id: str) -> AgentExecutionFeedbackDetail:
        """Deletes feedback, expected JSON and expected files of a run."""
        call = Call("DELETE", _execution(execution_id, "feedback"))
        return self._transport.json(call, AgentExecutionFeedbackDetail)

    def list_expected(self, execution_id: str) -> AgentExecutionExpectedArtifacts:
        """Returns the expected results of a run: JSON and files."""
        call = Call("GET", _execution(execution_id, "expected"))
        return self._transport.json(call, AgentExecutionExpectedArtifacts)

    def copy_output_to_expected(
        self, execution_id: str, *, output_file_name: str, expected_name: str
    ) -> ExpectedFileResponse:
        """Marks an output file of the run as an expected file."""
        body = body_of(output_file_name=output_file_name, expected_name=expected_name)
        call = Call("POST", _execution(execution_id, "expected"), json=body)
        return self._transport.json(call, ExpectedFileResponse)

    def upload_expected(
        self, execution_id: str, file: FileSource, *, name: str | None = None
    ) -> ExpectedFileResponse:
        """Uploads an expected file. `name`: its artifact path; default: the name of the file."""
        form = Form({} if name is None else {"name": name}, {"file": file})
        call = Call("POST", _execution(execution_id, "expected"), form=form)
        return self._transport.json(call, ExpectedFileResponse)

    def rename_expected(self, execution_id: str, filename: str, *, name: str) -> RenameExpectedFileResponse:
        """Changes the artifact path of an expected file."""
        call = Call("PATCH", _execution(execution_id, "expected", filename), json={"name": name})
        return self._transport.json(call, RenameExpectedFileResponse)

    def delete_expected(self, execution_id: str, filename: str) -> None:
        """Deletes one expected file."""
        self._transport.nothing(Call("DELETE", _execution(execution_id, "expected", filename)))

    @overload
    def download_expected(self, execution_id: str, filename: str) -> bytes: ...
    @overload
    def download_expected(self, execution_id: str, filename: str, *, to: str | os.PathLike[str]) -> Path: ...
    def download_expected(
        self, execution_id: str, filename: str, *, to: str | os.PathLike[str] | None = None
    ) -> bytes | Path:
        """Returns the bytes of an expected file, or writes it to the file or folder `to`."""
        with self.stream_expected(execution_id, filename) as download:
            return download.read() if to is None else download.save(to)

    @overload
    def download_file(self, execution_id: str, kind: FileKind, filename: str) -> bytes: ...
    @overload
    def download_file(
        self, execution_id: str, kind: FileKind, filename: str, *, to: str | os.PathLike[str]
    ) -> Path: ...
    def download_file(
        self, execution_id: str, kind: FileKind, filename: str, *, to: str | os.PathLike[str] | None = None
    ) -> bytes | Path:
        """
        Returns the bytes of a file of a run, or writes it to the file or folder `to`. `issues.md` has the kind
        `issues`, and `trace.jsonl` the kind `trace`.
        """
        with self.stream_file(execution_id, kind, filename) as download:
            return download.read() if to is None else download.save(to)

    def stream_expected(self, execution_id: str, filename: str) -> AbstractContextManager[Download]:
        """Streams an expected file: `with …stream_expected(…) as download`."""
        return self._transport.download(Call("GET", _execution(execution_id, "expected", filename)))

    def stream_file(
        self, execution_id: str, kind: FileKind, filename: str
    ) -> AbstractContextManager[Download]:
        """Streams a file of a run: `with …stream_file(…) as download`."""
        return self._transport.download(Call("GET", _execution(execution_id, "files", kind, filename)))


def _execution(execution_id: str, *more: str) -> str:
    return "/api/v1/agents/executions" + path_of(execution_id, *more)
