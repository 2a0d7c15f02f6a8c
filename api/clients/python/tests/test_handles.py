"""Handles of runs, and batches."""

from __future__ import annotations

import uuid

import pytest
from conftest import AGENT_SCRIPT, KEY, URL
from pydantic import BaseModel
from trapline import (
    AsyncClient,
    Client,
    RunFailedError,
    ServiceNotFoundError,
    ServiceTimeoutError,
    ServiceValidationError,
)


class Doubled(BaseModel):
    doubled: int


def test_wait_for_the_result_and_follow(client: Client) -> None:
    run = client.workflows.start("client-double", {"number": 21}, result_type=Doubled)
    assert run.result().doubled == 42
    assert run.get().name == "client-double"
    assert [event.event for event in run.follow()][-1] == "status"
    failed = client.workflows.start("client-fail")
    with pytest.raises(RunFailedError, match="Refused on purpose") as caught:
        failed.result()
    assert caught.value.execution_id == failed.execution_id
    assert caught.value.run_status == "failed"


def test_agents_have_them_too(client: Client) -> None:
    slug = f"handled-{uuid.uuid4().hex[:8]}"
    client.agents.create(name="Handled", slug=slug)
    client.agents.put_file(slug, "agent.js", AGENT_SCRIPT)
    started = client.agents.start(slug, {"host": "web-1"})
    run = client.executions.run(started.execution_id)
    assert run.result(timeout_seconds=60)["input"] == {"host": "web-1"}
    assert [one.id for one in client.executions.iterate(agent=slug, from_="now()-1h")] == [run.execution_id]
    client.agents.delete(slug)
    with pytest.raises(ServiceValidationError):
        client.agents.start(slug)


def test_time_out_while_the_run_goes_on_and_cancel_it(client: Client) -> None:
    run = client.workflows.start("client-wait")
    with pytest.raises(ServiceTimeoutError):
        run.result(timeout_seconds=0)
    executions = client.executions
    assert executions.suspension(run.execution_id).suspension is None
    assert executions.suspend(run.execution_id).status.startswith("suspen")
    suspension = executions.suspension(run.execution_id).suspension
    assert suspension is not None and suspension.requested_at.endswith("Z")
    assert executions.resume(run.execution_id).status == "resumed"
    assert run.cancel().execution_id == run.execution_id
    assert run.ended().status == "cancelled"


def test_a_batch_is_in_the_order_of_its_inputs_and_starts_nothing_twice(client: Client) -> None:
    key = uuid.uuid4().hex
    inputs = [{"number": number} for number in (1, 2, 3)]
    first, second = (
        client.workflows.start_all("client-double", inputs, concurrency=2, idempotency_key=key) for _ in range(2)
    )
    assert [one.run.execution_id for one in first if one.run] == [one.run.execution_id for one in second if one.run]
    assert [one.run.result()["doubled"] for one in first if one.run] == [2, 4, 6]
    (refused,) = client.workflows.start_all("no-such-workflow", [{}])
    assert isinstance(refused.error, ServiceNotFoundError)


@pytest.mark.anyio
async def test_a_batch_of_coroutines() -> None:
    async with AsyncClient(KEY, base_url=URL) as client:
        started = await client.workflows.start_all("client-double", [{"number": 4}, {"number": 5}])
        results = [await one.run.result() for one in started if one.run]
    assert [result["doubled"] for result in results] == [8, 10]
