from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from trapline import Client, FileInput, ServiceTimeoutError, ServiceValidationError


def test_lists_gets_and_pages_workflows(client: Client) -> None:
    page = client.workflows.list(search="client-", limit=2)
    assert (page.limit, page.offset, len(page.data)) == (2, 0, 2)
    assert page.total >= 4
    assert len({workflow.id for workflow in client.workflows.iterate(search="client-")}) == page.total
    [one] = client.workflows.list(name="client-double", kind="workflow").data
    assert one.id.startswith("wf_")
    whole = client.workflows.get("client-double")
    assert whole.id == one.id
    assert whole.yaml_content is not None
    assert "client-double" in whole.yaml_content
    assert whole.definition["document"]["name"] == "client-double"


def test_lists_versions(client: Client) -> None:
    page = client.workflows.versions("client-double")
    [version] = client.workflows.iterate_versions("client-double")
    assert page.total == 1
    assert version.id.startswith("wfh_")
    assert version.is_current
    run = client.workflows.executions.run_and_wait("client-double", {"number": 1}, version=version.id)
    assert run["status"] == "completed"


def test_run_and_wait_is_a_map_with_the_result(client: Client) -> None:
    ended = client.workflows.executions.run_and_wait("client-double", input={"number": 21})
    assert ended["status"] == "completed"
    assert ended["result"] == {"doubled": 42, "given": {"number": 21}}


def test_run_answers_at_once_or_with_the_result(client: Client) -> None:
    at_once = client.workflows.run("client-wait")
    assert at_once.execution_id.startswith("exec_")
    assert at_once.status is None
    unfinished = client.workflows.run("client-wait", wait_for_completion=1)
    assert unfinished.status is None
    finished = client.workflows.run("client-double", {"number": 4}, wait_for_completion=30)
    assert (finished.status, finished.result["doubled"]) == ("completed", 8)
    for run in (at_once, unfinished):
        client.workflows.executions.cancel(run.execution_id)


def test_a_run_that_failed_says_why(client: Client) -> None:
    ended = client.workflows.executions.run_and_wait("client-fail")
    assert ended["status"] == "failed"
    assert "Refused on purpose" in str(ended.get("error"))


def test_waits_no_longer_than_told(client: Client) -> None:
    with pytest.raises(ServiceTimeoutError) as raised:
        client.workflows.executions.run_and_wait("client-wait", timeout_seconds=5)
    assert raised.value.execution_id is not None
    cancelled = client.workflows.executions.cancel(raised.value.execution_id)
    assert cancelled.was_status in ("running", "waiting")
    assert client.workflows.executions.cancel(raised.value.execution_id).status in (
        "cancellation-requested",
        "already-terminal",
    )


def test_overrides_stand_for_steps(client: Client) -> None:
    run = client.workflows.run(
        "client-double", {"number": 1}, overrides={"steps": {"double": {"doubled": "given"}}}, wait_for_completion=30
    )
    assert run.result == {"doubled": "given"}


def test_filters_executions(client: Client) -> None:
    runs = [client.workflows.run("client-double", {"number": n}, wait_for_completion=30) for n in range(3)]
    executions = client.workflows.executions
    listed = executions.list("client-double", status=["completed", "failed"], from_date="now()-1h", limit=2)
    assert len(listed.data) == 2
    assert all(run.status == "completed" for run in listed.data)
    everything = {run.id for run in executions.iterate("client-double", status="completed")}
    assert {run.execution_id for run in runs} <= everything
    tomorrow = datetime.now(timezone.utc) + timedelta(days=1)
    assert executions.list("client-double", from_date=tomorrow).total == 0
    assert executions.list("client-double", to_date=tomorrow).total >= 3


def test_one_execution_with_and_without_its_steps(client: Client) -> None:
    run = client.workflows.run("client-double", {"number": 5}, wait_for_completion=30)
    plain = client.workflows.executions.get(run.execution_id)
    assert (plain.id, plain.execution_id, plain.status) == (run.execution_id, run.execution_id, "completed")
    assert plain.duration_ms is not None
    assert plain.workflow is not None
    assert plain.workflow.name == "client-double"
    detailed = client.workflows.executions.get(run.execution_id, include_steps=True)
    assert "double" in str(detailed.steps)


def test_files_are_streamed_beside_scalars(client: Client, tmp_path: Path) -> None:
    core = tmp_path / "core.bin"
    core.write_bytes(b"\x7fELF" * 1000)
    ended = client.workflows.executions.run_and_wait(
        "client-double",
        {"number": 3, "core": core, "note": FileInput(b"hello", "note.txt", "text/plain")},
    )
    assert ended["status"] == "completed"
    assert ended["result"]["doubled"] == 6
    given = ended["result"]["given"]
    assert given.keys() == {"number", "core", "note"}
    assert "core.bin" in str(given["core"])


def test_the_same_key_is_one_run(client: Client) -> None:
    first = client.workflows.run("client-double", {"number": 1}, idempotency_key="python-once")
    again = client.workflows.run("client-double", {"number": 1}, idempotency_key="python-once")
    assert first.execution_id == again.execution_id
    with pytest.raises(ServiceValidationError):
        client.workflows.run("client-double", {"number": 2}, idempotency_key="python-once")
