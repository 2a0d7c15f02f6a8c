"""Limits and bulk actions of workflows, replies of executions, experiments, teams, back-tests and counts over time."""

from __future__ import annotations

import time
import uuid

import pytest

from trapline import AsyncClient, Client

from conftest import KEY, URL

PAUSED = "client-wait"


def test_a_workflow_is_paused_and_resumed_and_its_executions_are_ended_in_bulk(client: Client) -> None:
    workflows = client.workflows
    workflows.pause(PAUSED, reason="a test")
    paused = workflows.limits(PAUSED).paused
    assert paused is not None and paused.reason == "a test"
    assert PAUSED in [one.workflow.name for one in workflows.paused().data]
    started = workflows.run(PAUSED)
    assert workflows.resume(PAUSED).paused is None
    count = workflows.bulk_actions.count(PAUSED, action="cancel").count
    assert count >= 1
    action = workflows.bulk_actions.start(PAUSED, action="cancel", expected=count)
    statuses = [event.status for event in client.executions.follow(started.execution_id) if event.event == "status"]
    assert statuses[-1] == "cancelled"
    assert workflows.bulk_actions.list(PAUSED).data[0].id == action.id
    workflows.bulk_actions.stop(PAUSED, action.id)
    assert workflows.bulk_actions.get(PAUSED, action.id).total == count


def test_an_execution_replies_to_an_event_also_to_who_asks_later(client: Client) -> None:
    run = client.workflows.run("client-answer")
    event = {"specversion": "1.0", "source": "https://example.org/python", "id": f"asked-{run.execution_id}", "type": "org.example.asked", "data": {"n": 21}}
    replied = client.executions.signal(run.execution_id, event, wait_for_reply=30)
    assert replied.state == "replied"
    assert replied.reply is not None and replied.reply["data"] == {"twice": 42}
    assert client.executions.signal_reply(run.execution_id, replied.event_id).reply == replied.reply


def test_an_experiment_compares_two_versions_of_an_agent(client: Client) -> None:
    agents = client.agents
    made = agents.create(name="Compared", slug=f"compared-{uuid.uuid4().hex}", config={"runtime": "script"}).agent
    agents.put_file(made.id, "agent.js", "({ good: input.n === 1 })")
    agents.put_file(made.id, "agent.js", "({ good: true })")
    latest = agents.get(made.id).agent.latest_version
    assert latest is not None
    assert agents.examples.put(made.id, "one", input={"n": 0}).name == "one"
    agents.checks.set(made.id, [{"type": "exact", "at": "/good", "value": True}])
    assert len(agents.checks.get(made.id).checks) == 1
    started = agents.experiments.start(made.id, name="better", baseline={"version": latest - 1}, candidate={})
    assert [one.id for one in agents.experiments.iterate(made.id)] == [started.id]
    result = agents.experiments.get(made.id, started.id)
    for _ in range(600):
        if result.open == 0:
            break
        time.sleep(0.1)
        result = agents.experiments.get(made.id, started.id)
    row = result.rows[0]
    assert row.baseline is not None and row.baseline.evaluation is not None and row.baseline.evaluation.passed is False
    assert row.candidate is not None and row.candidate.evaluation is not None and row.candidate.evaluation.passed is True
    assert agents.usage(made.id).total.runs == 2


def test_teams_back_tests_and_counts_over_time(client: Client) -> None:
    assert client.teams.list(mine=True).total == 0
    assert list(client.teams.iterate()) == []
    rule = client.rules.list().data[0]
    assert client.rules.backtest(rule.id).complete
    assert client.events.summary().step_seconds > 0
    summary = client.detections.summary(severity=["high", "critical"])
    assert summary.step_seconds > 0


@pytest.mark.anyio
async def test_the_same_without_blocking() -> None:
    async with AsyncClient(KEY, base_url=URL) as client:
        assert (await client.workflows.limits("client-double")).paused is None
        assert (await client.events.summary(hostname="none")).events == 0
