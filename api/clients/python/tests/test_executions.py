"""Following, running again, and secrets."""

from __future__ import annotations

import pytest
from conftest import KEY, URL

from trapline import (
    AsyncClient,
    Client,
    CreateAgentResponse,
    LineEvent,
    ServiceNotFoundError,
    ServiceValidationError,
    StatusEvent,
    StepEvent,
)


def test_follows_until_the_end_from_anywhere(client: Client) -> None:
    run = client.workflows.run("client-double", {"number": 4})
    events = list(client.executions.follow(run.execution_id))
    assert any(isinstance(event, StepEvent) and event.name == "double" for event in events)
    last = events[-1]
    assert isinstance(last, StatusEvent)
    assert last.status == "completed"
    assert list(client.executions.follow(run.execution_id, after=events[-3].id)) == events[-2:]
    with pytest.raises(ServiceNotFoundError):
        list(client.executions.follow("exec_none"))


def test_hears_what_an_agent_says(client: Client, agent: CreateAgentResponse) -> None:
    run = client.agents.run(agent.agent.id, {"a": 1})
    lines = [event.text for event in client.executions.follow(run.execution_id) if isinstance(event, LineEvent)]
    assert lines == ["worth a look"]


def test_runs_again(client: Client) -> None:
    source = client.workflows.executions.run_and_wait("client-double", {"number": 4})["executionId"]
    for from_step in (None, "double"):
        again = client.workflows.executions.rerun(source, from_step=from_step)
        assert again.source_execution_id == source
        *_, last = client.executions.follow(again.execution_id)
        assert isinstance(last, StatusEvent)
        assert client.workflows.executions.get(again.execution_id).result["doubled"] == 8
    with pytest.raises(ServiceValidationError):
        client.workflows.executions.rerun(source, from_step="none")


def test_keeps_secrets(client: Client) -> None:
    client.secrets.set("python_token", "a value never returned")
    listed = client.secrets.list()
    assert "python_token" in [secret.name for secret in listed.data]
    assert "never returned" not in listed.model_dump_json()
    client.secrets.delete("python_token")
    with pytest.raises(ServiceNotFoundError):
        client.secrets.delete("python_token")


@pytest.mark.anyio
async def test_follows_side_by_side() -> None:
    async with AsyncClient(KEY, base_url=URL) as client:
        run = await client.workflows.run("client-wait")
        statuses: list[str] = []
        async for event in client.executions.follow(run.execution_id):
            if isinstance(event, StatusEvent):
                statuses.append(event.status)
                if event.status == "waiting":
                    await client.workflows.executions.cancel(run.execution_id)
        assert statuses[-1] == "cancelled"
