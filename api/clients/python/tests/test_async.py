"""The asynchronous client: what the two have in common is one source, so what differs is tried here."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import anyio
import pytest
from conftest import ADDRESS_LIMIT, AGENT_SCRIPT, FAULTY_URL, KEY, RUNNER_KEY, URL, Faults

from trapline import AsyncClient, RunResult, ServiceTimeoutError

pytestmark = pytest.mark.anyio


async def test_runs_side_by_side() -> None:
    async with AsyncClient(KEY, base_url=URL) as client:
        runs = (client.workflows.executions.run_and_wait("client-double", {"number": n}) for n in range(5))
        assert [run["result"]["doubled"] for run in await asyncio.gather(*runs)] == [0, 2, 4, 6, 8]
        assert [workflow.name async for workflow in client.workflows.iterate(name="client-double")] == ["client-double"]


async def test_ten_waits_with_one_key_are_one_held_request_each(faults: Faults) -> None:
    async with AsyncClient(RUNNER_KEY, base_url=FAULTY_URL) as runner, AsyncClient(KEY, base_url=URL) as operator:
        ids = [(await runner.workflows.run("client-wait")).execution_id for _ in range(10)]
        reads: list[str] = []
        waits: list[asyncio.Task[RunResult]] = []
        for id in ids:
            # The service lets go of the run at once: what remains of the wait are reads.
            faults.fail({"status": 201, "body": json.dumps({"executionId": id})})
            waits.append(asyncio.create_task(runner.workflows.executions.run_and_wait("client-wait")))
            with anyio.fail_after(60):
                while len(reads) < len(waits):
                    await asyncio.sleep(0.02)
                    seen = await asyncio.to_thread(faults.seen)
                    reads.extend(request["url"] for request in seen if request["method"] == "GET")
        for id in ids:
            await operator.workflows.executions.cancel(id)
        ended = await asyncio.gather(*waits)
        assert sorted(run["executionId"] for run in ended) == sorted(ids)
        assert {run["status"] for run in ended} == {"cancelled"}
        assert [url.partition("?")[2] for url in reads] == ["wait_for_completion=60"] * 10
        assert await asyncio.to_thread(faults.seen) == []
        # A client that polls quickly has its own budget too: more than the limit of the address.
        for _ in range(ADDRESS_LIMIT + 10):
            await runner.workflows.executions.get(ids[0])


async def test_streams_both_ways(tmp_path: Path) -> None:
    core = tmp_path / "core.bin"
    core.write_bytes(b"x" * 200_000)
    async with AsyncClient(KEY, base_url=URL) as client:
        await client.agents.create(name="Asynchronous", slug="python-async", config={"runtime": "script"})
        await client.agents.put_file("python-async", "agent.js", AGENT_SCRIPT)
        run = await client.agents.run("python-async", {"core": core}, wait_for_completion=60)
        assert [file["size"] for file in run.output["files"]] == [200_000]
        async with client.agents.executions.stream_file(run.execution_id, "trace", "trace.jsonl") as download:
            assert b"".join([piece async for piece in download.iter_bytes()]).endswith(b"\n")
        saved = await client.agents.executions.download_file(
            run.execution_id, "output", "report/summary.json", to=tmp_path / "saved.json"
        )
        assert saved.exists()


async def test_tries_again_and_times_out(faults: Faults) -> None:
    async with AsyncClient(KEY, base_url=FAULTY_URL) as client:
        faults.fail({"status": 503})
        assert (await client.workflows.list()).limit == 50
        assert len(faults.seen()) == 2
    async with AsyncClient(KEY, base_url=FAULTY_URL, timeout_seconds=0.3) as client:
        faults.fail({"silent": True})
        with pytest.raises(ServiceTimeoutError):
            await client.workflows.list()
