"""The asynchronous client: what the two have in common is one source, so what differs is tried here."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from conftest import AGENT_SCRIPT, FAULTY_URL, KEY, URL, Faults

from trapline import AsyncClient, ServiceTimeoutError

pytestmark = pytest.mark.anyio


async def test_runs_side_by_side() -> None:
    async with AsyncClient(KEY, base_url=URL) as client:
        runs = (client.workflows.executions.run_and_wait("client-double", {"number": n}) for n in range(5))
        assert [run["result"]["doubled"] for run in await asyncio.gather(*runs)] == [0, 2, 4, 6, 8]
        assert [workflow.name async for workflow in client.workflows.iterate(name="client-double")] == ["client-double"]


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
