"""What is raised, and what is tried again."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from conftest import FAULTY_URL, KEY, READER_KEY, URL, Faults

from trapline import (
    Client,
    CreateAgentResponse,
    ServiceAuthError,
    ServiceConnectionError,
    ServiceError,
    ServiceForbiddenError,
    ServiceNotFoundError,
    ServiceRateLimitError,
    ServiceResponseError,
    ServiceServerError,
    ServiceTimeoutError,
    ServiceValidationError,
)


def test_each_status_has_its_exception(client: Client) -> None:
    with pytest.raises(ServiceNotFoundError) as missing:
        client.workflows.get("there-is-none")
    assert missing.value.status == 404
    assert missing.value.envelope is not None
    assert missing.value.request_id == missing.value.requestId == missing.value.envelope["requestId"]
    assert missing.value.issues[0]["code"] == "not_found"
    with pytest.raises(ServiceValidationError, match="limit"):
        client.workflows.list(limit=0)
    with Client("tl_unknown.secret", base_url=URL) as stranger, pytest.raises(ServiceAuthError):
        stranger.workflows.list()
    with Client(READER_KEY, base_url=URL) as reader:
        assert reader.workflows.list().limit == 50
        with pytest.raises(ServiceForbiddenError) as refused:
            reader.workflows.run("client-double")
        assert refused.value.status == 403


def test_comes_back_when_told_to(faulty: Client, faults: Faults) -> None:
    faults.fail({"status": 429, "headers": {"retry-after": "1"}})
    started = time.monotonic()
    assert faulty.workflows.list().limit == 50
    assert time.monotonic() - started > 1
    assert len(faults.seen()) == 2


def test_does_not_wait_for_ever(faulty: Client, faults: Faults) -> None:
    faults.fail({"status": 429, "headers": {"retry-after": "3600"}, "body": "<html>"})
    with pytest.raises(ServiceRateLimitError) as raised:
        faulty.workflows.list()
    assert (raised.value.retry_after, raised.value.retryAfter, raised.value.envelope) == (3600, 3600, None)
    assert len(faults.seen()) == 1


def test_gives_up_after_its_retries(faults: Faults) -> None:
    faults.fail({"status": 500}, {"status": 503})
    with Client(KEY, base_url=FAULTY_URL, max_retries=1) as client, pytest.raises(ServiceServerError) as raised:
        client.workflows.list()
    assert raised.value.status == 503
    assert len(faults.seen()) == 2


def test_a_run_whose_answer_was_lost_is_not_run_twice(faulty: Client, faults: Faults, tmp_path: Path) -> None:
    core = tmp_path / "core.bin"
    core.write_bytes(b"x" * 100_000)
    before = faulty.workflows.executions.list("client-double").total
    for files in (None, {"core": core}):
        faults.fail({"status": 502, "after": True})
        run = faulty.workflows.run("client-double", {"number": 1}, files=files)
        first, second = faults.seen()
        assert first["headers"]["idempotency-key"] == second["headers"]["idempotency-key"]
        assert faulty.workflows.executions.get(run.execution_id).id == run.execution_id
    assert faulty.workflows.executions.list("client-double").total == before + 2


def test_polls_when_the_service_lets_go_of_a_held_run(client: Client, faulty: Client, faults: Faults) -> None:
    run = client.workflows.run("client-pause")
    faults.fail({"status": 201, "body": json.dumps({"executionId": run.execution_id})})
    ended = faulty.workflows.executions.run_and_wait("client-pause")
    assert (ended["executionId"], ended["status"]) == (run.execution_id, "completed")
    assert ended["result"] == {"rested": True}
    first, *polls = faults.seen()
    assert "wait_for_completion=60" in first["url"]
    assert {poll["method"] for poll in polls} == {"GET"}


def test_broken_connections_are_tried_again_for_what_can_be_repeated(faulty: Client, faults: Faults) -> None:
    faults.fail({"cut": True}, {"cut": True, "afterBytes": 5})
    assert faulty.workflows.list().limit == 50
    assert len(faults.seen()) == 3
    faults.fail({"cut": True})
    with pytest.raises(ServiceConnectionError) as raised:
        faulty.agents.create(name="Once", slug="once")
    assert raised.value.idempotency_key is None
    assert len(faults.seen()) == 1


def test_a_run_whose_connection_broke_is_found_by_its_key(faulty: Client, faults: Faults) -> None:
    before = faulty.workflows.executions.list("client-double").total
    faults.fail({"cut": True, "afterBytes": 0}, {"cut": True, "afterBytes": 5})
    run = faulty.workflows.run("client-double", {"number": 1}, wait_for_completion=30)
    assert (run.status, run.result["doubled"]) == ("completed", 2)
    keys = [request["headers"]["idempotency-key"] for request in faults.seen()]
    assert (len(keys), len(set(keys))) == (3, 1)
    faults.fail({"cut": True, "afterBytes": 0})
    assert faulty.workflows.executions.rerun(run.execution_id).source_execution_id == run.execution_id
    faults.fail({"cut": True, "afterBytes": 0})
    assert faulty.workflows.executions.cancel(run.execution_id).status == "already-terminal"
    assert faulty.workflows.executions.list("client-double").total == before + 2


def test_an_error_whose_outcome_is_unknown_names_the_key(client: Client, faults: Faults) -> None:
    faults.fail({"cut": True, "afterBytes": 0})
    with Client(KEY, base_url=FAULTY_URL, max_retries=0) as hasty, pytest.raises(ServiceConnectionError) as lost:
        hasty.workflows.run("client-double", {"number": 3})
    [sent] = faults.seen()
    key = lost.value.idempotency_key
    assert key == sent["headers"]["idempotency-key"]
    assert f"cannot reach {FAULTY_URL}, or the connection broke: " in str(lost.value)
    assert f"repeat it with the idempotency key {key}" in str(lost.value)
    before = client.workflows.executions.list("client-double").total
    client.workflows.run("client-double", {"number": 3}, idempotency_key=key)
    assert client.workflows.executions.list("client-double").total == before


def test_a_wait_that_is_refused_names_its_run(client: Client, faulty: Client, faults: Faults) -> None:
    run = client.workflows.run("client-pause")
    held = {"status": 201, "body": json.dumps({"executionId": run.execution_id})}
    faults.fail(held, {"status": 429, "headers": {"retry-after": "3600"}})
    with pytest.raises(ServiceRateLimitError) as raised:
        faulty.workflows.executions.run_and_wait("client-pause")
    assert (raised.value.execution_id, raised.value.retry_after) == (run.execution_id, 3600)
    assert f"the run {run.execution_id} goes on" in str(raised.value)


def test_a_client_that_expects_bytes_more_often_than_they_come_in_a_held_answer_polls() -> None:
    with Client(KEY, base_url=URL, timeout_seconds=1) as hasty:
        assert hasty.workflows.executions.run_and_wait("client-pause")["status"] == "completed"


def test_silence_ends_in_a_timeout(faults: Faults) -> None:
    faults.fail({"silent": True})
    with Client(KEY, base_url=FAULTY_URL, timeout_seconds=0.3) as client, pytest.raises(ServiceTimeoutError) as raised:
        client.workflows.list()
    assert raised.value.status is None
    assert len(faults.seen()) == 1


def test_what_is_no_answer_of_the_service_is_told(faulty: Client, faults: Faults) -> None:
    faults.fail({"status": 200, "body": "<html>"})
    with pytest.raises(ServiceResponseError):
        faulty.workflows.list()
    faults.fail({"status": 302, "headers": {"location": "http://127.0.0.1:1/"}})
    with pytest.raises(ServiceError) as redirected:
        faulty.workflows.list()
    assert redirected.value.status == 302
    assert len(faults.seen()) == 1


def test_a_download_that_breaks_leaves_nothing(
    faulty: Client, faults: Faults, agent: CreateAgentResponse, tmp_path: Path
) -> None:
    with Client(KEY, base_url=URL) as client:
        run = client.agents.run(agent.agent.id, {"host": "web-1"}, wait_for_completion=60)
    faults.fail({"cut": True, "afterBytes": 5})
    with pytest.raises(ServiceConnectionError):
        faulty.agents.executions.download_file(
            run.execution_id, "output", "report/summary.json", to=tmp_path / "summary.json"
        )
    assert list(tmp_path.iterdir()) == []


def test_no_server_at_all() -> None:
    with Client("a.b", base_url="http://127.0.0.1:1", max_retries=0) as client, pytest.raises(ServiceConnectionError):
        client.agents.list()
